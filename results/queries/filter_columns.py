"""What the keys of a filter mean in SQL: the columns of the facts, their codes, and lists of ids."""

from collections.abc import Callable
from dataclasses import dataclass

from results.facts.columns import OTHER_STATUS_BIT, STATUS_BITS
from results.facts.reading import Reading
from results.filters import OTHER_STATUS, Choice
from results.models.evaluations import RESULTS_PER_EVALUATION
from results.models.results import Outcome
from results.pricing import Reason

# Key of the filter -> column of the facts and the table that holds its names.
NAMED = {
    "provider": ("provider_id", "providers"),
    "run": ("run_id", "runs"),
    "model": ("model_id", "terms"),
    "task": ("task_id", "tasks"),
    "suite": ("suite_id", "terms"),
    "category": ("category_id", "terms"),
    "difficulty": ("difficulty_id", "terms"),
    "error": ("error_title_id", "terms"),
    "currency": ("currency_id", "terms"),
}
_FLAG = {"yes": (1,), "no": (0,), "unknown": ()}
# Key -> column of the facts, and what it holds for each word; nothing = it is missing.
CODED: dict[str, tuple[str, dict[str, tuple[int, ...]]]] = {
    "outcome": ("outcome", {str(outcome.label): (int(outcome),) for outcome in Outcome}),
    "transient": ("is_transient", _FLAG),
    "parsing": ("is_response_parsing", _FLAG),
    "mismatch": ("is_type_mismatch", _FLAG),
    "judge": ("has_judge", _FLAG),
    "priced": (
        "cost_reason",
        {
            state: tuple(int(reason) for reason in Reason if reason.state == state)
            for state in dict.fromkeys(reason.state for reason in Reason)
        },
    ),
}
BITS = {**STATUS_BITS, OTHER_STATUS: OTHER_STATUS_BIT}
SPAN_COLUMNS = {
    "duration": "duration_ns",
    "tool_calls": "tool_calls",
    "cost": "cost_nano",
    "attempts": "attempts",
    "repeat": "repeat",
    "started": "started_at_us",
}
MAX_LISTED = 1_000  # ids that are written into a condition; more are joined, which plans quicker
MAX_BITS = 200_000  # ids up to here can be a string of bits, which is met in half the time of a join
_OF_NAMES = {*(column for column, _ in NAMED.values()), "tag_set_id"}  # columns with ids from 1 on, without great gaps


@dataclass(frozen=True)
class Reach:
    """Which results a question is about: a WHERE clause, and whether on all results though some are held apart."""

    where: str
    is_whole: bool = False


def in_ids(column: str, ids: list[int], has_gap: bool = False) -> str:
    """SQL: the column is one of some numbers, or missing where that is wanted."""
    parts = [_among(column, ids)] if ids else []
    parts += [f"{column} IS NULL"] if has_gap else []
    return " OR ".join(parts) or "false"


def _among(column: str, ids: list[int]) -> str:
    if len(ids) <= MAX_LISTED:
        return f"{column} IN ({listed_ids(ids)})"
    if column not in _OF_NAMES or max(ids) > MAX_BITS:
        return f"{column} IN (SELECT unnest([{listed_ids(ids)}]))"
    beyond = max(ids) + 1
    bits = bytearray(b"0") * (beyond + 1)
    for pk in ids:
        bits[pk] = ord("1")
    return f"get_bit('{bits.decode()}'::BIT, least({column}, {beyond})) = 1"


def joined(choice: Choice, condition: Callable[[list[str], bool], str]) -> str:
    """(included values OR …) AND NOT (excluded values OR …); a missing value is only met by None."""
    parts = []
    for values, is_wanted in ((choice.included, True), (choice.excluded, False)):
        if values:
            met = condition([value for value in values if value is not None], None in values)
            parts.append(met if is_wanted else f"NOT coalesce({met}, false)")
    return " AND ".join(f"({part})" for part in parts)


def is_repeated(reading: Reading) -> str:
    """SQL: the evaluation holds several results of this run and task, whatever the filter."""
    pairs = reading.table("results", "evaluation_id run_id task_id repeat")
    pair = "(evaluation_id, run_id, task_id)"
    return f"({pair} IN (SELECT {pair} FROM {pairs} WHERE repeat = 2))"


def bits_of(words: list[str]) -> int:
    """Statuses of tool calls as bits."""
    return sum(BITS[word] for word in set(words))


def by_any_status(words: list[str], has_gap: bool) -> str:
    """SQL: a call of any tool has one of these statuses, or there is none where that is wanted."""
    parts = [f"call_statuses & {bits_of(words)} <> 0"] if words else []
    return " OR ".join([*parts, *(["calls = 0"] if has_gap else [])])


def by_code(column: str, codes: dict[str, tuple[int, ...]]) -> Callable[[list[str], bool], str]:
    """What makes SQL of words that a column holds as numbers."""

    def condition(words: list[str], has_gap: bool) -> str:
        has_gap = has_gap or any(not codes[word] for word in words)
        return in_ids(f"{column}::UTINYINT", [code for word in words for code in codes[word]], has_gap)

    return condition


def by_evaluation(words: list[str], has_gap: bool) -> str:
    """SQL: the result is of one of these evaluations, given by their ids."""
    return in_ids("evaluation_id", [int(word) for word in words], has_gap)


def by_result(words: list[str], has_gap: bool) -> str:
    """Ids of results; those of their evaluations let whole parts of the facts be skipped."""
    del has_gap
    ids = [int(word) for word in words]
    evaluations = {pk // RESULTS_PER_EVALUATION for pk in ids}
    return f"({in_ids('evaluation_id', list(evaluations))}) AND ({in_ids('result_id', ids)})"


def by_truth(condition: str) -> Callable[[list[str], bool], str]:
    """What makes SQL of `yes` and `no`, where it is always known which of them holds."""

    def asked(words: list[str], has_gap: bool) -> str:
        del has_gap
        return " OR ".join(condition if word == "yes" else f"NOT {condition}" for word in words) or "false"

    return asked


def clause(parts: list[str]) -> str:
    """A WHERE clause of conditions that all have to be met; empty for none."""
    return f"WHERE {' AND '.join(parts)}" if parts else ""


def listed_ids(ids: list[int]) -> str:
    """Numbers as SQL writes them between the brackets of IN."""
    return ", ".join(map(str, sorted(ids))) or "NULL"
