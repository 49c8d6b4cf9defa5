"""A filter whose names are taken in any case, as MindTrial's stats command takes them."""

from results.filters import Choice, ResultFilter
from results.queries.facets import facets
from results.queries.visibility import VisibleSet

NAMES = ("provider", "run", "model", "task", "suite", "category", "difficulty", "tag")


def in_any_case(visible: VisibleSet, chosen: ResultFilter) -> ResultFilter:
    """The filter with each name replaced by all names that differ from it in case only.

    Args:
        visible: evaluations whose names are known.
        chosen: the filter; a name that nobody has stays as it is. Where every tag is asked for, tags stay as they are,
            since a result need not have each of them in every case.
    """
    asked = [name for name in NAMES if chosen.choice(name) and not (name == "tag" and chosen.is_every_tag)]
    for facet in facets(visible, ResultFilter(), asked):
        known: dict[str, list[str]] = {}
        for option in facet.options:
            if option.value is not None:
                known.setdefault(option.value.casefold(), []).append(option.value)
        choice = chosen.choice(facet.name)
        chosen = chosen.with_choice(
            facet.name, Choice(_widened(choice.included, known), _widened(choice.excluded, known))
        )
    return chosen


def _widened(values: tuple[str | None, ...], known: dict[str, list[str]]) -> tuple[str | None, ...]:
    return tuple(
        dict.fromkeys(
            other for value in values for other in ([value] if value is None else known.get(value.casefold(), [value]))
        )
    )
