"""A report as one HTML file that needs nothing else: no network, no server, and no script to be read."""

from collections.abc import Iterator
from dataclasses import dataclass
from secrets import token_hex

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from results.exports.report.asked import CHARTS, ReportAsked
from results.exports.report.content import ReportContent
from results.exports.report.filter_words import filter_words
from results.exports.report.look import look
from results.exports.report.rows import RowColumn, data_rows, row_columns, table_rows
from results.exports.table import Table
from results.queries.evaluations import evaluations_among

FIRST = 1_000  # rows that are there without scripts; a browser lays out that many at once
TITLE = "Results"
OF_A_TABLE = tuple(name for name in CHARTS if name != "differences")  # a table alone compares nothing


@dataclass(frozen=True)
class FilePage:
    """What `report/file.html` reads beside the report.

    Attributes:
        order: of the rows, in words.
        first: rows that are there without scripts; is_longer: there are more.
        rows_mark, data_mark: where the rows, and the data of the others, are put in.
    """

    policy: str
    style: SafeString
    script: SafeString
    columns: tuple[RowColumn, ...]
    order: str
    first: int
    is_longer: bool
    has_outcomes: bool
    rows_mark: str
    data_mark: str


def as_html(table: Table) -> Iterator[bytes]:
    """The filtered view as a report of its own, without a baseline."""
    chosen = table.chosen
    ids = {int(value) for value in chosen.evaluation.included if value is not None}
    names = {str(row.id): row.name for row in evaluations_among(table.visible, ids)}
    words = "; ".join(filter_words(chosen, names))
    title = f"{TITLE}: {words}" if words else TITLE
    return write_report(ReportAsked(title, "", table.visible, chosen, charts=OF_A_TABLE), table)


def write_report(asked: ReportAsked, table: Table) -> Iterator[bytes]:
    """A report with its rows, in pieces; all rows are in it, however many there are.

    Args:
        asked: the report.
        table: its rows.
    """
    columns = row_columns(table.fields)
    rows_mark, data_mark = token_hex(), token_hex()
    page = _page(table, columns, rows_mark, data_mark)
    report = ReportContent.build(asked, table.provenance.version, table.provenance.made_at)
    whole = render_to_string("report/file.html", {"report": report, "page": page})
    head, _, rest = whole.partition(rows_mark)
    middle, _, tail = rest.partition(data_mark)
    yield head.encode(errors="replace")
    used = 0
    for rows in table.pieces:
        if used < FIRST:
            yield table_rows(columns, rows[: FIRST - used])
        if used < FIRST <= used + len(rows):
            yield middle.encode(errors="replace")
        late = rows[max(0, FIRST - used) :]
        if late:
            yield data_rows(columns, late)
        used += len(rows)
    yield ("" if used >= FIRST else middle).encode(errors="replace") + tail.encode(errors="replace")


def _page(table: Table, columns: tuple[RowColumn, ...], rows_mark: str, data_mark: str) -> FilePage:
    own = look()
    sort = table.provenance.sort
    is_descending = sort.startswith("-")
    words = f"by {sort.removeprefix('-').replace('_', ' ')}, {'descending' if is_descending else 'ascending'}"
    return FilePage(
        policy=own.policy,
        style=mark_safe(own.style),  # noqa: S308  (our own files)
        script=mark_safe(own.script),  # noqa: S308
        columns=columns,
        order=words if sort else "in the order of their evaluations and documents",
        first=FIRST,
        is_longer=table.total > FIRST,
        has_outcomes=any(column.kind == "outcome" for column in columns),
        rows_mark=rows_mark,
        data_mark=data_mark,
    )
