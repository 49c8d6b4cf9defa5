"""CSV as RFC 4180 has it: a header, a line per result, nothing that a spreadsheet would run."""

import csv
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from io import StringIO

from results.exports.encoding import as_json, instant, plain
from results.exports.fields import Value
from results.exports.shown_text import harmless, visible
from results.exports.table import Table


def as_csv(table: Table) -> Iterator[bytes]:
    """UTF-8, lines ended by CR LF, missing values empty; tags are a JSON list, times ISO 8601 in UTC."""
    yield _lines([[field.name for field in table.fields]])
    for rows in table.pieces:
        yield _lines([[_cell(value) for value in row] for row in rows])


def _lines(rows: list[list[str]]) -> bytes:
    out = StringIO(newline="")
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()


def _cell(value: Value) -> str:
    text = cell_text(value)
    return harmless(text) if isinstance(value, str | tuple) else text


def cell_text(value: Value) -> str:
    """A value as one text: empty when missing, true or false, all digits, a JSON list; control characters are shown."""
    match value:
        case None | ():
            text = ""
        case bool():
            text = "true" if value else "false"
        case str():
            text = visible(value)
        case tuple():
            text = visible(as_json(value).decode())
        case datetime():
            text = instant(value)
        case Decimal():
            text = plain(value)
        case int():
            text = str(value)
    return text
