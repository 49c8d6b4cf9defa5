"""A filtered view as an export holds it: the fields, every row in order, and where it comes from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from results.exports.fields import ANSWER, ExportRow, Field, Value, fields_of
from results.filters import ResultFilter
from results.queries.answer_texts import answer_texts
from results.queries.every_row import every_row
from results.queries.rows import ResultRow
from results.queries.visibility import VisibleSet


@dataclass(frozen=True)
class Provenance:
    """Where an export comes from.

    Attributes:
        query: the filter and the order as the query string of the explorer's address.
        sort: the order alone; empty = in the order of evaluations and documents.
        made_at: when it was asked for.
        version: of Evalboard.
    """

    query: str
    sort: str
    made_at: datetime
    version: str


@dataclass(frozen=True)
class Table:
    """A view to be written. `pieces` can be gone through once; a row has a value per field.

    Attributes:
        visible, chosen: what the rows are: evaluations that may be seen, and the filter.
    """

    visible: VisibleSet
    chosen: ResultFilter
    fields: tuple[Field, ...]
    total: int
    pieces: Iterator[list[list[Value]]]
    provenance: Provenance


def table_of(visible: VisibleSet, chosen: ResultFilter, sort: str, columns: Sequence[str], version: str) -> Table:
    """The rows of a filter, in an order, with some columns of the explorer.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.
        sort: as the explorer takes it.
        columns: as `fields_of` takes them.
        version: of Evalboard.

    Raises:
        KeyError: there is no such column.
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    fields = fields_of(columns)
    found = every_row(visible, chosen, sort)
    query = "&".join(part for part in (chosen.to_query(), f"sort={sort}" if sort else "") if part)
    return Table(
        visible,
        chosen,
        fields,
        found.total,
        (_values(visible, fields, rows) for rows in found.pieces),
        Provenance(query, sort, timezone.now(), version),
    )


def _values(visible: VisibleSet, fields: tuple[Field, ...], rows: tuple[ResultRow, ...]) -> list[list[Value]]:
    answers = answer_texts(visible, rows) if ANSWER in fields else {}
    reads = [field.read for field in fields]
    listed = (ExportRow(row, answers.get(row.id)) for row in rows)
    return [[read(row) for read in reads] for row in listed]
