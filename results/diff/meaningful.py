"""Edits made readable: chance equalities between large changes go, and edits begin and end at words and lines."""

import re

from results.diff.characters import Edit, Kind, merged
from results.diff.words import common_suffix

_WORD = re.compile(r"[a-zA-Z0-9]")
_BLANK_LINE = re.compile(r"\n\r?\n\Z")
EDGE, BLANK_LINE, LINE, SENTENCE, SPACE, PUNCTUATION, INSIDE_WORD = 6, 5, 4, 3, 2, 1, 0  # how good a place to cut is


def made_meaningful(edits: list[Edit]) -> list[Edit]:
    """The same change in fewer, larger edits, as diff-match-patch's semantic clean-up makes them."""
    return _with_overlaps(_aligned(_without_chance(edits)))


def _without_chance(edits: list[Edit]) -> list[Edit]:
    """Drop equalities that are no longer than the changes on both sides of them."""
    edits, has_changed, place = list(edits), False, 0
    equalities: list[int] = []
    equality = ""
    earlier, since = dict.fromkeys(Kind, 0), dict.fromkeys(Kind, 0)  # characters changed on both sides of an equality
    while place < len(edits):
        edit = edits[place]
        if edit.kind is Kind.EQUAL:
            equalities.append(place)
            earlier, since, equality = since, dict.fromkeys(Kind, 0), edit.text
        else:
            since[edit.kind] += len(edit.text)
            if equality and len(equality) <= min(max(earlier.values()), max(since.values())):
                at = equalities.pop()
                edits[at : at + 1] = [Edit(Kind.DELETE, equality), Edit(Kind.INSERT, equality)]
                if equalities:
                    equalities.pop()
                place = equalities[-1] if equalities else -1
                earlier, since = dict.fromkeys(Kind, 0), dict.fromkeys(Kind, 0)
                equality, has_changed = "", True
        place += 1
    return merged(edits) if has_changed else edits


def _aligned(edits: list[Edit]) -> list[Edit]:
    """Shift single edits sideways to the best place: The c<at c>ame becomes The <cat >came."""
    edits, place = list(edits), 1
    while place < len(edits) - 1:
        left, edit, right = edits[place - 1 : place + 2]
        if left.kind is Kind.EQUAL and right.kind is Kind.EQUAL:
            best = _best_shift(left.text, edit.text, right.text)
            if best[0] != left.text:
                parts = [Edit(Kind.EQUAL, best[0]), Edit(edit.kind, best[1]), Edit(Kind.EQUAL, best[2])]
                edits[place - 1 : place + 2] = [part for part in parts if part.text]
                place -= sum(1 for part in parts if not part.text)
        place += 1
    return edits


def _best_shift(left: str, edit: str, right: str) -> tuple[str, str, str]:
    shared = common_suffix(left, edit, 0)
    if shared:
        moved = edit[len(edit) - shared :]
        left, edit, right = left[: len(left) - shared], moved + edit[: len(edit) - shared], moved + right
    best, best_score = (left, edit, right), _score(left, edit) + _score(edit, right)
    while edit and right and edit[0] == right[0]:
        left, edit, right = left + edit[0], edit[1:] + right[0], right[1:]
        score = _score(left, edit) + _score(edit, right)
        if score >= best_score:  # later is better, so that white space ends an edit instead of beginning it
            best, best_score = (left, edit, right), score
    return best


def _score(one: str, two: str) -> int:
    if not one or not two:
        return EDGE
    last, first = one[-1], two[0]
    is_line = last in "\r\n" or first in "\r\n"
    if is_line and (_BLANK_LINE.search(one) or (first in "\r\n" and _BLANK_LINE.search(two))):
        return BLANK_LINE
    if is_line:
        return LINE
    is_space, is_space_next = last in "\t\f ", first in "\t\f "
    is_word, is_word_next = bool(_WORD.match(last)), bool(_WORD.match(first))
    if not is_word and not is_space and is_space_next:
        return SENTENCE
    if is_space or is_space_next:
        return SPACE
    return INSIDE_WORD if is_word and is_word_next else PUNCTUATION


def _with_overlaps(edits: list[Edit]) -> list[Edit]:
    """Find what ends a deletion and begins the insertion behind it, or the other way round, where it is half of one."""
    edits, place = list(edits), 1
    while place < len(edits):
        first, second = edits[place - 1 : place + 1]
        if first.kind is Kind.DELETE and second.kind is Kind.INSERT:
            deleted, inserted = first.text, second.text
            forward, backward = _overlap(deleted, inserted), _overlap(inserted, deleted)
            shared = max(forward, backward)
            if 2 * shared >= min(len(deleted), len(inserted)):
                if forward >= backward:
                    parts = (
                        Edit(Kind.DELETE, deleted[: len(deleted) - shared]),
                        Edit(Kind.EQUAL, inserted[:shared]),
                        Edit(Kind.INSERT, inserted[shared:]),
                    )
                else:
                    parts = (
                        Edit(Kind.INSERT, inserted[: len(inserted) - shared]),
                        Edit(Kind.EQUAL, deleted[:shared]),
                        Edit(Kind.DELETE, deleted[shared:]),
                    )
                edits[place - 1 : place + 1] = parts
                place += 1
            place += 1
        place += 1
    return edits


def _overlap(one: str, two: str) -> int:
    """Length of the longest end of one text that the other begins with."""
    most = min(len(one), len(two))
    one, two = one[len(one) - most :], two[:most]
    best, length = 0, 1
    while length <= most:
        found = two.find(one[most - length :])
        if found < 0:
            break
        length += found
        if two.startswith(one[most - length :]):
            best = length
            length += 1
    return best
