"""What a filter could still choose: the values of each key, counted under the other keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from results.facts.engine import answer
from results.facts.reading import Reading
from results.filters import CHOICES, UNSPECIFIED, Choice, ResultFilter
from results.models.evaluations import Evaluation
from results.queries.conditions import Plan, filtered, question
from results.queries.facet_counts import Counts, FacetReader
from results.queries.visibility import VisibleSet

FACETS = (
    "outcome",
    "provider",
    "run",
    "model",
    "suite",
    "category",
    "difficulty",
    "tag",
    "tool",
    "evaluation",
)


@dataclass(frozen=True)
class FacetOption:
    """One value and how many results have it under the other keys. `value` is None for unspecified."""

    value: str | None
    label: str
    count: int
    selected: bool
    excluded: bool


@dataclass(frozen=True)
class Facet:
    """The values of one key, most frequent first; chosen ones are listed even without results."""

    name: str
    options: tuple[FacetOption, ...]


@dataclass(frozen=True)
class Counted:
    """One value of a key and how many results have it."""

    value: str | None
    count: int


FacetValues: TypeAlias = tuple[tuple[Counted, ...], ...]


def facets(visible: VisibleSet, chosen: ResultFilter, names: Sequence[str] = FACETS) -> list[Facet]:
    """Count the values of some keys, each under the conditions of all other keys.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.
        names: any of `results.filters.CHOICES`, in the order wanted.

    Returns:
        One facet per name. A result counts once in each of its tags, tools and statuses of tool calls.

    Raises:
        KeyError: a name is not one of `CHOICES`.
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    wanted = known_names(names)
    values = answer(
        visible.evaluation_ids,
        visible.key,
        question("facets", chosen, keys=wanted),
        lambda reading: _count(reading, chosen, visible, wanted),
    )
    return facets_of(values, wanted, chosen, visible)


def known_names(names: Sequence[str]) -> tuple[str, ...]:
    """The same names.

    Raises:
        KeyError: a name is not one of `CHOICES`.
    """
    if unknown := set(names) - set(CHOICES):
        raise KeyError(f"{', '.join(sorted(unknown))}: facets are {', '.join(CHOICES)}.")
    return tuple(names)


def facets_of(values: FacetValues, names: Sequence[str], chosen: ResultFilter, visible: VisibleSet) -> list[Facet]:
    """Counted values of some keys with their labels, and with what the filter says of them."""
    return [
        Facet(name, _options(listed, chosen.choice(name), _labels(name, visible)))
        for name, listed in zip(names, values, strict=True)
    ]


def _labels(name: str, visible: VisibleSet) -> dict[str, str]:
    """What stands for a value where that is not the value itself; it may change while the facts do not."""
    if name == "evaluation":
        listed = Evaluation.objects.filter(pk__in=visible.evaluation_ids).values_list("pk", "name")
        return {str(pk): label for pk, label in listed}
    return {}


def _count(reading: Reading, chosen: ResultFilter, visible: VisibleSet, names: tuple[str, ...]) -> FacetValues:
    with filtered(reading, chosen, visible, Plan(FacetReader.columns(names), names)) as conditions:
        return ordered(FacetReader(reading, conditions, chosen).counts(names), names)


def ordered(counts: dict[str, Counts], names: Sequence[str]) -> FacetValues:
    """The values of each key, most frequent first, then by name."""
    return tuple(
        tuple(
            Counted(value, count)
            for value, count in sorted(counts[name].items(), key=lambda item: (-item[1], item[0] is None, item[0]))
        )
        for name in names
    )


def _options(counted: tuple[Counted, ...], choice: Choice, labels: dict[str, str]) -> tuple[FacetOption, ...]:
    found = {item.value for item in counted}
    listed = [*counted, *(Counted(value, 0) for value in (*choice.included, *choice.excluded) if value not in found)]
    return tuple(
        FacetOption(
            value=item.value,
            label=UNSPECIFIED if item.value is None else labels.get(item.value, item.value),
            count=item.count,
            selected=item.value in choice.included,
            excluded=item.value in choice.excluded,
        )
        for item in listed
    )
