"""Positions, depths and paths in JSON text."""

from array import array

import msgspec
import pytest

from results.json_scanning import Cursor, JsonError, depth_of, end_of_value, is_deeper_than, path_at, where_too_deep
from results.json_surrogates import has_lone_surrogates, with_escapes_of, without_lone_surrogates


@pytest.mark.parametrize(
    ("text", "end"),
    [(b"12,3", 2), (b'"a,\\"b" ]', 8), (b"[1,{}] \n,", 8), (b"{}", 2), (b"true}", 4), (b"-0 :", 3)],
)
def test_the_end_of_a_value_is_where_the_next_thing_begins(text: bytes, end: int) -> None:
    assert end_of_value(memoryview(text), 0) == end


def test_msgspec_says_where_the_rest_begins() -> None:
    with pytest.raises(msgspec.DecodeError, match=r"^JSON is malformed: trailing characters \(byte 4\)$"):
        msgspec.json.decode(b"1  ,2", type=msgspec.Raw)


def test_keys_are_walked_as_written() -> None:
    cursor = Cursor(memoryview(b' { "a" : [1,2] , "\\u0061":{} } x'))
    keys = []
    for key in cursor.each_key():
        keys.append(key)
        cursor.skip_value()
    assert (keys, cursor.position) == ([b'"a"', b'"\\u0061"'], 31)


def test_elements_end_where_their_commas_stand() -> None:
    cursor, ends = Cursor(memoryview(b"[ 1 , [2,3],\n4 ]")), array("Q")
    cursor.skip_elements(ends, 9)
    assert list(ends) == [4, 11, 15]


def test_the_elements_before_a_malformed_one_are_told() -> None:
    cursor, ends = Cursor(memoryview(b"[1,2,x]")), array("Q")
    with pytest.raises(JsonError):
        cursor.skip_elements(ends, 9)
    assert (list(ends), cursor.position) == ([2, 4], 5)


@pytest.mark.parametrize(
    ("text", "depth"), [(b"1", 0), (b"[]", 1), (b'{"a":[[],{"b":{}}]}', 4), (b'"[[["', 0), (b'["\\"[",[]]', 2)]
)
def test_depth_counts_brackets_outside_texts(text: bytes, depth: int) -> None:
    assert depth_of(text) == depth


@pytest.mark.parametrize(("depth", "deeper"), [(4, True), (5, False), (6, False)])
def test_deeper_than_is_strict(depth: int, deeper: bool) -> None:
    assert is_deeper_than(b"[[[[[1,2,3,4,5,6]]]]]", depth) is deeper


def test_the_bracket_that_goes_too_deep_is_found() -> None:
    assert where_too_deep(memoryview(b'["[[[",[[]]]'), 0, 2) == 8


@pytest.mark.parametrize(
    ("mark", "path"), [(b"1", ".a[0]"), (b"2", ".a[1].b"), (b"3", ".c"), (b"4", ".c"), (b"5", ".d\\u0041[0][0]")]
)
def test_the_path_of_a_place_is_told(mark: bytes, path: str) -> None:
    text = b'{"a":[1,{"b":2}],"c":3 4,"d\\u0041":[[5'
    assert path_at(memoryview(text), 0, text.index(mark)) == path


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (b"\\ud800", b"\\ufffd"),
        (b"\\udC00\\uD800", b"\\ufffd\\ufffd"),
        (b"\\ud83d\\ude00", b"\\ud83d\\ude00"),
        (b"\\\\ud800", b"\\\\ud800"),
        (b"\\ud800\\ud83d\\ude00", b"\\ufffd\\ud83d\\ude00"),
    ],
)
def test_only_halves_of_surrogate_pairs_are_masked(text: bytes, masked: bytes) -> None:
    assert (without_lone_surrogates(text), has_lone_surrogates(text)) == (masked, text != masked)


def test_escapes_come_back_in_their_order() -> None:
    assert with_escapes_of(b'["\\ufffd\\n","\\ufffd"]', b'[ "\\ud800\\n", "\\ufffd" ]') == b'["\\ud800\\n","\\ufffd"]'
