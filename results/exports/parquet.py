"""Parquet for data frames: typed columns, missing values null, the provenance in the file's own key-value notes."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import duckdb

from results.exports.encoding import LARGEST, as_json, instant
from results.exports.fields import Field, FieldKind
from results.exports.spool import pieces_of
from results.exports.table import Table

TYPES = {
    FieldKind.TEXT: "VARCHAR",
    FieldKind.NAMES: "VARCHAR[]",
    FieldKind.NUMBER: "BIGINT",
    FieldKind.AMOUNT: "DECIMAL(38, 9)",
    FieldKind.FLAG: "BOOLEAN",
    FieldKind.TIME: "TIMESTAMPTZ",
}
WIDE = "DECIMAL(38, 0)"  # of a column of whole numbers that do not all fit into 64 bits
LEAST_OBJECT_BYTES = 1 << 20
SETTINGS = {"threads": "2", "memory_limit": "256MB"}


def as_parquet(table: Table) -> Iterator[bytes]:
    """One file, compressed with zstd; its rows lie as JSON in a temporary file first."""
    with tempfile.TemporaryDirectory(prefix="evalboard-export-") as folder:
        spool = Path(folder, "rows.jsonl")
        written = _spooled(table, spool)
        target = Path(folder, "results.parquet")
        with duckdb.connect(":memory:", config={**SETTINGS, "temp_directory": folder}) as connection:
            connection.execute(_statement(table, spool, target, written))
        yield from pieces_of(target)


class _Written:
    """What the rows turned out to hold: the longest line, and which columns need more than 64 bits."""

    def __init__(self) -> None:
        self.longest = LEAST_OBJECT_BYTES
        self.wide: set[int] = set()


def _spooled(table: Table, path: Path) -> _Written:
    written = _Written()
    numbers = [place for place, field in enumerate(table.fields) if field.kind is FieldKind.NUMBER]
    with path.open("wb") as out:
        for rows in table.pieces:
            for row in rows:
                for place in numbers:
                    value = row[place]
                    if isinstance(value, int) and abs(value) > LARGEST:
                        written.wide.add(place)
                line = as_json({f"f{place}": value for place, value in enumerate(row)}) + b"\n"
                written.longest = max(written.longest, len(line))
                out.write(line)
    return written


def _statement(table: Table, spool: Path, target: Path, written: _Written) -> str:
    types = [WIDE if place in written.wide else TYPES[field.kind] for place, field in enumerate(table.fields)]
    columns = ", ".join(f"f{place}: '{sql_type}'" for place, sql_type in enumerate(types))
    named = ", ".join(f"f{place} AS {_quoted(field)}" for place, field in enumerate(table.fields))
    source = table.provenance
    notes = {"evalboard": source.version, "query": source.query, "exported_at": instant(source.made_at)}
    listed = ", ".join(f"{name}: {_literal(text)}" for name, text in notes.items())
    return (
        f"COPY (SELECT {named} FROM read_json({_literal(str(spool))}, format = 'newline_delimited', "
        f"columns = {{{columns}}}, maximum_object_size = {written.longest + 1})) "
        f"TO {_literal(str(target))} (FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{listed}}})"
    )


def _quoted(field: Field) -> str:
    return f'"{field.name}"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
