"""Figures about tools and money."""

import json

from results.figures.costs import Point, cost_against_rate, frontier
from results.figures.distributions import Box, boxes
from results.figures.tools import failed_by_status, rates_apart
from results.statistics import Rate


def point(name: str, cost: float, passed: int) -> Point:
    return Point(name, cost, Rate(passed, 10), 1, name, "/")


def test_the_line_holds_the_runs_that_no_other_beats() -> None:
    points = [point("dear", 5, 9), point("cheap", 1, 3), point("beaten", 4, 3), point("tied", 6, 9), point("mid", 2, 7)]
    assert [entry.name for entry in frontier(points)] == ["cheap", "mid", "dear"]


def test_costs_far_apart_have_a_logarithmic_axis_that_says_so() -> None:
    axis = cost_against_rate([point("a", 0.01, 3), point("b", 1, 5)], "USD")["layout"]["xaxis"]
    assert (axis["type"], axis["title"]["text"]) == ("log", "Cost of a result, USD, log scale")


def test_a_cost_of_0_keeps_the_axis_linear() -> None:
    assert "type" not in cost_against_rate([point("a", 0, 3), point("b", 1, 5)], "USD")["layout"]["xaxis"]


def test_boxes_from_0_on_have_a_linear_axis() -> None:
    figure = boxes([Box("a", (0, 1, 2, 3, 1000), "x")], "Wall time, s", is_log=True)
    assert "type" not in figure["layout"]["xaxis"]


def test_figures_are_plain_json_without_markup_of_names() -> None:
    names = ["<b>a</b>"]
    figures = [
        failed_by_status(names, [[1, 2, 3, 4, 5]], ["15 of 20"], ["/"]),
        rates_apart(names, [Rate(1, 2)], [Rate(0, 0)], ["/"]),
        boxes([Box(names[0], (1, 2, 3, 4, 5), names[0])], "Tokens"),
        cost_against_rate([point(names[0], 1, 3)], names[0]),
    ]
    assert "<b>" not in json.dumps(figures, allow_nan=False)


def test_a_rate_without_a_denominator_is_not_drawn() -> None:
    failed = rates_apart(["a"], [Rate(1, 2)], [Rate(0, 0)], ["/"])["data"][1]
    assert failed["x"] == [None]
