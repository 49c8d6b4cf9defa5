"""Rows of facts come back from their files as they were given."""

import duckdb
import pytest

from results.facts import files
from results.facts.columns import CALL_COLUMNS, RESULT_COLUMNS, USE_COLUMNS, Row, Value
from results.facts.writer import FactsWriter

INT64 = 2**63
FULL = {"evaluation_id": 1, "is_error_usage_judge": False}


def result_row(result_id: int, **values: Value) -> Row:
    """A row with these values and no others."""
    known = {"result_id": result_id, **FULL, **values}
    return tuple(known.get(column.name) for column in RESULT_COLUMNS)


def use_row(result_id: int, section: int, tool_id: int) -> Row:
    known = {"result_id": result_id, "evaluation_id": 1, "section": section, "tool_id": tool_id}
    return tuple(known.get(column.name) for column in USE_COLUMNS)


def call_row(result_id: int, **values: Value) -> Row:
    known = {"result_id": result_id, "evaluation_id": 1, "is_timed_out": False, **values}
    return tuple(known.get(column.name) for column in CALL_COLUMNS)


def read(name: str, table: str, columns: str) -> list[tuple[object, ...]]:
    source = files.parquet_list(files.DeltaName.parse(name).paths(table))
    return duckdb.execute(f"SELECT {columns} FROM {source} ORDER BY ALL").fetchall()


def written(*rows: Row, calls: tuple[Row, ...] = (), uses: tuple[Row, ...] = ()) -> str:
    writer = FactsWriter(1)
    writer.add(rows, calls, uses)
    return writer.close()


@pytest.mark.parametrize("value", [None, 0, -1, INT64 - 1, -INT64, 2**53 + 1])
def test_a_number_comes_back_exactly(value: int | None) -> None:
    name = written(result_row(1, duration_ns=value), result_row(2, duration_ns=None), result_row(3, duration_ns=7))
    assert read(name, "results", "result_id, duration_ns") == [(1, value), (2, None), (3, 7)]


@pytest.mark.parametrize("value", [None, True, False])
def test_a_flag_comes_back_with_its_three_states(value: bool | None) -> None:
    name = written(result_row(1, is_transient=value), result_row(2, is_transient=True))
    assert read(name, "results", "result_id, is_transient") == [(1, value), (2, True)]


def test_rows_added_in_several_turns_come_back_together() -> None:
    writer = FactsWriter(1)
    for number in range(5):
        writer.add([result_row(number)], [], [])
    assert read(writer.close(), "results", "count(*)") == [(5,)]


def test_many_rows_make_several_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("results.facts.writer.PART_RESULTS", 2)
    name = written(result_row(1))
    writer = FactsWriter(1)
    for number in range(5):
        writer.add([result_row(number)], [call_row(number, call_id=number)], [])
    name = writer.close()
    assert files.DeltaName.parse(name).parts == 3
    assert read(name, "calls", "count(*)") == [(5,)]


def test_a_writer_without_rows_leaves_no_file() -> None:
    written()
    assert list(files.directory().glob("*.parquet")) == []


def test_a_discarded_writer_leaves_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("results.facts.writer.PART_RESULTS", 1)
    writer = FactsWriter(1)
    writer.add([result_row(1)], [], [])
    writer.discard()
    assert list(files.directory().glob("*.parquet")) == []


def test_a_tool_set_is_made_of_the_models_tools_once_each() -> None:
    uses = (use_row(1, 1, 70), use_row(1, 2, 71), use_row(2, 3, 72), use_row(3, 3, 73))
    calls = (call_row(1, section=1, tool_id=70), call_row(1, section=1, tool_id=74))
    rows = (
        result_row(1, tool_set=11),
        result_row(2, tool_set=12),
        result_row(3, is_error_usage_judge=True),
        result_row(4, tool_set=11),
    )
    found = read(written(*rows, calls=calls, uses=uses), "tools", "tool_set, tool_id")
    assert found == [(11, 70), (11, 74), (12, 72)]


def test_a_tool_set_says_which_statuses_the_calls_of_a_tool_had() -> None:
    calls = tuple(call_row(1, section=1, tool_id=70, status=status) for status in (1, 4, 1, None))
    name = written(result_row(1, tool_set=5), calls=calls)
    assert read(name, "tools", "tool_id, statuses") == [(70, 1 | 1 << 1 | 1 << 4)]


