"""Replies as models write them, and the answers in them."""

import time

import pytest

from evaluator.engine.trials.answers import AnswerError, answer_schema, read_answer
from evaluator.engine.trials.definitions import AnswerFormat, JsonValue

TEXT = AnswerFormat("a text")
SCHEMA = AnswerFormat(schema={"type": "object"})
GOOD = '{"title": "T", "explanation": "E", "final_answer": "4"}'


@pytest.mark.parametrize(
    "reply",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Here it is:\n```\n{GOOD}\n```\nAnything else?",
        f"Sure! {GOOD} I hope this helps.",
        f'First {{"final_answer": "3"}}, no: {GOOD}',
        '{"title": "T", "explanation": "E", "final_answer": "4",}',
        '```json\n{"title": "T", "explanation": "E", "final_answer": "4", }\n```',
        'Well, {"title": "T", "explanation": "E", "final_answer": "4",} it is.',
        '{"title": "T", "explanation": "E", "final_answer": 4}',
    ],
)
def test_what_is_plainly_meant_is_read(reply: str) -> None:
    answer = read_answer(reply, TEXT)
    assert (answer.title, answer.explanation, answer.final_answer) == ("T", "E", "4")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "empty"),
        ("four", "not JSON"),
        ('{"final_answer": "4"', "not JSON"),
        ("[4]", "not a JSON object but a list"),
        ('{"answer": "4"}', "has no `final_answer`; it has `answer`"),
        ('{"final_answer": null}', "must be a text, not null"),
        ('{"final_answer": {"a": 1}}', "must be a text, not an object"),
        ('{"final_answer": NaN}', "not JSON"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_answer_says_why(reply: str, reason: str) -> None:
    with pytest.raises(AnswerError, match=reason):
        read_answer(reply, TEXT)


def test_a_schema_answer_stands_in_its_content() -> None:
    assert read_answer('{"final_answer": {"content": {"n": 9007199254740993}}}', SCHEMA).final_answer == {
        "n": 9007199254740993
    }
    with pytest.raises(AnswerError, match="has no `content`"):
        read_answer('{"final_answer": {"n": 4}}', SCHEMA)


def test_commas_inside_texts_stay() -> None:
    assert read_answer('{"final_answer": "[1,] and {2,}",}', TEXT).final_answer == "[1,] and {2,}"


def test_a_newline_inside_a_text_is_read() -> None:
    assert read_answer('{"final_answer": "one\ntwo"}', TEXT).final_answer == "one\ntwo"


@pytest.mark.parametrize("hostile", ["{" * 200_000, '{"a":' * 20_000, "```json\n" * 20_000, '"' * 100_001 + ",}"])
def test_hostile_replies_are_refused_quickly(hostile: str) -> None:
    began = time.process_time()
    with pytest.raises(AnswerError):
        read_answer(hostile, TEXT)
    assert time.process_time() - began < 2


def test_every_part_of_the_form_is_required_and_nothing_else_is_allowed() -> None:
    wanted: dict[str, JsonValue] = {"type": "integer", "$schema": "https://json-schema.org/draft/2020-12/schema"}
    schema = answer_schema(AnswerFormat(schema=wanted))
    assert schema["required"] == ["title", "explanation", "final_answer"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["final_answer"]["properties"] == {"content": {"type": "integer"}}
