"""The tables of the facts as SQL: their columns, and how one is read from every member of a manifest."""

from pathlib import Path

from results.facts import files
from results.facts.columns import CALL_COLUMNS, RESULT_COLUMNS, USE_COLUMNS, Column
from results.facts.manifest import Manifest
from results.facts.tokens import TOKEN_COLUMNS


def _typed(columns: tuple[Column, ...]) -> str:
    return ", ".join(f"{column.name} {column.kind.sql_type}" for column in columns)


_TOKENS = ", ".join(f"{name} BIGINT, {name}_wide DECIMAL(38,0)" for name in TOKEN_COLUMNS)
SCHEMAS = {
    "results": f"{_typed(RESULT_COLUMNS)}, {_TOKENS}",
    "calls": _typed(CALL_COLUMNS),
    "uses": _typed(USE_COLUMNS),
    "tools": "result_id BIGINT, evaluation_id INTEGER, tool_id INTEGER, statuses UTINYINT",
}
# The recorded counters of each section: many columns that few questions read.
_SECTIONS = ("answer_", "validation_", "error_input", "error_output", "error_cache", "error_reasoning")
NARROW_RESULTS = [
    *(column.name for column in RESULT_COLUMNS if not column.name.startswith(_SECTIONS)),
    *(f"{name}{suffix}" for name in TOKEN_COLUMNS for suffix in ("", "_wide")),
]


def source(listed: Manifest, table: str, recent: str, columns: str = "*") -> str:
    """SQL that reads one table from every member.

    Args:
        listed: the manifest.
        table: one of `files.TABLES`.
        recent: prefix of the tables in memory that hold the deltas; empty = read their files.
        columns: which ones; few of them make a query quicker to plan.
    """
    parts = [] if listed.base is None else [f'"{listed.base.name}".{table}']
    if recent:
        parts.append(f"{recent}_{table}")
    elif listed.deltas:
        parts.append(files.parquet_list(delta_paths(listed, table)))
    selects = [f"SELECT {columns} FROM {part}" for part in parts or [f"empty_{table}"]]
    return f"({' UNION ALL '.join(selects)})"


def delta_paths(listed: Manifest, table: str) -> list[Path]:
    """The files of one table of all deltas."""
    return [path for delta in listed.deltas for path in files.DeltaName.parse(delta.name).paths(table)]
