"""Texts are compared by line, then by word; hand-made tables say what differs."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from results.diff.lines import Change, DiffLine, Tally
from results.diff.texts import Comparison, Difference, compare_texts

SHORT = {Change.SAME: " ", Change.EXPECTED: "+", Change.ANSWER: "-", Change.FOLDED: "~"}
BUDGET_S = 10.0  # of processor time; without a bound the worst of them takes minutes


def marked(line: DiffLine) -> str:
    """A line with its sign, changed text in brackets."""
    text = "".join(f"[{part.text}]" if part.is_changed else part.text for part in line.stretches)
    return f"{SHORT[line.change]}{text or line.folded}"


def lines(expected: str, answer: str) -> list[str]:
    return [marked(line) for line in compare_texts(expected, answer).lines]


@pytest.mark.parametrize(
    ("expected", "answer", "shown"),
    [
        ("a", "a", [" a"]),
        ("", "", []),
        ("", "a", ["-[a]"]),
        ("a", "", ["+[a]"]),
        ("a b", "a c", ["+a [b]", "-a [c]"]),
        ("a  b", "a b", ["+a[  ]b", "-a[ ]b"]),
        ("a\n", "a", ["+a[\n]", "-a"]),
        ("a\r\n", "a\n", ["+a[\r]\n", "-a\n"]),
        ("one\ntwo\nthree", "one\n2\nthree", [" one\n", "+[two]\n", "-[2]\n", " three"]),
        ("a b c", "a b\nc", ["+a b[ ]c", "-a b[\n]", "-c"]),
        ("x=109772", "x=109773", ["+x=[109772]", "-x=[109773]"]),
        ("東京都", "東京市", ["+東京[都]", "-東京[市]"]),
        ("a\nb", "b", ["+[a\n]", " b"]),
    ],
)
def test_only_what_differs_is_marked(expected: str, answer: str, shown: list[str]) -> None:
    assert lines(expected, answer) == shown


def test_lines_of_both_texts_are_numbered() -> None:
    found = compare_texts("a\nb\nc", "a\nc").lines
    assert [(line.expected_number, line.answer_number) for line in found] == [(1, 1), (2, None), (3, 2)]


@pytest.mark.parametrize(
    ("expected", "answer", "difference"),
    [
        ("a b", "a b", Difference.NONE),
        ("a b", "ab\n", Difference.WHITE_SPACE),
        ("A b", "ab", Difference.CASE),
        ("a", "b", Difference.TEXT),
        ("2", "2.0", Difference.TEXT),
    ],
)
def test_the_kind_of_difference_is_known(expected: str, answer: str, difference: Difference) -> None:
    assert compare_texts(expected, answer).difference is difference


def test_words_line_ends_and_spaces_are_counted_for_each_side() -> None:
    found = compare_texts("(7, 6)\n(8, 13)\n", "(2, 1)\n(14,  16)")
    assert (found.expected, found.answer) == (Tally(4, 1, 1), Tally(4, 0, 1))


def test_long_runs_of_equal_lines_are_folded() -> None:
    same = [f"line {number}\n" for number in range(40)]
    shown = lines("".join([*same, "a"]), "".join([*same, "b"]))
    assert shown == ["~37", " line 37\n", " line 38\n", " line 39\n", "+[a]", "-[b]"]


def test_equal_texts_are_not_folded() -> None:
    assert len(lines("x\n" * 30, "x\n" * 30)) == 30


def test_a_long_word_shows_where_it_differs() -> None:
    assert lines("A" * 30 + "B" + "C" * 30, "A" * 30 + "D" + "C" * 30)[0] == "+" + "A" * 30 + "[B]" + "C" * 30


def test_a_change_in_the_middle_of_giant_texts_is_found() -> None:
    half = "x" * 10_000_000
    found = compare_texts(half + "a" + half, half + "b" + half)
    assert [marked(line).strip("+-x") for line in found.lines] == ["[a]", "[b]"]
    assert (found.before, found.expected_after, found.is_cut) == (9_999_600, 9_999_600, False)


def test_a_change_deep_in_many_lines_keeps_its_number() -> None:
    found = compare_texts("same\n" * 10_000 + "a\n", "same\n" * 10_000 + "b\n")
    assert found.lines[-1].answer_number == 10_001


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ("0 1 " * 5_000, "1 0 0 " * 4_000),
        ("0\n1\n" * 5_000, "1\n0\n0\n" * 3_000),
        ("x" * 20_000_000, "y" * 20_000_000),
        ("".join(f"{n}\n" for n in range(5_000)), "".join(f"{2 * n}\n" for n in range(5_000))),
        ("\n".join("0 1 1 0 " * 12 for _ in range(200)), "\n".join("1 0 0 1 " * 12 for _ in range(201))),
    ],
    ids=["words alike", "lines alike", "one giant word", "many lines", "grids"],
)
def test_the_worst_texts_take_bounded_time(expected: str, answer: str) -> None:
    began = time.process_time()
    compare_texts(expected, answer)
    assert time.process_time() - began < BUDGET_S


def test_giving_up_on_words_is_said() -> None:
    assert not compare_texts("0 1 " * 1_000, "1 0 0 " * 1_000).is_by_word


def texts_of(found: Comparison) -> tuple[str, str]:
    """Both texts, put together again from the lines."""
    sides = ((Change.SAME, Change.EXPECTED), (Change.SAME, Change.ANSWER))
    expected, answer = (
        "".join(part.text for line in found.lines if line.change in side for part in line.stretches) for side in sides
    )
    return expected, answer


@given(st.text("ab \n\t\r", max_size=60), st.text("ab \n\t\r", max_size=60))
def test_nothing_is_lost(expected: str, answer: str) -> None:
    found = compare_texts(expected, answer)
    if all(line.change is not Change.FOLDED for line in found.lines):
        assert texts_of(found) == (expected, answer)
