"""One manifest, opened: what a question reads its tables from, and where its results lie."""

from dataclasses import dataclass

import duckdb
import numpy as np

from results.facts.links import Links
from results.facts.places import Places, SetPlaces
from results.facts.tables import Part


class PlacesOfParts:
    """Where the results and the tool sets of a snapshot lie, read when it is asked for."""

    def __init__(self) -> None:
        self._known: dict[Part, Places] = {}
        self._sets: dict[Part, SetPlaces] = {}

    def of(self, cursor: duckdb.DuckDBPyConnection, part: Part) -> Places:
        """The places in one part; two that ask at once may both read them."""
        if part not in self._known:
            ids = cursor.execute(f"SELECT result_id FROM {part.sql}").fetchnumpy()["result_id"]
            self._known[part] = Places.of(ids)
        return self._known[part]

    def of_sets(self, cursor: duckdb.DuckDBPyConnection, part: Part, tools: Links) -> SetPlaces:
        """The same of tool sets; `tools` has those that are known."""
        if part not in self._sets:
            column = cursor.execute(f"SELECT tool_set FROM {part.sql}").fetchnumpy()["tool_set"]
            self._sets[part] = SetPlaces.of(np.unique(tools.ids), column)
        return self._sets[part]


@dataclass(frozen=True)
class Snapshot:
    """One manifest, opened: how SQL reads its tables, which evaluations have rows, and what tool sets are made of.

    `results` counts all rows, visible or not. `tools` has a line a tool of a set: `tool_id` and `statuses`.
    """

    parts: dict[str, tuple[Part, ...]]
    evaluation_ids: frozenset[int]
    has_large_numbers: bool
    results: int
    tools: Links
    places: PlacesOfParts
    version: tuple[str, ...]
