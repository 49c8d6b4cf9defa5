"""JavaScript conditions, evaluated where they can do no harm."""

import time

import pytest

from evaluator.engine.strategies.pass_condition import ConditionError, evaluate_condition


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("output.passed === true", True),
        ("output.sizeKb <= config.maxSizeKb && exitCode === 0", True),
        ("output.items.every(item => item.ok)", False),
        ("output.missing === undefined", True),
        ("/^v\\d+$/.test(output.version)", True),
        ("!output.passed // a comment", False),
    ],
)
def test_an_expression_says_true_or_false(condition: str, expected: bool) -> None:
    output = {"passed": True, "sizeKb": 12.5, "items": [{"ok": True}, {"ok": False}], "version": "v12"}
    values = {"output": output, "exitCode": 0, "config": {"maxSizeKb": 500}}
    assert evaluate_condition(condition, values) is expected


@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ("output.a.b", "cannot be evaluated"),
        ("output.passed ===", "cannot be evaluated"),
        ("throw 1", "cannot be evaluated"),
        ("output.count", "gives 3, not true or false"),
        ("output", "gives an object"),
        ("undefined", "gives null"),
        ("'x'.repeat(1e9).length > 0", "cannot be evaluated"),
        ("new Array(1e8).fill(1.5).length > 0", "cannot be evaluated"),
        ("(function f() { return f() + 1 })() > 0", "cannot be evaluated"),
        ("require('fs') !== null", "cannot be evaluated"),
    ],
)
def test_anything_else_is_an_error_with_its_reason(condition: str, reason: str) -> None:
    with pytest.raises(ConditionError, match=reason):
        evaluate_condition(condition, {"output": {"count": 3}})


@pytest.mark.parametrize("condition", ["(() => { while (true) {} })()", "/^(a+)+$/.test('a'.repeat(40) + 'b')"])
def test_an_expression_without_end_is_killed_after_two_seconds(condition: str) -> None:
    started = time.monotonic()
    with pytest.raises(ConditionError, match="took longer than 2 s"):
        evaluate_condition(condition, {"output": {}})
    assert time.monotonic() - started < 10
