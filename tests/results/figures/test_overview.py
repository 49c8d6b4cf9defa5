"""The trend of pass rates: which lines have names and intervals, and that names do not lie on each other."""

from itertools import pairwise

from results.figures.overview import GAP, RateLine, RatePoint, rate_dots, rate_trend


def line(name: str, rate: float, *, is_named: bool = True, has_band: bool = False) -> RateLine:
    points = tuple(
        RatePoint(f"2026-05-0{day}T00:00:00Z", rate, rate - 0.1, rate + 0.1, "50 %", f"/results/?day={day}")
        for day in (1, 2)
    )
    return RateLine(name, 1, points, is_named, has_band)


def test_a_band_is_the_area_between_two_edges_that_are_not_drawn() -> None:
    traces = rate_trend([line("a", 0.5, has_band=True)])["data"]
    assert [trace.get("fill") for trace in traces] == [None, "tonexty", None]
    assert (traces[0]["y"], traces[1]["y"]) == ([0.4, 0.4], [0.6, 0.6])


def test_quiet_lines_lie_below_and_have_no_name() -> None:
    found = rate_trend([line("named", 0.5), line("quiet", 0.7, is_named=False)])
    assert found["data"][0]["line"]["color"] == "--line-strong"
    assert [note["text"] for note in found["layout"]["annotations"]] == ["named"]


def test_names_of_lines_that_end_at_one_rate_stand_apart_and_inside() -> None:
    notes = rate_trend([line(name, 1.0) for name in "abc"])["layout"]["annotations"]
    heights = sorted(note["y"] for note in notes)
    assert heights[-1] <= 1.0
    assert all(above - below >= GAP - 1e-9 for below, above in pairwise(heights))


def test_a_click_goes_to_the_results_of_the_point() -> None:
    assert rate_trend([line("a", 0.5)])["data"][0]["customdata"] == ["/results/?day=1", "/results/?day=2"]


def test_markup_in_a_name_is_text() -> None:
    assert "<b>" not in str(rate_trend([line("<b>a</b>", 0.5)]))


def test_one_evaluation_is_a_dot_with_its_interval_for_each_run() -> None:
    point = RatePoint(at="2026-01-01", rate=0.5, low=0.25, high=0.75, text="50 %", href="/results/")
    found = rate_dots([RateLine(name, 1, (point,), is_named=True, has_band=False) for name in ("b", "a")])
    assert [(trace["x"], trace["y"], trace["error_x"]["array"]) for trace in found["data"]] == [
        ([0.5], [0], [0.25]),
        ([0.5], [1], [0.25]),
    ]
    assert found["layout"]["yaxis"]["ticktext"] == ["b", "a"]
    assert "type" not in found["layout"]["xaxis"]
