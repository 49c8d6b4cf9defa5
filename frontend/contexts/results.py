"""Results of every visible evaluation."""

from dataclasses import dataclass

from django.http import QueryDict

from frontend.contexts.results_table import ResultsTable
from frontend.contexts.shell import Shell
from results.queries.visibility import VisibleSet


@dataclass(frozen=True)
class ResultsPage:
    """What `results_list.html` reads."""

    shell: Shell
    table: ResultsTable
    evaluations: int

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "ResultsPage":
        """The page for a query with filters, `sort` and `page`."""
        table = ResultsTable.build(visible, params)
        return cls(shell, table, len(visible.evaluation_ids))
