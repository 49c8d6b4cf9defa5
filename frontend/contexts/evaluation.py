"""One evaluation: what its document says about itself, and its results."""

from dataclasses import dataclass

from django.http import QueryDict

from frontend.contexts.corrections import CorrectionsPanel
from frontend.contexts.evaluation_tabs import LEADERBOARD, Tab, tabs_of
from frontend.contexts.leaderboard import Leaderboard
from frontend.contexts.outcome_links import OutcomeLinks
from frontend.contexts.results_table import ResultsTable
from frontend.contexts.shell import Shell
from results.exports.registry import EXPORTS
from results.filters import Choice, ResultFilter
from results.queries.call_counts import EvaluationCalls, evaluation_calls
from results.queries.evaluations import EvaluationRow, evaluation_row, evaluation_warnings
from results.queries.merges import MergeLinks, merge_links
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
        links: to its results.
        warnings: at most the first 200.
        warning_count: how many the import kept.
        calls: of the model, counted in two ways; judge_calls are those recorded one by one that are not its own.
        has_document: its source document can be downloaded.
        merge_links: what it was merged from and into; None for neither.
        corrections: None where nobody corrected a verdict.
    """

    shell: Shell
    row: EvaluationRow
    links: OutcomeLinks
    tabs: tuple[Tab, ...]
    board: Leaderboard
    warnings: tuple[ImportNote, ...]
    warning_count: int
    calls: EvaluationCalls
    judge_calls: int
    has_document: bool
    merge_links: MergeLinks | None
    corrections: CorrectionsPanel | None
    table: ResultsTable

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, evaluation_id: int, params: QueryDict) -> "EvaluationPage | None":
        """The page of an evaluation; None when it does not exist or may not be seen."""
        row = evaluation_row(visible, evaluation_id)
        if row is None:
            return None
        warnings, own = evaluation_warnings(evaluation_id), ResultFilter(evaluation=Choice((str(evaluation_id),)))
        calls = evaluation_calls(visible, evaluation_id)
        return cls(
            shell=shell,
            row=row,
            links=OutcomeLinks.of(own),
            tabs=tabs_of(row, params, LEADERBOARD),
            board=Leaderboard.build(VisibleSet.of(frozenset((evaluation_id,))), row.tasks, params),
            warnings=tuple(ImportNote(entry["path"], entry["message"]) for entry in warnings[:SHOWN_WARNINGS]),
            warning_count=len(warnings),
            calls=calls,
            judge_calls=max(0, row.calls - calls.one_by_one),
            has_document=row.format in EXPORTS,
            merge_links=merge_links(visible, evaluation_id),
            corrections=CorrectionsPanel.of_runs(VisibleSet.of(frozenset((evaluation_id,))), own),
            table=ResultsTable.build(visible, params, evaluation_id),
        )
