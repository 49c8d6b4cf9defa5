"""The answer is compared with the accepted answer that it is nearest to, and the page says how."""

from typing import Any

import msgspec
import pytest
from django.http import QueryDict

from frontend.contexts.answers import Answers
from frontend.contexts.comparison import ComparisonPanel
from frontend.shown_diff import DiffPart, diff_parts
from frontend.templatetags.diff import diff_text
from results.diff.lines import Change, DiffLine, Stretch
from results.records import AnswerDetails, Details, ResultKind, RunResult


def panel(
    got: Any,
    want: Any,
    query: str = "",
    kind: ResultKind = ResultKind.FAILED,
    actual: list[str] | None = None,
    expected: list[list[str]] | None = None,
) -> ComparisonPanel | None:
    answer = AnswerDetails(actual_answer=actual or [], expected_answer=expected)
    raw = [value if isinstance(value, bytes) else msgspec.json.encode(value) for value in (got, want)]
    record = RunResult(kind=kind, got=msgspec.Raw(raw[0]), want=msgspec.Raw(raw[1]), details=Details(answer=answer))
    return ComparisonPanel.build(Answers.build(record), QueryDict(query))


def made(*arguments: Any, **options: Any) -> ComparisonPanel:
    found = panel(*arguments, **options)
    assert found is not None
    return found


def text_of(found: ComparisonPanel, change: Change) -> str:
    return "".join(part.text for line in found.lines if line.change is change for part in line.stretches)


@pytest.mark.parametrize("kind", [ResultKind.ERROR, ResultKind.SKIPPED])
def test_a_message_is_not_compared(kind: ResultKind) -> None:
    assert panel("timed out", "blue", kind=kind) is None


@pytest.mark.parametrize("want", [b"null", b""])
def test_without_an_accepted_answer_nothing_is_compared(want: bytes) -> None:
    assert panel("blue", want) is None


def test_texts_are_compared_as_they_were_written() -> None:
    found = made("(2,1)", "(7,6)", actual=["(2, 1)"], expected=[["(7, 6)"]])
    assert text_of(found, Change.ANSWER) == "(2, 1)"


def test_the_nearest_accepted_answer_is_taken() -> None:
    found = made("b c", ["x y", "b d"], expected=[["x y"], ["b d"]], actual=["b c"])
    assert [(link.number, link.is_nearest, link.is_current) for link in found.accepted] == [
        (1, False, False),
        (2, True, True),
    ]


def test_the_address_can_ask_for_another_accepted_answer() -> None:
    found = made("b c", ["x y", "b d"], "want=1", expected=[["x y"], ["b d"]], actual=["b c"])
    assert text_of(found, Change.EXPECTED) == "x y"


@pytest.mark.parametrize("want", ["3", "0", "-1", "x", "²", "9999999999"])
def test_an_accepted_answer_that_does_not_exist_is_not_asked_for(want: str) -> None:
    found = made("b c", ["x y", "b d"], f"want={want}", expected=[["x y"], ["b d"]], actual=["b c"])
    assert found.caption == "Answer against accepted answer 2 of 2"


def test_a_list_is_compared_as_json() -> None:
    found = made([True, False], [["x"], [True, True]], expected=[["x"], ["[true, true]"]])
    assert (found.lines[0].stretches[0].text, text_of(found, Change.ANSWER)) == ("[\n", "  false\n")


def test_a_list_that_equals_the_only_accepted_one_is_the_same() -> None:
    found = made([True, False], [True, False], kind=ResultKind.PASSED)
    assert (found.summary, found.has_changes) == ("The same, character by character", False)


def test_an_object_against_a_text_is_compared_as_text_and_says_so() -> None:
    found = made({"verdict": "pass"}, "pass")
    assert found.warnings == ("The types differ: the answer is an object, the accepted answer a text.",)
    assert text_of(found, Change.EXPECTED) == "pass"


def test_a_number_against_the_text_of_it_says_that_only_the_types_differ() -> None:
    found = made(2, "2")
    assert found.summary == "The characters are the same, the types are not"
    assert found.warnings == ("The types differ: the answer is a number, the accepted answer a text.",)


