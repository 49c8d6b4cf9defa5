"""Active filters as chips that read as a sentence; each can be taken away or turned into its opposite."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import QueryDict

from frontend.contexts.columns import changed, replaced
from frontend.contexts.filter_words import choice_names, key_word, span_names
from frontend.contexts.spans import span_sentence
from frontend.formats import count, named
from results.filters import RESULT, UNSPECIFIED, Choice, ResultFilter, written

NOT_KEPT = ("page", "more", "find", "open", "tags")  # when every filter is taken away
Labels = Mapping[str, Mapping[str | None, str]]  # key -> value -> what a reader sees


@dataclass(frozen=True)
class Chip:
    """One active filter.

    Attributes:
        stem: what tells its links apart from those of other chips.
        key: the filter's name in a sentence.
        text: what is asked for, such as `failed or error`.
        is_negative: it says what is left out.
        flip_href: the page with the opposite; empty when there is none.
        remove_href: the page without it.
    """

    stem: str
    key: str
    text: str
    is_negative: bool
    flip_href: str
    remove_href: str


def chips_of(asked: ResultFilter, labels: Labels, params: QueryDict) -> tuple[Chip, ...]:
    """The chips of a filter: choices, then ranges, then the text.

    Args:
        asked: the filter of the address alone.
        labels: of values that are not called by themselves, such as ids of evaluations.
        params: the page's query.
    """
    chips = [
        chip for name in (*choice_names(), RESULT) for chip in _choice_chips(name, asked, labels.get(name, {}), params)
    ]
    chips += [
        Chip(name, key_word(name), span_sentence(name, span), False, "", replaced(params, name, ()))
        for name in span_names()
        if (span := asked.span(name))
    ]
    if asked.text:
        chips.append(Chip("q", key_word("q"), asked.text, False, "", replaced(params, "q", ())))
    return tuple(chips)


def clear_href(asked: ResultFilter, params: QueryDict) -> str:
    """The page without any filter; empty when there is none."""
    keys = dict.fromkeys((*NOT_KEPT, *(name for name, _ in asked.pairs())))
    return changed(params, **keys) if asked else ""


def _choice_chips(name: str, asked: ResultFilter, labels: Mapping[str | None, str], params: QueryDict) -> list[Chip]:
    choice, key = asked.choice(name), key_word(name)
    kept, left_out = Choice(choice.included), Choice((), choice.excluded)
    chips = []
    if choice.included:
        flipped = Choice((), (*choice.excluded, *choice.included))
        joint = "and" if name == "tag" and asked.is_every_tag else "or"
        words = _words(name, choice.included, labels)
        text = _listed(words, joint)
        hrefs = (replaced(params, name, written(change)) for change in (flipped, left_out))
        chips.append(Chip(name, key, text, False, *hrefs))
    if choice.excluded:
        flipped = Choice((*choice.included, *choice.excluded))
        words = _words(name, choice.excluded, labels)
        text = f"not {words[0]}" if len(words) == 1 else f"neither {_listed(words, 'nor')}"
        hrefs = (replaced(params, name, written(change)) for change in (flipped, kept))
        chips.append(Chip(f"{name}-not", key, text, True, *hrefs))
    return chips


def _words(name: str, values: tuple[str | None, ...], labels: Mapping[str | None, str]) -> list[str]:
    """The values as they are called; results have numbers only, so that these are counted."""
    return [_chosen(len(values))] if name == RESULT else [_label(value, labels) for value in values]


def _chosen(number: int) -> str:
    return "the chosen one" if number == 1 else f"one of {count(number)} chosen"


def _label(value: str | None, labels: Mapping[str | None, str]) -> str:
    found = labels.get(value)
    return found if found and found != value else named(None if value is None else value or "(no name)", UNSPECIFIED)


def _listed(words: list[str], joint: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}"
