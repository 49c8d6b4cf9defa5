"""What a page says of values in its address that it does not know: which, and what there is instead."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from django.http import QueryDict

from frontend.contexts.columns import Column
from results.filters import ResultFilter

MOST_CHARACTERS = 80  # of a value that is told
PAGE = "page"
MOST_DIGITS = 9  # of a page's number


def unknown_values(
    params: QueryDict,
    known: Mapping[str, Iterable[str]],
    orders: Mapping[str, Iterable[Column]] | None = None,
    lists: Iterable[str] = (),
) -> tuple[str, ...]:
    """A sentence for each value of the page's own keys that is none of those known, and for what is no page's number.

    Args:
        params: the page's query.
        known: the values of each key.
        orders: the columns of each key that sorts a table.
        lists: the keys that may hold several values with commas between them.
    """
    problems = []
    for key, values in known.items():
        listed, several = [*values], key in lists
        problems += [
            f"{key}={_shortened(text)} was left out: there is no such value. Known: {', '.join(listed)}."
            for text in _texts(params, key, is_split=several)
            if text not in listed
        ]
    for key, columns in (orders or {}).items():
        problems += order_problems(params, columns, key)
    problems += [
        f"page={_shortened(text)} was left out: pages are numbers from 1."
        for text in _texts(params, PAGE)
        if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and int(text))
    ]
    return tuple(problems)


def order_problems(params: QueryDict, columns: Iterable[Column], key: str = "sort") -> tuple[str, ...]:
    """What is wrong with the order that the address asks for."""
    names = [column.key for column in columns if column.is_sortable]
    return tuple(
        f"{key}={_shortened(text)} was left out: there is no such order. Orders: {', '.join(names)}; "
        "- before one turns it round."
        for text in _texts(params, key)
        if text.removeprefix("-") not in names
    )


def asked_with(
    params: QueryDict,
    known: Mapping[str, Iterable[str]],
    orders: Mapping[str, Iterable[Column]] | None = None,
    lists: Iterable[str] = (),
) -> ResultFilter:
    """The filter of an address; its problems tell of the page's own keys too, as `unknown_values` does."""
    asked = ResultFilter.parse(params)
    return replace(asked, problems=(*asked.problems, *unknown_values(params, known, orders, lists)))


def _texts(params: QueryDict, key: str, *, is_split: bool = False) -> list[str]:
    """What the address says of a key, each once."""
    parts = (part for text in params.getlist(key) for part in (text.split(",") if is_split else (text,)))
    return [text for text in dict.fromkeys(parts) if text]


def _shortened(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"
