"""Text from files is shown, never obeyed, at any size."""

import time

import pytest

from frontend.shown_text import TextPart, cut, spelt_out, split_hidden
from frontend.templatetags.formats import or_missing, text_block, visible_label, visible_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\u202eb", 'a<span class="bidi">U+202E</span>b'),
        ("\x00", '<span class="bidi">U+0000</span>'),
        ("\x1b[31m", '<span class="bidi">U+001B</span>[31m'),
        ("x\u200by", 'x<span class="bidi">U+200B</span>y'),
        ("\ud800", '<span class="bidi">U+D800</span>'),
        ("\U000e0041", '<span class="bidi">U+E0041</span>'),
        ("a\r\nb\rc\td", "a\nb\nc\td"),
        ("می‌خواهم", "می‌خواهم"),
        ("👩‍🔬", "👩‍🔬"),
    ],
)
def test_hidden_characters_are_named(text: str, shown: str) -> None:
    assert visible_text(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "</pre><img src=x onerror=alert(1)>",
        "<iframe srcdoc='<script>alert(1)</script>'>",
        "</script><script>alert(1)</script>",
    ],
)
def test_markup_is_only_text(text: str) -> None:
    assert "<" not in visible_text(text)


def test_a_label_stays_on_one_line() -> None:
    assert visible_label("a\r\nb\u202e\tc") == "a b[U+202E] c"


def test_absent_text_is_marked_as_missing() -> None:
    assert or_missing(None, "not recorded") == '<span class="missing">not recorded</span>'


def test_a_short_text_is_whole() -> None:
    assert "".join(part.text for part in cut("one\ntwo")) == "one\ntwo"


def test_a_picture_in_a_text_is_cut_to_its_type() -> None:
    text = "see data:image/png;base64," + "A" * 5_000_000 + " end"
    shown = text_block(text)
    assert "data:image/png;base64,AAAA" in shown
    assert shown.endswith(" end")
    assert len(shown) < 300


def test_a_giant_line_says_what_is_missing() -> None:
    parts = cut("x" * 10_007 + "\nnext")
    assert parts[1:] == [TextPart("… 7 characters of this line not shown", is_note=True), TextPart("\nnext")]


def test_a_giant_text_says_how_long_it_is() -> None:
    text = "0123456789\n" * 100_000
    assert cut(text)[-1] == TextPart("… the rest of 1,100,000 characters not shown", is_note=True)


def test_cutting_takes_time_in_proportion() -> None:
    text = ("y" * 9_999 + "\n") * 500
    start = time.process_time()
    cut(text)
    assert time.process_time() - start < 2


def test_nothing_gives_no_parts() -> None:
    assert list(split_hidden("")) == []


def test_spelling_out_keeps_ordinary_text() -> None:
    assert spelt_out("задача 1 / ? # % ..") == "задача 1 / ? # % .."
