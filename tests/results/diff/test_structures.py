"""JSON values are laid out so that equal parts meet."""

import pytest

from results.diff.structures import comparable_lines


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (b"1.0", "1.0"),
        (b"9757309999902428", "9757309999902428"),
        (b"1e21", "1e21"),
        (b"[]", "[]"),
        (b"{}", "{}"),
        (b"[true,false]", "[\n  true,\n  false\n]"),
        (b'{"b":1,"a":2}', '{\n  "a": 2,\n  "b": 1\n}'),
        (b'[{"b":[],"a":{}}]', '[\n  {\n    "a": {},\n    "b": []\n  }\n]'),
        (b'{"a":1,"a":2}', '{\n  "a": 1,\n  "a": 2\n}'),
        (b'"\\u0041 [x, {y}"', '"A [x, {y}"'),
        (b'"\\u000a\\""', '"\\n\\""'),
    ],
)
def test_a_value_is_laid_out_with_its_keys_in_order(source: bytes, text: str) -> None:
    assert comparable_lines(source) == text


def test_the_order_of_keys_makes_no_difference() -> None:
    assert comparable_lines(b'{"x":{"b":1,"a":2},"c":3}') == comparable_lines(b'{"c":3,"x":{"a":2,"b":1}}')


def test_a_large_document_is_not_laid_out() -> None:
    assert comparable_lines(b"[" + b",".join([b"1"] * 1_000_000) + b"]") is None


def test_a_deep_document_needs_no_recursion() -> None:
    assert comparable_lines(b"[" * 1_900 + b"]" * 1_900) is not None
