"""Addresses of the explorer: the results that a number stands for."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache, reduce
from urllib.parse import urlencode

from django.urls import reverse

from results.filters import Choice, ResultFilter, written


def explorer_href(chosen: ResultFilter, sort: str = "") -> str:
    """The explorer with a filter, in some order."""
    pairs = [*chosen.pairs(), *([("sort", sort)] if sort else [])]
    return f"{reverse('results-list')}?{urlencode(pairs)}" if pairs else reverse("results-list")


def narrowed(chosen: ResultFilter, text: str = "", **choices: str | None) -> ResultFilter:
    """The filter with one value of some keys in place of what it asked of them; None = unspecified.

    Args:
        chosen: the filter.
        text: a search that is asked for as well; empty = none.
        choices: key -> value.
    """
    for name, value in choices.items():
        chosen = chosen.with_choice(name, Choice((value,)))
    return replace(chosen, text=" ".join(filter(None, [chosen.text, text])))


def without_skipped(chosen: ResultFilter) -> ResultFilter:
    """The filter of the results that a rate counts: skipped ones are in none."""
    outcome = chosen.outcome
    return replace(chosen, outcome=replace(outcome, excluded=tuple(dict.fromkeys((*outcome.excluded, "skipped")))))


def counted_once(chosen: ResultFilter, copies: int) -> ResultFilter:
    """The filter of the results that history and trends count, where some of all visible results are copies.

    Args:
        chosen: the filter of the page.
        copies: visible results that an older evaluation holds too.
    """
    return chosen.with_choice("copies", Choice(("no",))) if copies else chosen


class ExplorerLinks:
    """The addresses of many parts of one filter: what they have in common is written once."""

    def __init__(self, chosen: ResultFilter, names: Iterable[str], sort: str = "") -> None:
        """Take the filter whose parts are told apart by `names`, keys of it; their own choices are left out."""
        common = explorer_href(reduce(ResultFilter.without, names, chosen), sort)
        self._start = f"{common}{'&' if '?' in common else '?'}"

    def href(self, **choices: str | None) -> str:
        """The explorer with one value of each of these keys; None = unspecified."""
        return self._start + "&".join([_encoded(name, value) for name, value in choices.items()])


@lru_cache(maxsize=4096)
def _encoded(name: str, value: str | None) -> str:
    return urlencode([(name, written(Choice((value,)))[0])])
