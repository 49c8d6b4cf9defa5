"""JSON schemas that users write: whatever they hold, the answer comes soon and is a sentence."""

import time
from typing import Any

import pytest

from evaluator.engine.trials.answer_schemas import schema_fault, value_fault

SLOW = "^(a+)+$"
DOUBLING: dict[str, Any] = {
    "$defs": {
        "n0": {"type": "integer"},
        **{f"n{depth + 1}": {"allOf": [{"$ref": f"#/$defs/n{depth}"}] * 2} for depth in range(30)},
    },
    "$ref": "#/$defs/n30",
}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"pattern": SLOW}, "a" * 5_000 + "b"),
        ({"patternProperties": {SLOW: {}}, "additionalProperties": False}, {"a" * 5_000 + "b": 1}),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "pattern": SLOW}, "a" * 5_000 + "b"),
        (DOUBLING, 1),
        ({"multipleOf": 0.1}, 10**380),
    ],
)
def test_a_value_is_refused_in_no_time(schema: dict[str, Any], value: Any) -> None:
    started = time.monotonic()
    assert schema_fault(schema) is None
    assert value_fault(schema, value)
    assert time.monotonic() - started < 2


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"$schema": {"a": "b"}}, "it cannot be checked: TypeError: unhashable type: 'dict'"),
        ({"pattern": "(?=a)b"}, "the pattern '(?=a)b' cannot be used"),
        ({"properties": {"pattern": {"pattern": r"(a)\1"}}}, "cannot be used"),
        ({"items": {"$schema": "http://json-schema.org/draft-07/schema#"}}, "`$schema` of its own"),
    ],
)
def test_a_schema_that_cannot_be_applied_is_refused_with_the_reason(schema: dict[str, Any], fault: str) -> None:
    assert fault in (schema_fault(schema) or "")


def test_patterns_and_further_properties_are_held_against_a_value() -> None:
    schema: dict[str, Any] = {
        "patternProperties": {r"^x\u002d": {"type": "integer"}},
        "additionalProperties": {"pattern": "^[a-c]+$"},
    }
    assert value_fault(schema, {"x-1": 1, "y": "abc"}) is None
    assert value_fault(schema, {"x-1": "one"}) == "'one' is not of type 'integer' (at x-1)"
    assert value_fault(schema, {"y": "abcd"}) == "'abcd' does not match '^[a-c]+$' (at y)"
    assert value_fault({**schema, "additionalProperties": False}, {"z": 1}) == "there may be no 'z'"
