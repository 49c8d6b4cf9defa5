"""The form in which models answer: an object with a title, an explanation and the final answer, asked for and read."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evaluator.engine.trials.definitions import AnswerFormat, JsonValue

TITLE = "title"
EXPLANATION = "explanation"
FINAL = "final_answer"
CONTENT = "content"  # of the final answer, where a task has a schema
SUBMIT_TOOL = "submit_response"

UNSTRUCTURED_TITLE = "Unstructured Response"
UNSTRUCTURED_EXPLANATION = "Structured output is off for this run: the whole reply counts as the answer."

# A reply is searched for objects from this many opening braces: the search must not become slow on hostile text.
MOST_STARTS = 200

_FENCE = re.compile(r"```[A-Za-z0-9_-]*[ \t]*\r?\n(.*?)```", re.DOTALL)
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.)*+"?|,(?=\s*[}\]])', re.DOTALL)
_DEFINITIONS = ("$defs", "definitions")


class AnswerError(ValueError):
    """A reply that is no answer: what is wrong with it."""


@dataclass(frozen=True)
class WrappedAnswer:
    """What a reply said."""

    title: str
    explanation: str
    final_answer: JsonValue


def answer_schema(wanted: AnswerFormat) -> dict[str, Any]:
    """The JSON schema of a whole reply; definitions of the task's schema move to its root, where references look."""
    final: dict[str, Any] = {
        "type": "string",
        "description": "The final answer alone, exactly in the requested format.",
    }
    definitions: dict[str, Any] = {}
    if wanted.schema is not None:
        content = dict(wanted.schema)
        definitions = {key: content.pop(key) for key in _DEFINITIONS if key in content}
        content.pop("$schema", None)
        final = _object({CONTENT: content})
        final["description"] = "The final answer, in the form that is asked for."
    properties = {
        TITLE: {"type": "string", "description": "A short heading for the answer."},
        EXPLANATION: {"type": "string", "description": "How the answer was found, and why it is right."},
        FINAL: final,
    }
    return {**_object(properties), **definitions}


def format_words(wanted: AnswerFormat) -> str:
    """What an answer must look like, as a text."""
    if wanted.schema is None:
        return wanted.instruction or ""
    return json.dumps(wanted.schema, ensure_ascii=False, indent=2)


def schema_prompt(schema: Mapping[str, Any]) -> str:
    """Words that ask for a reply in this form, for services that do not enforce it."""
    written = json.dumps(schema, ensure_ascii=False)
    return (
        "Reply with one JSON object and nothing else: no words around it, no code fence. "
        f"It must conform to this JSON schema:\n{written}"
    )


def read_answer(text: str, wanted: AnswerFormat) -> WrappedAnswer:
    """Read a reply.

    Args:
        text: the model's, with whatever it wrote around the object.
        wanted: of the task.

    Raises:
        AnswerError: there is no answer in it.
    """
    if not text.strip():
        raise AnswerError("the reply is empty")
    return unwrapped(_parsed(text), wanted)


def unwrapped(reply: JsonValue, wanted: AnswerFormat) -> WrappedAnswer:
    """Take a reply apart.

    Raises:
        AnswerError: a part is missing, or not what it must be.
    """
    if not isinstance(reply, dict):
        raise AnswerError(f"the reply is not a JSON object but {_kind(reply)}")
    if FINAL not in reply:
        raise AnswerError(f"the reply has no `{FINAL}`; it has {', '.join(f'`{key}`' for key in reply) or 'no keys'}")
    final = reply[FINAL]
    if wanted.schema is None:
        final = _text(final)
    elif isinstance(final, dict) and CONTENT in final:
        final = final[CONTENT]
    else:
        raise AnswerError(f"the reply's `{FINAL}` has no `{CONTENT}`")
    return WrappedAnswer(_heading(reply.get(TITLE)), _heading(reply.get(EXPLANATION)), final)


def unstructured(text: str) -> WrappedAnswer:
    """A reply that counts as the answer as a whole."""
    return WrappedAnswer(UNSTRUCTURED_TITLE, UNSTRUCTURED_EXPLANATION, text)


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _parsed(text: str) -> JsonValue:
    """The JSON of a reply; where it is not quite JSON, what it plainly means."""
    try:
        return _decoded(text)
    except AnswerError as error:
        problem = error
    for candidate in _candidates(text):
        try:
            return _decoded(candidate)
        except AnswerError:
            continue
    found = [value for value in _objects(_without_last_commas(text)) if FINAL in value]
    if found:
        return found[-1]  # models think aloud first
    raise problem


def _candidates(text: str) -> Iterator[str]:
    for fenced in reversed(_FENCE.findall(text)):
        yield fenced
        yield _without_last_commas(fenced)
    yield _without_last_commas(text)


def _without_last_commas(text: str) -> str:
    return _STRING_OR_COMMA.sub(lambda found: "" if found[0] == "," else found[0], text)


def _decoded(text: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(text, strict=False, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise AnswerError(f"the reply is not JSON: {error}") from None
    return value


def _objects(text: str) -> Iterator[dict[str, JsonValue]]:
    """The objects that stand in a text one after the other."""
    decoder = json.JSONDecoder(strict=False, parse_constant=_no_constant)
    position = 0
    for _attempt in range(MOST_STARTS):
        position = text.find("{", position)
        if position < 0:
            return
        try:
            value, position = decoder.raw_decode(text, position)
            yield value
        except (ValueError, RecursionError):
            position += 1


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


def _text(final: JsonValue) -> str:
    """A text answer; a number or a truth value stands for its text, as models forget quotes."""
    if isinstance(final, str):
        return final
    if isinstance(final, bool | int | float):
        return json.dumps(final)
    raise AnswerError(f"the reply's `{FINAL}` must be a text, not {_kind(final)}")


def _heading(value: JsonValue) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def _kind(value: JsonValue) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")
