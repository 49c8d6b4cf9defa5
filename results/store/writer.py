"""Writes one evaluation: chunks that commit, then one flip that makes everything visible."""

from collections import Counter
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from results.compression import compress
from results.facts.manifest import register
from results.facts.writer import FactsWriter
from results.importers.source import Envelope, EvaluationHead, ImportWarning
from results.jobs import JobLease, renew
from results.models.evaluations import Evaluation, EvaluationDocument, EvaluationState, TimeSource
from results.models.results import Outcome
from results.names import storable
from results.store import bulk
from results.store.chunks import Chunk
from results.store.log_tidying import LogTidier
from results.store.prepared import EPOCH, PreparedResults, microseconds
from results.store.review_identity import attach
from results.store.rows import RowBatch, RowMaker, Start

MOST_WARNINGS = 1_000  # kept with the evaluation; the rest is counted

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
class Waiting:
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
        self._maker = RowMaker(evaluation, self._fallback)
        self._facts = FactsWriter(evaluation.pk)
        self._tidier = LogTidier()
        self._committed = 0
        self._waiting: Waiting | None = None
        self._outcomes: Counter[int] = Counter()
        self._traces: set[int] = set()
        self._repeated_traces: Counter[str] = Counter()
        self._earliest: Start | None = None

    @property
    def results(self) -> int:
        """Results committed so far."""
        return self._committed

    def add(self, chunk: Chunk) -> None:
        """Take the next results, and commit those before them.

        Their documents are compressed on another core meanwhile; committing them one chunk later means not to wait.

        Raises:
            LeaseLostError, JobCancelledError: see `results.jobs.renew`.
        """
        self._maker.learn(chunk.prepared)
        batch = self._maker.rows(chunk.prepared)
        self._notice(chunk.prepared.results, batch)
        self._commit()
        self._waiting = Waiting(batch, chunk.bodies)

    def finish(self, envelope: Envelope, warnings: list[ImportWarning]) -> None:
        """Write the rest and make the evaluation visible.

        Args:
            envelope: the document around the results.
            warnings: what the reader had to say; what the store noticed is added.
        """
        self._commit()
        self._tidier.close()
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
            attach(self.evaluation)

    def discard(self) -> None:
        """Drop the facts that were prepared; the rows are the sweeper's."""
        self._tidier.close()
        self._facts.discard()

    def _commit(self) -> None:
        """Commit the chunk that waits, if there is one."""
        if self._waiting is None:
            return
        batch, bodies = self._waiting.batch, self._waiting.bodies
        self._waiting = None
        ids = [row[0] for row in batch.results]
        documents = list(zip(ids, bodies.result(), strict=True))
        with transaction.atomic():
            renew(self._lease)
            bulk.insert(bulk.RESULTS, batch.results)
            bulk.insert(bulk.DOCUMENTS, documents)
            bulk.insert(bulk.CALLS, batch.calls)
            bulk.insert(bulk.USES, batch.uses)
        self._facts.add_columns(batch.fact_results, batch.fact_calls, batch.fact_uses)
        self._committed += len(ids)
        self._tidier.chunk_committed()

    def _notice(self, results: PreparedResults, batch: RowBatch) -> None:
        """Count outcomes, find the earliest start, and see which trace ids stand twice."""
        self._outcomes.update(results.outcomes)
        earliest = min([(row[bulk.STARTED_SOURCE], row[bulk.STARTED]) for row in batch.results])
        if self._earliest is None or earliest < (self._earliest.source, self._earliest.at_us):
            self._earliest = Start(at_us=earliest[1], source=earliest[0])
        for trace, trace_id in zip(results.trace_hashes, results.trace_ids, strict=True):
            if trace in self._traces:
                self._repeated_traces[trace_id] += 1
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
        evaluation.runs = len({ids.run_id for ids in self._maker.dimensions.runs.values()})
        evaluation.tasks = len({ids.task_id for ids in self._maker.dimensions.tasks.values()})
        evaluation.calls = self._maker.calls
        noticed = [
            ImportWarning("TraceID", f"{trace} stands {count + 1} times in this document")
            for trace, count in self._repeated_traces.most_common(MOST_WARNINGS)
        ]
        kept = [*warnings, *noticed][:MOST_WARNINGS]
        evaluation.warnings = [{"path": storable(w.path), "message": storable(w.message)} for w in kept]
