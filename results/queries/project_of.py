"""The project that a thing belongs to, by the name that its id has in an address."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from django.db.models import Model, QuerySet

from results.models.dimensions import Task
from results.models.evaluations import RESULTS_PER_EVALUATION, Evaluation
from results.models.jobs import Job
from results.models.reports import Report
from results.models.review import Annotation, ReviewWord
from results.models.sprints import Iteration, Sprint
from results.models.webhooks import Webhook

LARGEST_ID = 2**63 - 1


def project_of(places: Mapping[str, Any]) -> int | None:
    """The project of what an address names.

    Args:
        places: the variable parts of an address by name, such as `evaluation_id`; a live trial has its evaluation's id.

    Returns:
        None when the address names no such thing, the thing does not exist, or belongs to no project alone.
    """
    for name, value in places.items():
        find, number = FINDERS.get(name), str(value)
        if find is not None and number.isascii() and number.isdigit() and int(number) <= LARGEST_ID:
            return find(int(number))
    return None


def projects_of(evaluation_ids: Collection[int]) -> frozenset[int]:
    """The projects of some evaluations."""
    return frozenset(Evaluation.objects.filter(pk__in=evaluation_ids).values_list("project_id", flat=True))


def _by(model: type[Model], way: str = "project_id") -> Callable[[int], int | None]:
    def find(pk: int) -> int | None:
        rows: QuerySet[Model] = model._default_manager.filter(pk=pk)
        found: int | None = rows.values_list(way, flat=True).first()
        return found

    return find


FINDERS: dict[str, Callable[[int], int | None]] = {
    "evaluation_id": _by(Evaluation),
    "trial_id": _by(Evaluation),
    "result_id": lambda pk: _by(Evaluation)(pk // RESULTS_PER_EVALUATION),
    "job_id": _by(Job),
    "task_id": _by(Task),
    "sprint_id": _by(Sprint),
    "annotation_id": _by(Annotation, "reviewed__project_id"),
    "word_id": _by(ReviewWord),
    "webhook_id": _by(Webhook),
    "iteration_id": _by(Iteration, "sprint__project_id"),
    "report_id": _by(Report),
}
