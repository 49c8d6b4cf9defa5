"""A document is shown with every token as it was written, at any size."""

import pytest

from frontend.shown_json import JsonPart, json_parts, text_of
from frontend.templatetags.formats import json_block


def shown(source: bytes) -> str:
    return "".join(part.text for part in json_parts(source))


@pytest.mark.parametrize(
    "token", ["-0", "1e21", "9757309999902428", "123456789012345678901234567890", "1.50", "true", "null", '"\\u003c"']
)
def test_a_token_is_shown_as_it_was_written(token: str) -> None:
    assert shown(f'{{"a":{token}}}'.encode()) == f'{{\n  "a": {token}\n}}'


def test_tokens_are_told_apart() -> None:
    kinds = [(part.kind, part.text) for part in json_parts(b'{"a":"b","c":[1,true]}') if part.kind]
    assert kinds == [("key", '"a"'), ("str", '"b"'), ("key", '"c"'), ("numlit", "1"), ("lit", "true")]


def test_markup_in_a_document_is_text() -> None:
    block = json_block(b'{"</script><b>":"<img src=x onerror=alert(1)>"}')
    assert "<b>" not in block
    assert "<img" not in block


def test_an_override_in_a_document_is_named() -> None:
    assert '<span class="bidi">U+202E</span>' in json_block('{"a":"\u202e"}'.encode())


def test_a_lone_surrogate_keeps_its_escape() -> None:
    assert shown(b'["\\ud800",1]') == '[\n  "\\ud800",\n  1\n]'


def test_a_lone_surrogate_in_a_text_is_replaced() -> None:
    assert text_of(b'"a\\ud800"') == "a\ufffd"


def test_a_giant_text_is_cut_with_a_note() -> None:
    parts = list(json_parts(b'{"a":"' + b"x" * 5_000_000 + b'","b":1}'))
    assert JsonPart("note", "… 4,990,002 characters not shown") in parts
    assert JsonPart("key", '"b"') in parts


def test_a_giant_document_is_cut_with_a_note() -> None:
    source = b"[" + b",".join(b"12345678" for _ in range(100_000)) + b"]"
    parts = list(json_parts(source))
    assert sum(len(part.text) for part in parts) < 41_000
    assert parts[-1].kind == "note"


@pytest.mark.parametrize(
    "source", [b"[]", b"{}", b'{\n  "a": [],\n  "b": {}\n}', b"[\n  [\n    []\n  ]\n]", b'"a: [b"', b"12"]
)
def test_an_indented_document_stays_as_it_is(source: bytes) -> None:
    assert shown(source) == source.decode()


def test_a_deep_document_is_cut_without_recursion() -> None:
    assert list(json_parts(b"[" * 1_000_000 + b"]" * 1_000_000))[-1].kind == "note"


def test_many_hidden_characters_are_cut() -> None:
    assert len(json_block(b'"' + "\u202e".encode() * 9_000 + b'"')) < 40_000


def test_what_follows_a_giant_text_with_escapes_is_shown() -> None:
    text = b"\\\\" * 200_000 + b'\\"' * 50
    parts = list(json_parts(b'{"a":"' + text + b'","b":1,"' + b"k" * 300_000 + b'":2}'))
    assert JsonPart("key", '"b"') in parts
    assert [part.text for part in parts if part.kind == "numlit"] == ["1", "2"]
    assert [len(part.text) for part in parts if part.kind == "key"] == [3, 3, 10_000]


def test_a_giant_text_full_of_quotes_ends_what_is_shown() -> None:
    parts = list(json_parts(b'["' + b'\\"' * 5_000_000 + b'",1]'))
    assert sum(len(part.text) for part in parts) < 12_000
    assert parts[-1].kind == "note"
