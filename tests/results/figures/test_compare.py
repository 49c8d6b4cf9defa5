"""Differences in pass rate as a figure."""

import json

from results.figures.compare import Drawn, differences_figure
from results.paired import Interval

ONE = Drawn("<b>a</b>", 3, -0.25, Interval(-0.5, 0.125), "/results/?run=a")


def test_an_interval_reaches_from_its_low_to_its_high_end() -> None:
    (trace,) = differences_figure([ONE])["data"]
    ends = (trace["x"][0] - trace["error_x"]["arrayminus"][0], trace["x"][0] + trace["error_x"]["array"][0])
    assert ends == (-50, 12.5)  # percentage points


def test_the_baseline_is_always_in_the_picture() -> None:
    axis = differences_figure([ONE])["layout"]["xaxis"]
    assert (axis["rangemode"], axis["zeroline"]) == ("tozero", True)


def test_a_dot_leads_to_the_results_of_its_run() -> None:
    assert differences_figure([ONE])["data"][0]["customdata"] == ["/results/?run=a"]


def test_names_stay_text_and_all_is_fit_for_json() -> None:
    text = json.dumps(differences_figure([ONE, ONE]), allow_nan=False)
    assert ("<b>" in text, "&lt;b&gt;a" in text) == (False, True)