def test_true_and_false_are_of_one_type() -> None:
    assert made(True, False).warnings == ()


def test_one_accepted_list_of_objects_is_compared_as_a_whole() -> None:
    value = [{"a": 1}, {"b": 2}]
    found = made(value, value, expected=[["x"]], kind=ResultKind.PASSED)
    assert (found.accepted, found.has_changes) == ((), False)


def test_two_accepted_objects_are_compared_one_by_one() -> None:
    found = made([{"a": 1}], [{"a": 1}, {"b": 2}], expected=[["x"], ["y"]])
    assert len(found.accepted) == 2


def test_the_order_of_keys_and_white_space_do_not_differ_in_json() -> None:
    found = made(b'{"b":1,"a":2}', b'{"a":2,"b":1}')
    assert (found.has_changes, found.notes) == (
        False,
        ("Compared as JSON: keys in alphabetical order on both sides, number tokens as written.",),
    )


def test_number_tokens_are_exact_in_a_comparison() -> None:
    found = made(b'{"n":9007199254740993}', b'{"n":9007199254740992}')
    assert text_of(found, Change.ANSWER) == '  "n": 9007199254740993\n'


def test_only_white_space_is_said() -> None:
    assert made("a b", "a  b").summary == "Only white space differs"


def test_what_differs_is_counted() -> None:
    found = made("a x y", "a b\nc", actual=["a x y"], expected=[["a b", "c"]])
    assert found.summary.replace("\N{NO-BREAK SPACE}", " ") == (
        "2 words, 1 line end only in the accepted answer; 2 words only in the answer"
    )


def test_lines_stand_side_by_side() -> None:
    found = made("a\nx", "a\nb\nc", "view=side")
    assert [(pair.expected is not None, pair.answer is not None) for pair in found.sides] == [
        (True, True),
        (True, True),
        (True, False),
    ]


def test_an_unknown_view_is_the_comparison() -> None:
    assert made("a", "b", "view=nonsense").view == "diff"


def test_a_view_keeps_the_rest_of_the_address() -> None:
    assert made("a", "b", "outcome=failed&want=1").views[1].href == "?outcome=failed&want=1&view=side"


def test_a_giant_list_is_compared_where_it_differs() -> None:
    numbers = b",".join([b"1"] * 300_000)
    found = made(b"[" + numbers + b",2," + numbers + b"]", b"[" + numbers + b",3," + numbers + b"]", expected=[["x"]])
    assert (text_of(found, Change.ANSWER), len(found.lines) < 1_000) == ("  2,\n", True)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a b", [DiffPart("a"), DiffPart(" ", "·"), DiffPart("b")]),
        ("a  b", [DiffPart("a"), DiffPart("  ", "··"), DiffPart("b")]),
        ("\t\n", [DiffPart("\t", "→"), DiffPart("", "↵")]),
        ("\u00a0", [DiffPart("\u00a0", "⍽")]),
        ("\r\n", [DiffPart("U+000D", is_hidden=True), DiffPart("", "↵")]),
        ("\u202ea", [DiffPart("U+202E", is_hidden=True), DiffPart("a")]),
    ],
)
def test_white_space_and_hidden_characters_are_drawn(text: str, parts: list[DiffPart]) -> None:
    assert list(diff_parts(text, has_marks=True)) == parts


def test_without_marks_spaces_stay_text() -> None:
    assert list(diff_parts("a b\u200b\n", has_marks=False)) == [DiffPart("a b"), DiffPart("U+200B", is_hidden=True)]


def test_compared_markup_is_text() -> None:
    line = DiffLine(Change.ANSWER, None, 1, (Stretch("<img src=x>", is_changed=True), Stretch(" y")))
    assert diff_text(line, "changed") == ('<del>&lt;img<span class="ws" data-ws="·"> </span>src=x&gt;</del> y')


def test_the_same_text_has_no_white_space_drawn_over_it() -> None:
    same = made("a b", "a b", actual=["a b"], expected=[["a b"]])
    assert (same.summary, same.spaces) == ("The same, character by character", "none")
