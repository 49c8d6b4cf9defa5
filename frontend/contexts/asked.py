"""What an address asks for, as far as it can be answered, and links that ask for something else."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from django.http import QueryDict

from frontend.contexts.columns import changed
from results.filters import ResultFilter
from results.text.search import TooManyToScanError

Found = TypeVar("Found")


@dataclass(frozen=True)
class OrderLink:
    """A way to look at a page."""

    label: str
    href: str
    is_current: bool


def with_or_without_text(asked: ResultFilter, build: Callable[[ResultFilter], Found]) -> Found:
    """What `build` makes of a filter; of the filter without its search, where that would read too much.

    Why it was left out is then among the filter's problems.
    """
    try:
        return build(asked)
    except TooManyToScanError as error:
        return build(replace(asked.without("text"), problems=(*asked.problems, str(error))))


def order_links(
    params: QueryDict, key: str, labels: Mapping[str, str], current: str, **changes: str | None
) -> tuple[OrderLink, ...]:
    """Links to the same page with other values of one key.

    Args:
        params: the page's query.
        key: of the address.
        labels: what each value is called; the empty one takes the key out.
        current: the value in force.
        changes: further keys to set or, with None, to take out.
    """
    return tuple(
        OrderLink(label, changed(params, **{key: value or None}, **changes), value == current)
        for value, label in labels.items()
    )
