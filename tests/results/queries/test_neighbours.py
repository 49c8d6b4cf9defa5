"""The neighbours of a result are those beside it in the list, for every order and filter."""

from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict

from results.facts.engine import forget_answers
from results.filters import ResultFilter
from results.queries.neighbours import Neighbours, neighbours
from results.queries.results import result_page
from results.queries.sorting import SORTS
from results.queries.visibility import visible_evaluations
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db


# Of how many results the order is kept, how many are few enough to be looked at in memory, and a filter: with one, they
# always are.
CASES = [(12, 0, ""), (0, 0, ""), (0, 12, ""), (0, 0, "suite=core"), (12, 0, "outcome=-failed"), (0, 0, "run=r1&tag=x")]


@pytest.fixture(params=[9, 2**62], ids=["small", "large"])
def twelve(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Two evaluations with ties and gaps in every column; with a count that floating point cannot hold, or without."""
    rows: list[dict[str, Any]] = [
        row(
            number,
            task=f"task {number % 3}",
            run=f"r{number % 2}",
            suite=["core", "edge", ""][number % 3],
            tags=[["x"], ["y", "x"], []][number % 3],
            duration=[3, 1, None, 2][number % 4],
            usage={"InputTokens": [5, request.param, 7][number % 3]} if number % 2 else {},
            kind=["Passed", "Failed", "Error"][number % 3],
            error={"Title": "Broken", "Transient": number % 2 == 0} if number % 3 == 2 else None,
            tools={"bash": number % 3} if number % 4 else {},
        )
        for number in range(6)
    ]
    stored(tmp_path, "b", *rows)
    stored(tmp_path, "a", *[{**found, "TraceID": f"other {found['TraceID']}"} for found in rows])


def expected(ids: list[int]) -> list[Neighbours]:
    """What a list in this order should answer for each of its results."""
    befores, afters = [None, *ids[:-1]], [*ids[1:], None]
    pairs = zip(befores, afters, strict=True)
    return [Neighbours(place, len(ids), before, after) for place, (before, after) in enumerate(pairs, start=1)]


@pytest.mark.parametrize("sort", [sign + name for name in SORTS for sign in ("", "-")])
def test_neighbours_are_those_of_the_list(twelve: None, sort: str, monkeypatch: pytest.MonkeyPatch) -> None:
    visible = visible_evaluations()
    for kept, few, query in CASES:
        monkeypatch.setattr("results.facts.reading.MOST_RESULTS", kept)
        monkeypatch.setattr("results.queries.neighbours.FEW", few)
        forget_answers()
        chosen = ResultFilter.parse(QueryDict(query))
        ids = [found.id for found in result_page(visible, chosen, sort).rows]
        assert [neighbours(visible, chosen, sort, result_id) for result_id in ids] == expected(ids), query


def test_a_result_that_the_filter_leaves_out_has_no_position(twelve: None) -> None:
    visible = visible_evaluations()
    first, second, third, *_ = (found.id for found in result_page(visible, ResultFilter()).rows)
    found = neighbours(visible, ResultFilter.parse(QueryDict("outcome=-failed")), "", second)
    assert found == Neighbours(None, 8, first, third)


def test_a_text_search_has_neighbours_too(twelve: None) -> None:
    visible = visible_evaluations()
    chosen = ResultFilter.parse(QueryDict("q=nowhere+to+be+found"))
    assert neighbours(visible, chosen, "", 1).total == 0
