"""JSON schemas that users write: whether they are any, and whether a value conforms; neither can take for ever."""

from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend, validator_for
from referencing.exceptions import Unresolvable
from referencing.jsonschema import EMPTY_REGISTRY

from evaluator.engine.patterns import Pattern, PatternError, pattern_of
from evaluator.engine.trials.definitions import JsonValue

MOST_STEPS = 50_000  # keywords that are looked at for one value; references multiply them
REFERENCE_STEPS = 20  # a reference takes as long as so many other keywords
SHOWN_CHARACTERS = 500  # of a message, which quotes the value
_VALUES = frozenset({"const", "enum", "default", "examples"})  # what stands below them is no schema
_SUBSCHEMAS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})

Check = Callable[[Any, Any, Any, Any], Iterator[ValidationError] | None]

_steps: ContextVar[int] = ContextVar("steps", default=0)


class _TooMuchError(Exception):
    """A value needs more steps than anybody would wait for."""


def schema_fault(schema: Mapping[str, JsonValue]) -> str | None:
    """What is wrong with a schema; None when it is good. The draft is 2020-12 unless the schema names another."""
    try:
        _kind(schema).check_schema(schema)
        return _refused(schema)
    except SchemaError as error:
        return _told(error)
    except PatternError as error:
        return str(error)
    except RecursionError:
        return "it is nested too deeply"
    except Exception as error:  # noqa: BLE001 - whatever a library trips over, the schema is not good
        return _tripped(error)


def value_fault(schema: Mapping[str, JsonValue], value: JsonValue) -> str | None:
    """What is wrong with a value under a schema, which must be good; None when it conforms.

    Nothing is fetched: a reference that leads out of the schema is a fault.
    """
    token = _steps.set(0)
    try:
        bare = {
            key: part for key, part in schema.items() if key != "$schema"
        }  # a `$ref` to it would change the validator
        error = next(_linear(_kind(schema))(bare, registry=EMPTY_REGISTRY).iter_errors(value), None)
    except Unresolvable as unresolvable:
        return f"the schema refers to {unresolvable.ref}, which it does not hold"
    except RecursionError:
        return "the schema refers to itself without end"
    except _TooMuchError:
        return f"the schema needs more than {MOST_STEPS:,} steps for this value; it refers to itself too often"
    except PatternError as fault:
        return f"the schema cannot be applied: {fault}"
    except Exception as fault:  # noqa: BLE001 - such as a number that no float holds
        return _tripped(fault)
    finally:
        _steps.reset(token)
    return None if error is None else _told(error)


def _refused(schema: Mapping[str, JsonValue]) -> str | None:
    """What is no fault of a schema, but could not be held against values in linear time."""
    for written in _patterns(schema):
        _understood(written)
    if any("$schema" in _keys(part) for part in schema.values()):
        return "a part of it has a `$schema` of its own; only the whole may have one"
    if {"unevaluatedProperties", "patternProperties"} <= set(_keys(schema)):
        return "`unevaluatedProperties` and `patternProperties` cannot stand in one schema here"
    return None


def _kind(schema: Mapping[str, JsonValue]) -> type[Validator]:
    kind: type[Validator] = validator_for(schema, default=Draft202012Validator)
    return kind


_made: dict[type[Validator], type[Validator]] = {}


def _linear(kind: type[Validator]) -> type[Validator]:
    """A draft's validator whose patterns are searched in linear time, and whose steps are counted."""
    if kind not in _made:
        checks: dict[str, Check] = {**kind.VALIDATORS, "pattern": _pattern, "patternProperties": _pattern_properties}
        if "additionalProperties" in checks:
            checks["additionalProperties"] = _additional_properties
        _made[kind] = extend(kind, {name: _counted(name, check) for name, check in checks.items()})
    return _made[kind]


def _counted(name: str, check: Check) -> Check:
    steps = REFERENCE_STEPS if name.endswith(("$ref", "Ref")) else 1

    def counted(validator: Any, keyword: Any, instance: Any, schema: Any) -> Iterator[ValidationError] | None:  # noqa: ANN401
        _steps.set(_steps.get() + steps)
        if _steps.get() > MOST_STEPS:
            raise _TooMuchError
        return check(validator, keyword, instance, schema)

    return counted


def _pattern(validator: Any, written: str, instance: Any, _schema: Any) -> Iterator[ValidationError]:  # noqa: ANN401
    if validator.is_type(instance, "string") and not _understood(written).is_in(instance):
        yield ValidationError(f"{instance!r} does not match {written!r}")


def _pattern_properties(
    validator: Any,  # noqa: ANN401 - jsonschema's own
    patterns: Any,  # noqa: ANN401
    instance: Any,  # noqa: ANN401
    _schema: Any,  # noqa: ANN401
) -> Iterator[ValidationError]:
    if validator.is_type(instance, "object"):
        for written, below in patterns.items():
            for name, value in instance.items():
                if _understood(written).is_in(name):
                    yield from validator.descend(value, below, path=name, schema_path=written)


def _additional_properties(validator: Any, allowed: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:  # noqa: ANN401
    if not validator.is_type(instance, "object"):
        return
    patterns = [_understood(written) for written in schema.get("patternProperties", {})]
    names = [name for name in instance if name not in schema.get("properties", {})]
    extras = [name for name in names if not any(one.is_in(name) for one in patterns)]
    if validator.is_type(allowed, "object"):
        for name in extras:
            yield from validator.descend(instance[name], allowed, path=name)
    elif not allowed and extras:
        yield ValidationError(f"there may be no {', '.join(repr(name) for name in sorted(extras))}")


def _patterns(schema: object, *, is_named: bool = False) -> Iterator[str]:
    """Every expression in a schema.

    Args:
        schema: or a part of one.
        is_named: its keys are names that somebody chose, not keywords.
    """
    if isinstance(schema, list):
        for part in schema:
            yield from _patterns(part)
    if not isinstance(schema, dict):
        return
    for key, part in schema.items():
        if is_named:
            yield from _patterns(part)
        elif key == "pattern" and isinstance(part, str):
            yield part
        elif key not in _VALUES:
            if key == "patternProperties" and isinstance(part, dict):
                yield from part
            yield from _patterns(part, is_named=key in _SUBSCHEMAS)


def _keys(value: object) -> list[str]:
    """Every key in a value, at any depth."""
    if isinstance(value, list):
        return [key for part in value for key in _keys(part)]
    if isinstance(value, dict):
        return [*value, *(key for part in value.values() for key in _keys(part))]
    return []


def _understood(written: str) -> Pattern:
    try:
        return pattern_of(written)
    except PatternError as error:
        raise PatternError(f"the pattern {written[:100]!r} cannot be used: {error}") from None


def _told(error: SchemaError | ValidationError) -> str:
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path).lstrip(".")
    message = error.message if len(error.message) <= SHOWN_CHARACTERS else f"{error.message[:SHOWN_CHARACTERS]} …"
    return f"{message} (at {place})" if place else message


def _tripped(fault: Exception) -> str:
    return f"it cannot be checked: {type(fault).__name__}: {str(fault)[:SHOWN_CHARACTERS]}"
