"""Writes one evaluation: chunks that commit, then one flip that makes everything visible."""

from collections import Counter
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from results.compression import Packer, compress
from results.facts.columns import RESULT_COLUMNS
from results.facts.manifest import register
from results.facts.writer import FactsWriter
from results.importers.source import Envelope, EvaluationHead, ImportWarning, SourcedResult
from results.jobs import JobLease, renew
from results.models.evaluations import Evaluation, EvaluationDocument, EvaluationState, TimeSource
from results.models.results import Outcome
from results.names import storable
from results.store import bulk
from results.store.dimensions import Dimensions, Keys, RunKey, TaskKey
from results.store.log_tidying import LogTidier
from results.store.rows import EPOCH, RowBatch, RowMaker, Start, microseconds, texts_of

CHUNK_RESULTS = 1_000  # one transaction: about 50 ms on SQLite, so that other writers hardly wait
CHUNK_BYTES = 16 * 2**20  # a chunk ends earlier when its documents are large
MOST_WARNINGS = 1_000  # kept with the evaluation; the rest is counted

TRACE_HASH = [column.name for column in RESULT_COLUMNS].index("trace_hash")
DOCUMENT_SOURCES = {
    "document": TimeSource.DOCUMENT,
    "document_utc_assumed": TimeSource.DOCUMENT_UTC_ASSUMED,
}


def describe_head(evaluation: Evaluation, head: EvaluationHead) -> Start:
    """Put what the document says of itself on the evaluation, and say when its results started for want of better."""
    evaluation.app_name = storable(head.app_name)
    evaluation.app_version = storable(head.app_version)
    evaluation.created_at_text = storable(head.created_at_text)
    evaluation.created_at = head.created_at
    source = DOCUMENT_SOURCES.get(head.created_at_source, TimeSource.IMPORT)
    evaluation.created_at_source = source
    return Start(microseconds(head.created_at or timezone.now()), int(source))


@dataclass(frozen=True)
class Prepared:
    """The rows of a chunk, and its documents as soon as they are compressed."""

    batch: RowBatch
    bodies: "Future[list[bytes]]"


