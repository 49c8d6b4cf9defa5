"""What a filter could still choose: the values of each key, counted under the other keys."""

from collections.abc import Sequence
from dataclasses import dataclass

from results.facts.engine import answer
from results.facts.reading import Reading
from results.filters import Choice, ResultFilter
from results.models.evaluations import Evaluation
from results.models.results import Outcome
from results.queries.conditions import NAMED, Conditions, filtered, question
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
class _Counted:
    value: str | None
    count: int


def facets(visible: VisibleSet, chosen: ResultFilter, names: Sequence[str] = FACETS) -> list[Facet]:
    """Count the values of some keys, each under the conditions of all other keys.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.
        names: which of `FACETS`, in the order wanted.

    Returns:
        One facet per name. A result counts once in each of its tags and tools.

    Raises:
        results.text.search.TooManyToScan: an exact text was asked of too many results.
    """
    counted = answer(
        visible.evaluation_ids,
        visible.key,
        question("facets", chosen, tuple(names)),
        lambda reading: _count(reading, chosen, visible, names),
    )
    labels: dict[str, str] = {}
    if "evaluation" in names:
        labels = {
            str(pk): name
            for pk, name in Evaluation.objects.filter(pk__in=visible.evaluation_ids).values_list("pk", "name")
        }
    return [
        Facet(name, _options(values, chosen.choice(name), labels if name == "evaluation" else {}))
        for name, values in zip(names, counted, strict=True)
    ]


def _count(
    reading: Reading, chosen: ResultFilter, visible: VisibleSet, names: Sequence[str]
) -> tuple[tuple[_Counted, ...], ...]:
    with filtered(reading, chosen, visible) as conditions:
        return tuple(_counted(reading, conditions, name) for name in names)


def _counted(reading: Reading, conditions: Conditions, name: str) -> tuple[_Counted, ...]:
    """The values of one key, most frequent first, then by name; ids with the same name are one value."""
    found = reading.rows(_sql(reading, conditions, name))
    values: dict[int | None, str | None]
    if name == "outcome":
        values = {outcome.value: str(outcome.label) for outcome in Outcome}
    elif name == "evaluation":
        values = {pk: str(pk) for pk, _ in found}
    else:
        table = "terms" if name in ("tag", "tool") else NAMED[name][1]
        values = reading.names(table, [pk for pk, _ in found])
    counts: dict[str | None, int] = {}
    for pk, count in found:
        counts[values[pk]] = counts.get(values[pk], 0) + count
    return tuple(
        _Counted(value, count)
        for value, count in sorted(counts.items(), key=lambda item: (-item[1], item[0] is None, item[0]))
    )


def _sql(reading: Reading, conditions: Conditions, name: str) -> str:
    """SQL of (id, count)."""
    where, results = conditions.where(without=name), reading.table("results")
    if name == "tool":
        among = f"WHERE result_id IN (SELECT result_id FROM {results} {where})" if where else ""
        return f"SELECT tool_id, count(*) FROM {reading.table('tools')} {among} GROUP BY 1"
    if name == "tag":
        return (
            "SELECT set_terms.term_id, sum(results)::BIGINT FROM (SELECT tag_set_id, count(*) AS results "
            f"FROM {results} {where} GROUP BY 1) AS sets LEFT JOIN set_terms USING (tag_set_id) GROUP BY 1"
        )
    column = {"outcome": "outcome", "evaluation": "evaluation_id"}.get(name) or NAMED[name][0]
    return f"SELECT {column}, count(*) FROM {results} {where} GROUP BY 1"


def _options(counted: tuple[_Counted, ...], choice: Choice, labels: dict[str, str]) -> tuple[FacetOption, ...]:
    found = {item.value for item in counted}
    listed = [*counted, *(_Counted(value, 0) for value in (*choice.included, *choice.excluded) if value not in found)]
    return tuple(
        FacetOption(
            value=item.value,
            label=labels.get(item.value or "", item.value) or "(unspecified)",
            count=item.count,
            selected=item.value in choice.included,
            excluded=item.value in choice.excluded,
        )
        for item in listed
    )
