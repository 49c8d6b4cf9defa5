"""Writes the results of a live trial as they come: each handful in a transaction of its own, and seen at once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from results.compression import compress
from results.jobs import JobLease, hold
from results.models.evaluations import Evaluation, EvaluationState, TimeSource
from results.models.results import Outcome
from results.models.trials import Trial, TrialResult
from results.records import RunResult
from results.store import bulk
from results.store.prepared import Gatherer, PreparedChunk, microseconds
from results.store.rows import RowBatch, RowMaker, Start
from results.trial_plan import Place, TrialPlan


class TrialGoneError(Exception):
    """The trial does not run any more, or was deleted; nothing more may be written."""


@dataclass(frozen=True)
class LiveResult:
    """A result, what it is the result of, and its JSON."""

    place: Place
    record: RunResult
    source: bytes


class LiveWriter:
    """Writes results of one trial; several workers may write to one trial at the same time.

    Ids are given out in the order of commits, since the trial's row is locked while results are written. The text index
    relies on it: it goes on where it stopped.
    """

    def __init__(self, trial: Trial, plan: TrialPlan) -> None:
        """Begin with a trial that runs."""
        self._trial_id = trial.pk
        self._repeats = {place: before + 1 for place, before in plan.earlier_runs_of_the_same_name().items()}
        fallback = Start(microseconds(timezone.now()), int(TimeSource.IMPORT))
        self._maker = RowMaker(trial.evaluation, fallback)

    def write(self, lease: JobLease, results: Sequence[LiveResult]) -> int:
        """Write some results; one that is there already is left alone: a worker that was thought dead had it.

        Args:
            lease: of the job that brings them; it is renewed.
            results: of different places.

        Returns:
            How many were new.

        Raises:
            LeaseLostError, TrialGoneError: nothing was written.
        """
        gatherer = Gatherer()
        self._maker.begin_names()
        self._maker.learn(_gathered(gatherer, results))
        bodies = [compress(one.source) for one in results]
        with transaction.atomic():
            hold(lease)
            self._lock()
            new = [index for index, one in enumerate(results) if one.place not in self._known(results)]
            places = [results[index].place for index in new]
            repeats = [self._repeats[place.entry, place.run] for place in places]
            batch = self._maker.rows(_gathered(gatherer, [results[index] for index in new]), repeats)
            self._insert(batch, places, [bodies[index] for index in new])
        return len(new)

    def _lock(self) -> None:
        """Lock the trial's row, and go on with the ids where the last writer stopped."""
        running = Trial.objects.select_for_update().filter(pk=self._trial_id, evaluation__state=EvaluationState.RUNNING)
        ordinals = running.values_list("next_ordinal", "next_call", "next_use").first()
        if ordinals is None:
            raise TrialGoneError(f"trial {self._trial_id} does not run any more")
        self._maker.begin_at(result=ordinals[0], call=ordinals[1], use=ordinals[2])

    def _known(self, results: Sequence[LiveResult]) -> set[Place]:
        entries = {one.place.entry for one in results}
        tasks = {one.place.task for one in results}
        rows = TrialResult.objects.filter(trial_id=self._trial_id, entry__in=entries, task__in=tasks)
        return {Place(*row) for row in rows.values_list("entry", "run", "task")}

    def _insert(self, batch: RowBatch, places: Sequence[Place], bodies: Sequence[bytes]) -> None:
        bulk.insert(bulk.RESULTS, batch.results)
        ids = [row[0] for row in batch.results]
        bulk.insert(bulk.DOCUMENTS, list(zip(ids, bodies, strict=True)))
        bulk.insert(bulk.CALLS, batch.calls)
        bulk.insert(bulk.USES, batch.uses)
        outcomes = [row[bulk.OUTCOME] for row in batch.results]
        TrialResult.objects.bulk_create(
            TrialResult(
                trial_id=self._trial_id,
                entry=place.entry,
                run=place.run,
                task=place.task,
                result_id=id_,
                outcome=outcome,
            )
            for place, id_, outcome in zip(places, ids, outcomes, strict=True)
        )
        maker, count = self._maker, Counter(outcomes)
        Trial.objects.filter(pk=self._trial_id).update(
            next_ordinal=maker.ordinal, next_call=maker.calls, next_use=maker.uses
        )
        Evaluation.objects.filter(pk=self._trial_id).update(
            results=F("results") + len(ids),
            passed=F("passed") + count[Outcome.PASSED],
            failed=F("failed") + count[Outcome.FAILED],
            errors=F("errors") + count[Outcome.ERROR],
            skipped=F("skipped") + count[Outcome.SKIPPED],
            calls=maker.calls,
        )


def _gathered(gatherer: Gatherer, results: Sequence[LiveResult]) -> PreparedChunk:
    for one in results:
        gatherer.add(one.record, len(one.source))
    return gatherer.take()
