"""JSON Lines and JSON: every value exact, missing ones null, texts as they were recorded."""

from collections.abc import Iterator

from results.exports.encoding import as_json
from results.exports.table import Table


def as_json_lines(table: Table) -> Iterator[bytes]:
    """An object per result and line, its keys in the order of the columns."""
    names = [field.name for field in table.fields]
    for rows in table.pieces:
        yield b"".join(as_json(dict(zip(names, row, strict=True))) + b"\n" for row in rows)


def as_json_document(table: Table) -> Iterator[bytes]:
    """One object: where the rows come from, what the columns are, and the rows under `results`."""
    source = table.provenance
    head = {
        "evalboard": source.version,
        "exported_at": source.made_at,
        "query": source.query,
        "count": table.total,
        "columns": [{"name": field.name, "type": field.kind.value} for field in table.fields],
    }
    yield as_json(head)[:-1] + b',"results":['
    names, is_first = [field.name for field in table.fields], True
    for rows in table.pieces:
        lines = b",\n".join(as_json(dict(zip(names, row, strict=True))) for row in rows)
        yield (b"\n" if is_first else b",\n") + lines
        is_first = False
    yield b"\n]}\n"
