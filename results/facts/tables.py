"""The tables of the facts as SQL: their columns, and how one is read from every member of a manifest."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from results.facts import files
from results.facts.columns import CALL_COLUMNS, RESULT_COLUMNS, USE_COLUMNS, Column
from results.facts.manifest import Manifest
from results.facts.tokens import TOKEN_COLUMNS


def _typed(columns: tuple[Column, ...]) -> str:
    return ", ".join(f"{column.name} {column.kind.sql_type}" for column in columns)


_TOKENS = ", ".join(f"{name} BIGINT, {name}_wide DECIMAL(38,0)" for name in TOKEN_COLUMNS)
_TOKEN_NAMES = [f"{name}{suffix}" for name in TOKEN_COLUMNS for suffix in ("", "_wide")]
SCHEMAS = {
    "results": f"{_typed(RESULT_COLUMNS)}, {_TOKENS}",
    "calls": _typed(CALL_COLUMNS),
    "uses": _typed(USE_COLUMNS),
    "tools": "evaluation_id INTEGER, tool_set BIGINT, tool_id INTEGER, statuses UTINYINT",
}
# The recorded counters of each section: many columns that few questions read.
_SECTIONS = ("answer_", "validation_", "error_input", "error_output", "error_cache", "error_reasoning")
NARROW_RESULTS = [
    *(column.name for column in RESULT_COLUMNS if not column.name.startswith(_SECTIONS)),
    *_TOKEN_NAMES,
]
# Tables that a question may read -> their columns.
READABLE = {
    "results": tuple(NARROW_RESULTS),
    "counters": (*(column.name for column in RESULT_COLUMNS), *_TOKEN_NAMES),
    "calls": tuple(column.name for column in CALL_COLUMNS),
    "uses": tuple(column.name for column in USE_COLUMNS),
    "tools": ("evaluation_id", "tool_set", "tool_id", "statuses"),
}


@dataclass(frozen=True)
class Part:
    """One table to read from: a base's, a copy in memory, or files. Rows of the first two have a `rowid`."""

    sql: str
    has_rowid: bool


def parts_of(listed: Manifest, table: str, recent: str) -> tuple[Part, ...]:
    """What has to be read for one table, in all members; at least one part.

    Args:
        listed: the manifest.
        table: one of `files.TABLES`.
        recent: prefix of the tables in memory that hold the deltas; empty = read their files.
    """
    parts = [] if listed.base is None else [Part(f'"{listed.base.name}".{table}', has_rowid=True)]
    if recent:
        parts.append(Part(f"{recent}_{table}", has_rowid=True))
    elif paths := delta_paths(listed, table):
        parts.append(Part(files.parquet_list(paths), has_rowid=False))
    return tuple(parts or [Part(f"empty_{table}", has_rowid=True)])


def union(parts: Iterable[Part], columns: Iterable[str]) -> str:
    """SQL that reads some columns of several parts as one table; the fewer columns, the quicker the plan."""
    listed = ", ".join(columns)
    return f"({' UNION ALL '.join(f'SELECT {listed} FROM {part.sql}' for part in parts)})"


def delta_paths(listed: Manifest, table: str) -> list[Path]:
    """The files of one table of all deltas."""
    return [path for delta in listed.deltas for path in files.DeltaName.parse(delta.name).paths(table)]
