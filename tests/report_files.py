"""The rows of a report file, read from its markup and its data as its own script reads them."""

import json
from html.parser import HTMLParser
from typing import Any


class RowReader(HTMLParser):
    """Collects the table of the section with `data-rows`, and the data that follows it."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.rows: list[list[str | None]] = []
        self._is_inside = False
        self._is_data = False
        self._cell: str | None = None
        self._is_missing = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Follow sections, rows and cells."""
        given = dict(attrs)
        if tag == "section":
            self._is_inside = "data-rows" in given
        self._is_data = tag == "script" and given.get("type") == "application/json"
        if not self._is_inside:
            return
        if name := given.get("data-name"):
            self.names.append(name)
        elif tag == "tr" and self.names:
            self.rows.append([])
        elif tag in ("th", "td"):
            self._cell, self._is_missing = "", "data-missing" in given

    def handle_endtag(self, tag: str) -> None:
        """Finish a cell."""
        if tag in ("th", "td") and self._cell is not None:
            self.rows[-1].append(None if self._is_missing else self._cell)
            self._cell = None
        self._is_data = False

    def handle_data(self, data: str) -> None:
        """Take in what a cell says, or rows that are data."""
        if self._is_data:
            self.rows += json.loads(data)
        elif self._cell is not None:
            self._cell += data


def report_rows(body: bytes) -> list[dict[str, Any]]:
    """The rows by the names of the fields; a missing value is None."""
    reader = RowReader()
    reader.feed(body.decode())
    return [dict(zip(reader.names, row, strict=True)) for row in reader.rows]
