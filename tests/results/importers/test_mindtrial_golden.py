"""Every number of a document with all features, and MindTrial's own golden numbers where its document is at hand."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from results.answers import accepted_answers, is_type_mismatch
from results.importers import mindtrial
from results.importers.source import EvaluationSource, Limits, SourceFile
from results.records import ResultKind, RunResult, TokenUsage, ToolUsage

FIXTURE = Path(__file__).parents[2] / "fixtures" / "mindtrial" / "golden.json"


def read(path: Path) -> EvaluationSource:
    return mindtrial.read(SourceFile(path, path.name, path.stat().st_size), Limits())


@pytest.fixture(scope="module")
def records() -> list[RunResult]:
    return [result.record for result in read(FIXTURE).results]


def test_the_head_says_who_wrote_the_document_and_when() -> None:
    head = read(FIXTURE).head
    assert (head.app_name, head.app_version, head.created_at, head.created_at_source) == (
        "MindTrial",
        "(fixture)",
        datetime(1999, 12, 31, 23, 59, 58, tzinfo=UTC),
        "document_utc_assumed",
    )


def test_results_come_in_document_order(records: list[RunResult]) -> None:
    assert [record.kind for record in records] == [
        ResultKind.PASSED,
        ResultKind.FAILED,
        ResultKind.ERROR,
        ResultKind.SKIPPED,
        ResultKind.PASSED,
    ]


def test_the_answers_tokens_are_exact_beyond_two_to_the_53(records: list[RunResult]) -> None:
    answer = records[0].details.answer
    assert answer is not None
    assert answer.usage == TokenUsage(
        input_tokens=4000000001,
        output_tokens=2000000002,
        input_cache_write_tokens=9007199254740993,
        input_cache_read_tokens=0,
        input_token_accounting="cache_tokens_separate",
    )


def test_a_counter_that_is_absent_is_unknown_and_a_zero_is_zero(records: list[RunResult]) -> None:
    error = records[2].details.error
    assert error is not None
    assert error.usage == TokenUsage(input_tokens=0, output_tokens=None)


def test_the_judges_tokens_stay_apart(records: list[RunResult]) -> None:
    validation = records[0].details.validation
    assert validation is not None
    assert validation.usage is not None
    assert (validation.usage.input_tokens, validation.usage.output_tokens) == (11, 5)


def test_a_judges_verdict_keeps_its_tokens(records: list[RunResult]) -> None:
    validation = records[0].details.validation
    assert validation is not None
    assert validation.semantic is not None
    assert bytes(validation.semantic.verdict) == b'{"score":100.0,"rationale":"same"}'


def test_tool_totals_may_miss_either_number(records: list[RunResult]) -> None:
    answer = records[0].details.answer
    assert answer is not None
    assert answer.tool_usage == {
        "calculator": ToolUsage(call_count=3, total_duration_ns=450),
        "clock": ToolUsage(total_duration_ns=7),
        "memory": ToolUsage(call_count=2),
    }


def test_a_tool_call_that_never_ran_has_no_duration(records: list[RunResult]) -> None:
    answer = records[0].details.answer
    assert answer is not None
    assert [(call.status, call.exit_code, call.duration_ns, call.wall_time_ns) for call in answer.tool_calls] == [
        ("success", 0, 120, 150),
        ("nonzero_exit", 1, 330, 340),
        ("timeout", None, None, 60000000000),
    ]


def test_a_tool_calls_start_is_an_instant(records: list[RunResult]) -> None:
    answer = records[0].details.answer
    assert answer is not None
    assert answer.tool_calls[0].started_at == datetime(2024, 12, 6, 8, 0, 0, 123456, tzinfo=UTC)


def test_tags_keep_order_commas_and_repetitions(records: list[RunResult]) -> None:
    assert records[0].task_metadata.tags == ["a, b", '"quoted"', "a, b"]


def test_transient_has_three_states(records: list[RunResult]) -> None:
    errors = [record.details.error for record in records]
    assert [error.transient if error else None for error in errors] == [None, None, True, False, None]


def test_the_run_configuration_is_read_and_prices_are_exact(records: list[RunResult]) -> None:
    config = records[1].run_config
    assert config is not None
    assert config.pricing is not None
    assert (config.model, config.pricing.input_per_million, bytes(config.model_parameters)) == (
        "north-small-1",
        Decimal("0.40"),
        b'{"seed":null,"temperature":0.10}',
    )


def test_a_number_for_a_text_is_a_type_mismatch(records: list[RunResult]) -> None:
    assert [is_type_mismatch(record) for record in records] == [False, True, None, None, False]


def test_an_array_with_one_expected_answer_is_one_answer(records: list[RunResult]) -> None:
    assert accepted_answers(records[4]).values == (
        b'[{"level":"INFO","line":12345678901234567890},{"level":"WARN","line":1e21}]',
    )


def test_mindtrials_own_golden_numbers_are_read(shared_folder: Path) -> None:
    sample = shared_folder / "samples/mindtrial/petmal-MindTrial__2026-07-29_results.json"
    records = [result.record for result in read(sample).results]
    answer = records[0].details.answer
    assert answer is not None
    assert answer.usage is not None
    counters = answer.usage
    recorded = [counters.input_tokens, counters.input_cache_write_tokens, counters.input_cache_read_tokens]
    assert (sum(counter or 0 for counter in recorded), counters.output_tokens) == (9757319876537473, 1234567890)


def test_mindtrials_own_golden_usage_is_read_for_every_run(shared_folder: Path) -> None:
    sample = shared_folder / "samples/mindtrial/petmal-MindTrial__2026-07-29_results.json"
    found: dict[str, tuple[int | None, int | None, int]] = {}
    for result in read(sample).results:
        details = result.record.details
        section = details.answer or details.error
        assert section is not None
        usage = section.usage or TokenUsage()
        calls = sum(used.call_count or 0 for used in section.tool_usage.values())
        found[result.record.run] = (usage.input_tokens, usage.output_tokens, calls)
    assert found == {
        "run-success": (9876543210, 1234567890, 136),
        "run-failure": (200, None, 0),
        "run-success-multiple-answers": (None, None, 0),
        "run-failure-multiple-answers": (None, None, 0),
        "run-error": (0, 0, 3548),
        "run-not-supported": (10, 0, 0),
        "run-validation-error": (1234, 5678, 0),
        "run-parsing-error": (None, 333, 0),
        "run-structured-success": (456, 234, 3),
        "run-structured-failure": (412, 198, 0),
    }


def test_mindtrials_own_golden_array_is_one_accepted_answer(shared_folder: Path) -> None:
    sample = shared_folder / "samples/mindtrial/petmal-MindTrial__2026-07-29_results.json"
    records = {result.record.run: result.record for result in read(sample).results}
    counts = {run: len(accepted_answers(record).values) for run, record in records.items()}
    assert (counts["run-structured-success"], counts["run-success-multiple-answers"]) == (1, 2)
