"""Which of several accepted answers an answer is most like."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from results.diff.texts import Difference, difference_of
from results.diff.words import WORD

SIMILAR_CHARACTERS = 4_000  # of each text that are looked at to find the nearest


def nearest(answer: str, candidates: Sequence[str]) -> int:
    """The place of the candidate that is most like the answer, counted from 0; the first of equals.

    Args:
        answer: a text.
        candidates: at least one. Equal texts are nearest, then those that differ in white space only, then in letter
            case only, then by the words and pairs of words that both have at their beginning.
    """
    bag = _bag(answer)
    return max(range(len(candidates)), key=lambda place: (_likeness(answer, bag, candidates[place]), -place))


def _likeness(answer: str, bag: Counter[str], candidate: str) -> tuple[int, float]:
    if answer == candidate:
        return (2, 1.0)
    other = _bag(candidate)
    size = bag.total() + other.total()
    head, other_head = answer[:SIMILAR_CHARACTERS], candidate[:SIMILAR_CHARACTERS]
    is_close = difference_of(head, other_head) is not Difference.TEXT
    return (int(is_close), 2 * (bag & other).total() / size if size else 0.0)


def _bag(text: str) -> Counter[str]:
    """Words and pairs of neighbouring words; Dice's coefficient of two bags is between 0 and 1."""
    words = [word for word in WORD.findall(text[:SIMILAR_CHARACTERS].casefold()) if not word.isspace()]
    return Counter([*words, *map("\n".join, pairwise(words))])
