"""Jobs as lines of a table: state, what became of them, how far they are."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from django.urls import reverse
from django.utils import timezone

from frontend.contexts.job_badges import Badge, badge_of
from frontend.formats import NBSP, count, duration, moment, plural, size
from results.importers.registry import IMPORTERS
from results.models.jobs import JobKind, JobState
from results.queries.evaluations import evaluation_names
from results.queries.jobs import JobRow, iteration_names
from results.queries.visibility import VisibleSet

NS_PER_S = 10**9
WHOLE = 100  # percent
KIND_LABELS: dict[str, str] = {
    JobKind.IMPORT: "Import",
    JobKind.DELETE: "Delete",
    JobKind.COMPACT: "Compaction",
    JobKind.INDEX: "Text index",
    JobKind.MERGE: "Merge",
    JobKind.TRIAL: "Live trial",
    JobKind.STRATEGIES: "Project evaluation",
    JobKind.REVIEW: "Review",
}


@dataclass(frozen=True)
class Into:
    """Where the results went, or why they did not; `href` is empty where there is nothing to open."""

    note: str
    name: str = ""
    href: str = ""


@dataclass(frozen=True)
class StoredNames:
    """What the evaluations and iterations that are there still are called, by id."""

    evaluations: dict[int, str]
    iterations: dict[int, str]

    @classmethod
    def find(
        cls, visible: VisibleSet, evaluations: Iterable[int | None], iterations: Iterable[int | None]
    ) -> "StoredNames":
        """Look up what there is of these, in at most two queries."""
        return cls(
            evaluation_names(visible, [key for key in evaluations if key is not None]),
            iteration_names([key for key in iterations if key is not None]),
        )


@dataclass(frozen=True)
class JobEntry:
    """One line of a table of jobs.

    Attributes:
        href: its own page, or that of the trial or the batch that it stands for; warnings are told at `warnings_href`.
        title: what is asked for; of a file or folder its path, which is `folder` and `name` together.
        stored: text such as `10 results` or `1 iteration`; empty while unknown. warnings: None while unknown.
        is_read: some file could be read, so that no results and no warnings mean that there were none.
        report_href: the report of an import of which something was rejected; empty for all others.
        silent_since: when a running job gave its last sign of life, if that is too long ago; None = it is well.
        size: of the files, such as `1.3 MB`; empty for work without files.
    """

    id: int
    href: str
    warnings_href: str
    title: str
    name: str
    folder: str
    kind: str
    format: str
    badge: Badge
    silent_since: datetime | None
    stored: str
    warnings: int | None
    is_read: bool
    into: Into
    report_href: str
    size: str
    project: str
    created_at: datetime


@dataclass(frozen=True)
class Progress:
    """How far one or more jobs are.

    Attributes:
        percent: in [0, 100]; None while the total is unknown.
        text: done of total, rate and time left.
        is_running: something is being worked on at this moment.
    """

    percent: int | None
    text: str
    is_running: bool

    @classmethod
    def build(cls, job: JobRow) -> "Progress":
        """The progress of a job that has not ended."""
        started = job.started_at if job.state == JobState.RUNNING else None
        found = cls.measure(job.done, job.total, job.unit, started, results_of(job) or 0)
        return found.with_silence(job.silent_since)

    def with_silence(self, since: datetime | None) -> "Progress":
        """The same, with a word on when the last sign of life was, if that is too long ago."""
        return self if since is None else replace(self, text=f"{self.text} · no sign of life since {moment(since)}")

    @classmethod
    def measure(cls, done: int, total: int | None, unit: str, started: datetime | None, results: int) -> "Progress":
        """The progress of work of `unit`; `started` is None when nothing is being worked on at this moment."""
        parts = [] if total is None and started is None else [_of_total(done, total, unit)]
        if started is not None:
            parts += _pace(done, total, results, (timezone.now() - started).total_seconds())
        else:
            parts.append("waiting for a worker")
        percent = min(WHOLE, WHOLE * done // total) if total else None
        return cls(percent, " · ".join(parts), started is not None)


def _of_total(done: int, total: int | None, unit: str) -> str:
    if unit != "bytes":
        return f"{count(done)} of {of_unit(total or 0, unit)}"
    return size(done) if total is None else f"{size(done)} of {size(total)}"


def of_unit(number: int, unit: str) -> str:
    """A number with the unit of a job: `1 result`, `3 strategies`."""
    if unit == "strategies":
        return plural(number, "strategy") if number == 1 else f"{count(number)}{NBSP}strategies"
    return plural(number, unit.removesuffix("s"))


def _pace(done: int, total: int | None, results: int, seconds: float) -> list[str]:
    parts = []
    if results:
        parts.append(plural(results, "result"))
        if seconds >= 1:
            parts.append(f"{count(round(results / seconds))} results/s")
    if total and 0 < done < total and seconds >= 1:
        parts.append(f"about {duration(round(seconds * (total - done) / done) * NS_PER_S)} left")
    return parts


def job_entries(rows: Iterable[JobRow], visible: VisibleSet) -> tuple[JobEntry, ...]:
    """The lines of jobs; the names of what they stored take at most two queries."""
    jobs = list(rows)
    evaluations = (job.only_evaluation or job.trial for job in jobs)
    iterations = (job.only_iteration or job.iteration for job in jobs)
    names = StoredNames.find(visible, evaluations, iterations)
    return tuple(
        JobEntry(
            id=job.id,
            href=_href(job, names),
            warnings_href=reverse("job-show", args=[job.id]) + "#warnings",
            title=job.title or KIND_LABELS.get(job.kind, job.kind),
            name=_path_parts(job)[1] or KIND_LABELS.get(job.kind, job.kind),
            folder=_path_parts(job)[0],
            kind=KIND_LABELS.get(job.kind, job.kind),
            format=format_label(job.only_format),
            badge=badge_of(job),
            silent_since=job.silent_since,
            stored=_stored(job) if job.is_import else "",
            warnings=job.totals.warnings if job.totals is not None else None,
            is_read=job.totals is None or job.totals.rejected < job.totals.files,
            into=_into(job, names),
            report_href=_report_href(job),
            size=_size(job),
            project=job.project or "",
            created_at=job.created_at,
        )
        for job in jobs
    )


def _href(job: JobRow, names: StoredNames) -> str:
    """The page of the trial that a job does a part of, as long as it is there; else the job's own."""
    if job.trial in names.evaluations:
        return reverse("trial-show", args=[job.trial])
    return reverse("job-show", args=[job.id])


