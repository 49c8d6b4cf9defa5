"""Two texts compared character by character: Myers' shortest path, searched from both ends, with known shortcuts.

The shortcuts (a text inside the other, a common half) and their order are those of Google's diff-match-patch, so that
the changes are those that it would find. Source: E. Myers, An O(ND) Difference Algorithm and Its Variations, 1986.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from results.diff.words import common_prefix, common_suffix

MOST_STEPS = 200_000  # of the search for one pair of texts, about 0.3 s; beyond, what is left counts as replaced
SHORTEST_HALF = 4  # characters of a text whose half may be searched for


class Kind(Enum):
    """What happens to a stretch of text; the values are the marks in a patch."""

    DELETE = "-"
    EQUAL = " "
    INSERT = "+"


@dataclass(frozen=True)
class Edit:
    """A stretch of text that is kept, deleted or inserted."""

    kind: Kind
    text: str


@dataclass(frozen=True)
class _Half:
    """A common stretch at least half as long as the longer text, and what stands around it in both."""

    long_before: str
    long_after: str
    short_before: str
    short_after: str
    common: str


@dataclass
class _Budget:
    """Steps that the search may still take."""

    steps: int


class _Front:
    """How far the search from one end has come, per diagonal."""

    def __init__(self, before: str, after: str, size: int) -> None:
        self.before, self.after = before, after
        self.middle = size
        self.reached = [-1] * (2 * size + 2)
        self.reached[size + 1] = 0
        self.low = self.high = 0  # diagonals beyond the texts, left out

    def diagonals(self, distance: int) -> range:
        """The diagonals of one more edit."""
        return range(-distance + self.low, distance - self.high + 1, 2)

    def advance(self, diagonal: int, distance: int) -> int:
        """Go on along a diagonal as far as the texts are equal; say how far into the first one."""
        place = self.middle + diagonal
        is_down = diagonal == -distance or (diagonal != distance and self.reached[place - 1] < self.reached[place + 1])
        here = self.reached[place + 1] if is_down else self.reached[place - 1] + 1
        there = here - diagonal
        before, after = self.before, self.after
        while here < len(before) and there < len(after) and before[here] == after[there]:
            here, there = here + 1, there + 1
        self.reached[place] = here
        if here > len(before):
            self.high += 2
        elif there > len(after):
            self.low += 2
        return here

    def at(self, diagonal: int) -> int:
        """How far the diagonal was followed; -1 when it was not."""
        place = self.middle + diagonal
        return self.reached[place] if 0 <= place < 2 * self.middle else -1


def edits_between(before: str, after: str) -> list[Edit]:
    """The edits that turn one text into another; neighbours are of different kinds, a deletion before an insertion."""
    return _edits(before, after, _Budget(MOST_STEPS))


def merged(edits: Iterable[Edit]) -> list[Edit]:
    """The same change with neighbours of one kind joined, common ends taken out, and needless equalities moved away."""
    current = list(edits)
    while True:
        current = _joined(current)
        if not _shift_over_equalities(current):
            return current


def _edits(before: str, after: str, budget: _Budget) -> list[Edit]:
    if before == after:
        return [Edit(Kind.EQUAL, before)] if before else []
    start = common_prefix(before, after)
    end = common_suffix(before, after, start)
    middle = _differing(before[start : len(before) - end], after[start : len(after) - end], budget)
    return merged([Edit(Kind.EQUAL, before[:start]), *middle, Edit(Kind.EQUAL, before[len(before) - end :])])


def _differing(before: str, after: str, budget: _Budget) -> list[Edit]:
    """The edits between texts that begin and end differently."""
    if not before or not after:
        return [Edit(Kind.DELETE, before)] if before else [Edit(Kind.INSERT, after)]
    is_shrinking = len(before) > len(after)
    long, short = (before, after) if is_shrinking else (after, before)
    place = long.find(short)
    if place >= 0:
        kind = Kind.DELETE if is_shrinking else Kind.INSERT
        return [Edit(kind, long[:place]), Edit(Kind.EQUAL, short), Edit(kind, long[place + len(short) :])]
    if len(short) == 1:
        return [Edit(Kind.DELETE, before), Edit(Kind.INSERT, after)]
    half = _common_half(long, short)
    if half is None:
        return _bisected(before, after, budget)
    first, second = (half.long_before, half.short_before), (half.long_after, half.short_after)
    if not is_shrinking:
        first, second = first[::-1], second[::-1]
    return [*_edits(*first, budget), Edit(Kind.EQUAL, half.common), *_edits(*second, budget)]


def _common_half(long: str, short: str) -> _Half | None:
    if len(long) < SHORTEST_HALF or len(short) * 2 < len(long):
        return None
    second_quarter = _half_around(long, short, (len(long) + 3) // 4)
    third_quarter = _half_around(long, short, (len(long) + 1) // 2)
    if second_quarter is None or third_quarter is None:
        return second_quarter or third_quarter
    return second_quarter if len(second_quarter.common) > len(third_quarter.common) else third_quarter


def _half_around(long: str, short: str, place: int) -> _Half | None:
    """The longest common stretch around a quarter of the longer text that begins at `place`."""
    seed = long[place : place + len(long) // 4]
    best: tuple[int, int, int] | None = None
    found = short.find(seed)
    while found >= 0:
        ahead = common_prefix(long[place:], short[found:])
        behind = common_suffix(long[:place], short[:found], 0)
        if best is None or ahead + behind > sum(best[1:]):
            best = (found, behind, ahead)
        found = short.find(seed, found + 1)
    if best is None or sum(best[1:]) * 2 < len(long):
        return None
    found, behind, ahead = best
    return _Half(
        long[: place - behind],
        long[place + ahead :],
        short[: found - behind],
        short[found + ahead :],
        short[found - behind : found + ahead],
    )


def _bisected(before: str, after: str, budget: _Budget) -> list[Edit]:
    """Split where the searches from both ends meet, and go on with the two parts."""
    size = (len(before) + len(after) + 1) // 2
    front, back = _Front(before, after, size), _Front(before[::-1], after[::-1], size)
    slant = len(before) - len(after)
    for distance in range(size):
        if budget.steps < 0:
            break
        for search, other, is_met_here in ((front, back, slant % 2 != 0), (back, front, slant % 2 == 0)):
            diagonals = search.diagonals(distance)
            budget.steps -= len(diagonals)
            for diagonal in diagonals:
                low, high = search.low, search.high
                here = search.advance(diagonal, distance)
                is_inside = (low, high) == (search.low, search.high)
                met = other.at(slant - diagonal) if is_inside and is_met_here else -1
                if met >= 0 and here + met >= len(before):
                    at = here if search is front else met
                    on = at - (diagonal if search is front else slant - diagonal)
                    return [*_edits(before[:at], after[:on], budget), *_edits(before[at:], after[on:], budget)]
    return [Edit(Kind.DELETE, before), Edit(Kind.INSERT, after)]


def _joined(edits: Sequence[Edit]) -> list[Edit]:
    out: list[Edit] = []
    deleted = inserted = ""
    for edit in [*edits, Edit(Kind.EQUAL, "")]:
        if edit.kind is Kind.DELETE:
            deleted += edit.text
        elif edit.kind is Kind.INSERT:
            inserted += edit.text
        else:
            start = common_prefix(deleted, inserted)
            end = common_suffix(deleted, inserted, start)
            _append(out, Edit(Kind.EQUAL, deleted[:start]))
            _append(out, Edit(Kind.DELETE, deleted[start : len(deleted) - end]))
            _append(out, Edit(Kind.INSERT, inserted[start : len(inserted) - end]))
            _append(out, Edit(Kind.EQUAL, deleted[len(deleted) - end :] + edit.text))
            deleted = inserted = ""
    return out


def _append(edits: list[Edit], edit: Edit) -> None:
    if edit.text and edits and edits[-1].kind is edit.kind:
        edits[-1] = Edit(edit.kind, edits[-1].text + edit.text)
    elif edit.text:
        edits.append(edit)


def _shift_over_equalities(edits: list[Edit]) -> bool:
    """Move single edits so that an equality beside them vanishes: A<BA>C becomes <AB>AC. Say whether any was."""
    place, has_moved = 1, False
    while place < len(edits) - 1:
        left, edit, right = edits[place - 1 : place + 2]
        if left.kind is Kind.EQUAL and right.kind is Kind.EQUAL:
            if edit.text.endswith(left.text):
                moved = left.text + edit.text[: len(edit.text) - len(left.text)]
                edits[place - 1 : place + 2] = [Edit(edit.kind, moved), Edit(Kind.EQUAL, left.text + right.text)]
                has_moved = True
            elif edit.text.startswith(right.text):
                moved = edit.text[len(right.text) :] + right.text
                edits[place - 1 : place + 2] = [Edit(Kind.EQUAL, left.text + right.text), Edit(edit.kind, moved)]
                has_moved = True
        place += 1
    return has_moved
