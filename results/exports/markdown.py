"""A Markdown table, as GitHub reads it: model text is text, never markup."""

import re
from collections.abc import Iterator

from results.exports.comma_separated import cell_text
from results.exports.encoding import instant
from results.exports.fields import FieldKind, Value
from results.exports.table import Table

MARKS = re.compile(r"([\\`*_\[\]<>#|~&@$]|:(?=//)|(?<=www)\.)")  # all that begins markup, a link or a mention in a line
NUMBERS = (FieldKind.NUMBER, FieldKind.AMOUNT)


def as_markdown(table: Table) -> Iterator[bytes]:
    """A line that says where the rows come from, then the table; line breaks in cells are shown as `↵`."""
    source = table.provenance
    noun = "result" if table.total == 1 else "results"
    query = escaped(source.query) or "everything"
    yield f"{table.total} {noun} · {query} · {instant(source.made_at)} · Evalboard {source.version}\n\n".encode()
    yield table_line([escaped(field.name) for field in table.fields])
    yield table_line(["---:" if field.kind in NUMBERS else "---" for field in table.fields])
    for rows in table.pieces:
        yield b"".join(table_line([_cell(value) for value in row]) for row in rows)


def escaped(text: str) -> str:
    """A text as one line of Markdown without any markup; line breaks are shown as `↵`."""
    return MARKS.sub(r"\\\1", re.sub(r"\s*\n\s*", " ↵ ", text).replace("\t", " "))


def table_line(cells: list[str]) -> bytes:
    """A line of a table; its cells are escaped already."""
    return f"| {' | '.join(cells)} |\n".encode(errors="replace")


def _cell(value: Value) -> str:
    return escaped(cell_text(value)) if isinstance(value, str | tuple) else cell_text(value)
