"""What a filter could still choose: the values of each key, counted under the other keys."""

from collections.abc import Sequence
from dataclasses import dataclass

from results.facts.engine import Reading, answer
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
        labels = {str(pk): name for pk, name in Evaluation.objects.filter(pk__in=visible.evaluation_ids).values_list("pk", "name")}
    return [
        Facet(name, _options(values, chosen.choice(name), labels if name == "evaluation" else {}))
        for name, values in zip(names, counted, strict=True)
    ]


def _count(
    reading: Reading, chosen: ResultFilter, visible: VisibleSet, names: Sequence[str]
) -> tuple[tuple[_Counted, ...], ...]:
    with filtered(reading, chosen, visible) as conditions:
        return tuple(
            tuple(_Counted(value, count) for value, count in reading.rows(_sql(reading, conditions, name))) for name in names
        )


def _sql(reading: Reading, conditions: Conditions, name: str) -> str:
    """SQL of (value, count), most frequent first, then by name."""
    where, results = conditions.where(without=name), reading.table("results")
    order = "ORDER BY results DESC, value NULLS LAST"
    if name == "tool":
        return _tool_sql(reading, where, order)
    if name == "outcome":
        words = " ".join(f"WHEN {outcome.value} THEN '{outcome.label}'" for outcome in Outcome)
        return f"SELECT CASE outcome {words} END AS value, count(*) AS results FROM {results} {where} GROUP BY outcome {order}"
    if name == "evaluation":
        return (
            f"SELECT evaluation_id::VARCHAR AS value, count(*) AS results FROM {results} {where} "
            f"GROUP BY evaluation_id ORDER BY results DESC, evaluation_id DESC"
        )
    if name == "tag":
        counted = (
            "SELECT set_terms.term_id AS id, sum(results) AS results FROM (SELECT tag_set_id, count(*) AS results "
            f"FROM {results} {where} GROUP BY 1) AS sets LEFT JOIN set_terms USING (tag_set_id) GROUP BY 1"
        )
        return _labelled(counted, "terms", order)
    column, table = NAMED[name]
    return _labelled(f"SELECT {column} AS id, count(*) AS results FROM {results} {where} GROUP BY 1", table, order)


def _labelled(counted: str, table: str, order: str) -> str:
    """Ids with the same name, such as runs of two providers, are one value."""
    return (
        f"SELECT name AS value, sum(results)::BIGINT AS results FROM ({counted}) AS counted "
        f"LEFT JOIN {table} AS named ON named.id = counted.id GROUP BY name {order}"
    )


def _tool_sql(reading: Reading, where: str, order: str) -> str:
    tools, results = reading.table("tools"), reading.table("results")
    among = f"WHERE result_id IN (SELECT result_id FROM {results} {where})" if where else ""
    return _labelled(f"SELECT tool_id AS id, count(*) AS results FROM {tools} {among} GROUP BY 1", "terms", order)


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
