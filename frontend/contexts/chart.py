"""One chart: what is drawn, what it says in words, and the table behind it."""

from dataclasses import dataclass

from results.figures.plot import Figure


@dataclass(frozen=True)
class Chart:
    """What `_chart.html` reads; all of it can be read without any script.

    Attributes:
        id: of the element, one word in the page.
        caption: says n, what is left out, and what bars and intervals mean.
        figure: of `results.figures`, fit for JSON: no NaN.
        columns: headings of the table; the first is that of the row's name.
        rows: the drawn numbers as pages write them, one text a column.
        links: where each row leads to, the filtered explorer as a rule; empty = nowhere.
        level: of the heading, 2 or 3.
        note: what lies outside of the axis, and the way to it; empty = nothing.
    """

    id: str
    title: str
    caption: str
    figure: Figure
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    links: tuple[str, ...] = ()
    level: int = 2
    note: str = ""
    note_href: str = ""

    @property
    def height(self) -> int:
        """Pixels that the plot takes, kept free before it is drawn."""
        return int(self.figure["layout"]["height"])

    @property
    def lines(self) -> tuple["Line", ...]:
        """The rows of the table, each with its address."""
        links = self.links or ("",) * len(self.rows)
        return tuple(Line(row[0], row[1:], link) for row, link in zip(self.rows, links, strict=True))


@dataclass(frozen=True)
class Line:
    """One row of the table behind a chart; an empty address leads nowhere."""

    name: str
    cells: tuple[str, ...]
    href: str
