"""Evaluations in lists and on their own page."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q

from results.models.evaluations import Evaluation
from results.queries.visibility import VisibleSet
from results.statistics import OutcomeCounts, Rate


@dataclass(frozen=True)
class EvaluationRow:
    """One evaluation as it is stored, with its project's slug and its rates. A warning has a `path` and a `message`."""

    id: int
    project: str
    state: str
    name: str
    note: str
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
    warnings: tuple[dict[str, str], ...]

    @property
    def outcomes(self) -> OutcomeCounts:
        """The counts with all three rates."""
        return OutcomeCounts(self.passed, self.failed, self.errors, self.skipped)

    @property
    def pass_rate(self) -> Rate:
        """Passed of passed, failed and error."""
        return self.outcomes.pass_rate


_FIELDS = ("id", "project__slug", *list(EvaluationRow.__dataclass_fields__)[2:])


def evaluation_rows(visible: VisibleSet, project: str | None = None, search: str = "") -> list[EvaluationRow]:
    """The visible evaluations, the latest start first, in one query.

    Args:
        visible: evaluations that may be seen.
        project: only of the project with this slug.
        search: only those whose name, file name or note contains this text, whatever its case.
    """
    found = Evaluation.objects.filter(pk__in=visible.evaluation_ids)
    if project is not None:
        found = found.filter(project__slug=project)
    if text := search.strip().replace("\x00", ""):
        found = found.filter(Q(name__icontains=text) | Q(file_name__icontains=text) | Q(note__icontains=text))
    rows = [_row(values) for values in found.values_list(*_FIELDS)]
    return sorted(rows, key=lambda row: (row.started_at or row.imported_at, row.id), reverse=True)


def evaluation_row(visible: VisibleSet, evaluation_id: int) -> EvaluationRow | None:
    """One visible evaluation, None if there is no such one."""
    if evaluation_id not in visible.evaluation_ids:
        return None
    values = Evaluation.objects.filter(pk=evaluation_id).values_list(*_FIELDS).first()
    return None if values is None else _row(values)


def _row(values: tuple[Any, ...]) -> EvaluationRow:
    *fields, warnings = values
    return EvaluationRow(*fields, warnings=tuple(warnings))
