"""Colours of providers: stable, one of nine, the well-known ones all different."""

import pytest

from frontend.series import KNOWN, series_among, series_of
from frontend.templatetags.marks import provider


def test_well_known_providers_have_a_colour_each() -> None:
    assert [series_of(name) for name in KNOWN] == [1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_case_does_not_matter() -> None:
    assert series_of("OpenAI") == series_of("openai") == 7


def test_providers_of_one_chart_never_share_a_colour() -> None:
    assert series_among(["東京", "cinder", "boreal"]) == {"boreal": 1, "cinder": 5, "東京": 6}
    many = [f"provider {number}" for number in range(18)]
    assert sorted(series_among(many).values()) == list(range(1, 19))


@pytest.mark.parametrize(("name", "series"), [("boreal", 1), ("cinder", 5), ("東京", 5), ("a\ud800", 6)])
def test_any_other_name_has_the_same_colour_everywhere(name: str, series: int) -> None:
    assert series_of(name) == series


def test_a_mark_escapes_its_text() -> None:
    mark = '<span class="provider" data-series="7">&lt;b&gt;<span class="bidi">U+202E</span></span>'
    assert provider("openai", "<b>\u202e") == mark
