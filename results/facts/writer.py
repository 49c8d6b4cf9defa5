"""Writes the facts of one evaluation: rows in, Parquet parts out, memory flat."""

import os
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import duckdb

from results.facts import files
from results.facts.columns import CALL_COLUMNS, RESULT_COLUMNS, USE_COLUMNS, Row
from results.facts.packed import ColumnValues
from results.facts.packing import PackedTable
from results.facts.tokens import with_effective_tokens

PART_RESULTS = 50_000  # measured: 100,000 take 90 MB more while they are written, and questions are no faster
PART_ROWS = 400_000  # of calls or uses: a part is cut earlier when results have very many
# What each tool set is made of, told by one result that has it. The judge's tools, also those of a judge that failed,
# are not in it.
_TOOLS = """
    SELECT any_value(evaluation_id) AS evaluation_id, any_value(tool_set) AS tool_set, tool_id,
           bit_or(bit)::UTINYINT AS statuses
    FROM (SELECT result_id, evaluation_id, tool_set, is_error_usage_judge FROM results
          WHERE result_id IN (SELECT min(result_id) FROM results WHERE tool_set IS NOT NULL GROUP BY tool_set))
    JOIN (SELECT result_id, section, tool_id, 0 AS bit FROM uses
          UNION ALL SELECT result_id, section, tool_id, 1 << coalesce(status, 0) FROM calls) USING (result_id)
    WHERE section = 1 OR (section = 3 AND NOT is_error_usage_judge)
    GROUP BY result_id, tool_id"""
_QUERIES = {
    "results": with_effective_tokens("results"),
    "calls": "SELECT * FROM calls",
    "uses": "SELECT * FROM uses",
    "tools": _TOOLS,
}


_connections: dict[
    int, duckdb.DuckDBPyConnection
] = {}  # by process; those of a parent stay, since closing one may hang


def _cursor() -> duckdb.DuckDBPyConnection:
    """A cursor of the one DuckDB that this process writes with; opening another takes 20 ms."""
    connection = _connections.get(os.getpid())
    if connection is None:
        settings: dict[str, str | bool | int | float | list[str]] = {"threads": 1, "memory_limit": "256MB"}
        connection = _connections.setdefault(os.getpid(), duckdb.connect(":memory:", config=settings))
    return connection.cursor()


@dataclass(frozen=True)
class FactsColumns:
    """Some rows of one table, column by column in its order."""

    columns: Sequence[ColumnValues]
    rows: int

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "FactsColumns":
        """Turn rows into columns."""
        return cls(list(zip(*rows, strict=True)), len(rows))


class _Part:
    """The rows of one part."""

    def __init__(self) -> None:
        self.results = PackedTable("results", RESULT_COLUMNS)
        self.calls = PackedTable("calls", CALL_COLUMNS)
        self.uses = PackedTable("uses", USE_COLUMNS)

    @property
    def is_full(self) -> bool:
        """Whether it is time to write it."""
        return self.results.rows >= PART_RESULTS or max(self.calls.rows, self.uses.rows) >= PART_ROWS

    def write(self, cursor: duckdb.DuckDBPyConnection, stem: str, number: int) -> None:
        """Write a file for each table that has rows."""
        tables = (self.results, self.calls, self.uses)
        for table in tables:
            table.offer(cursor)
        has_rows = {"results": True, "calls": self.calls.rows, "uses": self.uses.rows}
        has_rows["tools"] = self.calls.rows or self.uses.rows
        for name in files.TABLES:
            if has_rows[name]:
                _copy(cursor, _QUERIES[name], stem, name, number)
        for table in tables:
            table.withdraw(cursor)


def _copy(cursor: duckdb.DuckDBPyConnection, query: str, stem: str, table: str, number: int) -> None:
    path = files.quoted(files.part_path(stem, table, number))
    cursor.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet, COMPRESSION snappy)")


class FactsWriter:
    """Takes the rows of one evaluation as they come; `close` gives the name to register, `discard` leaves nothing.

    A full part is written by a thread while the next one is filled: DuckDB works beside Python.
    """

    def __init__(self, evaluation_id: int) -> None:
        self._stem = files.new_stem(f"e{evaluation_id}")
        self._parts = self._calls_written = self._uses_written = 0
        self._part = _Part()
        self._cursor = _cursor()
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._writing: Future[None] | None = None

    def add(self, result_rows: Sequence[Row], call_rows: Sequence[Row], use_rows: Sequence[Row]) -> None:
        """Take the rows of whole results: a result's calls and uses come with it.

        Args:
            result_rows: `ResultKeys` + `measures`, in the order of `RESULT_COLUMNS`.
            call_rows: in the order of `CALL_COLUMNS`.
            use_rows: in the order of `USE_COLUMNS`.

        Raises:
            duckdb.IOException: a part could not be written, such as on a full disk; it may be an earlier one.
        """
        self.add_columns(*(FactsColumns.of(rows) for rows in (result_rows, call_rows, use_rows)))

    def add_columns(self, results: FactsColumns, calls: FactsColumns, uses: FactsColumns) -> None:
        """Take the same column by column; columns without rows need not be there.

        Raises:
            duckdb.IOException: see `add`.
        """
        for table, given in ((self._part.results, results), (self._part.calls, calls), (self._part.uses, uses)):
            if given.rows:
                table.extend(given.columns, given.rows)
        if self._part.is_full:
            self._flush()

    def close(self) -> str:
        """Write what is left. It is not forced to disk: the name holds a checksum, and what is lost is made again.

        Returns:
            The name for `manifest.register`.

        Raises:
            duckdb.IOException, OSError: a file could not be written.
        """
        if self._part.results.rows:
            self._flush()
        self._wait()
        self._thread.shutdown()
        delta = files.DeltaName(self._stem, self._parts, self._calls_written, self._uses_written, 0)
        for table in files.TABLES:
            self._fill_gaps(table, delta.paths(table))
        self._cursor.close()
        checksum = files.checksum([path for table in files.TABLES for path in delta.paths(table)])
        return str(files.DeltaName(self._stem, self._parts, self._calls_written, self._uses_written, checksum))

    def discard(self) -> None:
        """Remove what was written; safe to call twice and after a failure."""
        self._thread.shutdown()
        self._cursor.close()
        for part in range(self._parts + 1):
            for table in files.TABLES:
                files.part_path(self._stem, table, part).unlink(missing_ok=True)

    def _fill_gaps(self, table: str, paths: list[Path]) -> None:
        """Give a part without rows a file, if another part of the same table has rows."""
        present = [path for path in paths if path.exists()]
        for number, path in enumerate(paths):
            if path not in present:
                _copy(
                    self._cursor, f"SELECT * FROM {files.parquet_list(present[:1])} LIMIT 0", self._stem, table, number
                )

    def _flush(self) -> None:
        """Have the part written, once the one before it is."""
        self._wait()
        part, self._part = self._part, _Part()
        self._writing = self._thread.submit(part.write, self._cursor, self._stem, self._parts)
        self._parts += 1
        self._calls_written += part.calls.rows
        self._uses_written += part.uses.rows

    def _wait(self) -> None:
        writing, self._writing = self._writing, None
        if writing is not None:
            writing.result()
