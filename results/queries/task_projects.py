"""The projects of tasks, since tasks of two projects may have one name."""

from collections.abc import Iterable

from results.models.dimensions import Task


def task_projects(task_ids: Iterable[int]) -> dict[int, str]:
    """The slugs of the projects of some tasks by id, in one query; none for no tasks."""
    ids = set(task_ids)
    return dict(Task.objects.filter(pk__in=ids).values_list("pk", "project__slug")) if ids else {}
