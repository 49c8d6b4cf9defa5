"""Merges evaluations into a new one: the last result wins per provider, run and task; the sources stay."""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec
from django.db import DatabaseError, transaction

from results import jobs
from results.facts.rebuild import compact_if_needed
from results.importers.source import ImportRefused, SourcedResult
from results.importing import reason_of
from results.jobs import JobCancelledError, JobLease, LeaseLostError
from results.merge_sources import MergeRefused, check_sources, default_name
from results.merged_document import GoneError, MergedDocument, documents_of, merged_head
from results.models.evaluations import Evaluation, EvaluationState
from results.models.jobs import Job, JobKind, JobState
from results.models.merges import Merge, MergeSource
from results.names import storable
from results.queries.merge_plan import MergePlan, merge_plan
from results.records import MergeStats, decode_result
from results.reports import FileReport, report_of
from results.store.chunks import ChunkMaker
from results.store.deletion import remove
from results.store.writer import EvaluationWriter
from results.text.follower import Follower

FORMAT = "mindtrial"  # of the merged document

Watcher = Callable[[int, int], None]  # results done, of all


@dataclass(frozen=True)
class Merged:
    """The evaluation that came of a merge."""

    evaluation_id: int
    stats: MergeStats


def unwatched(done: int, total: int) -> None:
    """Watch nothing."""


def queue_merge(evaluation_ids: Sequence[int], name: str = "") -> Job:
    """Write the job that merges evaluations; the caller sends it to a worker.

    Args:
        evaluation_ids: in the order in which later ones win.
        name: of the new evaluation; empty = one is made up.

    Raises:
        MergeRefused: see `check_sources`.
    """
    return _job(check_sources(evaluation_ids), name, is_resumable=True)


def merge(evaluation_ids: Sequence[int], name: str = "", watch: Watcher = unwatched) -> Merged:
    """Merge evaluations and wait for it; see `queue_merge`.

    Raises:
        MergeRefused: see `check_sources`; or a source was deleted meanwhile, or somebody cancelled the job.
    """
    job = _job(check_sources(evaluation_ids), name, is_resumable=False)
    lease = jobs.claim(job.pk)
    if lease is None:  # cannot happen: nobody else knows of the job
        raise MergeRefused(f"job {job.pk} was taken by another process")
    try:
        return _work(job, lease, watch)
    except (JobCancelledError, LeaseLostError) as error:
        raise MergeRefused("the merge was cancelled; nothing of it was kept") from error


def run_merge(job_id: int) -> None:
    """Do a queued merge; does nothing when somebody else has it. Safe to call twice.

    Raises:
        DatabaseError: not even the job's row can be written; its lease runs out, and it is sent again.
    """
    lease = jobs.claim(job_id)
    if lease is None:
        return
    with suppress(JobCancelledError, LeaseLostError, MergeRefused):  # the job's row says it
        _work(Job.objects.select_related("project").get(pk=job_id), lease, unwatched)


def _job(sources: list[Evaluation], name: str, *, is_resumable: bool) -> Job:
    shown = storable(" ".join(name.split())) or default_name(sources)
    return jobs.create_job(
        JobKind.MERGE,
        project=sources[0].project,
        title=shown,
        arguments={"evaluations": [row.pk for row in sources], "name": shown},
        is_resumable=is_resumable,
    )


def _work(job: Job, lease: JobLease, watch: Watcher) -> Merged:
    """Merge, and end the job as it went."""
    try:
        merged = _finished(job) or _merge(job, lease, watch)
    except JobCancelledError:
        jobs.finish(lease, JobState.CANCELLED)
        raise
    except LeaseLostError:
        raise
    except GoneError as error:
        jobs.finish(lease, JobState.FAILED, error=str(error))
        raise MergeRefused(str(error)) from error
    except Exception as error:
        is_refusal = isinstance(error, MergeRefused | ImportRefused)
        jobs.finish(lease, JobState.FAILED, error=str(error) if is_refusal else reason_of(error))
        raise
    jobs.finish(lease, JobState.SUCCEEDED, report=_report(job, merged))
    return merged


