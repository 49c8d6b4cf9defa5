"""One evaluation: what its document says about itself, and its results."""

from dataclasses import dataclass

from django.http import QueryDict

from frontend.contexts.results_table import ResultsTable
from frontend.contexts.shell import Shell
from results.queries.evaluations import EvaluationRow, evaluation_row
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
    """

    shell: Shell
    row: EvaluationRow
    warnings: tuple[ImportNote, ...]
    warning_count: int
    table: ResultsTable

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, evaluation_id: int, params: QueryDict) -> "EvaluationPage | None":
        """The page of an evaluation; None when it does not exist or may not be seen."""
        row = evaluation_row(visible, evaluation_id)
        if row is None:
            return None
        return cls(
            shell=shell,
            row=row,
            warnings=tuple(ImportNote(entry["path"], entry["message"]) for entry in row.warnings[:SHOWN_WARNINGS]),
            warning_count=len(row.warnings),
            table=ResultsTable.build(visible, params, evaluation_id),
        )
