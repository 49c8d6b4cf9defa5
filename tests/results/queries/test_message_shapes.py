"""Error messages without what differs from case to case."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from results.queries.message_shapes import message_shape, shape_search
from results.text.query import parse

SHAPES = {
    "": "",
    "plain words": "plain words",
    "two\n  lines\tof text": "two lines of text",
    "waited 300 s for 12.5 MB": "waited <n> s for <n> MB",
    "retry in 20s": "retry in <n>",
    "status code: 429": "status code: 429",
    "HTTP 503: overloaded": "HTTP 503: overloaded",
    "the provider answered 429 too many requests": "the provider answered 429 too many requests",
    "limit 429 reached": "limit <n> reached",
    'unknown field "temperature" in body': "unknown field <text> in body",
    "model 'gpt-x' can't be found": "model <text> can't be found",
    "it doesn't work and it isn't ours": "it doesn't work and it isn't ours",
    "open /tmp/run-12/out.json: no such file": "open <path>: no such file",
    "in src/app/main.py line 7": "in <path> line <n>",
    r"open C:\Users\x\out.txt failed": "open <path> failed",
    "either/or": "either/or",
    "GET https://api.example.com/v1/x?key=3 failed": "GET <url> failed",
    "id 0192f0c1-7a5e-7b3c-9d2e-1f2a3b4c5d6e gone": "id <id> gone",
    "request req_011CQabcdEF failed": "request <id> failed",
    "at 0x7ffdeadbeef": "at <id>",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8": "commit <id>",
    "trace 01JWNQETT0SY3509HNGP5QGTX7 lost": "trace <id> lost",
    "at 2026-08-24T23:46:59.123Z it ended": "at <time> it ended",
    "deadbeef is a word without digits": "deadbeef is a word without digits",
}


@pytest.mark.parametrize(("message", "shape"), SHAPES.items())
def test_what_differs_from_case_to_case_is_folded(message: str, shape: str) -> None:
    assert message_shape(message) == shape


def test_a_long_message_is_cut() -> None:
    assert len(message_shape("word " * 10_000)) <= 301


@given(st.text(max_size=300))
def test_any_text_has_a_shape_on_one_line_and_a_search_that_can_be_read(text: str) -> None:
    shape = message_shape(text)
    assert "\n" not in shape
    assert not parse(shape_search(shape)).exact


def test_a_search_asks_for_the_words_between_what_is_folded() -> None:
    assert shape_search("open <path>: no such file") == 'in:error "no such file" "open"'
    assert shape_search("<n> <id>") == ""
    assert shape_search("") == ""
