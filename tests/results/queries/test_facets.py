"""Facets: what could still be chosen, counted under the other keys."""

from pathlib import Path

import pytest
from django.http import QueryDict

from results.filters import ResultFilter
from results.queries.facets import FACETS, facets
from results.queries.visibility import visible_evaluations
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db


def counted(name: str, query: str = "") -> dict[str, int]:
    (facet,) = facets(visible_evaluations(), ResultFilter.parse(QueryDict(query)), (name,))
    return {option.label: option.count for option in facet.options}


@pytest.fixture
def evaluations(tmp_path: Path) -> list[int]:
    first = stored(
        tmp_path,
        "first",
        row(
            0,
            provider="p",
            run="r",
            suite="core",
            tags=["x", "y", "x"],
            tools={"bash": 1},
            tool_calls=[("sed", "success")],
        ),
        row(1, provider="p", run="r", suite="core", kind="Failed", tags=["y"]),
        row(2, provider="q", run="r", suite="edge", kind="Error", model="m"),
    )
    return [first, stored(tmp_path, "second", row(3, provider="q", run="other"))]


@pytest.mark.parametrize(
    ("name", "query", "expected"),
    [
        ("provider", "", {"p": 2, "q": 2}),
        ("provider", "provider=p", {"p": 2, "q": 2}),
        ("provider", "suite=core", {"p": 2}),
        ("provider", "suite=core&provider=q", {"p": 2, "q": 0}),
        ("run", "", {"r": 3, "other": 1}),
        ("run", "provider=q", {"other": 1, "r": 1}),
        ("suite", "", {"core": 2, "edge": 1, "(unspecified)": 1}),
        ("suite", "suite=core&provider=q", {"edge": 1, "(unspecified)": 1, "core": 0}),
        ("model", "", {"(unspecified)": 3, "m": 1}),
        ("outcome", "", {"passed": 2, "error": 1, "failed": 1}),
        ("outcome", "outcome=passed", {"passed": 2, "error": 1, "failed": 1}),
        ("tag", "", {"y": 2, "(unspecified)": 2, "x": 1}),
        ("tag", "tag=x", {"y": 2, "(unspecified)": 2, "x": 1}),
        ("tag", "outcome=passed", {"x": 1, "y": 1, "(unspecified)": 1}),
        ("tool", "", {"bash": 1, "sed": 1, "(unspecified)": 3}),
        ("tool", "provider=q", {"(unspecified)": 2}),
        ("category", "suite=nowhere", {}),
    ],
)
def test_values_are_counted_under_the_other_keys(
    evaluations: list[int], name: str, query: str, expected: dict[str, int]
) -> None:
    assert counted(name, query) == expected


def test_the_most_frequent_value_comes_first(evaluations: list[int]) -> None:
    assert list(counted("run")) == ["r", "other"]


def test_an_evaluation_is_labelled_with_its_name(evaluations: list[int]) -> None:
    (facet,) = facets(visible_evaluations(), ResultFilter(), ("evaluation",))
    assert [(option.value, option.count) for option in facet.options] == [
        (str(evaluations[0]), 3),
        (str(evaluations[1]), 1),
    ]
    assert all(option.label != option.value for option in facet.options)


def test_chosen_and_excluded_values_are_marked(evaluations: list[int]) -> None:
    (facet,) = facets(visible_evaluations(), ResultFilter.parse(QueryDict("suite=core&suite=-edge")), ("suite",))
    marks = {option.value: (option.selected, option.excluded) for option in facet.options}
    assert marks == {"core": (True, False), "edge": (False, True), None: (False, False)}


def test_every_facet_is_given_in_order(evaluations: list[int]) -> None:
    assert [facet.name for facet in facets(visible_evaluations(), ResultFilter())] == list(FACETS)
