"""Reads one evaluation back from its tables and documents and writes its facts."""

from collections.abc import Iterator
from typing import Any

from results.compression import decompress
from results.facts.columns import ResultKeys, Row, currency_of, measures, trace_hash
from results.facts.manifest import Member
from results.facts.writer import FactsWriter
from results.models.dimensions import RunVersion, TaskVersion, Term
from results.models.evaluations import CALLS_PER_EVALUATION, RESULTS_PER_EVALUATION
from results.models.results import Result, ToolCall, ToolUse
from results.names import digest_of, storable
from results.records import RunResult, decode_result

CHUNK_RESULTS = 2_000
_RESULT_FIELDS = (
    "pk",
    "run_version_id",
    "task_version_id",
    "repeat",
    "attempts",
    "trace_id",
    "started_at_us",
    "started_at_source",
    "document__body",
)
_CALL_NUMBERS = (
    "section",
    "position",
    "tool_id",
    "status",
    "turn",
    "started_at_us",
    "duration_ns",
    "wall_time_ns",
    "exit_code",
    "is_timed_out",
    "stdout_bytes",
    "stderr_bytes",
)


def write_evaluation(evaluation_id: int) -> Member | None:
    """Write the facts of a stored evaluation as a delta that is not registered yet.

    Returns:
        The member to add; None when the evaluation has no results.

    Raises:
        duckdb.Error, OSError: the files could not be written; nothing is left of them.
    """
    writer = FactsWriter(evaluation_id)
    try:
        results = _Reader(evaluation_id).write(writer)
        name = writer.close()
    except BaseException:
        writer.discard()
        raise
    return Member(name, is_base=False, evaluation_id=evaluation_id, results=results) if results else None


class _Reader:
    """Reads results in chunks, and beside them the calls and uses that belong to each chunk."""

    def __init__(self, evaluation_id: int) -> None:
        self.evaluation_id = evaluation_id
        self.runs: dict[int, tuple[int, int, int | None]] = {}
        self.tasks: dict[int, tuple[int, int | None, int | None, int | None, int | None]] = {}
        self.terms: dict[str, int] = {}

    def write(self, writer: FactsWriter) -> int:
        """Hand every row to a writer; returns the number of results."""
        low = self.evaluation_id * CALLS_PER_EVALUATION
        mine = {"pk__gte": low, "pk__lt": low + CALLS_PER_EVALUATION}
        calls = ToolCall.objects.filter(**mine).order_by("pk").values_list("result_id", "pk", *_CALL_NUMBERS)
        uses = ToolUse.objects.filter(**mine).order_by("pk")
        use_rows = uses.values_list("result_id", "section", "tool_id", "calls", "duration_ns")
        next_calls, next_uses = _Following(calls.iterator()), _Following(use_rows.iterator())
        written = 0
        for chunk in self._chunks():
            rows = {row[0]: row for row in self._result_rows(chunk)}
            last = chunk[-1][0]
            writer.add(
                list(rows.values()),
                [self._call_row(rows[call[0]], call) for call in next_calls.until(last)],
                [(use[0], self.evaluation_id, *use[1:]) for use in next_uses.until(last)],
            )
            written += len(rows)
        return written

    def _chunks(self) -> Iterator[list[Any]]:
        start, end = (number * RESULTS_PER_EVALUATION for number in (self.evaluation_id, self.evaluation_id + 1))
        while True:
            results = Result.objects.filter(pk__gte=start, pk__lt=end).order_by("pk")
            chunk = list(results.values_list(*_RESULT_FIELDS)[:CHUNK_RESULTS])
            if not chunk:
                return
            yield chunk
            start = chunk[-1][0] + 1

    def _result_rows(self, chunk: list[Any]) -> Iterator[Row]:
        self._learn({row[1] for row in chunk} - self.runs.keys(), {row[2] for row in chunk} - self.tasks.keys())
        sources = [decompress(row[8]) for row in chunk]
        records = [decode_result(source) for source in sources]
        self._learn_terms(records)
        for row, record, source in zip(chunk, records, sources, strict=True):
            run_id, provider_id, model_id = self.runs[row[1]]
            task_id, suite_id, category_id, difficulty_id, tag_set_id = self.tasks[row[2]]
            title = record.details.error.title if record.details.error else ""
            keys = ResultKeys(
                result_id=row[0],
                evaluation_id=self.evaluation_id,
                provider_id=provider_id,
                run_id=run_id,
                run_version_id=row[1],
                model_id=model_id,
                task_id=task_id,
                task_version_id=row[2],
                suite_id=suite_id,
                category_id=category_id,
                difficulty_id=difficulty_id,
                tag_set_id=tag_set_id,
                repeat=row[3],
                attempts=row[4],
                started_at_us=row[6],
                started_at_source=row[7],
                trace_hash=trace_hash(record.trace_id),
                error_title_id=self.terms.get(title),
                currency_id=self.terms.get(currency_of(record)),
            )
            yield keys + measures(record, len(source))

    def _learn(self, run_versions: set[int], task_versions: set[int]) -> None:
        runs = RunVersion.objects.filter(pk__in=run_versions)
        for pk, *ids in runs.values_list("pk", "run_id", "run__provider_id", "model_id"):
            self.runs[pk] = (ids[0], ids[1], ids[2])
        tasks = TaskVersion.objects.filter(pk__in=task_versions)
        for pk, *ids in tasks.values_list("pk", "task_id", "suite_id", "category_id", "difficulty_id", "tag_set_id"):
            self.tasks[pk] = (ids[0], ids[1], ids[2], ids[3], ids[4])

    def _learn_terms(self, records: list[RunResult]) -> None:
        texts = {record.details.error.title for record in records if record.details.error is not None}
        texts |= {currency_of(record) for record in records}
        unknown = {digest_of(storable(text)): text for text in texts - self.terms.keys() - {""}}
        for pk, digest in Term.objects.filter(digest__in=list(unknown)).values_list("pk", "digest"):
            self.terms[unknown[digest]] = pk

    def _call_row(self, result: Row, call: Row) -> Row:
        """Source: the order of `CALL_COLUMNS`."""
        keys = ResultKeys(*result[: len(ResultKeys._fields)])  # type: ignore[arg-type]  # made as keys above
        outcome = result[len(ResultKeys._fields)]
        return (call[0], self.evaluation_id, call[1], keys.provider_id, keys.run_id, keys.task_id, outcome, *call[2:])


class _Following:
    """Rows in the order of their results, taken as far as a result id."""

    def __init__(self, rows: Iterator[Any]) -> None:
        self.rows = rows
        self.ahead = next(rows, None)

    def until(self, result_id: int) -> Iterator[Any]:
        """The rows up to and with a result."""
        while self.ahead is not None and self.ahead[0] <= result_id:
            yield self.ahead
            self.ahead = next(self.rows, None)
