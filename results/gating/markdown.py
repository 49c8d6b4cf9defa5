"""A gate's report as Markdown for the comment of a pull request: short, with names that cannot become markup."""

import re
from collections.abc import Iterator, Sequence

from results.exports.shown_text import visible
from results.gating.addresses import evaluation_address
from results.gating.checks import Check, CheckState
from results.gating.report import GateReport
from results.gating.words import TITLES, VERDICTS, outcomes_words, run_name, task_name
from results.queries.compare_rows import ComparedRow
from results.queries.evaluations import EvaluationRow

# GitHub takes 65,536 characters: with these limits a comment has less, whatever the names are.
MOST_CHECKS = 30  # of the open table, and as many folded
MOST_TASKS = 30  # of all runs together
MOST_OF_A_NAME = 100  # characters
MOST_OF_A_MESSAGE = 250
ORDER = (CheckState.FAILED, CheckState.UNJUDGED, CheckState.PASSED)
_PIPES = re.compile(r"(\\*)\|")


def as_markdown(report: GateReport, base_url: str) -> str:
    """The report.

    Args:
        report: of the gate.
        base_url: where Evalboard is, for links; empty = no links, since a path alone would lead into the repository.
    """
    return "\n".join([*_head(report, base_url), *_checks(report, base_url), *_tasks(report), ""])


def _head(report: GateReport, base_url: str) -> Iterator[str]:
    yield f"### Gate {VERDICTS[report.state]}"
    yield ""
    if report.candidate is not None:
        against = "" if report.baseline is None else f" against {_evaluation(report.baseline, base_url)}"
        counts = ", ".join(f"{report.count(state)} {state.value}" for state in ORDER if report.count(state))
        yield f"{_evaluation(report.candidate, base_url)}{against}: {counts}."
    query = report.gate.chosen.to_query()
    if query:
        yield ""
        yield f"Only results of the filter {_code(query)}."


def _checks(report: GateReport, base_url: str) -> Iterator[str]:
    """What failed or could not be judged in the open, what passed folded, unless all did."""
    ranked = sorted(report.checks, key=lambda check: ORDER.index(check.state))
    passed = [check for check in ranked if check.state is CheckState.PASSED]
    others = [check for check in ranked if check.state is not CheckState.PASSED]
    yield from _table(others or passed, base_url)
    if others and passed:
        yield from _folded(f"{len(passed)} passed", list(_table(passed, base_url)))


def _table(checks: Sequence[Check], base_url: str) -> Iterator[str]:
    yield ""
    yield "| run | check | state | |"
    yield "| --- | --- | --- | --- |"
    for check in checks[:MOST_CHECKS]:
        run = "" if check.pairing is None else _code(run_name(check.pairing))
        title = TITLES[check.rule]
        linked = f"[{title}]({base_url}{check.address})" if base_url and _is_short(check.address) else title
        said = _code(check.message, MOST_OF_A_MESSAGE) if check.pairing is None else _plain(check.message)
        yield f"| {run} | {linked} | {_state(check.state)} | {said} |"
    if len(checks) > MOST_CHECKS:
        yield f"| | and {len(checks) - MOST_CHECKS} more | | |"


def _tasks(report: GateReport) -> Iterator[str]:
    left = MOST_TASKS
    for run in report.runs:
        if run.tasks is None:
            continue
        regressed = ("regressed", run.tasks.regressed, run.tasks.pairs.regressed)
        missing = ("without an outcome", run.tasks.missing, run.tasks.missing_count)
        for word, rows, count in (regressed, missing):
            shown = rows[:left]
            left -= len(shown)
            if count and shown:
                lines = ["", *map(_task, shown), *([f"- and {count - len(shown)} more"] if count > len(shown) else [])]
                yield from _folded(f"{count} {word}: {_html(run_name(run.pairing))}", lines)


def _task(row: ComparedRow) -> str:
    return f"- {_code(task_name(row))} {outcomes_words(row)}"


def _folded(title: str, lines: Sequence[str]) -> Iterator[str]:
    yield from ("", f"<details><summary>{title}</summary>", *lines, "", "</details>")


def _evaluation(row: EvaluationRow, base_url: str) -> str:
    words = f"{_code(row.name)} (evaluation {row.id})" if row.name else f"evaluation {row.id}"
    return f"[{words}]({base_url}{evaluation_address(row.id)})" if base_url else words


def _state(state: CheckState) -> str:
    return VERDICTS[state] if state is CheckState.PASSED else f"**{VERDICTS[state]}**"


def _is_short(address: str) -> bool:
    return 0 < len(address) <= MOST_OF_A_MESSAGE


def _code(text: str, most: int = MOST_OF_A_NAME) -> str:
    """A text as a code span, where neither markup nor mentions nor numbers of issues mean anything."""
    shown = _cut(visible(text), most)
    if not shown.strip():
        return "(no name)"
    fence = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    gap = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    safe = _PIPES.sub(lambda found: found[1] * 2 + r"\|", shown)  # a pipe would end the cell of a table
    return f"{fence}{gap}{safe}{gap}{fence}"


def _plain(text: str) -> str:
    """A sentence of ours; names that stand in one, such as those of currencies, lose what begins markup."""
    return re.sub(r"([\\`*_\[\]<>#|~&@$])", r"\\\1", _cut(visible(text), MOST_OF_A_MESSAGE))


def _html(text: str) -> str:
    """A name in a summary, where Markdown is not read but mentions are: code again."""
    shown = _cut(visible(text), MOST_OF_A_NAME)
    return f"<code>{shown.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')}</code>"


def _cut(text: str, most: int) -> str:
    line = re.sub(r"\s*\n\s*", " ↵ ", text).replace("\t", " ")
    return line if len(line) <= most else f"{line[: most - 1]}…"
