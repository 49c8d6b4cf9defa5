"""Writes one evaluation: chunks that commit, then one flip that makes everything visible."""

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta

import zstandard
from django.db import transaction
from django.utils import timezone

from results.facts.columns import trace_hash
from results.facts.manifest import register
from results.facts.writer import FactsWriter
from results.importers.source import Envelope, EvaluationHead, ImportWarning, SourcedResult
from results.jobs import JobLease, renew
from results.models.evaluations import Evaluation, EvaluationDocument, EvaluationState, TimeSource
from results.models.results import Outcome
from results.names import storable
from results.store import bulk
from results.store.dimensions import Dimensions, RunKey, TaskKey, run_key, task_key
from results.store.rows import COMPRESSION_LEVEL, EPOCH, RowBatch, RowMaker, Start, microseconds, texts_of

CHUNK_RESULTS = 2_000  # one transaction: about 0.1 s on SQLite, so other writers wait no longer
CHUNK_BYTES = 16 * 2**20  # a chunk ends earlier when its documents are large
MOST_WARNINGS = 1_000  # kept with the evaluation; the rest is counted

DOCUMENT_SOURCES = {
    "document": TimeSource.DOCUMENT,
    "document_utc_assumed": TimeSource.DOCUMENT_UTC_ASSUMED,
}


@dataclass(frozen=True)
class Pending:
    """A result that waits for its chunk, with the names of what it points to."""

    sourced: SourcedResult
    run: RunKey
    task: TaskKey


def describe_head(evaluation: Evaluation, head: EvaluationHead) -> Start:
    """Put what the document says of itself on the evaluation, and say when its results started for want of better."""
    evaluation.app_name = storable(head.app_name)
    evaluation.app_version = storable(head.app_version)
    evaluation.created_at_text = storable(head.created_at_text)
    evaluation.created_at = head.created_at
    source = DOCUMENT_SOURCES.get(head.created_at_source, TimeSource.IMPORT)
    evaluation.created_at_source = source
    return Start(microseconds(head.created_at or timezone.now()), int(source))


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
        self._pending: list[Pending] = []
        self._pending_bytes = 0
        self._outcomes: Counter[int] = Counter()
        self._traces: set[int] = set()
        self._repeated_traces: Counter[str] = Counter()
        self._earliest: Start | None = None

    @property
    def results(self) -> int:
        """Results committed so far."""
        return self._maker.ordinal

    def add(self, sourced: SourcedResult) -> bool:
        """Take the next result.

        Returns:
            True when this result completed a chunk, which is now committed.

        Raises:
            LeaseLostError, JobCancelledError: see `results.jobs.renew`.
        """
        record = sourced.record
        self._pending.append(Pending(sourced, run_key(record), task_key(record)))
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
        facts_name = self._facts.close()
        document = EvaluationDocument(
            evaluation=self.evaluation,
            body=zstandard.ZstdCompressor(level=COMPRESSION_LEVEL).compress(envelope.body),
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
        self._facts.discard()

    def _flush(self) -> None:
        pending, self._pending, self._pending_bytes = self._pending, [], 0
        if not pending:
            return
        dimensions = self._dimensions
        dimensions.learn(
            (item.run for item in pending),
            (item.task for item in pending),
            (text for item in pending for text in texts_of(item.sourced.record)),
        )
        batch = RowBatch()
        for item in pending:
            sourced = item.sourced
            run, task = dimensions.runs[item.run], dimensions.tasks[item.task]
            self._notice(sourced, self._maker.add(batch, sourced.record, sourced.source, run, task))
        self._outcomes.update(row[bulk.OUTCOME_POSITION] for row in batch.results)
        with transaction.atomic():
            renew(self._lease, done=pending[-1].sourced.offset)
            bulk.insert(bulk.RESULTS, batch.results)
            bulk.insert(bulk.DOCUMENTS, batch.documents)
            bulk.insert(bulk.CALLS, batch.calls)
            bulk.insert(bulk.USES, batch.uses)
        self._facts.add(batch.fact_results, batch.fact_calls, batch.fact_uses)

    def _notice(self, sourced: SourcedResult, start: Start) -> None:
        earliest = self._earliest
        if earliest is None or (start.source, start.at_us) < (earliest.source, earliest.at_us):
            self._earliest = start
        trace = trace_hash(sourced.record.trace_id)
        if trace is None:
            return
        if trace in self._traces:
            self._repeated_traces[sourced.record.trace_id] += 1
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