def _finished(job: Job) -> Merged | None:
    """What an earlier start of the job made, if only its end was lost; what it left half done is removed."""
    for evaluation in Evaluation.objects.filter(job=job, state=EvaluationState.IMPORTING):
        _withdraw(evaluation.pk)
    done = Merge.objects.filter(evaluation__job=job, evaluation__state=EvaluationState.READY).first()
    return None if done is None else Merged(done.pk, msgspec.convert(done.stats, MergeStats))


def _merge(job: Job, lease: JobLease, watch: Watcher) -> Merged:
    sources = check_sources(job.arguments["evaluations"])
    plan = merge_plan([row.pk for row in sources])
    total = len(plan.result_ids)
    jobs.renew(lease, done=0, total=total, report={"results": 0})
    evaluation = _begin(job, sources, plan.stats)
    try:
        with Follower(evaluation.pk, plan.document_bytes) as follower:
            _write(evaluation, plan, lease, follower, watch)
            follower.finish()
    except BaseException:
        _withdraw(evaluation.pk)
        raise
    with suppress(Exception):  # it is stored; the next import or the sweeper tries again
        compact_if_needed()
    return Merged(evaluation.pk, plan.stats)


def _begin(job: Job, sources: list[Evaluation], stats: MergeStats) -> Evaluation:
    """Make the evaluation's row, invisible as yet, and its links to what it is made of."""
    with transaction.atomic():
        evaluation = Evaluation.objects.create(
            project=sources[0].project,
            state=EvaluationState.IMPORTING,
            name=job.arguments["name"],
            format=FORMAT,
            job=job,
        )
        merge_row = Merge.objects.create(evaluation=evaluation, stats=plain_stats(stats))
        MergeSource.objects.bulk_create(
            MergeSource(merge=merge_row, position=position, source=row, name=row.name)
            for position, row in enumerate(sources, start=1)
        )
    return evaluation


def _write(evaluation: Evaluation, plan: MergePlan, lease: JobLease, follower: Follower, watch: Watcher) -> None:
    head = merged_head()
    document = MergedDocument(head)
    writer, maker = EvaluationWriter(evaluation, head, lease), ChunkMaker()
    total = len(plan.result_ids)
    gc.disable()  # as an import does: millions of short-lived rows and no cycles
    try:
        for chunk in maker.chunks(_results(plan, document)):
            writer.add(chunk)
            follower.notice(chunk.offset)
            jobs.renew(lease, done=writer.results, report={"results": writer.results})
            watch(writer.results, total)
        document.end()
        evaluation.digest, evaluation.size_bytes = document.digest, document.size_bytes
        writer.finish(document.envelope.build(), [])
    except BaseException:
        writer.discard()
        raise
    finally:
        maker.close()
        gc.enable()
    watch(total, total)


def _results(plan: MergePlan, document: MergedDocument) -> Iterator[SourcedResult]:
    """Walk the results that stay, putting each into the merged document."""
    offset = 0
    ends = dict(pairwise([*plan.provider_starts, len(plan.result_ids)]))  # of each provider's results, by their start
    for place, source in enumerate(documents_of(plan.result_ids)):
        record = decode_result(source)
        offset += len(source)
        if place in ends:
            document.begin_provider(record.provider, ends[place] - place)
        document.add(source)
        yield SourcedResult(record, source, offset)


def _withdraw(evaluation_id: int) -> None:
    """Remove what a merge left unfinished; what cannot be removed now is left to the sweeper."""
    with suppress(DatabaseError, OSError):
        unfinished = Evaluation.objects.filter(pk=evaluation_id, state=EvaluationState.IMPORTING)
        if unfinished.update(state=EvaluationState.DELETING) == 1:
            remove(evaluation_id)


def plain_stats(stats: MergeStats) -> dict[str, Any]:
    """Merge statistics as JSON under MindTrial's names, zeros written out."""
    runs = {
        provider: {run: {"Total": counted.total, "Updated": counted.updated} for run, counted in named.items()}
        for provider, named in stats.runs.items()
    }
    return {"Runs": runs}


def _report(job: Job, merged: Merged) -> dict[str, Any]:
    results = sum(counted.total for runs in merged.stats.runs.values() for counted in runs.values())
    file = FileReport(path=job.title, format=FORMAT, state="stored", evaluation=merged.evaluation_id, results=results)
    report: dict[str, Any] = msgspec.to_builtins(report_of([file]))
    return report | {"merge": plain_stats(merged.stats)}
