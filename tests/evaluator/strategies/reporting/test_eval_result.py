"""The record of an iteration: in the documented form, and the same after a round trip."""

import json
from datetime import UTC, datetime

import jsonschema

from evaluator.engine.strategies.contracts import Evidence, SprintContract, Verified
from evaluator.engine.strategies.reporting.eval_result import Occasion, conclude
from evaluator.engine.strategies.states import Reason, Severity, State, TestRun
from results.importers.agent_bober import read_bytes
from results.importers.source import Limits
from results.iteration_records import EvalResult, encode_eval_result
from tests.evaluator.strategies.reporting.eval_result_schema import SCHEMA
from tests.evaluator.strategies.reporting.outcomes import criterion, outcome, problem

NOW = datetime(2026, 3, 4, 10, 20, 31, 250_000, tzinfo=UTC)
CONTRACT = SprintContract(
    "sprint-kiln-1",
    "kiln",
    number=1,
    criteria=(
        criterion(1, "build"),
        criterion(2, "manual"),
        criterion(3, "lint", required=False),
        criterion(4, "manual"),
    ),
)
OUTCOMES = (
    outcome("build", exit_code=0, output="built", duration_ns=1_500_000_000),
    outcome("lint", State.FAIL, required=False, exit_code=1, problems=(problem(severity=Severity.WARNING),)),
    outcome(
        "unit-test", State.FAIL, tests=TestRun((problem(test="heats"),), 3, 1, 1), problems=(problem(test="heats"),)
    ),
    outcome("api-check", State.ERROR, required=False, reason=Reason.SERVER, command=None),
    outcome("playwright", State.SKIPPED, required=False, reason=Reason.NOT_INSTALLED),
    outcome("custom", label="bundle size", coverage_percent=81.5),
)


def previous() -> EvalResult:
    return conclude((outcome("unit-test"),), Occasion(CONTRACT, 1, {}), NOW).record


def record() -> EvalResult:
    evidence = {"sc-1-2": Evidence(Verified.FAIL, "Dark – nothing “glows”.")}
    return conclude(OUTCOMES, Occasion(CONTRACT, 2, evidence, previous()), NOW).record


def test_it_validates_against_the_documented_schema() -> None:
    jsonschema.validate(json.loads(encode_eval_result(record())), SCHEMA)


def test_an_error_is_written_as_a_fail_with_our_state_beside_it() -> None:
    written = json.loads(encode_eval_result(record()))["strategyResults"]
    shown = {part["strategy"]: (part["result"], part["evalboard"]["state"]) for part in written}
    assert shown == {
        "build": ("pass", "pass"),
        "lint": ("fail", "fail"),
        "unit-test": ("fail", "fail"),
        "api-check": ("fail", "error"),
        "playwright": ("skipped", "skipped"),
        "custom": ("pass", "pass"),
    }
    assert written[3]["evalboard"] == {
        "state": "error",
        "reason": "server not ready",
        "isConfigurationIssue": True,
        "durationMs": 0,
    }


def test_the_score_counts_criteria() -> None:
    assert json.loads(encode_eval_result(record()))["score"] == {
        "criteriaTotal": 4,
        "criteriaPassed": 1,
        "criteriaFailed": 2,
        "criteriaSkipped": 1,
        "requiredPassed": 1,
        "requiredFailed": 1,
        "requiredTotal": 3,
    }


def test_import_export_and_import_again_change_nothing() -> None:
    document = encode_eval_result(record())
    first = read_bytes(document, "eval-sprint-kiln-1-2.json", Limits())
    again = encode_eval_result(first.record)
    assert json.loads(again) == json.loads(document)
    assert read_bytes(again, "eval-sprint-kiln-1-2.json", Limits()).record == first.record == record()


def test_names_and_time_are_as_documented() -> None:
    made = record()
    assert (made.eval_id, made.spec_id, made.timestamp) == (
        "eval-sprint-kiln-1-2",
        "kiln",
        "2026-03-04T10:20:31.250Z",
    )
