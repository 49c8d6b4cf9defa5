"""The pager under a long table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.http import QueryDict

from frontend.contexts.columns import changed

MOST_DIGITS = 10  # of a page number that can exist
NEIGHBOURS = 2  # page numbers shown on each side of the current one


Row = TypeVar("Row")


@dataclass(frozen=True)
class PageLink:
    """A page number with its address; no number stands for a gap."""

    number: int | None
    href: str = ""
    is_current: bool = False


@dataclass(frozen=True)
class SizeLink:
    """How many rows a page could have."""

    size: int
    href: str
    is_current: bool


@dataclass(frozen=True)
class Pager:
    """Which part of a table is shown.

    Attributes:
        first, last: places of the first and last row shown, from 1; both 0 for an empty table.
        previous_href, next_href: empty at the ends.
        beyond: the page number asked for, where there are fewer pages, so that the last one is shown; else None.
        sizes: to choose from; empty where there is no choice, or it would not matter.
    """

    first: int
    last: int
    total: int
    size: int
    links: tuple[PageLink, ...]
    previous_href: str
    next_href: str
    beyond: int | None = None
    sizes: tuple[SizeLink, ...] = ()

    def part(self, rows: Sequence[Row]) -> tuple[Row, ...]:
        """The rows of this page, of all rows."""
        return tuple(rows[max(0, self.first - 1) : self.last])

    @classmethod
    def build(cls, page: int, size: int, total: int, params: QueryDict, sizes: tuple[int, ...] = ()) -> "Pager":
        """The pager of page `page`, counted from 1; a page beyond the end counts as the last."""
        pages = max(1, -(-total // size))
        page = min(max(page, 1), pages)
        return cls(
            first=min((page - 1) * size + 1, total),
            last=min(page * size, total),
            total=total,
            size=size,
            links=_links(page, pages, params) if pages > 1 else (),
            previous_href=changed(params, page=str(page - 1)) if page > 1 else "",
            next_href=changed(params, page=str(page + 1)) if page < pages else "",
            beyond=asked if (asked := page_of(params)) > pages else None,
            sizes=tuple(
                SizeLink(other, changed(params, page=None, size=str(other)), other == size)
                for other in sizes
                if total > sizes[0]
            ),
        )


def page_of(params: QueryDict) -> int:
    """The page number in the address; anything that is not a sensible number counts as 1."""
    text = params.get("page", "1")
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < MOST_DIGITS else 1


def size_of(params: QueryDict, sizes: tuple[int, ...], default: int) -> int:
    """The rows of a page that the address asks for, or the default when it asks for none of the sizes."""
    return {str(size): size for size in sizes}.get(params.get("size", ""), default)


def _links(page: int, pages: int, params: QueryDict) -> tuple[PageLink, ...]:
    shown = sorted({1, pages, *range(max(1, page - NEIGHBOURS), min(pages, page + NEIGHBOURS) + 1)})
    links: list[PageLink] = []
    for number in shown:
        if links and links[-1].number != number - 1:
            links.append(PageLink(None))
        links.append(PageLink(number, changed(params, page=str(number)), number == page))
    return tuple(links)
