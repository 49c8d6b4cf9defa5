"""One result: what was asked, answered and accepted, what it took, and what stands beside it."""

from dataclasses import dataclass

from django.http import QueryDict

from frontend.contexts.answers import Answers
from frontend.contexts.comparison import ComparisonPanel
from frontend.contexts.history import Beside
from frontend.contexts.neighbours import NeighbourLinks
from frontend.contexts.shell import Shell
from frontend.contexts.tools import ToolPanel
from frontend.contexts.usage import UsagePanel
from results.models.evaluations import TimeSource
from results.queries.detail import ResultDetail, result_detail
from results.queries.evaluations import EvaluationRow
from results.queries.related import related_results
from results.queries.results import ResultRow
from results.queries.visibility import VisibleSet
from results.records import Details, RunResult

JUDGE_FAILURE = "Validation Error"  # the title of an error whose usage and tools are the judge's
JUDGE_NOTE = "The judge's: this error came up while the answer was validated."
NO_JUDGE = "No judge: the file records no usage for the validation."


@dataclass(frozen=True)
class ResultPage:
    """What `result_show.html` reads.

    Attributes:
        comparison: None for an error, a skip, or where there is nothing to compare.
        explanation, validation: with their line structure; empty = nothing recorded.
        verdict: the judge's verdict as JSON; empty = not recorded.
        source: the result's document.
        neighbours: None when the list it was opened from cannot be found again.
    """

    shell: Shell
    row: ResultRow
    evaluation: EvaluationRow
    record: RunResult
    details: Details
    warnings: tuple[str, ...]
    answers: Answers
    comparison: ComparisonPanel | None
    explanation: str
    validation: str
    verdict: bytes
    usages: tuple[UsagePanel, ...]
    tools: tuple[ToolPanel, ...]
    source: bytes
    neighbours: NeighbourLinks | None
    beside: Beside

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, result_id: int, params: QueryDict) -> "ResultPage | None":
        """The page of a result; None when it does not exist or may not be seen."""
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
            warnings=detail.warnings,
            answers=answers,
            comparison=ComparisonPanel.build(answers, params),
            explanation="" if answer is None else "\n".join(answer.explanation),
            validation="" if validation is None else "\n".join(validation.explanation),
            verdict=b"" if validation is None or validation.semantic is None else bytes(validation.semantic.verdict),
            usages=_usages(details),
            tools=_tools(detail),
            source=detail.source,
            neighbours=NeighbourLinks.build(visible, result_id, params),
            beside=Beside.build(visible, result_id, related),
        )


def _usages(details: Details) -> tuple[UsagePanel, ...]:
    """The model's and the judge's panel always, the error's when it recorded usage."""
    answer, validation, error = details.answer, details.validation, details.error
    panels = [
        UsagePanel.build("Model usage", None if answer is None else answer.usage),
        UsagePanel.build("Judge usage", None if validation is None else validation.usage, absent=NO_JUDGE),
    ]
    if error is not None and error.usage is not None:
        panels.append(UsagePanel.build("Error usage", error.usage, JUDGE_NOTE if error.title == JUDGE_FAILURE else ""))
    return tuple(panels)


def _tools(detail: ResultDetail) -> tuple[ToolPanel, ...]:
    details, row = detail.record.details, detail.row
    started_at = row.started_at if row.started_at_source == TimeSource.TRACE_ID else None
    panels = (
        ToolPanel.build("Tool calls", details.answer, started_at),
        ToolPanel.build("Tool calls of the judge", details.validation, started_at),
        ToolPanel.build("Tool calls before the error", details.error, started_at),
    )
    return tuple(panel for panel in panels if panel is not None)
