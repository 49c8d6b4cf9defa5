"""One result: what was asked, answered and accepted, what it took, and what stands beside it."""

from dataclasses import dataclass

from django.http import HttpRequest

from evaluator.engine.trials.finished_results import about
from frontend.contexts.answers import Answers
from frontend.contexts.comparison import ComparisonPanel
from frontend.contexts.failure import FailurePanel
from frontend.contexts.history import Beside
from frontend.contexts.neighbours import NeighbourLinks
from frontend.contexts.review import ReviewPanel
from frontend.contexts.shell import Shell
from frontend.contexts.tools import CallCounts, ToolPanel
from frontend.contexts.usage import UsagePanel
from results.models.evaluations import TimeSource
from results.pricing import is_judge_failure
from results.queries.detail import ResultDetail, result_detail
from results.queries.evaluations import EvaluationRow
from results.queries.jobs import JobLine
from results.queries.related import related_results
from results.queries.results import ResultRow
from results.queries.trials import result_messages
from results.queries.visibility import VisibleSet
from results.records import Details, RunResult

JUDGE_NOTE = "Recorded with the error, which came up while the answer was validated."
TRY_NOTE = "The model's, in the try that failed; its cost is in that of the model."
NO_JUDGE = "No judge: the file records no usage for the validation."


@dataclass(frozen=True)
class ResultPage:
    """What `result_show.html` reads.

    Attributes:
        comparison: None for an error, a skip, or where there is nothing to compare.
        explanation, validation: with their line structure; empty = nothing recorded.
        failure: None when nothing went wrong.
        calls: of the model, counted in two ways.
        verdict: the judge's verdict as JSON; empty = not recorded.
        tries: what the trial said of a result that took several tries.
        source: the result's document.
        neighbours: None when the list it was opened from cannot be found again.
    """

    shell: Shell
    row: ResultRow
    evaluation: EvaluationRow
    record: RunResult
    details: Details
    answers: Answers
    comparison: ComparisonPanel | None
    explanation: str
    validation: str
    verdict: bytes
    failure: FailurePanel | None
    usages: tuple[UsagePanel, ...]
    calls: CallCounts
    tools: tuple[ToolPanel, ...]
    tries: tuple[JobLine, ...]
    source: bytes
    neighbours: NeighbourLinks | None
    beside: Beside
    review: ReviewPanel

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, result_id: int, request: HttpRequest) -> "ResultPage | None":
        """The page of a result; None when it does not exist or may not be seen."""
        params = request.GET
        related = related_results(visible, result_id)
        detail = result_detail(visible, result_id, related.own)
        if detail is None:
            return None
        details = detail.record.details
        answer, validation = details.answer, details.validation
        answers = Answers.build(detail.record)
        return cls(
            shell=shell,
            row=detail.row,
            evaluation=detail.evaluation,
            record=detail.record,
            details=details,
            answers=answers,
            comparison=ComparisonPanel.build(answers, params),
            explanation="" if answer is None else "\n".join(answer.explanation),
            validation="" if validation is None else "\n".join(validation.explanation),
            verdict=b"" if validation is None or validation.semantic is None else bytes(validation.semantic.verdict),
            failure=FailurePanel.build(details.error, is_judge_failure(details.error)),
            usages=_usages(details, detail.row),
            calls=_call_counts(detail),
            tools=_tools(detail),
            tries=_tries(detail),
            source=detail.source,
            neighbours=NeighbourLinks.build(visible, result_id, params),
            beside=Beside.build(visible, result_id, related),
            review=ReviewPanel.build(request, detail.row, detail.evaluation.project),
        )


def _tries(detail: ResultDetail) -> tuple[JobLine, ...]:
    row = detail.row
    if row.attempts is None or row.attempts <= 1:
        return ()
    return tuple(result_messages(detail.evaluation.id, about(row.provider, row.run, row.task)))


def _usages(details: Details, row: ResultRow) -> tuple[UsagePanel, ...]:
    """The model's and the judge's panel always; what an error recorded is the judge's or that of a failed try."""
    answer, validation, error = details.answer, details.validation, details.error
    judge = None if validation is None else validation.usage
    failed = None if error is None else error.usage
    panels = [UsagePanel.build("Model usage", None if answer is None else answer.usage, priced=row)]
    if failed is None or not is_judge_failure(error):
        absent = "not recorded" if is_judge_failure(error) else NO_JUDGE
        panels.append(UsagePanel.build("Judge usage", judge, absent=absent))
        return (*panels, UsagePanel.build("Error usage", failed, TRY_NOTE)) if failed is not None else tuple(panels)
    panels.append(UsagePanel.build("Judge usage", failed, JUDGE_NOTE))
    if judge is not None:
        panels.append(UsagePanel.build("Judge usage, of the validation", judge))
    return tuple(panels)


def _call_counts(detail: ResultDetail) -> CallCounts:
    """Calls of the answer and of a failed try; those of the judge are not the model's."""
    answer, error = detail.record.details.answer, detail.record.details.error
    parts = (answer, None if is_judge_failure(error) else error)
    listed = sum(len(part.tool_calls) for part in parts if part is not None)
    return CallCounts(listed, detail.row.tool_calls)


def _tools(detail: ResultDetail) -> tuple[ToolPanel, ...]:
    details, row = detail.record.details, detail.row
    started_at = row.started_at if row.started_at_source == TimeSource.TRACE_ID else None
    panels = (
        ToolPanel.build("Tool calls", details.answer, started_at),
        ToolPanel.build("Tool calls of the judge", details.validation, started_at),
        ToolPanel.build(_error_tools(details), details.error, started_at),
    )
    return tuple(panel for panel in panels if panel is not None)


def _error_tools(details: Details) -> str:
    return f"Tool calls {'of the judge ' if is_judge_failure(details.error) else ''}before the error"
