"""Evaluations in lists and on their own page."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from django.db.models import BooleanField, Count, Exists, F, FloatField, Max, Min, OuterRef, Q, QuerySet, Sum
from django.db.models.expressions import RawSQL
from django.db.models.functions import Cast, Coalesce, Lower, NullIf

from results.models.evaluations import Evaluation, EvaluationLabel
from results.queries.visibility import VisibleSet
from results.statistics import OutcomeCounts, Rate

DEFAULT_ORDER = "-started"
BEGAN = Coalesce("started_at", "imported_at")
RATED = Cast(F("passed") + F("failed") + F("errors"), FloatField())
ORDERS: dict[str, Any] = {  # Django's expressions have no type in common that can be ordered by
    "name": Lower("name"),
    "started": BEGAN,
    "runs": F("runs"),
    "tasks": F("tasks"),
    "results": F("results"),
    "pass_rate": Cast(F("passed"), FloatField()) / NullIf(RATED, 0.0),
    "failed": F("failed"),
    "error": F("errors"),
    "skipped": F("skipped"),
    "written_by": Lower("app_name"),
    "source": Lower("file_name"),
    "format": F("format"),
    "project": F("project__slug"),
}


@dataclass(frozen=True)
class EvaluationRow:
    """One evaluation as it is stored, with its project's slug, its labels in order, and its rates."""

    id: int
    project: str
    state: str
    name: str
    note: str
    is_baseline: bool
    format: str
    file_name: str
    digest: str
    size_bytes: int
    app_name: str
    app_version: str
    created_at_text: str
    created_at: datetime | None
    created_at_source: int
    started_at: datetime | None
    started_at_source: int
    imported_at: datetime
    job_id: int | None
    results: int
    passed: int
    failed: int
    errors: int
    skipped: int
    runs: int
    tasks: int
    calls: int
    labels: tuple[str, ...]

    @property
    def outcomes(self) -> OutcomeCounts:
        """The counts with all three rates."""
        return OutcomeCounts(self.passed, self.failed, self.errors, self.skipped)

    @property
    def pass_rate(self) -> Rate:
        """Passed of passed, failed and error."""
        return self.outcomes.pass_rate


@dataclass(frozen=True)
class EvaluationFilter:
    """Which evaluations are meant; values of one field are alternatives, an empty field means all.

    Attributes:
        search: text in the name, the file name, the note or a label, whatever its case.
        since, until: bounds of the start, `until` excluded.
    """

    search: str = ""
    projects: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class EvaluationsFound:
    """One page of evaluations, and what all that match amount to.

    Attributes:
        earliest, latest: starts; None when nothing matches.
    """

    rows: tuple[EvaluationRow, ...]
    total: int
    results: int
    earliest: datetime | None
    latest: datetime | None


@dataclass(frozen=True)
class EvaluationChoices:
    """The values that visible evaluations have, each with its number of evaluations, in order of their names."""

    projects: dict[str, int]
    formats: dict[str, int]
    labels: dict[str, int]


_FIELDS = ("id", "project__slug", *[field.name for field in fields(EvaluationRow)][2:-1])


