"""The plain loop that imports are measured against: read all, flatten it, `executemany` into the same tables.

It keeps no envelope, checks nothing, makes no facts and no text index, and needs memory for the whole document.
"""

import gc
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from results.models.evaluations import CALLS_PER_EVALUATION, RESULTS_PER_EVALUATION, TimeSource
from results.models.results import CallStatus, Outcome, Section
from results.store import bulk

# Plain numbers, not members of an enumeration: those are slow to bind.
OUTCOMES = {outcome.label.capitalize(): int(outcome) for outcome in Outcome}
SECTIONS = {section.label.capitalize(): int(section) for section in Section}
STATUSES = {status.label: int(status) for status in CallStatus}
FROM_TRACE_ID = int(TimeSource.TRACE_ID)
BASE32 = {sign: value for value, sign in enumerate("0123456789ABCDEFGHJKMNPQRSTVWXYZ")}
EVALUATION_ID = 1

Row = tuple[Any, ...]
Json = dict[str, Any]


class Ids(dict[Any, int]):
    """A number for each distinct key, counted from 1."""

    def __missing__(self, key: object) -> int:
        self[key] = number = len(self) + 1
        return number


class Flattener:
    """The rows of one document, all in memory."""

    def __init__(self) -> None:
        self.results: list[Row] = []
        self.documents: list[Row] = []
        self.calls: list[Row] = []
        self.uses: list[Row] = []
        self._runs, self._tasks, self._terms, self._repeats = Ids(), Ids(), Ids(), Ids()
        self._seen: dict[tuple[int, int], int] = {}

    def add(self, number: int, result: Json) -> None:
        """Flatten one result."""
        result_id = EVALUATION_ID * RESULTS_PER_EVALUATION + number
        run = self._runs[result["Provider"], result["Run"]]
        task = self._tasks[result["Task"]]
        repeat = self._seen[run, task] = self._seen.get((run, task), 0) + 1
        identity = (result_id, EVALUATION_ID, run, task, repeat, None, OUTCOMES[result["Kind"]])
        start = (result["TraceID"], _ulid_us(result["TraceID"]), FROM_TRACE_ID)
        self.results.append((*identity, *start, result["DurationNS"]))
        self.documents.append((result_id, orjson.dumps(result)))
        for name, section in SECTIONS.items():
            part = result["Details"].get(name)
            if part is not None:
                self._add_tools(result_id, section, part)

    def _add_tools(self, result_id: int, section: int, part: Json) -> None:
        uses, calls = self.uses, self.calls
        first = EVALUATION_ID * CALLS_PER_EVALUATION
        for tool, usage in part.get("ToolUsage", {}).items():
            numbers = (usage.get("CallCount"), usage.get("TotalDurationNS"))
            uses.append((first + len(uses), result_id, section, self._terms[tool], *numbers))
        for position, call in enumerate(part.get("ToolCalls", ())):
            identity = (first + len(calls), result_id, section, position, self._terms[call["Tool"]])
            calls.append((*identity, *_numbers(call)))


def import_file(path: Path, database: Path) -> None:
    """Import a document into a migrated database.

    Args:
        path: the document.
        database: a SQLite file with our tables, empty.
    """
    gc.disable()
    document = orjson.loads(path.read_bytes())
    flattener = Flattener()
    for number, result in enumerate(_results(document)):
        flattener.add(number, result)
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    for table, rows in (
        (bulk.RESULTS, flattener.results),
        (bulk.DOCUMENTS, flattener.documents),
        (bulk.CALLS, flattener.calls),
        (bulk.USES, flattener.uses),
    ):
        connection.executemany(table.insert_sql.replace("%s", "?"), rows)
    connection.commit()
    connection.close()


def _results(document: Json) -> Iterator[Json]:
    for results in document["Results"].values():
        yield from results


def _numbers(call: Json) -> Row:
    stdout, stderr = call.get("Stdout"), call.get("Stderr")
    return (
        STATUSES.get(call["Status"]),
        call.get("ConversationTurn"),
        int(datetime.fromisoformat(call["StartedAt"]).timestamp() * 1e6),
        call.get("DurationNS"),
        call.get("WallTimeNS"),
        call.get("ExitCode"),
        call.get("TimedOut", False),
        stdout["Bytes"] if stdout else None,
        stderr["Bytes"] if stderr else None,
    )


def _ulid_us(text: str) -> int:
    value = 0
    for sign in text[:10]:
        value = value << 5 | BASE32[sign]
    return value * 1000
