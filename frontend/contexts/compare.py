"""Runs side by side: what got better, what got worse, and whether it is real."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict

from frontend.contexts.chart import Chart
from frontend.contexts.compare_answers import VIEWS, AnswersSection
from frontend.contexts.compare_asked import MOST_CHARACTERS, Asked, names_of
from frontend.contexts.compare_chooser import Chooser
from frontend.contexts.compare_moves import LABELS as RUN_WORDS
from frontend.contexts.compare_runs import RunsPanel
from frontend.contexts.compare_table import ColumnLine, column_lines, differences_chart
from frontend.contexts.compare_tasks import LABELS as WORDS
from frontend.contexts.compare_tasks import TASK, TasksPanel
from frontend.contexts.compare_tiles import compare_tiles
from frontend.contexts.corrections import CorrectionsPanel
from frontend.contexts.shell import Shell
from frontend.contexts.tiles import Tile
from frontend.contexts.unknown_values import unknown_values
from frontend.formats import count, plural
from results.filters import Choice, ResultFilter
from results.queries.compare import Comparison, Kind, compare
from results.queries.compare_columns import ComparedRun, baseline_of
from results.queries.compare_reading import FEWEST, Finding, finding
from results.queries.evaluations import EvaluationRow
from results.queries.visibility import VisibleSet

ONE_PROJECT = "Tasks belong to a project: {} of different projects have none in common that could be paired."
FEWEST_COLUMNS = 2  # of a comparison
MOST_FINDINGS = 6  # sentences; all candidates are in the table
NO_RESULTS = (
    "Every result of the baseline was skipped: there is nothing that another run could be better or worse than."
)


@dataclass(frozen=True)
class ComparePage:
    """What `compare.html` reads.

    Attributes:
        title: what is compared, such as `Compare 4 runs`.
        meta: how much they have in common.
        notices: what was asked for and left out, and what makes the comparison say little.
        findings: a sentence for each candidate, what is clear first, at most 6; more_findings: how many are left out.
        mood: of the findings: `warning` when a candidate is worse, `success` when one is better, else empty.
        lines: the columns, the baseline first; empty when none is chosen.
        base: the baseline's evaluation, which can be pinned as that of its project; None when nothing is chosen.
        baseline_href: the comparison with the project's pinned baseline; empty when there is none, or it is in.
        report_query: of a report that compares the same; empty when nothing is compared.
        runs: evaluations compared run by run, in place of columns.
        tiles: of the columns.
        tests: p-values that were corrected together. fewest: pairs below which no difference can be clear.
        has_repeats: some task occurs more than once in a column.
        has_changes: some task changed between the evaluations.
        corrections: with and without corrected verdicts; None where nobody corrected any.
    """

    shell: Shell
    title: str
    meta: tuple[str, ...]
    notices: tuple[str, ...]
    findings: tuple[Finding, ...]
    more_findings: int
    mood: str
    lines: tuple[ColumnLine, ...]
    base: EvaluationRow | None
    baseline_href: str
    report_query: str
    runs: RunsPanel | None
    tiles: tuple[Tile, ...]
    chart: Chart | None
    tasks: TasksPanel | None
    answers: AnswersSection | None
    chooser: Chooser
    tests: int
    fewest: int
    has_repeats: bool
    has_changes: bool
    corrections: CorrectionsPanel | None

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "ComparePage":
        """The page for a query with columns, or with what stands for them."""
        asked = Asked.build(visible, params)
        columns = asked.columns
        found = compare(visible, [column.key for column in columns]) if columns else None
        several = found if found is not None and found.candidates else None
        answers = None if found is None else AnswersSection.build(visible, columns, found, asked.params)
        findings = () if several is None else _findings(columns, several)
        return cls(
            shell=shell,
            title=_title(asked),
            meta=() if several is None else _meta(several),
            notices=(*asked.notices, *_unknown(params, asked, found, answers), *_doubts(asked, found)),
            findings=findings[:MOST_FINDINGS],
            more_findings=max(0, len(findings) - MOST_FINDINGS),
            mood=_mood(findings),
            lines=() if found is None else column_lines(columns, found, asked.params),
            base=columns[0].evaluation if columns else None,
            baseline_href=_baseline_href(visible, columns),
            report_query=_report_query(asked),
            runs=RunsPanel.build(visible, asked.evaluations, params) if asked.evaluations else None,
            tiles=() if several is None else compare_tiles(columns, several, asked.params),
            chart=None if several is None else differences_chart(columns, several),
            tasks=None if several is None else TasksPanel.build(visible, columns, several, asked.params),
            answers=answers,
            chooser=Chooser.build(visible, columns, asked.params),
            tests=0 if several is None else sum(one.pairs.pairs > 0 for one in several.candidates),
            fewest=FEWEST,
            has_repeats=found is not None and found.has_repeats,
            has_changes=several is not None and any(one.changed for one in several.candidates),
            corrections=CorrectionsPanel.of_columns(visible, columns) if columns else None,
        )


def _title(asked: Asked) -> str:
    if asked.evaluations:
        return f"Compare {plural(len(asked.evaluations), 'evaluation')} run by run"
    return f"Compare {plural(len(asked.columns), 'run')}" if asked.columns else "Compare"


def _meta(found: Comparison) -> tuple[str, ...]:
    pairs = [candidate.pairs.pairs for candidate in found.candidates]
    few = (
        plural(min(pairs), "pair") if min(pairs) == max(pairs) else f"{count(min(pairs))} to {count(max(pairs))} pairs"
    )
    outside = found.tasks - found.shared_tasks
    return (
        f"{plural(found.shared_tasks, 'common task')}, {few} per candidate",
        f"{plural(outside, 'task')} not in every column" if outside else "every task in every column",
    )


def _findings(columns: Sequence[ComparedRun], found: Comparison) -> tuple[Finding, ...]:
    """Sentences: what is worse, what is better, what cannot be told; each in the order of the columns."""
    sentences = [
        finding(name, candidate.pairs, candidate.corrected_p_value)
        for name, candidate in zip(names_of(columns)[1:], found.candidates, strict=True)
    ]
    order = ("worse", "better", "")
    return tuple(sorted(sentences, key=lambda one: order.index(one.kind)))


def _mood(findings: Sequence[Finding]) -> str:
    kinds = {one.kind for one in findings}
    return "warning" if "worse" in kinds else "success" if "better" in kinds else ""


def _unknown(
    params: QueryDict, asked: Asked, found: Comparison | None, answers: AnswersSection | None
) -> tuple[str, ...]:
    """A sentence for each value of the page's own keys that it does not know."""
    words = RUN_WORDS if asked.evaluations else WORDS
    notices = [*unknown_values(params, {"show": words, "view": VIEWS}, {"sort": TASK})]
    of, task = params.get("of", ""), params.get("task", "")
    if of and found is not None and of not in {key.text for key in found.keys[1:]}:
        notices.append(f"of={of[:MOST_CHARACTERS]} was left out: it is no column beside the baseline.")
    if task and found is not None and answers is None:
        place = f"task={task[:MOST_CHARACTERS]}, repeat={params.get('repeat', '1')[:MOST_CHARACTERS]}"
        notices.append(f"{place} was left out: no column has such a result; choose a task of the list.")
    return tuple(notices)


