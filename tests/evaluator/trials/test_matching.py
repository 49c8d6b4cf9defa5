"""Values are compared in the canonical form that MindTrial's validator, written in Go, gives them."""
# ruff: noqa: RUF001 - letters that look alike are what the cases are about

import asyncio

import pytest

from evaluator.engine.trials.definitions import (
    AnswerFormat,
    JsonValue,
    JudgeSelection,
    TaskDefinition,
    ValidationRules,
)
from evaluator.engine.trials.matching import ValueValidator, canonical, canonical_set, matches

DEFAULT = ValidationRules()
CASE = ValidationRules(is_case_sensitive=True)
NO_SPACE = ValidationRules(ignores_whitespace=True)
LINES = ValidationRules(trims_lines=True)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("  Yes \n", "yes"),
        ("a  b", "a  b"),  # white space inside counts
        ("a\r\nb", "a\r\nb"),
        ("\u00a0\u0085\u2003\u3000x\u2028\u1680\v", "x"),  # all of these are white space to Go
        ("\x1cx\x1f", "\x1cx\x1f"),  # white space to Python's `strip`, not to Go
        ("\u200bx\ufeff", "\u200bx\ufeff"),
        ("İI", "ii"),  # Python's `lower` would make two characters of the first
        ("ΣΑΣ", "σασ"),  # Python's `lower` would end with ς
        ("ẞ Ǆ K", "ß ǆ k"),
        ("Ꭰ Ა", "ꭰ ა"),
        ("１Ｅ", "１ｅ"),  # no Unicode normalisation
        ("Cafe\u0301", "cafe\u0301"),
    ],
)
def test_texts_are_trimmed_and_lowered_as_go_does(text: str, form: str) -> None:
    assert canonical(text, DEFAULT) == form


@pytest.mark.parametrize(
    ("rules", "text", "form"),
    [
        (CASE, " Ab ", "Ab"),
        (NO_SPACE, " a\t\n\f\r b ", "ab"),
        (NO_SPACE, "\va\u00a0b\u0085 ", "\va\u00a0b\u0085"),  # only ASCII's five; and the ends are not trimmed
        (LINES, " a \r\n\t b\u00a0\n\n c", "a\nb\n\nc"),
        (LINES, "a \r b", "a \r b"),  # a lone carriage return ends no line
        (ValidationRules(trims_lines=True, ignores_whitespace=True), " A \n b ", "ab"),
        (ValidationRules(judge=JudgeSelection("j", "v")), "  Keep CASE ", "Keep CASE"),
    ],
)
def test_rules_change_what_counts(rules: ValidationRules, text: str, form: str) -> None:
    assert canonical(text, rules) == form


@pytest.mark.parametrize(
    ("accepted", "answer", "is_match"),
    [
        ("42", 42, False),
        (42, 42.0, True),
        (5, 5.5, False),
        (True, 1, False),
        (0, False, False),
        (0, -0.0, True),
        (None, None, True),
        (12345678901234567890, 12345678901234567890, True),
        (12345678901234567890, 12345678901234567891, False),
        (10**20, 1e20, True),
        ({"a": "X "}, {"a": "x"}, True),
        ({"A": 1}, {"a": 1}, False),  # keys keep their case
        ({"a": None}, {}, False),
        ({"b": [1, {"c": " Y"}], "a": 1}, {"a": 1.0, "b": [1, {"c": "y"}]}, True),
        ([1, 2], [2, 1], False),
        ([1, 2], [1, 2, 2], False),
        ([], {}, False),
        ("[1]", [1], False),
    ],
)
def test_values_are_compared_by_type_order_and_length(accepted: JsonValue, answer: JsonValue, is_match: bool) -> None:
    assert matches((accepted,), answer, DEFAULT) is is_match


def test_accepted_answers_are_shown_once_in_canonical_form() -> None:
    shown = canonical_set((" Yes", "YES", 1, True, 1.0, "no"), DEFAULT)

    assert [(type(value), value) for value in shown] == [(str, "yes"), (int, 1), (bool, True), (str, "no")]


def test_a_whole_number_beyond_64_bits_keeps_the_form_it_was_written_in() -> None:
    assert repr(canonical([2.0**62, 2.0**63, -(2.0**63)], DEFAULT)) == f"[{2**62}, {2.0**63!r}, {-(2**63)}]"


def test_any_accepted_answer_passes() -> None:
    task = TaskDefinition("t", "p", AnswerFormat(instruction="one word"), accepted=("b", "A"))
    validator = ValueValidator()

    right, wrong = asyncio.run(validator.validate(task, " a")), asyncio.run(validator.validate(task, "c"))

    assert (right.is_correct, right.title, right.explanation) == (
        True,
        "Response Assessment",
        ("Response matches one of the accepted answers.",),
    )
    assert (wrong.is_correct, wrong.explanation) == (False, ("Response does not match any of the accepted answers.",))
    assert right.spent is None


def test_only_the_dotted_capital_i_has_a_lower_case_of_two_characters() -> None:
    characters = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]

    assert [one for one in characters if len(one.lower()) != 1] == ["İ"]
