"""Effective tokens as SQL: the one definition, kept beside the recorded counters when facts are written.

Per usage object first, then summed (Source: MindTrial's accounting rules; the same in Python: `results.statistics`).
Input is input + cache write + cache read (`cache_tokens_separate` or absent; unknown only if all three are) or input
alone (`cache_tokens_included`). Output is output + reasoning (`reasoning_tokens_separate`) or output alone (included or
absent). Any other word makes it unknown. The model's usage is answer + error; in a Validation Error the error's usage
is the judge's.

A kept value is a BIGINT. One that leaves 64 bits is kept in the `_wide` column beside it, which is otherwise empty.
"""

TOKEN_COLUMNS = ("model_input_tokens", "model_output_tokens", "judge_input_tokens", "judge_output_tokens")
_DECIMAL = "DECIMAL(38,0)"
_LOWEST, _HIGHEST = "-9223372036854775807", "9223372036854775807"


def _sum(terms: list[str]) -> str:
    """Add what is known; NULL only when nothing is."""
    known = " + ".join(f"coalesce({term}::HUGEINT, 0)" for term in terms)
    return f"CASE WHEN {' AND '.join(f'{term} IS NULL' for term in terms)} THEN NULL ELSE {known} END"


def _input(section: str) -> str:
    separate = _sum([f"{section}_input_tokens", f"{section}_cache_write_tokens", f"{section}_cache_read_tokens"])
    word = f"{section}_input_accounting"
    included = f"{section}_input_tokens::HUGEINT"
    return f"(CASE WHEN {word} IS NULL OR {word} = 1 THEN {separate} WHEN {word} = 2 THEN {included} END)"


def _output(section: str) -> str:
    separate = _sum([f"{section}_output_tokens", f"{section}_reasoning_tokens"])
    word = f"{section}_output_accounting"
    included = f"{section}_output_tokens::HUGEINT"
    return f"(CASE WHEN {word} IS NULL OR {word} = 2 THEN {included} WHEN {word} = 1 THEN {separate} END)"


def _owned(own: str, error: str, *, is_judge: bool) -> str:
    """One owner's tokens: its own section, and the error's when that is its own too."""
    condition = "is_error_usage_judge" if is_judge else "NOT is_error_usage_judge"
    return _sum([own, f"(CASE WHEN {condition} THEN {error} END)"])


_EXACT = {
    "model_input_tokens": _owned(_input("answer"), _input("error"), is_judge=False),
    "model_output_tokens": _owned(_output("answer"), _output("error"), is_judge=False),
    "judge_input_tokens": _owned(_input("validation"), _input("error"), is_judge=True),
    "judge_output_tokens": _owned(_output("validation"), _output("error"), is_judge=True),
}


def with_effective_tokens(source: str) -> str:
    """A query that adds the effective tokens to the recorded columns.

    Args:
        source: SQL of a table with `RESULT_COLUMNS`.

    Returns:
        SQL of the same rows with `TOKEN_COLUMNS` (BIGINT) and their `_wide` twins (DECIMAL(38,0)).
    """
    exact = ", ".join(f"{expression} AS exact_{name}" for name, expression in _EXACT.items())
    kept = ", ".join(
        f"CASE WHEN exact_{name} BETWEEN {_LOWEST} AND {_HIGHEST} THEN exact_{name}::BIGINT END AS {name}, "
        f"CASE WHEN exact_{name} NOT BETWEEN {_LOWEST} AND {_HIGHEST} THEN exact_{name}::{_DECIMAL} END AS {name}_wide"
        for name in TOKEN_COLUMNS
    )
    dropped = ", ".join(f"exact_{name}" for name in TOKEN_COLUMNS)
    return f"SELECT * EXCLUDE ({dropped}), {kept} FROM (SELECT *, {exact} FROM {source})"