class EvaluationWriter:
    """Takes the results of one document in order; nothing is visible before `finish`."""

    def __init__(self, evaluation: Evaluation, head: EvaluationHead, lease: JobLease) -> None:
        """Begin an evaluation that is in state `importing`.

        Args:
            evaluation: its row, already saved.
            head: what the document says of itself.
            lease: the job that writes it; each chunk renews it.
        """
        self.evaluation = evaluation
        self._fallback = describe_head(evaluation, head)
        self._lease = lease
        self._dimensions = Dimensions(evaluation)
        self._maker = RowMaker(evaluation.pk, self._fallback, self._dimensions.terms)
        self._facts = FactsWriter(evaluation.pk)
        self._keys = Keys()
        self._packer = Packer()
        self._pending: list[SourcedResult] = []
        self._run_keys: list[RunKey] = []
        self._task_keys: list[TaskKey] = []
        self._pending_bytes = 0
        self._tidier = LogTidier()
        self._committed = 0
        self._prepared: Prepared | None = None
        self._outcomes: Counter[int] = Counter()
        self._traces: set[int] = set()
        self._repeated_traces: Counter[str] = Counter()
        self._earliest: Start | None = None

    @property
    def results(self) -> int:
        """Results committed so far."""
        return self._committed

    def add(self, sourced: SourcedResult) -> bool:
        """Take the next result.

        Returns:
            True when this result completed a chunk; the chunk before it is now committed.

        Raises:
            LeaseLostError, JobCancelledError: see `results.jobs.renew`.
        """
        record = sourced.record
        self._pending.append(sourced)
        self._run_keys.append(self._keys.run_key(record))
        self._task_keys.append(self._keys.task_key(record))
        self._pending_bytes += len(sourced.source)
        if len(self._pending) < CHUNK_RESULTS and self._pending_bytes < CHUNK_BYTES:
            return False
        self._flush()
        return True

    def finish(self, envelope: Envelope, warnings: list[ImportWarning]) -> None:
        """Write the rest and make the evaluation visible.

        Args:
            envelope: the document around the results.
            warnings: what the reader had to say; what the store noticed is added.
        """
        self._flush()
        self._commit()
        self._end_threads()
        facts_name = self._facts.close()
        document = EvaluationDocument(
            evaluation=self.evaluation,
            body=compress(envelope.body),
            slots=[[slot.offset, slot.count] for slot in envelope.slots],
        )
        self._summarize(warnings)
        with transaction.atomic():
            renew(self._lease)
            document.save(force_insert=True)
            self.evaluation.save()
            register(facts_name, self.evaluation, self.results)

    def discard(self) -> None:
        """Drop the facts that were prepared; the rows are the sweeper's."""
        self._end_threads()
        self._facts.discard()

    def _end_threads(self) -> None:
        self._packer.close()
        self._tidier.close()

    def _flush(self) -> None:
        """Make the rows of the waiting results, then commit the chunk before them.

        A chunk's documents are compressed on another core meanwhile; committing it one chunk later means not to wait.
        """
        pending, run_keys, task_keys = self._pending, self._run_keys, self._task_keys
        if not pending:
            return
        self._pending, self._run_keys, self._task_keys, self._pending_bytes = [], [], [], 0
        bodies = self._packer.start([sourced.source for sourced in pending])
        dimensions = self._dimensions
        words: set[str] = set()
        for sourced in pending:
            words.update(texts_of(sourced.record))
        dimensions.learn(run_keys, task_keys, words)
        batch = RowBatch()
        for sourced, run, task in zip(pending, run_keys, task_keys, strict=True):
            self._maker.add(batch, sourced.record, len(sourced.source), dimensions.runs[run], dimensions.tasks[task])
        self._notice(pending, batch)
        self._commit()
        self._prepared = Prepared(batch, bodies)

    def _commit(self) -> None:
        """Commit the chunk that was prepared, if there is one."""
        if self._prepared is None:
            return
        batch, bodies = self._prepared.batch, self._prepared.bodies
        self._prepared = None
        ids = [row[0] for row in batch.results]
        documents = list(zip(ids, bodies.result(), strict=True))
        with transaction.atomic():
            renew(self._lease)
            bulk.insert(bulk.RESULTS, batch.results)
            bulk.insert(bulk.DOCUMENTS, documents)
            bulk.insert(bulk.CALLS, batch.calls)
            bulk.insert(bulk.USES, batch.uses)
        self._facts.add(batch.fact_results, batch.fact_calls, batch.fact_uses)
        self._committed += len(ids)
        self._tidier.chunk_committed()

    def _notice(self, pending: list[SourcedResult], batch: RowBatch) -> None:
        """Count outcomes, find the earliest start, and see which trace ids stand twice."""
        self._outcomes.update(row[bulk.OUTCOME] for row in batch.results)
        earliest = min((row[bulk.STARTED_SOURCE], row[bulk.STARTED]) for row in batch.results)
        if self._earliest is None or earliest < (self._earliest.source, self._earliest.at_us):
            self._earliest = Start(at_us=earliest[1], source=earliest[0])
        for sourced, row in zip(pending, batch.fact_results, strict=True):
            trace = row[TRACE_HASH]
            if trace in self._traces:
                self._repeated_traces[sourced.record.trace_id] += 1
            elif trace is not None:
                self._traces.add(trace)

    def _summarize(self, warnings: list[ImportWarning]) -> None:
        evaluation, start, count = self.evaluation, self._earliest or self._fallback, self._outcomes
        evaluation.state = EvaluationState.READY
        evaluation.started_at = EPOCH + timedelta(microseconds=start.at_us)
        evaluation.started_at_source = start.source
        evaluation.results = self.results
        evaluation.passed = count[Outcome.PASSED]
        evaluation.failed = count[Outcome.FAILED]
        evaluation.errors = count[Outcome.ERROR]
        evaluation.skipped = count[Outcome.SKIPPED]
        evaluation.runs = len({ids.run_id for ids in self._dimensions.runs.values()})
        evaluation.tasks = len({ids.task_id for ids in self._dimensions.tasks.values()})
        evaluation.calls = self._maker.calls
        noticed = [
            ImportWarning("TraceID", f"{storable(trace)} stands {count + 1} times in this document")
            for trace, count in self._repeated_traces.most_common(MOST_WARNINGS)
        ]
        kept = [*warnings, *noticed][:MOST_WARNINGS]
        evaluation.warnings = [{"path": storable(w.path), "message": storable(w.message)} for w in kept]
