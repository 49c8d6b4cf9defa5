"""An answer against an accepted answer, in bounded time whatever the texts hold."""

from dataclasses import dataclass
from enum import StrEnum

from results.diff.lines import Change, DiffLine, Matcher, Tally, folded, tally
from results.diff.words import LINE, common_prefix, common_suffix

COMPARED_CHARACTERS = 20_000  # of each text: longer texts are compared around the place where they differ
CONTEXT_CHARACTERS = 400  # equal characters kept beside a change of a long text
MOST_CHARACTERS = 2_000_000  # of the part that differs: above, it is not asked whether white space alone does it


class Difference(StrEnum):
    """How much two texts differ."""

    NONE = "none"
    WHITE_SPACE = "white space"
    CASE = "letter case"
    TEXT = "text"


@dataclass(frozen=True)
class Comparison:
    """Two texts, compared.

    Attributes:
        lines: in order; a changed line of the accepted answer stands before that of the answer.
        expected, answer: what only the accepted answer, or only the answer, has within the lines compared.
        before: equal characters left out before the first line.
        expected_after, answer_after: characters left out after the last line.
        is_cut: what was left out after the last line was not compared.
        is_by_word: every changed line was taken apart into words; else some are marked as a whole.
    """

    lines: tuple[DiffLine, ...]
    difference: Difference
    expected: Tally
    answer: Tally
    before: int
    expected_after: int
    answer_after: int
    is_cut: bool
    is_by_word: bool


@dataclass(frozen=True)
class _Window:
    """The part of two texts that is compared; it begins at the same place in both."""

    start: int
    expected_end: int
    answer_end: int
    is_cut: bool


def compare_texts(expected: str, answer: str) -> Comparison:
    """Compare an answer with an accepted answer.

    Args:
        expected: the accepted answer.
        answer: the model's. Both may be of any size.

    Returns:
        The comparison. White space and letter case count; carriage returns are characters of their line.

    Source: lines and words are matched by `difflib` (Ratcliff and Obershelp, "Pattern Matching: the Gestalt Approach",
    Dr. Dobb's Journal, July 1988). It takes quadratic time at best and cubic time at worst; hence the limits above.
    """
    prefix = common_prefix(expected, answer)
    suffix = common_suffix(expected, answer, prefix)
    window = _window(expected, answer, prefix, suffix)
    matcher = Matcher(expected.count("\n", 0, window.start) + 1)
    matcher.match(
        LINE.findall(expected[window.start : window.expected_end]),
        LINE.findall(answer[window.start : window.answer_end]),
    )
    return Comparison(
        lines=tuple(folded(matcher.lines)),
        difference=difference_of(expected[prefix : len(expected) - suffix], answer[prefix : len(answer) - suffix]),
        expected=tally(matcher.lines, Change.EXPECTED),
        answer=tally(matcher.lines, Change.ANSWER),
        before=window.start,
        expected_after=len(expected) - window.expected_end,
        answer_after=len(answer) - window.answer_end,
        is_cut=window.is_cut,
        is_by_word=matcher.is_by_word,
    )


def difference_of(expected: str, answer: str) -> Difference:
    """What two texts differ in: nothing, white space, letter case (and perhaps white space), or more."""
    if expected == answer:
        return Difference.NONE
    if max(len(expected), len(answer)) > MOST_CHARACTERS:
        return Difference.TEXT
    expected, answer = "".join(expected.split()), "".join(answer.split())
    if expected == answer:
        return Difference.WHITE_SPACE
    return Difference.CASE if expected.casefold() == answer.casefold() else Difference.TEXT


def _window(expected: str, answer: str, prefix: int, suffix: int) -> _Window:
    """Short texts as a whole; of long ones what differs, with some context."""
    if max(len(expected), len(answer)) <= COMPARED_CHARACTERS:
        return _Window(0, len(expected), len(answer), is_cut=False)
    start = max(0, prefix - CONTEXT_CHARACTERS)
    if start and (line := expected.find("\n", start, prefix) + 1):
        start = line
    after = min(suffix, CONTEXT_CHARACTERS)
    if after < suffix:
        line = expected.rfind("\n", len(expected) - suffix, len(expected) - suffix + after) + 1
        after = line - (len(expected) - suffix) if line else after
    ends = (len(expected) - suffix + after, len(answer) - suffix + after)
    if max(ends) - start <= COMPARED_CHARACTERS:
        return _Window(start, *ends, is_cut=False)
    most = start + COMPARED_CHARACTERS
    return _Window(start, min(ends[0], most), min(ends[1], most), is_cut=True)
