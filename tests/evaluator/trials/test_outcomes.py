"""What each end of a task becomes: kind, title, answers, usage; and that MindTrial's schema takes it."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from evaluator.engine.trials.definitions import (
    AnswerFormat,
    JsonValue,
    JudgeSelection,
    RetryPolicy,
    TaskDefinition,
    TaskFile,
    ValidationRules,
)
from evaluator.engine.trials.finished_results import FinishedResult
from evaluator.engine.trials.interfaces import Answer, ConversationError, FailureKind, Spent, Verdict
from evaluator.engine.trials.outcomes import Case, validated
from evaluator.engine.trials.runner import Runner
from evaluator.engine.trials.sound_json import encoded, lines_of
from results.intake import ImportOptions, import_file
from results.models.results import Result
from results.records import (
    ResultKind,
    RunResult,
    TokenUsage,
    ToolCallOutput,
    ToolCallSummary,
    ToolUsage,
    decode_result_strictly,
)
from tests.documents import write
from tests.evaluator.trials.doubles import (
    FakeAskers,
    FakeValidators,
    Reply,
    a_provider,
    a_run,
    a_task,
    a_trial,
    always,
    an_answer,
)

USAGE = TokenUsage(input_tokens=120, output_tokens=30, reasoning_tokens=10)
JUDGE_USAGE = TokenUsage(input_tokens=400, output_tokens=5)
CALL = ToolCallSummary(
    tool="python",
    call_id="c-1",
    conversation_turn=1,
    started_at=datetime(2026, 12, 1, 9, tzinfo=UTC),
    completed_at=datetime(2026, 12, 1, 9, 0, 1, tzinfo=UTC),
    duration_ns=900_000_000,
    wall_time_ns=1_000_000_000,
    exit_code=0,
    status="success",
    stdout=ToolCallOutput(bytes=3),
)
SPENT = Spent(USAGE, {"python": ToolUsage(call_count=1, total_duration_ns=900_000_000)}, (CALL,), 2_000_000_000)
ANSWER = Answer("Sum", "Two and two\nmake four.", " Four ", SPENT)


class FixedValidator:
    """Gives the same verdict, or fails, whatever it is asked."""

    def __init__(self, verdict: Verdict | Exception) -> None:
        self._verdict = verdict

    async def validate(self, task: TaskDefinition, answer: JsonValue) -> Verdict:
        del task, answer
        if isinstance(self._verdict, Exception):
            raise self._verdict
        return self._verdict


def finished(
    reply: Reply = ANSWER,
    task: TaskDefinition | None = None,
    make_validators: Callable[[], FakeValidators] = FakeValidators,
    **run: Any,
) -> FinishedResult:
    definition = a_trial(a_provider(a_run(**run)))  # fields of a run, by name
    with Runner(definition, FakeAskers(always(reply)), make_validators) as runner:
        [result] = runner.run([task or a_task()])
    return result


def judged(verdict: Verdict | Exception) -> RunResult:
    return finished(make_validators=lambda: FakeValidators(FixedValidator(verdict))).record


def error_of(record: RunResult) -> tuple[str, str, str, bool | None]:
    error = record.details.error
    assert error is not None
    return str(record.kind), error.title, error.message, error.transient


def test_an_answer_that_matches_passes_and_is_shown_as_compared_and_as_given() -> None:
    record = finished(task=a_task(accepted=("FOUR", "four\n", "4"))).record
    answer, validation = record.details.answer, record.details.validation
    assert answer is not None
    assert validation is not None
    assert (record.kind, bytes(record.got), bytes(record.want)) == (ResultKind.PASSED, b'"four"', b'["four","4"]')
    assert (answer.title, answer.explanation) == ("Sum", ["Two and two", "make four."])
    assert (answer.actual_answer, answer.expected_answer) == ([" Four "], [["FOUR"], ["four", ""], ["4"]])
    assert (answer.usage, answer.tool_calls, record.duration_ns) == (USAGE, [CALL], 2_000_000_000)
    assert validation.title == "Response Assessment"
    assert (validation.usage, validation.tool_calls, record.details.error) == (None, [], None)


def test_an_answer_that_matches_nothing_fails_and_a_single_accepted_answer_stands_bare() -> None:
    record = finished().record
    assert (record.kind, bytes(record.got), bytes(record.want)) == (ResultKind.FAILED, b'"four"', b'"4"')


def test_a_judge_s_verdict_and_usage_stand_apart_from_the_model_s() -> None:
    verdict = Verdict(True, "Semantic Assessment", ("Judge reasoning:\nsame",), Spent(JUDGE_USAGE), {"correct": True})
    record = judged(verdict)
    validation = record.details.validation
    assert validation is not None
    assert validation.semantic is not None
    assert (record.kind, validation.usage, validation.explanation) == (
        ResultKind.PASSED,
        JUDGE_USAGE,
        ["Judge reasoning:", "same"],
    )
    assert bytes(validation.semantic.verdict) == b'{"correct":true}'


def test_a_judge_that_fails_makes_a_validation_error_with_its_own_usage() -> None:
    failure = ConversationError(
        FailureKind.VALIDATION, "the judge is busy", spent=Spent(JUDGE_USAGE), is_transient=True
    )
    record = judged(failure)
    assert error_of(record) == ("Error", "Validation Error", "the judge is busy", True)
    assert record.details.answer is not None
    assert record.details.error is not None
    assert (record.details.answer.usage, record.details.error.usage) == (USAGE, JUDGE_USAGE)
    assert (bytes(record.got), record.duration_ns) == (b'" Four "', 2_000_000_000)


def test_a_fault_in_the_validator_keeps_what_the_model_answered_and_used() -> None:
    record = judged(RecursionError("too deep"))
    assert error_of(record) == ("Error", "Execution Error", "RecursionError: too deep", None)
    assert record.details.answer is not None
    assert (record.details.answer.usage, record.duration_ns) == (USAGE, 2_000_000_000)


@pytest.mark.parametrize(
    ("kind", "expected", "is_parsing"),
    [
        (FailureKind.EXECUTION, ("Error", "Execution Error", "no", None), None),
        (FailureKind.PARSING, ("Error", "Response Parsing Error", "no", None), True),
        (FailureKind.UNSUPPORTED, ("Skipped", "Feature Not Supported", "no", False), None),
    ],
)
def test_each_failure_of_a_conversation_has_its_title_and_keeps_what_was_used(
    kind: FailureKind, expected: tuple[str, str, str, bool | None], is_parsing: bool | None
) -> None:
    failure = ConversationError(kind, "no", spent=SPENT, details={"Raw Response": ["a\nb"]})
    record = finished(failure).record
    error = record.details.error
    assert error is not None
    assert error_of(record) == expected
    assert (error.response_parsing, error.usage, error.tool_calls) == (is_parsing, USAGE, [CALL])
    assert error.details == {"Raw Response": ["a", "b"]}
    assert (bytes(record.got), bytes(record.want), record.duration_ns) == (b'"no"', b'"4"', 2_000_000_000)


def test_what_a_run_s_settings_exclude_is_skipped_before_anything_else_is_looked_at() -> None:
    schema_task = a_task(
        answer_format=AnswerFormat(schema={"type": "object"}), files=(TaskFile("a", "https://x.test"),)
    )
    both = finished(task=schema_task, is_structured=False, is_text_only=True).record
    files = finished(task=schema_task, is_text_only=True).record
    assert error_of(both)[:2] == ("Skipped", "Incompatible Response Format")
    assert error_of(files)[:2] == ("Skipped", "Feature Disabled")
    assert error_of(files)[3] is False
    assert (bytes(files.want), files.duration_ns) == (b"null", 0)
    assert files.evalboard is not None
    assert files.evalboard.attempts is None


def test_a_judge_that_is_not_there_is_an_error_before_the_model_is_asked() -> None:
    record = finished(make_validators=lambda: FakeValidators(missing="there is no judge 'x'")).record
    assert error_of(record) == ("Error", "Configuration Error", "there is no judge 'x'", False)
    assert bytes(record.want) == b"null"


def test_answers_under_a_judge_are_only_trimmed() -> None:
    case = Case("t", a_run(), a_task(accepted=(" FOUR\n",), rules=ValidationRules(judge=JudgeSelection("j", "v"))))
    record = validated(case, ANSWER, Verdict(True, "Semantic Assessment", ()))
    assert (bytes(record.got), bytes(record.want)) == (b'"Four"', b'"FOUR"')


def test_the_configuration_of_the_run_is_recorded() -> None:
    record = finished(
        parameters={"temperature": 0.5, "seed": None}, max_requests_per_minute=90, retry=RetryPolicy(2, 1.5)
    ).record
    config = record.run_config
    assert config is not None
    assert config.retry_policy is not None
    assert (config.model, config.max_requests_per_minute) == ("m-1", 90)
    assert bytes(config.model_parameters) == b'{"temperature":0.5,"seed":null}'
    assert (config.retry_policy.max_retry_attempts, config.retry_policy.initial_delay_seconds) == (2, 2)


@pytest.mark.parametrize(
    ("value", "json_text", "lines"),
    [
        (42, b"42", ["42"]),
        (10**30, b"1" + b"0" * 30, ["1" + "0" * 30]),
        (float("nan"), b"null", ["NaN"]),
        ("a\ud800b", '"a\ufffdb"'.encode(), ["a\ufffdb"]),
        ({"b": [1.5], "a": "x"}, b'{"b":[1.5],"a":"x"}', ["{", '  "a": "x",', '  "b": [', "    1.5", "  ]", "}"]),
        (["\udfff", float("inf")], '["\ufffd",null]'.encode(), ["[", '  "\ufffd",', "  Infinity", "]"]),
    ],
)
def test_any_value_that_a_model_gives_can_be_written(value: JsonValue, json_text: bytes, lines: list[str]) -> None:
    assert bytes(encoded(value)) == json_text
    assert lines_of(value) == lines


def test_halves_of_surrogate_pairs_anywhere_in_a_reply_break_no_result() -> None:
    answer = Answer("\ud800", "\ud801\n", "\ud802", Spent())
    record = finished(answer).record
    assert record.kind is ResultKind.FAILED
    failed = finished(ConversationError(FailureKind.PARSING, "\ud803", details={"\ud804": ["\ud805"]})).record
    assert error_of(failed)[2] == "\ufffd"


def test_the_source_of_a_result_is_what_its_record_says() -> None:
    result = finished()
    assert decode_result_strictly(result.source) == result.record


# What MindTrial added after the schema at hand was made; format version 1 all the same.
LATER = {
    "RunConfig": {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "Model": {"type": "string"},
            "MaxRequestsPerMinute": {"type": "integer"},
            "ModelParameters": {"type": "object"},
            "RetryPolicy": {
                "type": "object",
                "additionalProperties": False,
                "properties": {"MaxRetryAttempts": {"type": "integer"}, "InitialDelaySeconds": {"type": "integer"}},
            },
        },
    }
}
LATER_USAGE = {"ReasoningTokens": {"type": "integer"}, "OutputTokenAccounting": {"type": "string"}}
LATER_SEMANTIC = {"type": "object", "additionalProperties": False, "properties": {"Verdict": {}}}


def current_schema(schema: Any) -> Any:
    """The schema with what was added later."""
    result = schema["properties"]["Results"]["additionalProperties"]["items"]["properties"]
    result |= LATER
    sections = result["Details"]["properties"]
    for section in sections.values():
        section["properties"]["Usage"]["properties"] |= LATER_USAGE
    sections["Validation"]["properties"]["Semantic"] = LATER_SEMANTIC
    sections["Error"]["properties"]["ResponseParsing"] = {"type": "boolean"}
    return schema


def every_end() -> list[FinishedResult]:
    """A result of each kind, with everything in it that a result can have."""
    failure = ConversationError(FailureKind.PARSING, "no", spent=SPENT, is_transient=True, details={"a": ["b"]})
    verdict = Verdict(False, "Semantic Assessment", ("no",), Spent(JUDGE_USAGE), {"correct": False})
    return [
        finished(an_answer("4"), a_task(suite="s", category="c", difficulty="d", tags=("t", "u"))),
        finished(make_validators=lambda: FakeValidators(FixedValidator(verdict)), retry=RetryPolicy(1, 1)),
        finished(failure),
        finished(task=a_task(files=(TaskFile("a", "https://x.test"),)), is_text_only=True),
        finished(ValueError("x")),
    ]


def test_every_end_of_a_task_is_a_result_by_mindtrial_s_schema(shared_folder: Path) -> None:
    [schema_file] = (shared_folder / "samples" / "mindtrial").glob("*schema.json")
    check = Draft202012Validator(current_schema(json.loads(schema_file.read_bytes())))
    results = [msgspec.json.decode(finished.source) for finished in every_end()]
    for result in results:
        assert result.pop("Evalboard")["WallTimeNS"] >= 0  # ours: it is left out of documents for MindTrial
    check.validate({"FormatVersion": 1, "Results": {"openai": results}})
    assert [result["Kind"] for result in results] == ["Passed", "Failed", "Error", "Skipped", "Error"]


@pytest.mark.django_db
def test_a_document_of_ours_can_be_read_again_with_the_number_of_tries(tmp_path: Path) -> None:
    results = b",".join(finished.source for finished in every_end())
    path = write(tmp_path, "ours.json", b'{"FormatVersion":1,"Results":{"openai":[' + results + b"]}}")
    import_file(path, ImportOptions())
    tries = Result.objects.order_by("pk").values_list("outcome", "attempts")
    assert list(tries) == [(0, 1), (1, 1), (2, 1), (3, None), (2, 1)]
