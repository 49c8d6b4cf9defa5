"""One saved report: its numbers of today, its files, and the links by which others read it."""

from dataclasses import dataclass

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from frontend.contexts.exports import ExportLink
from frontend.contexts.shell import Shell
from results.exports.report.asked import Links
from results.exports.report.content import ReportContent
from results.exports.table_formats import TABLE_FORMATS
from results.queries.visibility import VisibleSet
from results.report_links import LinkRow, LinkState, links_of
from results.saved_reports import SavedReport
from results.text.search import TooManyToScanError

DAYS = {7: "7 days", 30: "30 days", 90: "90 days", 365: "1 year"}


@dataclass(frozen=True)
class ShareLine:
    """One link: its state in a word, and whether it opens the report."""

    row: LinkRow
    word: str
    is_open: bool


@dataclass(frozen=True)
class DaysChoice:
    """How long a new link lasts."""

    days: int
    label: str


@dataclass(frozen=True)
class ReportPage:
    """What `report_show.html` reads.

    Attributes:
        sections: the report above its rows, as its files have it; empty when it cannot be computed.
        problem: why it cannot be; empty when it can.
        rows_href: its rows in the explorer; empty when all of its evaluations were deleted.
        new_link: the whole address that was just made, which is shown this once; else empty.
        is_local: this address is one of the machine itself, so that links work here only.
    """

    shell: Shell
    report: SavedReport
    sections: SafeString
    problem: str
    computed_at: str
    rows_href: str
    exports: tuple[ExportLink, ...]
    links: tuple[ShareLine, ...]
    days: tuple[DaysChoice, ...]
    new_link: str
    is_local: bool

    @classmethod
    def build(
        cls, shell: Shell, visible: VisibleSet, report: SavedReport, *, new_link: str = "", is_local: bool = False
    ) -> "ReportPage":
        """The page of a report that may be seen."""
        asked = report.asked(visible, Links(reverse("results-list"), reverse("compare")))
        sections, problem, computed_at = SafeString(""), "", ""
        try:
            content = ReportContent.build(asked, settings.VERSION)
            sections = render_to_string("report/sections.html", {"report": content})
            computed_at = content.provenance.computed
        except TooManyToScanError as error:
            problem = str(error)
        return cls(
            shell=shell,
            report=report,
            sections=sections,
            problem=problem,
            computed_at=computed_at,
            rows_href=f"{reverse('results-list')}?{_rows_query(report)}" if asked.visible.evaluation_ids else "",
            exports=tuple(
                ExportLink(form.label, reverse("report-export", args=(report.id, name)))
                for name, form in TABLE_FORMATS.items()
            ),
            links=tuple(ShareLine(row, row.state.value, row.state == LinkState.OPEN) for row in links_of(report.id)),
            days=tuple(DaysChoice(days, label) for days, label in DAYS.items()),
            new_link=new_link,
            is_local=is_local,
        )


def _rows_query(report: SavedReport) -> str:
    parts = [report.chosen.to_query()]
    parts += [f"sort={report.sort}"] if report.sort else []
    parts += [f"cols={','.join(report.columns)}"] if report.columns else []
    return "&".join(part for part in parts if part)
