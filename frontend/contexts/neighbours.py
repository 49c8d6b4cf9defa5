"""The way to the results before and after one, in the list that the page was opened from."""

from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from results.filters import Choice, ResultFilter
from results.models.evaluations import RESULTS_PER_EVALUATION
from results.queries.neighbours import neighbours
from results.queries.visibility import VisibleSet
from results.text.search import TooManyToScanError

NOT_OF_THE_LIST = ("view", "want", "page")  # keys of the page itself


@dataclass(frozen=True)
class NeighbourLinks:
    """What the header of a result's page reads.

    Attributes:
        position: counted from 1; None = the filter does not let this result through.
        scope: what the list is, in words.
        list_href: back to the list.
        previous_href, next_href: empty at the ends.
    """

    position: int | None
    total: int
    scope: str
    list_href: str
    previous_href: str
    next_href: str

    @classmethod
    def build(cls, visible: VisibleSet, result_id: int, params: QueryDict) -> "NeighbourLinks | None":
        """The links; without a filter or order in the address, the list is the result's evaluation.

        Returns:
            None when the address asks for a search that cannot be answered.
        """
        asked, sort = ResultFilter.parse(params), params.get("sort", "")
        evaluation_id = str(result_id // RESULTS_PER_EVALUATION)
        is_asked = bool(asked) or bool(sort)
        only_evaluation = ResultFilter().with_choice("evaluation", Choice((evaluation_id,)))
        meant = asked if is_asked else only_evaluation
        try:
            found = neighbours(visible, meant, sort, result_id)
        except TooManyToScanError:
            return None
        query = _query(params) if is_asked else ""
        return cls(
            position=found.position,
            total=found.total,
            scope=_scope(meant, evaluation_id),
            list_href=_list_href(meant, params, evaluation_id),
            previous_href=_href(found.previous_id, query),
            next_href=_href(found.next_id, query),
        )


def _scope(meant: ResultFilter, evaluation_id: str) -> str:
    if meant.choice("evaluation") == Choice((evaluation_id,)):
        return "in this evaluation" if not meant.without("evaluation") else "that match in this evaluation"
    return "that match" if meant else "in all evaluations"


def _query(params: QueryDict) -> str:
    copy = params.copy()
    for key in NOT_OF_THE_LIST:
        copy.pop(key, None)
    return f"?{copy.urlencode()}"


def _list_href(meant: ResultFilter, params: QueryDict, evaluation_id: str) -> str:
    """The evaluation's page where it can show the list, else the explorer."""
    copy = params.copy()
    for key in ("view", "want"):
        copy.pop(key, None)
    address = reverse("results-list")
    if meant.choice("evaluation") == Choice((evaluation_id,)):
        copy.pop("evaluation", None)
        address = reverse("evaluation-show", args=(evaluation_id,))
    return f"{address}?{copy.urlencode()}" if copy else address


def _href(result_id: int | None, query: str) -> str:
    return "" if result_id is None else reverse("result-show", args=(result_id,)) + query
