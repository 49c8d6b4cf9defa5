"""Tasks picked by wildcards and regular expressions, and patterns that must not hold a page up."""

import time

import pytest

from results.queries.task_selection import REGULAR, SelectionError, TaskSelection

NAMES = ("visual1", "Visual 2 - maze", "chess, hard", "chess", "a+b?", "x*y", "first\nsecond", "ÄRGER")


def wildcard(text: str) -> set[str]:
    return set(TaskSelection(text).among(NAMES))


def regular(text: str) -> set[str]:
    return set(TaskSelection(text, REGULAR).among(NAMES))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("visual*", {"visual1", "Visual 2 - maze"}),
        ("chess", {"chess"}),
        ("visual1, chess", {"visual1", "chess"}),
        ("?isual1", {"visual1"}),
        ("a+b?", {"a+b?"}),
        (r"chess\, *", {"chess, hard"}),
        (r"x\*y", {"x*y"}),
        ("first*second", {"first\nsecond"}),
        ("ärg?r", {"ÄRGER"}),
        ("*z*", {"Visual 2 - maze"}),
        (",", set()),
    ],
)
def test_wildcards_are_anchored_and_ignore_case(text: str, found: set[str]) -> None:
    assert wildcard(text) == found


def test_no_pattern_selects_everything() -> None:
    assert wildcard("  ") == set(NAMES)


@pytest.mark.parametrize(("text", "found"), [(r"\d", {"visual1", "Visual 2 - maze"}), ("^CHESS$", {"chess"})])
def test_a_regular_expression_matches_anywhere(text: str, found: set[str]) -> None:
    assert regular(text) == found


@pytest.mark.parametrize("text", ["(", "(?=a)", "((((a{99}){99}){99}){99})", "x" * 1001])
def test_a_pattern_that_cannot_be_used_says_so(text: str) -> None:
    with pytest.raises(SelectionError, match="pattern"):
        regular(text)


@pytest.mark.parametrize(
    ("text", "syntax"), [("(a+)+$", REGULAR), ("(x+x+)+y", REGULAR), ("*a" * 100 + "*b", "wildcard")]
)
def test_a_pattern_that_backtracks_elsewhere_is_quick(text: str, syntax: str) -> None:
    names = [f"{'a' * 500}{'x' * 500}!{number}" for number in range(50)]
    began = time.thread_time()
    assert TaskSelection(text, syntax).among(names) == frozenset()
    assert time.thread_time() - began < 2


def test_names_with_lone_surrogates_are_matched_as_shown() -> None:
    assert TaskSelection("x?", "wildcard").among(["x\ud800"]) == {"x\ud800"}
