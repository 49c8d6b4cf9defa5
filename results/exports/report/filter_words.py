"""A filter as a sentence, for readers who have no page with chips before them."""

from collections.abc import Mapping

from results.filters import KEYS, RESULT, SPANS, UNSPECIFIED, Choice, ResultFilter
from results.formats import count, named

CALLED = {"duration": "model time", "mismatch": "type mismatch", "judge": "judge took part", "priced": "price"}
NO_NAME = "(no name)"
Labels = Mapping[str, str]


def filter_words(chosen: ResultFilter, evaluations: Labels) -> tuple[str, ...]:
    """One phrase for each filter in force, such as `outcome failed or error`; none when everything is meant.

    Args:
        chosen: the filter.
        evaluations: names by id as text; one without a name is called by its number.
    """
    phrases = []
    for key in KEYS:
        labels = evaluations if key == "evaluation" else {}
        joint = "and" if key == "tag" and chosen.is_every_tag else "or"
        phrases += _choice(key, chosen.choice(key), labels, joint)
    phrases += [f"{_called(key)} {SPANS[key].text(span)}" for key in SPANS if (span := chosen.span(key))]
    if chosen.text:
        phrases.append(f"text {chosen.text}")
    return tuple(phrases)


def _choice(key: str, choice: Choice, labels: Labels, joint: str) -> list[str]:
    if key == RESULT and choice:
        return [f"{count(len(choice.included) + len(choice.excluded))} results picked one by one"]
    phrases = []
    if choice.included:
        words = [_label(value, labels) for value in choice.included]
        phrases.append(f"{_called(key)} {f' {joint} '.join(words)}")
    if choice.excluded:
        words = [_label(value, labels) for value in choice.excluded]
        phrases.append(f"{_called(key)} not {' nor '.join(words)}")
    return phrases


def _label(value: str | None, labels: Labels) -> str:
    if value == "":
        return NO_NAME
    return labels.get(value or "") or named(value, UNSPECIFIED)


def _called(key: str) -> str:
    return CALLED.get(key, key.replace("_", " "))