def format_label(name: str) -> str:
    """What a format is called; an unknown name stands for itself."""
    importer = IMPORTERS.get(name)
    return importer.label if importer is not None else name


def results_of(job: JobRow) -> int | None:
    """Results and iterations stored by an import so far; None before the first is counted."""
    return job.totals.results + job.totals.iterations if job.totals is not None else job.results_so_far


def stored_text(results: int, iterations: int) -> str:
    """`10 results`, `1 iteration`, or both; no results are said only where there are no iterations."""
    parts = [plural(results, "result")] if results or not iterations else []
    return ", ".join(parts + ([plural(iterations, "iteration")] if iterations else []))


def _stored(job: JobRow) -> str:
    if job.totals is not None:
        return stored_text(job.totals.results, job.totals.iterations)
    return "" if job.results_so_far is None else stored_text(job.results_so_far, 0)


def _path_parts(job: JobRow) -> tuple[str, str]:
    """The folder and the last part of an import's path; another job has a title of words."""
    if not job.is_import:
        return "", job.title
    folder, slash, name = job.title.rstrip("/").rpartition("/")
    return folder + slash, name


def _into(job: JobRow, names: StoredNames) -> Into:
    if job.error:
        return Into(job.error)
    if (ours := _into_of_ours(job, names)) is not None:
        return ours
    if job.totals is None and job.total is not None and job.unit != "bytes":
        return Into(of_unit(job.total, job.unit))
    if job.totals is None:
        return Into(job.file if job.file != job.title else "")
    if job.only_state:
        return into_of(job.only_state, job.only_evaluation, job.only_iteration, job.only_error, names)
    totals = job.totals
    return Into(
        f"{plural(totals.files, 'file')}: {count(totals.stored)} stored, {count(totals.unchanged)} unchanged, "
        f"{count(totals.rejected)} rejected"
    )


def _into_of_ours(job: JobRow, names: StoredNames) -> Into | None:
    """Where the results of a live trial or of strategies go; None for other work."""
    if job.trial in names.evaluations and job.trial is not None:
        into = f"{count(job.done)} of {plural(job.total or 0, 'result')} into"
        return Into(into, names.evaluations[job.trial], reverse("evaluation-show", args=[job.trial]))
    if job.kind == JobKind.STRATEGIES and job.state == JobState.CANCELLED:
        return Into("")
    return None if job.iteration is None else into_of("stored", None, job.iteration, "", names)


def into_of(state: str, evaluation: int | None, iteration: int | None, error: str, names: StoredNames) -> Into:
    """Where one file's results went, or why they did not.

    Args:
        state: `stored`, `unchanged` or `rejected`.
        evaluation: that holds the results, if any.
        iteration: that the file is, if it is one.
        error: why it was rejected.
        names: of what is there still.
    """
    if state == "rejected":
        return Into(error)
    note = "same bytes as" if state == "unchanged" else ""
    if evaluation in names.evaluations:
        return Into(note, names.evaluations[evaluation], reverse("evaluation-show", args=[evaluation]))
    if iteration in names.iterations:
        return Into(note, names.iterations[iteration], reverse("iteration-show", args=[iteration]))
    if evaluation is not None or iteration is not None:
        return Into("deleted since")
    return Into("the same bytes are here already" if state == "unchanged" else "description of sprints")


def _report_href(job: JobRow) -> str:
    has_rejected = job.totals is not None and job.totals.rejected > 0
    return reverse("job-report", args=[job.id]) if has_rejected else ""


def _size(job: JobRow) -> str:
    return size(job.total) if job.total is not None and job.unit == "bytes" else ""
