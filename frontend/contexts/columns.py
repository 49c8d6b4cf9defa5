"""Sortable columns: each header is a link that keeps the rest of the address."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import QueryDict


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Attributes:
        key: name of the order in the address.
        starts_descending: the first click shows the largest first.
    """

    key: str
    label: str
    is_number: bool = False
    starts_descending: bool = False
    hint: str = ""
    is_sortable: bool = True


@dataclass(frozen=True)
class Header:
    """A column's header in one state of the page.

    Attributes:
        href: the page in this column's order; empty when it has none.
        aria_sort: `ascending`, `descending`, or empty when the table is in another order.
    """

    key: str
    label: str
    hint: str
    is_number: bool
    href: str
    aria_sort: str


def headers(columns: tuple[Column, ...], sort: str, params: QueryDict) -> tuple[Header, ...]:
    """The headers of a table.

    Args:
        columns: of the table, from left to right.
        sort: the order in force: a key, with `-` before it when descending.
        params: the page's query; its page number is left out of the links.
    """
    return tuple(
        Header(
            column.key, column.label, column.hint, column.is_number, _href(column, sort, params), _state(column, sort)
        )
        for column in columns
    )


def ranked_header(column: Column, rank: str, params: QueryDict, anchor: str = "") -> Header:
    """The header of a table whose order is `rank` in the address, beside another one that is sorted by `sort`.

    Args:
        column: the table's.
        rank: the order in force: a key, with `-` before it when descending.
        params: the page's query.
        anchor: of the table in its page, such as `#leaderboard`.
    """
    state = _state(column, rank)
    is_descending = column.starts_descending if not state else state == "ascending"
    href = changed(params, rank=f"-{column.key}" if is_descending else column.key, page=None) + anchor
    return Header(column.key, column.label, column.hint, column.is_number, href if column.is_sortable else "", state)


def order_of(columns: tuple[Column, ...], params: QueryDict, default: str) -> str:
    """The order that the address asks for, or the default when it names no column of the table."""
    asked = params.get("sort", "")
    return asked if asked.removeprefix("-") in {column.key for column in columns if column.is_sortable} else default


def changed(params: QueryDict, **changes: str | None) -> str:
    """A query string with some keys set or, with None, taken out; it starts with `?`."""
    copy = params.copy()
    for key, value in changes.items():
        copy.pop(key, None)
        if value is not None:
            copy[key] = value
    return f"?{copy.urlencode()}"


def replaced(params: QueryDict, key: str, values: Iterable[str]) -> str:
    """A query string in which one key has these values and the page starts anew; it starts with `?`."""
    copy = params.copy()
    copy.pop("page", None)
    copy.setlist(key, list(values))
    return f"?{copy.urlencode()}"


def _href(column: Column, sort: str, params: QueryDict) -> str:
    if not column.is_sortable:
        return ""
    state = _state(column, sort)
    is_descending = column.starts_descending if not state else state == "ascending"
    return changed(params, sort=f"-{column.key}" if is_descending else column.key, page=None)


def _state(column: Column, sort: str) -> str:
    if sort.removeprefix("-") != column.key:
        return ""
    return "descending" if sort.startswith("-") else "ascending"
