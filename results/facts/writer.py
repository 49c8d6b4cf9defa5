"""Writes the facts of one evaluation: rows in, Parquet parts out, memory flat."""

from collections.abc import Sequence
from pathlib import Path

import duckdb

from results.facts import files
from results.facts.columns import CALL_COLUMNS, RESULT_COLUMNS, USE_COLUMNS, Row
from results.facts.packing import PackedTable
from results.facts.tokens import with_effective_tokens

PART_RESULTS = 50_000  # measured: 100,000 take 90 MB more while they are written, and questions are no faster
PART_ROWS = 400_000  # of calls or uses: a part is cut earlier when results have very many
# Whose tool it was: the judge's tools, also those of a judge that failed, do not count as used by the result.
_TOOLS = """
    SELECT result_id, evaluation_id, tool_id, bit_or(bit)::UTINYINT AS statuses
    FROM (SELECT result_id, evaluation_id, section, tool_id, 0 AS bit FROM uses
          UNION ALL SELECT result_id, evaluation_id, section, tool_id, 1 << coalesce(status, 0) FROM calls)
    WHERE section = 1
       OR (section = 3 AND result_id NOT IN (SELECT result_id FROM results WHERE is_error_usage_judge))
    GROUP BY ALL"""
_QUERIES = {
    "results": with_effective_tokens("results"),
    "calls": "SELECT * FROM calls",
    "uses": "SELECT * FROM uses",
    "tools": _TOOLS,
}


class FactsWriter:
    """Takes the rows of one evaluation as they come; `close` gives the name to register, `discard` leaves nothing."""

    def __init__(self, evaluation_id: int) -> None:
        self._stem = files.new_stem(f"e{evaluation_id}")
        self._parts = self._calls_written = self._uses_written = 0
        self._results = PackedTable("results", RESULT_COLUMNS)
        self._calls = PackedTable("calls", CALL_COLUMNS)
        self._uses = PackedTable("uses", USE_COLUMNS)
        self._connection = duckdb.connect(":memory:", config={"threads": 1, "memory_limit": "256MB"})

    def add(self, result_rows: Sequence[Row], call_rows: Sequence[Row], use_rows: Sequence[Row]) -> None:
        """Take the rows of whole results: a result's calls and uses come with it.

        Args:
            result_rows: `ResultKeys` + `measures`, in the order of `RESULT_COLUMNS`.
            call_rows: in the order of `CALL_COLUMNS`.
            use_rows: in the order of `USE_COLUMNS`.

        Raises:
            duckdb.IOException: a part could not be written, such as on a full disk.
        """
        self._results.extend(result_rows)
        self._calls.extend(call_rows)
        self._uses.extend(use_rows)
        if self._results.rows >= PART_RESULTS or max(self._calls.rows, self._uses.rows) >= PART_ROWS:
            self._flush()

    def close(self) -> str:
        """Write what is left and force everything to disk.

        Returns:
            The name for `manifest.register`.

        Raises:
            duckdb.IOException, OSError: a file could not be written.
        """
        if self._results.rows:
            self._flush()
        self._connection.close()
        delta = files.DeltaName(self._stem, self._parts, self._calls_written, self._uses_written, 0)
        paths = [path for table in files.TABLES for path in delta.paths(table)]
        for path in paths:
            files.sync(path)
        files.sync(files.directory())
        checksum = files.checksum(paths)
        return str(files.DeltaName(self._stem, self._parts, self._calls_written, self._uses_written, checksum))

    def discard(self) -> None:
        """Remove what was written; safe to call twice and after a failure."""
        self._connection.close()
        for part in range(self._parts + 1):
            for path in self._paths(part).values():
                path.unlink(missing_ok=True)

    def _paths(self, part: int) -> dict[str, Path]:
        return {table: files.part_path(self._stem, table, part) for table in files.TABLES}

    def _flush(self) -> None:
        """Write one part of each table."""
        for table in (self._results, self._calls, self._uses):
            table.offer(self._connection)
        for table_name, path in self._paths(self._parts).items():
            self._connection.execute(
                f"COPY ({_QUERIES[table_name]}) TO '{files.quoted(path)}' (FORMAT parquet, COMPRESSION snappy)"
            )
        self._parts += 1
        self._calls_written += self._calls.rows
        self._uses_written += self._uses.rows
        for table in (self._results, self._calls, self._uses):
            table.withdraw(self._connection)
            table.clear()