def test_a_table_without_rows_has_no_file() -> None:
    name = written(result_row(1))
    assert [len(files.DeltaName.parse(name).paths(table)) for table in files.TABLES] == [1, 0, 0, 0]


def test_calls_in_the_last_part_only_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("results.facts.writer.PART_RESULTS", 1)
    writer = FactsWriter(1)
    writer.add([result_row(1)], [], [])
    writer.add([result_row(2)], [call_row(2, call_id=9)], [])
    assert read(writer.close(), "calls", "call_id") == [(9,)]


def test_a_failure_of_an_earlier_part_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("results.facts.writer.PART_RESULTS", 1)
    monkeypatch.setattr(
        files, "part_path", lambda stem, table, part: files.directory() / "absent" / f"{stem}{table}{part}"
    )
    writer = FactsWriter(1)
    writer.add([result_row(1)], [], [])
    with pytest.raises(duckdb.IOException):
        writer.close()


def test_a_name_says_what_the_files_hold() -> None:
    parsed = files.DeltaName.parse(written(result_row(1), uses=(use_row(1, 1, 70),)))
    assert (parsed.parts, parsed.calls, parsed.uses) == (1, 0, 1)


def test_a_changed_byte_is_noticed() -> None:
    name = written(result_row(1))
    path = files.DeltaName.parse(name).paths("results")[0]
    body = bytearray(path.read_bytes())
    body[len(body) // 2] ^= 1
    path.write_bytes(body)
    assert not files.is_whole_delta(name)


def test_no_two_writers_use_one_name() -> None:
    assert written(result_row(1)) != written(result_row(1))


# Columns: section, input, cache write, cache read, accounting -> effective input.
@pytest.mark.parametrize(
    ("counters", "expected"),
    [
        ((17903, None, 17817, 2), 17903),  # included
        ((17903, None, 17817, 1), 35720),  # separate
        ((17903, None, 17817, None), 35720),  # no word counts as separate
        ((17903, None, 17817, 3), None),  # another word
        ((None, None, None, None), None),
        ((None, 5, None, 1), 5),
        ((None, 5, None, 2), None),
        ((0, None, None, 1), 0),
        ((10_009_565_634_0, 9_757_309_999_902_428, 0, 1), 9_757_410_095_558_768),
    ],
)
def test_effective_input_tokens(counters: tuple[int | None, ...], expected: int | None) -> None:
    names = ("answer_input_tokens", "answer_cache_write_tokens", "answer_cache_read_tokens", "answer_input_accounting")
    name = written(result_row(1, **dict(zip(names, counters, strict=True))))
    assert read(name, "results", "model_input_tokens, model_input_tokens_wide") == [(expected, None)]


@pytest.mark.parametrize(
    ("counters", "expected"),
    [((5, 3, 1), 8), ((5, 3, 2), 5), ((5, 3, None), 5), ((5, 3, 3), None), ((None, 3, 1), 3), ((None, 3, 2), None)],
)
def test_effective_output_tokens(counters: tuple[int | None, ...], expected: int | None) -> None:
    names = ("answer_output_tokens", "answer_reasoning_tokens", "answer_output_accounting")
    name = written(result_row(1, **dict(zip(names, counters, strict=True))))
    assert read(name, "results", "model_output_tokens") == [(expected,)]


def test_effective_tokens_beyond_64_bits_stay_exact() -> None:
    name = written(result_row(1, answer_input_tokens=INT64 - 1, answer_cache_read_tokens=INT64 - 1))
    assert read(name, "results", "model_input_tokens, model_input_tokens_wide::VARCHAR") == [(None, str(2 * INT64 - 2))]


@pytest.mark.parametrize(("is_judge", "expected"), [(False, (12, 3)), (True, (10, 5))])
def test_the_error_usage_goes_to_whom_it_belongs(is_judge: bool, expected: tuple[int, int]) -> None:
    values = {"answer_input_tokens": 10, "error_input_tokens": 2, "validation_input_tokens": 3}
    name = written(result_row(1, **values, is_error_usage_judge=is_judge))
    assert read(name, "results", "model_input_tokens, judge_input_tokens") == [expected]
