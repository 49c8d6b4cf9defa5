"""The frame of a figure."""

import json

from results.figures import plot


def test_names_that_are_cut_alike_keep_places_of_their_own() -> None:
    axis = plot.names(["x" * 50 + "1", "x" * 50 + "2"])
    assert axis["tickvals"] == [0, 1]


def test_an_outcome_is_told_by_more_than_its_colour() -> None:
    shapes = [plot.outcome_fill(outcome).get("pattern", {}).get("shape") for outcome in plot.OUTCOMES]
    assert shapes == [None, "/", ".", None]


def test_every_series_has_a_marker_of_its_own() -> None:
    looks = {(plot.series(number), plot.marker(number)) for number in range(1, 19)}
    assert len({marker for _, marker in looks}) == len(looks) == 2 * plot.SERIES


def test_colours_come_again_beyond_the_ninth_with_open_shapes_and_the_rest_is_quiet() -> None:
    assert (plot.series(10), plot.marker(10), plot.series(0)) == ("--series-1", "circle-open", "--line-strong")


def test_a_figure_is_plain_json() -> None:
    figure = plot.figure([], x=plot.moments(), y=plot.rates("Pass rate"))
    assert json.loads(json.dumps(figure, allow_nan=False)) == figure
