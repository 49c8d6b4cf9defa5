"""The first words of an answer: whole, cut, escaped, of any JSON type, and found in the beginning of a document."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from results.answer_heads import AnswerPreview, answer_preview, got_in, message_preview, titled
from results.records import decode_result
from tests.documents import result


@pytest.mark.parametrize(
    ("got", "text"),
    [
        ('"blue"', "blue"),
        ('""', ""),
        ('" \\n blue \\n"', "blue"),
        ('"a\\nb"', "a\nb"),
        ('"\\u00e9\\ud83d\\ude00"', "é😀"),
        ('"a\\ud800b"', "a\ufffdb"),
        ('"say \\"yes\\""', 'say "yes"'),
        ("12.50", "12.50"),
        ("-0", "-0"),
        ("null", "null"),
        ('{"a":[1,2]}', '{"a":[1,2]}'),
    ],
)
def test_a_short_answer_is_shown_whole(got: str, text: str) -> None:
    assert answer_preview(got.encode()) == AnswerPreview(text, is_cut=False)


def test_no_answer_has_no_preview() -> None:
    assert answer_preview(b"") is None


def test_a_long_answer_is_cut_and_says_so() -> None:
    assert answer_preview(b'"' + b"x" * 20_000_000 + b'"') == AnswerPreview("x" * 160, is_cut=True)


def test_an_answer_of_exactly_the_limit_is_not_cut() -> None:
    assert answer_preview(b'"' + b"x" * 160 + b'"') == AnswerPreview("x" * 160, is_cut=False)


@pytest.mark.parametrize("tail", [b"\\", b"\\u", b"\\ud83", b"\\ud83d", "é".encode()[:1]])
def test_an_answer_may_end_in_the_middle_of_a_character(tail: bytes) -> None:
    found = answer_preview(b'"abc' + tail)
    assert found is not None
    assert found.is_cut
    assert found.text.rstrip("\ufffd") == "abc"


@given(st.text(max_size=400), st.booleans())
def test_every_text_begins_as_it_is(text: str, is_ascii: bool) -> None:
    found = answer_preview(json.dumps(text, ensure_ascii=is_ascii).encode())
    shown = text.strip(" \t\r\n")
    assert found == AnswerPreview(shown[:160], is_cut=len(shown) > 160)


def test_line_breaks_are_drawn() -> None:
    assert AnswerPreview("(2, 1) \r\n\n  (3, 4)", is_cut=False).line == "(2, 1) ↵ (3, 4)"


@pytest.mark.parametrize(
    ("document", "got"),
    [
        ('{"Got":"a","Want":"b"}', '"a","Want":"b"}'),
        ('{"x":{"Got":1},"y":["{\\"Got\\":2"],"gOT":3}', "3"),
        ('{"Task":"\\"Got\\":1","Got":{"a":[1,2]},"Want":2}', '{"a":[1,2]}'),
        ('{"Got":[1,2,3', "[1,2,3"),
        ('{"Task":"a","Details":{"Got":1}}', ""),
        ('{"Task":"' + "x" * 100, ""),
    ],
)
def test_the_answer_is_found_at_the_top_of_the_document(document: str, got: str) -> None:
    assert got_in(document.encode()) == got.encode()


def a_message(**error: str) -> str:
    source = json.dumps(result(Kind="Error", Got="it broke", Details={"Error": error})).encode()
    found = message_preview(decode_result(source))
    assert found is not None
    return found.text


def test_an_error_is_its_title_and_message() -> None:
    assert a_message(Title="429 too many requests", Message="try later") == "429 too many requests: try later"
    assert a_message(Title="Timeout:") == "Timeout: it broke"
    assert a_message(Message="try later") == "try later"
    assert a_message() == "it broke"


def test_a_title_is_not_said_twice() -> None:
    assert a_message(Title="Timeout", Message="Timeout after 3 s") == "Timeout after 3 s"


def test_a_title_stands_before_a_message_that_is_cut() -> None:
    assert titled("Title", AnswerPreview("m" * 160, is_cut=True)) == AnswerPreview(f"Title: {'m' * 153}", is_cut=True)
