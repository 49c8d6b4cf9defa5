"""The menu that takes a table of results away as a file."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from results.exports.table_formats import TABLE_FORMATS
from results.filters import ResultFilter


@dataclass(frozen=True)
class ExportLink:
    """One format: its label, and the address of the file."""

    label: str
    href: str


def export_links(chosen: ResultFilter, sort: str, columns: Sequence[str]) -> tuple[ExportLink, ...]:
    """A link per format to the rows of a table, in its order and with its columns.

    Args:
        chosen: the filter; of one evaluation where the table is about one.
        sort: as the explorer takes it.
        columns: keys of the columns shown.
    """
    query = _query(chosen, sort, columns)
    return tuple(
        ExportLink(form.label, f"{reverse('results-export', args=(name,))}?{query}")
        for name, form in TABLE_FORMATS.items()
    )


def report_href(chosen: ResultFilter, sort: str, columns: Sequence[str]) -> str:
    """The form of a new report about the same rows."""
    return f"{reverse('report-new')}?{_query(chosen, sort, columns)}"


def _query(chosen: ResultFilter, sort: str, columns: Sequence[str]) -> str:
    query = QueryDict(mutable=True)
    for name, value in chosen.pairs():
        query.appendlist(name, value)
    if sort:
        query["sort"] = sort
    query["cols"] = ",".join(columns)
    return query.urlencode()
