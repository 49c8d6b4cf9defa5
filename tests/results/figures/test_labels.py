"""Names inside a plot are text."""

from results.figures.labels import LONGEST, label


def test_markup_in_a_name_is_shown_as_it_is() -> None:
    assert label("<b>a</b> & b", 99) == "&lt;b&gt;a&lt;/b&gt; &amp; b"


def test_hidden_characters_are_named() -> None:
    assert label("a\u202eb") == "a[U+202E]b"


def test_joiners_of_scripts_stay() -> None:
    assert label("a\u200db") == "a\u200db"


def test_a_long_name_is_cut() -> None:
    assert label("x" * 40) == "x" * (LONGEST - 1) + "…"


def test_a_name_stays_on_one_line() -> None:
    assert label("a\n\tb") == "a b"
