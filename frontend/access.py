"""Who may see what: the one place that gives a request its visible set of evaluations."""

from django.http import HttpRequest

from results.queries.visibility import VisibleSet
from results.queries.visibility import visible_evaluations as ready_evaluations


def visible_evaluations(request: HttpRequest) -> VisibleSet:  # noqa: ARG001  (there are no accounts yet)
    """The evaluations that this request may read: everything ready or running, as long as there are no accounts.

    Args:
        request: of any page or API call.

    Returns:
        The set that every query takes; evaluations being imported or deleted are never in it.
    """
    return ready_evaluations()
