"""One task: what each run made of it from evaluation to evaluation, and how the task itself changed."""

from dataclasses import dataclass
from statistics import fmean

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.asked import OrderLink, order_links, with_or_without_text
from frontend.contexts.explorer_links import ExplorerLinks, counted_once, narrowed
from frontend.contexts.history_filters import HistoryFilters
from frontend.contexts.outcome_links import COUNTED, OutcomeLinks, with_outcomes
from frontend.contexts.shell import Shell
from frontend.contexts.unknown_values import asked_with
from results.diff.lines import DiffLine
from results.diff.texts import compare_texts
from results.filters import ResultFilter
from results.queries.evaluation_marks import EvaluationMark
from results.queries.task_changes import TaskMetadata, TaskStep, changes_of_task
from results.queries.task_history import TaskHistory, task_history
from results.queries.task_strips import Attempts, TaskCell, TaskRun
from results.queries.visibility import VisibleSet
from results.statistics import pass_at_k, pass_hat_k

COLUMNS = (30, 100)  # evaluations that have a column, the latest ones
MOST_K = (1, 2, 3, 4, 5, 8, 10, 16, 32, 64)  # attempts that are asked about, as far as there are so many


@dataclass(frozen=True)
class RunStrip:
    """One run's line: a cell a shown evaluation, None where it has no result there."""

    line: TaskRun
    cells: tuple[TaskCell | None, ...]
    results_href: str
    counted_href: str


@dataclass(frozen=True)
class AttemptRow:
    """`k` attempts: the chance that any passes and that all do, the mean over `cells` runs in evaluations.

    Attributes:
        cells: places with at least k counted results of one run in one evaluation.
    """

    k: int
    any_rate: float
    all_rate: float
    cells: int


@dataclass(frozen=True)
class StepPanel:
    """One change of the task; `lines` compare the accepted answers before and after it, empty = they are not known."""

    step: TaskStep
    lines: tuple[DiffLine, ...]


@dataclass(frozen=True)
class TaskPage:
    """What `task_show.html` reads.

    Attributes:
        evaluations: that have a column; `widths` are links to more or fewer of them.
        hidden: evaluations without a column.
        passed_by: runs that passed it at least once.
        metadata: None when it is not known.
        steps: changes, the newest first; `more_steps` older ones are left out.
        links: to the task's results.
        row_query: what a link to a result carries, so that its neighbours are those of the task.
    """

    shell: Shell
    filters: HistoryFilters
    history: TaskHistory
    evaluations: tuple[EvaluationMark, ...]
    widths: tuple[OrderLink, ...]
    hidden: int
    strips: tuple[RunStrip, ...]
    passed_by: int
    passed_by_href: str
    flips: int
    attempts: tuple[AttemptRow, ...]
    metadata: TaskMetadata | None
    steps: tuple[StepPanel, ...]
    more_steps: int
    links: OutcomeLinks
    row_query: str

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, task_id: int, params: QueryDict) -> "TaskPage | None":
        """The page of a task; None when it does not exist or nothing of it may be seen."""
        asked = asked_with(params, {"columns": map(str, COLUMNS)}).without("task").without("project")
        return with_or_without_text(asked, lambda chosen: cls._of(shell, visible, task_id, chosen, params))

    @classmethod
    def _of(
        cls, shell: Shell, visible: VisibleSet, task_id: int, asked: ResultFilter, params: QueryDict
    ) -> "TaskPage | None":
        history = task_history(visible, task_id, asked)
        if history is None:
            return None
        own = counted_once(narrowed(asked, task=history.name, project=history.project), history.copies)
        changes = changes_of_task(visible, task_id, dict(history.version_results))
        width = {str(number): number for number in COLUMNS}.get(params.get("columns", ""), COLUMNS[0])
        widths = COLUMNS if len(history.evaluations) > COLUMNS[0] else ()
        shown = history.evaluations[-width:]
        return cls(
            shell=shell,
            filters=HistoryFilters.build(reverse("task-show", args=(task_id,)), visible, asked, params, ()),
            history=history,
            evaluations=shown,
            widths=order_links(params, "columns", {str(number): str(number) for number in widths}, str(width)),
            hidden=len(history.evaluations) - len(shown),
            strips=_strips(history.runs, shown, own),
            passed_by_href=_runs_href(with_outcomes(own, ("passed",))),
            passed_by=sum(run.outcomes.passed > 0 for run in history.runs),
            flips=sum(run.flips.count for run in history.runs),
            attempts=_attempt_rows(history.attempts),
            metadata=changes.latest,
            steps=tuple(StepPanel(step, _lines(step)) for step in changes.steps),
            more_steps=changes.more,
            links=OutcomeLinks.of(own),
            row_query=f"?{own.to_query()}",
        )


def _runs_href(passed: ResultFilter | None) -> str:
    """The runs with a passed result; empty where the filter of the page leaves these out."""
    return "" if passed is None else f"{reverse('runs-list')}?{passed.without('copies').to_query()}"


def _strips(runs: tuple[TaskRun, ...], shown: tuple[EvaluationMark, ...], own: ResultFilter) -> tuple[RunStrip, ...]:
    names, found = ("provider", "run"), []
    links = ExplorerLinks(own, names, "-started")
    counted = ExplorerLinks(with_outcomes(own, COUNTED) or own, names, "-started")
    for run in runs:
        cells = {cell.evaluation_id: cell for cell in run.cells}
        hrefs = [link.href(provider=run.provider, run=run.run) for link in (links, counted)]
        found.append(RunStrip(run, tuple(cells.get(mark.id) for mark in shown), *hrefs))
    return tuple(found)


def _attempt_rows(attempts: tuple[Attempts, ...]) -> tuple[AttemptRow, ...]:
    """pass@k and pass^k: of each run in each evaluation with enough results, then the mean of these."""
    most = max((cell.results for cell in attempts), default=0)
    rows = []
    for k in (number for number in MOST_K if number <= most):
        cells = [cell for cell in attempts if cell.results >= k]
        any_rates = [pass_at_k(cell.results, cell.passed, k) or 0.0 for cell in cells]
        all_rates = [pass_hat_k(cell.results, cell.passed, k) or 0.0 for cell in cells]
        rows.append(AttemptRow(k, fmean(any_rates), fmean(all_rates), len(cells)))
    return tuple(rows)


def _lines(step: TaskStep) -> tuple[DiffLine, ...]:
    """The accepted answers before the change as a text beside those after it."""
    return () if step.accepted is None else compare_texts(step.accepted.after, step.accepted.before).lines
