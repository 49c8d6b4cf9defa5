"""One figure above a page's tables: its value, what it is about, and the way to what it counts."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Tile:
    """What `_tiles.html` reads; texts from files are made visible there.

    Attributes:
        value: as the page writes it; empty = `n/a`.
        note: below it.
        href: of what it counts; empty = nowhere.
        good: `true` or `false` where a test says that it is good or bad, else empty.
    """

    label: str
    value: str
    note: str = ""
    href: str = ""
    good: str = ""
