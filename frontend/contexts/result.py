"""One result: what was asked, answered and accepted, and what it took."""

from dataclasses import dataclass

from frontend.contexts.answers import Answers
from frontend.contexts.shell import Shell
from frontend.contexts.tools import ToolPanel
from frontend.contexts.usage import UsagePanel
from results.queries.detail import ResultDetail, result_detail
from results.queries.evaluations import EvaluationRow
from results.queries.results import ResultRow
from results.queries.visibility import VisibleSet
from results.records import Details, RunResult

JUDGE_FAILURE = "Validation Error"  # the title of an error whose usage and tools are the judge's
JUDGE_NOTE = "The judge's: this error came up while the answer was validated."


@dataclass(frozen=True)
class ResultPage:
    """What `result_show.html` reads.

    Attributes:
        explanation, validation, error_text: with their line structure; empty = nothing recorded.
        verdict: the judge's verdict as JSON; empty = not recorded.
        source: the result's document.
    """

    shell: Shell
    row: ResultRow
    evaluation: EvaluationRow
    record: RunResult
    details: Details
    warnings: tuple[str, ...]
    answers: Answers
    explanation: str
    validation: str
    verdict: bytes
    usages: tuple[UsagePanel, ...]
    tools: tuple[ToolPanel, ...]
    source: bytes

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, result_id: int) -> "ResultPage | None":
        """The page of a result; None when it does not exist or may not be seen."""
        detail = result_detail(visible, result_id)
        return None if detail is None else cls._of(shell, detail)

    @classmethod
    def _of(cls, shell: Shell, detail: ResultDetail) -> "ResultPage":
        details = detail.record.details
        answer, validation = details.answer, details.validation
        return cls(
            shell=shell,
            row=detail.row,
            evaluation=detail.evaluation,
            record=detail.record,
            details=details,
            warnings=detail.warnings,
            answers=Answers.build(detail.record),
            explanation="" if answer is None else "\n".join(answer.explanation),
            validation="" if validation is None else "\n".join(validation.explanation),
            verdict=b"" if validation is None or validation.semantic is None else bytes(validation.semantic.verdict),
            usages=_usages(details),
            tools=_tools(details),
            source=detail.source,
        )


def _usages(details: Details) -> tuple[UsagePanel, ...]:
    """The model's and the judge's panel always, the error's when it recorded usage."""
    answer, validation, error = details.answer, details.validation, details.error
    panels = [
        UsagePanel.build("Model usage", None if answer is None else answer.usage),
        UsagePanel.build("Judge usage", None if validation is None else validation.usage),
    ]
    if error is not None and error.usage is not None:
        panels.append(UsagePanel.build("Error usage", error.usage, JUDGE_NOTE if error.title == JUDGE_FAILURE else ""))
    return tuple(panels)


def _tools(details: Details) -> tuple[ToolPanel, ...]:
    panels = (
        ToolPanel.build("Tools of the model", details.answer),
        ToolPanel.build("Tools of the judge", details.validation),
        ToolPanel.build("Tools before the error", details.error),
    )
    return tuple(panel for panel in panels if panel is not None)
