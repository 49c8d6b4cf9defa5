"""One evaluation: what its document says about itself, and its results."""

from dataclasses import dataclass

from django.http import QueryDict

from frontend.contexts.results_table import ResultsTable
from frontend.contexts.shell import Shell
from results.exports.registry import EXPORTS
from results.queries.call_counts import EvaluationCalls, evaluation_calls
from results.queries.evaluations import EvaluationRow, evaluation_row, evaluation_warnings
from results.queries.visibility import VisibleSet

SHOWN_WARNINGS = 200  # an import keeps up to 1,000


@dataclass(frozen=True)
class ImportNote:
    """One thing that the import found odd; the path says where."""

    path: str
    message: str


@dataclass(frozen=True)
class EvaluationPage:
    """What `evaluation_show.html` reads.

    Attributes:
        warnings: at most the first 200.
        warning_count: how many the import kept.
        calls: of the model, counted in two ways; judge_calls are those recorded one by one that are not its own.
        has_document: its source document can be downloaded.
    """

    shell: Shell
    row: EvaluationRow
    warnings: tuple[ImportNote, ...]
    warning_count: int
    calls: EvaluationCalls
    judge_calls: int
    has_document: bool
    table: ResultsTable

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, evaluation_id: int, params: QueryDict) -> "EvaluationPage | None":
        """The page of an evaluation; None when it does not exist or may not be seen."""
        row = evaluation_row(visible, evaluation_id)
        if row is None:
            return None
        warnings = evaluation_warnings(evaluation_id)
        calls = evaluation_calls(visible, evaluation_id)
        return cls(
            shell=shell,
            row=row,
            warnings=tuple(ImportNote(entry["path"], entry["message"]) for entry in warnings[:SHOWN_WARNINGS]),
            warning_count=len(warnings),
            calls=calls,
            judge_calls=max(0, row.calls - calls.one_by_one),
            has_document=row.format in EXPORTS,
            table=ResultsTable.build(visible, params, evaluation_id),
        )
