"""Lines of two texts side by side: matched by line, then taken apart into words, in bounded time."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from results.diff.words import LINE, WORD, common_prefix, common_suffix

COMPARED_LINES = 800  # of each text; above, lines are not matched
CONTEXT_LINES = 3  # equal lines kept beside a change when more are folded away
EXACT_WORK = 10_000  # pairs of words up to which repeated words may be matched; above, difflib passes over popular ones
MOST_WORK = 300_000  # pairs of words compared in all, about 50 ms
LINE_WORK = 300  # what a pair of lines costs beside its words
LONG_WORD = 24  # characters from which only the changed middle of a word is marked


class Change(StrEnum):
    """Where a line stands: in both texts, in one of them, or folded away."""

    SAME = "same"
    EXPECTED = "expected"
    ANSWER = "answer"
    FOLDED = "folded"


@dataclass(frozen=True)
class Stretch:
    """Some text of a line; the last one holds the line feed, where there is one."""

    text: str
    is_changed: bool = False


@dataclass(frozen=True)
class DiffLine:
    """One line, or many equal ones that are folded away.

    Numbers count from 1 and are None where the line is not in that text. `folded` is how many lines a fold stands for.
    """

    change: Change
    expected_number: int | None
    answer_number: int | None
    stretches: tuple[Stretch, ...]
    folded: int = 0


@dataclass(frozen=True)
class Tally:
    """What only one of the two texts has: words and marks, line ends, runs of other white space."""

    words: int
    line_ends: int
    spaces: int


class Matcher:
    """Puts the lines of two texts side by side; once too many words were compared, lines are marked as a whole."""

    def __init__(self, first_number: int) -> None:
        self.lines: list[DiffLine] = []
        self.is_by_word = True
        self._numbers = (first_number, first_number)
        self._work = MOST_WORK

    def match(self, expected: list[str], answer: list[str]) -> None:
        """Add the lines of both texts."""
        if max(len(expected), len(answer)) > COMPARED_LINES:
            self._changed(expected, answer)
            return
        for kind, low, high, other_low, other_high in self._opcodes(expected, answer):
            if kind == "equal":
                for line in expected[low:high]:
                    self._add(Change.SAME, (Stretch(line),))
            else:
                self._changed(expected[low:high], answer[other_low:other_high])

    def _changed(self, expected: list[str], answer: list[str]) -> None:
        """Lines that differ: paired where both have as many, else taken as one text, since line ends may have moved."""
        if len(expected) == len(answer):
            for pair in zip(expected, answer, strict=True):
                for change, stretches in zip((Change.EXPECTED, Change.ANSWER), self._words(*pair), strict=True):
                    self._add(change, stretches)
            return
        sides = self._words("".join(expected), "".join(answer))
        for change, stretches in zip((Change.EXPECTED, Change.ANSWER), sides, strict=True):
            for line in _by_line(stretches):
                self._add(change, line)

    def _words(self, expected: str, answer: str) -> tuple[tuple[Stretch, ...], tuple[Stretch, ...]]:
        if not expected or not answer:
            return _whole(expected), _whole(answer)
        words, others = WORD.findall(expected), WORD.findall(answer)
        self._work -= LINE_WORK + len(words) * len(others)
        if self._work < 0:
            self.is_by_word = False
            return _whole(expected), _whole(answer)
        left: list[Stretch] = []
        right: list[Stretch] = []
        for kind, low, high, other_low, other_high in self._opcodes(words, others):
            texts = ("".join(words[low:high]), "".join(others[other_low:other_high]))
            if kind == "equal":
                left.append(Stretch(texts[0]))
                right.append(Stretch(texts[1]))
            else:
                left += _middle(*texts)
                right += _middle(*reversed(texts))
        return _joined(left), _joined(right)

    @staticmethod
    def _opcodes(first: list[str], second: list[str]) -> Sequence[tuple[str, int, int, int, int]]:
        is_exact = len(first) * len(second) <= EXACT_WORK
        return SequenceMatcher(None, first, second, autojunk=not is_exact).get_opcodes()

    def _add(self, change: Change, stretches: tuple[Stretch, ...]) -> None:
        expected, answer = self._numbers
        is_expected, is_answer = change is not Change.ANSWER, change is not Change.EXPECTED
        if stretches:
            numbers = (expected if is_expected else None, answer if is_answer else None)
            self.lines.append(DiffLine(change, *numbers, stretches))
            self._numbers = (expected + is_expected, answer + is_answer)


def _whole(text: str) -> tuple[Stretch, ...]:
    return (Stretch(text, is_changed=True),) if text else ()


def _middle(text: str, other: str) -> list[Stretch]:
    """Changed text; of a long word that begins or ends like the other one, only what is between is marked."""
    if min(len(text), len(other)) < LONG_WORD:
        return [Stretch(text, is_changed=True)]
    prefix = common_prefix(text, other)
    suffix = common_suffix(text, other, prefix)
    end = len(text) - suffix
    return [Stretch(text[:prefix]), Stretch(text[prefix:end], is_changed=True), Stretch(text[end:])]


def _joined(stretches: Iterable[Stretch]) -> tuple[Stretch, ...]:
    """Neighbours of one kind made one, empty ones left out."""
    found: list[Stretch] = []
    for stretch in stretches:
        if found and found[-1].is_changed == stretch.is_changed:
            found[-1] = Stretch(found[-1].text + stretch.text, stretch.is_changed)
        elif stretch.text:
            found.append(stretch)
    return tuple(found)


def _by_line(stretches: Iterable[Stretch]) -> Iterator[tuple[Stretch, ...]]:
    line: list[Stretch] = []
    for stretch in stretches:
        for text in LINE.findall(stretch.text):
            line.append(Stretch(text, stretch.is_changed))
            if text.endswith("\n"):
                yield tuple(line)
                line = []
    if line:
        yield tuple(line)


def folded(lines: list[DiffLine]) -> Iterator[DiffLine]:
    """The lines, with long runs of equal ones folded away."""
    position = 0
    while position < len(lines):
        end = position
        while end < len(lines) and lines[end].change is Change.SAME:
            end += 1
        first = position + (CONTEXT_LINES if position else 0)
        last = end - (CONTEXT_LINES if end < len(lines) else 0)
        if last - first > 2 * CONTEXT_LINES and (position or end < len(lines)):
            yield from lines[position:first]
            yield DiffLine(Change.FOLDED, None, None, (), last - first)
            position = last
        yield from lines[position : end + 1]
        position = end + 1


def tally(lines: Iterable[DiffLine], change: Change) -> Tally:
    """Count what is marked in the lines of one side."""
    changed = [
        word
        for line in lines
        if line.change is change
        for stretch in line.stretches
        if stretch.is_changed
        for word in WORD.findall(stretch.text)
    ]
    line_ends = changed.count("\n")
    spaces = sum(word.isspace() for word in changed) - line_ends
    return Tally(len(changed) - line_ends - spaces, line_ends, spaces)
