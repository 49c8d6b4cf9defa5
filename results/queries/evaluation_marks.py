"""Evaluations as the columns of a history: in order of time, named as they are now."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models.functions import Coalesce

from results.models.evaluations import Evaluation

_BEGAN = Coalesce("started_at", "imported_at")


@dataclass(frozen=True)
class EvaluationMark:
    """One evaluation in a history. `started_at` is its earliest start, else its document's time or its import."""

    id: int
    name: str
    project: str
    started_at: datetime
    started_at_source: int


def evaluation_order(evaluation_ids: Iterable[int]) -> dict[int, int]:
    """The places of evaluations in time from 0, the earliest first."""
    rows = Evaluation.objects.filter(pk__in=list(evaluation_ids)).order_by(_BEGAN, "pk").values_list("pk", flat=True)
    return {pk: place for place, pk in enumerate(rows)}


def evaluation_marks(evaluation_ids: Iterable[int]) -> dict[int, EvaluationMark]:
    """Evaluations by id, the earliest first; ids that are unknown are left out."""
    found = Evaluation.objects.filter(pk__in=list(evaluation_ids)).order_by(_BEGAN, "pk")
    rows = found.values_list("pk", "name", "project__slug", _BEGAN, "started_at_source")
    return {row[0]: EvaluationMark(*row) for row in rows}
