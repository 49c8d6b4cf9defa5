"""The list of saved reports."""

from dataclasses import dataclass

from frontend.contexts.shell import Shell
from results.queries.visibility import VisibleSet
from results.saved_reports import ReportRow, saved_reports


@dataclass(frozen=True)
class ReportsPage:
    """What `reports_list.html` reads."""

    shell: Shell
    rows: tuple[ReportRow, ...]

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet) -> "ReportsPage":
        """The page of all reports that may be seen."""
        return cls(shell, saved_reports(visible))
