"""Saved reports: kept, listed, and read back as what they ask for today."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import parse_qs

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.datastructures import MultiValueDict

from results.exports.report.asked import CHARTS, Baseline, Links, ReportAsked
from results.filters import Choice, ResultFilter
from results.models.projects import Project
from results.models.reports import Report, ReportEvaluation
from results.names import storable
from results.queries.evaluations import EvaluationRow, evaluations_among
from results.queries.visibility import VisibleSet
from results.reach import require_every, within

GONE = "The evaluation {name} was deleted, or may not be seen: its results are not in these numbers."
NO_NUL = "\N{REPLACEMENT CHARACTER}"
NO_BASELINE = "The baseline, {name}, was deleted, or may not be seen: nothing is compared."


@dataclass(frozen=True)
class ReportDraft:
    """What a report shall be. The evaluations that its filter asks for are its picks.

    Attributes:
        title: one line, not blank.
        sort, columns: of its rows, as `results.exports.table.table_of` takes them.
        charts: keys of `CHARTS`; others are left out.
    """

    title: str
    notes: str
    chosen: ResultFilter
    sort: str = ""
    columns: tuple[str, ...] = ()
    charts: tuple[str, ...] = tuple(CHARTS)
    baseline: Baseline | None = None


@dataclass(frozen=True)
class Pick:
    """An evaluation of a report; `id` is None when it was deleted."""

    id: int | None
    name: str


@dataclass(frozen=True)
class SavedReport:
    """One report as it is kept.

    Attributes:
        project: slug of the one project that it is about; None = of several.
        query: the filter without the picked evaluations.
        baseline: None when it has none, or its evaluation was deleted. baseline_name: of that evaluation, also then.
    """

    id: int
    title: str
    notes: str
    project: str | None
    query: str
    sort: str
    columns: tuple[str, ...]
    charts: tuple[str, ...]
    picks: tuple[Pick, ...]
    baseline: Baseline | None
    baseline_name: str
    created_at: datetime
    changed_at: datetime

    @property
    def chosen(self) -> ResultFilter:
        """The filter, with those of the picked evaluations that are there."""
        ids = tuple(str(pick.id) for pick in self.picks if pick.id is not None)
        found = ResultFilter.parse(query_of(self.query))
        return found.with_choice("evaluation", Choice(ids, found.evaluation.excluded))

    def asked(self, visible: VisibleSet, links: Links = Links()) -> ReportAsked:  # noqa: B008  (frozen, and empty)
        """What it asks for now; what is not there any more is told, never taken for everything."""
        seen = visible.evaluation_ids
        missing = [GONE.format(name=pick.name) for pick in self.picks if pick.id not in seen]
        has_none = bool(self.picks) and len(missing) == len(self.picks)
        baseline = self.baseline if self.baseline is not None and self.baseline.evaluation_id in seen else None
        if self.baseline_name and baseline is None:
            missing.append(NO_BASELINE.format(name=self.baseline_name))
        return ReportAsked(
            title=self.title,
            notes=self.notes,
            visible=VisibleSet.of(frozenset()) if has_none else visible,
            chosen=self.chosen,
            baseline=baseline,
            charts=self.charts,
            missing=tuple(missing),
            links=links,
        )


@dataclass(frozen=True)
class ReportRow:
    """One report in a list; `links` counts those that open it now."""

    id: int
    title: str
    project: str | None
    evaluations: int
    baseline_name: str
    changed_at: datetime
    links: int


def saved_reports(visible: VisibleSet) -> tuple[ReportRow, ...]:
    """The reports, the last changed first.

    A report of picked evaluations is listed for whoever may see one of them; another one for whoever may see its
    project, or, when it has none, every project.
    """
    now = timezone.now()
    is_open = Q(links__revoked_at=None, links__expires_at__gt=now)
    found = _readable(visible).annotate(
        picked=Count("picks", distinct=True), open_links=Count("links", filter=is_open, distinct=True)
    )
    rows = found.order_by("-changed_at", "-pk").select_related("project")
    return tuple(
        ReportRow(
            id=row.pk,
            title=row.title,
            project=None if row.project is None else row.project.slug,
            evaluations=row.picked,
            baseline_name=row.baseline_name,
            changed_at=row.changed_at,
            links=row.open_links,
        )
        for row in rows
    )


def saved_report(visible: VisibleSet | None, report_id: int) -> SavedReport | None:
    """One report; None when there is none, or it may not be seen. Without a visible set it is read for its link."""
    rows = Report.objects.all() if visible is None else _readable(visible)
    row = rows.filter(pk=report_id).select_related("project").first()
    if row is None:
        return None
    picks = ReportEvaluation.objects.filter(report=row).order_by("position").values_list("evaluation_id", "name")
    provider = row.baseline_provider if row.baseline_run is not None else None
    return SavedReport(
        id=row.pk,
        title=row.title,
        notes=row.notes,
        project=None if row.project is None else row.project.slug,
        query=row.query,
        sort=row.sort,
        columns=tuple(row.columns),
        charts=tuple(row.charts),
        picks=tuple(Pick(evaluation_id, name) for evaluation_id, name in picks),
        baseline=None if row.baseline_id is None else Baseline(row.baseline_id, provider, row.baseline_run),
        baseline_name=row.baseline_name,
        created_at=row.created_at,
        changed_at=row.changed_at,
    )


def keep_report(visible: VisibleSet, draft: ReportDraft, report_id: int | None = None) -> int | None:
    """Save a report, or change one that there is.

    Args:
        visible: evaluations that may be seen; others are not picked.
        draft: what it shall be.
        report_id: of the one to change; None = a new one.

    Returns:
        Its id; None when the one to change is gone.

    Raises:
        results.reach.OutOfReachError: it picks nothing and no project, and whoever saves it may not touch every one: a
            link to it would show them all.
    """
    ids = [int(value) for value in draft.chosen.evaluation.included if value is not None]
    wanted = {*ids, *([] if draft.baseline is None else [draft.baseline.evaluation_id])}
    rows = {row.id: row for row in evaluations_among(visible, wanted)}
    picked = [rows[pk] for pk in ids if pk in rows]
    with transaction.atomic():
        report = Report() if report_id is None else Report.objects.select_for_update().filter(pk=report_id).first()
        if report is None:
            return None
        if not picked and _project(draft.chosen, ()) is None:
            require_every("of another team")
        gone = [] if report_id is None else _gone(report)
        _fill(report, draft, picked, None if draft.baseline is None else rows.get(draft.baseline.evaluation_id))
        report.save()
        ReportEvaluation.objects.filter(report=report).delete()
        listed = [*((row.id, row.name) for row in picked), *((None, name) for name in gone)]
        ReportEvaluation.objects.bulk_create(
            [
                ReportEvaluation(report=report, position=place, evaluation_id=pk, name=name)
                for place, (pk, name) in enumerate(listed, start=1)
            ]
        )
    return report.pk


def delete_report(report_id: int) -> bool:
    """Delete a report with its links; False when it was gone already."""
    count, _ = Report.objects.filter(pk=report_id).delete()
    return bool(count)


def query_of(text: str) -> "MultiValueDict[str, str]":
    """A query string of any length by its keys; NUL, which no name holds, is U+FFFD in it."""
    return MultiValueDict(parse_qs(text.replace("\x00", NO_NUL).replace("%00", NO_NUL), keep_blank_values=True))


def clean_title(text: str) -> str:
    """A title as it is kept: one line without outer white space."""
    return storable(" ".join(text.split()))


def _readable(visible: VisibleSet) -> "QuerySet[Report]":
    picked = ReportEvaluation.objects.filter(evaluation__isnull=False).values("report_id")
    seen = ReportEvaluation.objects.filter(evaluation_id__in=visible.evaluation_ids).values("report_id")
    own = within(Report.objects.all()).values("pk")
    return Report.objects.filter(Q(pk__in=seen) | Q(pk__in=own) & ~Q(pk__in=picked))


def _gone(report: Report) -> list[str]:
    """Names of deleted picks: editing a report does not make it forget them."""
    return list(ReportEvaluation.objects.filter(report=report, evaluation=None).values_list("name", flat=True))


def _project(chosen: ResultFilter, picked: Sequence[EvaluationRow]) -> Project | None:
    """The one project that a report is about, within reach."""
    slugs = {row.project for row in picked} or {value for value in chosen.project.included if value is not None}
    return within(Project.objects.filter(slug__in=slugs), "pk").first() if len(slugs) == 1 else None


def _fill(report: Report, draft: ReportDraft, picked: Sequence[EvaluationRow], baseline: EvaluationRow | None) -> None:
    chosen = draft.chosen
    rest = chosen.with_choice("evaluation", Choice((), chosen.evaluation.excluded))
    report.title = clean_title(draft.title)
    report.notes = storable(draft.notes.replace("\r\n", "\n").strip())
    report.project = _project(chosen, picked)
    report.query = rest.to_query()
    report.sort = draft.sort
    report.columns = list(draft.columns)
    report.charts = [name for name in draft.charts if name in CHARTS]
    report.baseline_id = None if baseline is None else baseline.id
    report.baseline_name = "" if baseline is None else baseline.name
    has_run = baseline is not None and draft.baseline is not None and draft.baseline.run is not None
    report.baseline_provider = (draft.baseline.provider or "") if has_run and draft.baseline is not None else ""
    report.baseline_run = draft.baseline.run if has_run and draft.baseline is not None else None
