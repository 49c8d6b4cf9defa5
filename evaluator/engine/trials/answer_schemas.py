"""JSON schemas that users write: whether they are any, and whether a value conforms."""

from collections.abc import Mapping

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.validators import validator_for
from referencing.exceptions import Unresolvable
from referencing.jsonschema import EMPTY_REGISTRY

from evaluator.engine.trials.definitions import JsonValue


def schema_fault(schema: Mapping[str, JsonValue]) -> str | None:
    """What is wrong with a schema; None when it is good. The draft is 2020-12 unless the schema names another."""
    kind = validator_for(schema, default=Draft202012Validator)
    try:
        kind.check_schema(schema)
    except SchemaError as error:
        return _told(error)
    return None


def value_fault(schema: Mapping[str, JsonValue], value: JsonValue) -> str | None:
    """What is wrong with a value under a schema, which must be good; None when it conforms.

    Nothing is fetched: a reference that leads out of the schema is a fault.
    """
    kind = validator_for(schema, default=Draft202012Validator)
    try:
        error = next(kind(schema, registry=EMPTY_REGISTRY).iter_errors(value), None)
    except Unresolvable as unresolvable:
        return f"the schema refers to {unresolvable.ref}, which it does not hold"
    except RecursionError:
        return "the schema refers to itself without end"
    return None if error is None else _told(error)


def _told(error: SchemaError | ValidationError) -> str:
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path).lstrip(".")
    return f"{error.message} (at {place})" if place else error.message