def evaluation_page(
    visible: VisibleSet, asked: EvaluationFilter, order: str = DEFAULT_ORDER, *, page: int = 1, size: int = 50
) -> EvaluationsFound:
    """The evaluations of one page, in three queries.

    Args:
        visible: evaluations that may be seen.
        asked: the filter.
        order: a key of `ORDERS`, `-` before it turns it round; a missing value is last both ways.
        page: from 1; beyond the end it is the last one.
        size: rows of a page.
    """
    found = _matching(visible, asked)
    sums = found.aggregate(
        total=Count("pk"), results=Coalesce(Sum("results"), 0), earliest=Min(BEGAN), latest=Max(BEGAN)
    )
    start = (min(page, max(1, -(-sums["total"] // size))) - 1) * size
    rows = _rows(_ordered(found, order)[start : start + size]) if sums["total"] else []
    return EvaluationsFound(rows=tuple(rows), **sums)


def evaluation_rows(visible: VisibleSet, project: str | None = None, search: str = "") -> list[EvaluationRow]:
    """All visible evaluations, the latest start first, in two queries.

    Args:
        visible: evaluations that may be seen.
        project: only of the project with this slug.
        search: only those whose name, file name, note or label contains this text, whatever its case.
    """
    asked = EvaluationFilter(search=search, projects=() if project is None else (project,))
    return _rows(_ordered(_matching(visible, asked), DEFAULT_ORDER))


def evaluation_row(visible: VisibleSet, evaluation_id: int) -> EvaluationRow | None:
    """One visible evaluation, None if there is no such one."""
    if evaluation_id not in visible.evaluation_ids:
        return None
    return next(iter(_rows(Evaluation.objects.filter(pk=evaluation_id))), None)


def evaluation_warnings(evaluation_id: int) -> list[dict[str, str]]:
    """What the import of an evaluation found odd: each has a `path` and a `message`."""
    warnings: list[dict[str, str]] = Evaluation.objects.values_list("warnings", flat=True).get(pk=evaluation_id)
    return warnings


def matching_evaluations(visible: VisibleSet, asked: EvaluationFilter) -> list[int]:
    """The ids of all evaluations that match."""
    return list(_matching(visible, asked).order_by("pk").values_list("pk", flat=True))


def evaluations_among(visible: VisibleSet, evaluation_ids: Iterable[int]) -> list[EvaluationRow]:
    """Those of the evaluations that may be seen, the latest start first."""
    ids = visible.evaluation_ids.intersection(evaluation_ids)
    return _rows(_ordered(Evaluation.objects.filter(pk__in=ids), DEFAULT_ORDER))


def evaluation_names(visible: VisibleSet, evaluation_ids: Iterable[int]) -> dict[int, str]:
    """The names of those of the evaluations that may be seen, by id; no query for none."""
    ids = visible.evaluation_ids.intersection(evaluation_ids)
    return dict(Evaluation.objects.filter(pk__in=ids).values_list("pk", "name")) if ids else {}


def evaluation_choices(visible: VisibleSet) -> EvaluationChoices:
    """The projects, formats and labels to choose from, in two queries."""
    projects: Counter[str] = Counter()
    formats: Counter[str] = Counter()
    groups = _visible(visible).order_by().values_list("project__slug", "format").annotate(count=Count("pk"))
    for project, format_name, count in groups:
        projects[project] += count
        formats[format_name] += count
    labels = EvaluationLabel.objects.filter(_among("results_evaluationlabel.evaluation_id", visible))
    counted = labels.order_by("text").values_list("text").annotate(count=Count("pk"))
    return EvaluationChoices(dict(sorted(projects.items())), dict(sorted(formats.items())), dict(counted))


def _visible(visible: VisibleSet) -> QuerySet[Evaluation]:
    return Evaluation.objects.filter(_among("results_evaluation.id", visible))


def _among(column: str, visible: VisibleSet) -> RawSQL:
    """The condition that a column holds a visible id. Thousands of parameters would take milliseconds in each query."""
    ids = ",".join(str(int(evaluation_id)) for evaluation_id in sorted(visible.evaluation_ids))
    return RawSQL(f"{column} IN ({ids or 'NULL'})", (), output_field=BooleanField())  # noqa: S611  (integers only)


def _matching(visible: VisibleSet, asked: EvaluationFilter) -> QuerySet[Evaluation]:
    found = _visible(visible)
    labels = EvaluationLabel.objects.filter(evaluation=OuterRef("pk"))
    if asked.projects:
        found = found.filter(project__slug__in=asked.projects)
    if asked.formats:
        found = found.filter(format__in=asked.formats)
    if asked.labels:
        found = found.filter(Exists(labels.filter(text__in=asked.labels)))
    if text := asked.search.strip().replace("\x00", ""):
        in_words = Q(name__icontains=text) | Q(file_name__icontains=text) | Q(note__icontains=text)
        found = found.filter(in_words | Exists(labels.filter(text__icontains=text)))
    if asked.since is not None:
        found = found.alias(began=BEGAN).filter(began__gte=asked.since)
    if asked.until is not None:
        found = found.alias(began=BEGAN).filter(began__lt=asked.until)
    return found


def _ordered(found: QuerySet[Evaluation], order: str) -> QuerySet[Evaluation]:
    key = ORDERS[order.removeprefix("-")]
    direction = key.desc(nulls_last=True) if order.startswith("-") else key.asc(nulls_last=True)
    return found.order_by(direction, "-pk")


def _rows(found: QuerySet[Evaluation]) -> list[EvaluationRow]:
    values: list[tuple[Any, ...]] = list(found.values_list(*_FIELDS))
    labels: defaultdict[int, list[str]] = defaultdict(list)
    if values:
        stored = EvaluationLabel.objects.filter(evaluation_id__in=[row[0] for row in values]).order_by("text")
        for evaluation_id, text in stored.values_list("evaluation_id", "text"):
            labels[evaluation_id].append(text)
    return [EvaluationRow(*(*row, tuple(labels[row[0]]))) for row in values]
