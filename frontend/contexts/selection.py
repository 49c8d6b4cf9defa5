"""Rows of a table of results that are picked out: opened alone, or their ids copied."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.filters import Kept, kept

NOT_KEPT = ("page", "pick", "all")  # keys that start anew, or are the form's own


@dataclass(frozen=True)
class Selection:
    """What `_selection.html` reads.

    Attributes:
        address: of the list; `ids_address`: of the ids of its results as plain text.
        review_address: of the page that says something of them; `review_href` means all that match.
        kept: what the form carries along, so that "all that match" means these.
        total: how many match; `is_more` = than this page shows.
    """

    address: str
    ids_address: str
    review_address: str
    review_href: str
    kept: tuple[Kept, ...]
    total: int
    is_more: bool

    @classmethod
    def build(cls, params: QueryDict, total: int, shown: int, evaluation_id: int | None) -> "Selection":
        """The selection of a page that shows so many rows of so many, of one evaluation or of all."""
        place = () if evaluation_id is None else (evaluation_id,)
        carried = (*kept(params, NOT_KEPT), *(Kept("evaluation", str(pk)) for pk in place))
        return cls(
            address=reverse("evaluation-show" if place else "results-list", args=place),
            ids_address=reverse("evaluation-ids" if place else "results-ids", args=place),
            review_address=reverse("results-review"),
            review_href=f"{reverse('results-review')}?{urlencode([(item.name, item.value) for item in carried])}",
            kept=carried,
            total=total,
            is_more=total > shown,
        )
