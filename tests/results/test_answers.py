"""Accepted answers, type mismatches and start times."""

import pytest

from results.answers import accepted_answers, is_type_mismatch, trace_time_us
from results.records import RunResult, decode_result


def result(got: str, want: str, expected: str = "", kind: str = "Failed") -> RunResult:
    answer = f'"Answer":{{"ExpectedAnswer":{expected}}}' if expected else ""
    return decode_result(f'{{"Kind":"{kind}","Got":{got},"Want":{want},"Details":{{{answer}}}}}'.encode())


ARRAY = '[{"a":1},{"b":2.50}]'
ELEMENTS = (b'{"a":1}', b'{"b":2.50}')


@pytest.mark.parametrize(
    ("want", "expected", "values", "is_ambiguous"),
    [
        ('"x"', "", (b'"x"',), False),
        ("1e21", "", (b"1e21",), False),
        ("null", "", (), False),
        (ARRAY, '[["one"]]', (ARRAY.encode(),), False),
        (ARRAY, '[["one"],["two"]]', ELEMENTS, False),
        (ARRAY, '[["one"],["two"],["three"]]', ELEMENTS, False),
        ("[1,2,3]", '[["one"],["two"]]', (b"[1,2,3]",), False),
        (ARRAY, "", ELEMENTS, True),
        ("[5]", "", (b"[5]",), False),
        ("[true,false]", "", (b"true", b"false"), True),
        ("[[true,false]]", "", (b"[[true,false]]",), False),
        ("[]", '[["[]"]]', (b"[]",), False),
        ("[]", "", (), True),
    ],
)
def test_expected_answers_tell_one_array_from_several_answers(
    want: str,
    expected: str,
    values: tuple[bytes, ...],
    is_ambiguous: bool,
) -> None:
    accepted = accepted_answers(result("0", want, expected))
    assert (accepted.values, accepted.is_ambiguous) == (values, is_ambiguous)


def test_an_array_that_passed_as_a_whole_is_one_answer() -> None:
    assert accepted_answers(result(ARRAY, ARRAY, kind="Passed")).values == (ARRAY.encode(),)


def test_an_absent_want_accepts_nothing() -> None:
    assert accepted_answers(decode_result(b'{"Kind":"Failed"}')).values == ()


@pytest.mark.parametrize(
    ("got", "want", "kind", "mismatch"),
    [
        ("2", '"2"', "Failed", True),
        ('"2"', '"2"', "Passed", False),
        ('{"verdict":"pass"}', '"pass"', "Failed", True),
        ("1.5", "1", "Failed", False),
        ("null", '"x"', "Failed", True),
        ("true", "false", "Failed", False),
        ("2", '"2"', "Error", None),
        ("2", '"2"', "Skipped", None),
        ("2", "null", "Failed", None),
        ("2", '["2","3"]', "Failed", True),
        ('"2"', '["2","3"]', "Failed", None),
        ("[2]", '["2","3"]', "Failed", None),
    ],
)
def test_a_type_mismatch_is_told_where_it_can_be(got: str, want: str, kind: str, mismatch: bool | None) -> None:
    assert is_type_mismatch(result(got, want, kind=kind)) is mismatch


def test_without_an_answer_there_is_no_mismatch_to_tell() -> None:
    assert is_type_mismatch(decode_result(b'{"Kind":"Failed","Want":"x"}')) is None


@pytest.mark.parametrize(
    ("trace_id", "time_us"),
    [
        ("01ARZ3NDEKTSV4RRFFQ69G5FAV", 1_469_922_850_259_000),  # the ULID specification's example
        ("01arz3ndektsv4rrffq69g5fav", 1_469_922_850_259_000),
        ("01JEDE7Z8X0000000000000001", 1_733_470_453_021_000),
        ("trace-1", None),
        ("", None),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAVX", None),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAU", None),  # U is no Crockford digit
        ("81ARZ3NDEKTSV4RRFFQ69G5FAV", None),  # above 2^128
        ("00000000000000000000000000", None),  # 1970
        ("7ZZZZZZZZZZZZZZZZZZZZZZZZZ", None),  # the year 10889
        ("01ARZ3NDEKTSV4RRFFQ69G5FA\n", None),
    ],
)
def test_a_plausible_ulid_tells_its_time(trace_id: str, time_us: int | None) -> None:
    assert trace_time_us(trace_id) == time_us