def _doubts(asked: Asked, found: Comparison | None) -> list[str]:
    columns, doubts = asked.columns, []
    if len({row.project for row in (*asked.evaluations, *(column.evaluation for column in columns))}) > 1:
        doubts.append(ONE_PROJECT.format("evaluations" if asked.evaluations else "columns"))
    if found is None:
        return doubts
    outcomes = found.columns[0].outcomes
    if outcomes.total and not outcomes.counted:
        doubts.append(NO_RESULTS)
    doubts += [
        f"Every result of {name} was skipped: it is in no pair."
        for name, figures in zip(names_of(columns)[1:], found.columns[1:], strict=True)
        if figures.outcomes.total and not figures.outcomes.counted
    ]
    other_answers = sum(candidate.kinds.get(Kind.OTHER_ANSWER, 0) for candidate in found.candidates)
    if other_answers and not any(candidate.pairs.pairs for candidate in found.candidates):
        doubts.append("The accepted answers of the common tasks changed, so that their outcomes cannot be compared.")
    return doubts


def _baseline_href(visible: VisibleSet, columns: Sequence[ComparedRun]) -> str:
    """The chosen evaluation against the pinned one."""
    if not columns or any(column.evaluation.is_baseline for column in columns):
        return ""
    evaluation = columns[0].evaluation
    pinned = baseline_of(visible, evaluation.project)
    return "" if pinned is None else f"?evaluation={evaluation.id}&with=baseline"


def _report_query(asked: Asked) -> str:
    """A report is about whole evaluations and, by name, their runs: every pair of these is in it."""
    columns = asked.columns
    ids = [row.id for row in asked.evaluations] or list(dict.fromkeys(column.key.evaluation_id for column in columns))
    runs = tuple(dict.fromkeys(column.run for column in columns))
    providers = tuple(dict.fromkeys(column.provider for column in columns))
    if len(columns) < FEWEST_COLUMNS and not asked.evaluations:
        return ""
    chosen = ResultFilter(
        evaluation=Choice(tuple(map(str, ids))), run=Choice(runs), provider=Choice(providers if columns else ())
    )
    baseline = columns[0].key.text if columns else str(ids[0])
    return urlencode([*chosen.pairs(), ("baseline", baseline)])
