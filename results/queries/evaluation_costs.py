"""What whole evaluations cost: added up once, since their results do not change."""

from collections.abc import Sequence

from results.filters import Choice, ResultFilter
from results.models.evaluations import EvaluationState
from results.price_table import price_table
from results.queries.costs import GroupCosts, costs
from results.queries.evaluations import EvaluationRow
from results.queries.visibility import VisibleSet

MOST_REMEMBERED = 20_000  # evaluations, about 1 kB each

_Key = tuple[int, str, int, tuple[object, ...]]
_known: dict[_Key, GroupCosts] = {}


def evaluation_costs(visible: VisibleSet, rows: Sequence[EvaluationRow]) -> dict[int, GroupCosts]:
    """What the model cost in some visible evaluations, by id.

    Args:
        visible: evaluations that may be seen.
        rows: the evaluations; those of ready ones are remembered.

    Returns:
        Nothing for an evaluation without results.
    """
    shown = {row.id: _key(row) for row in rows if row.id in visible.evaluation_ids}
    read = _read(visible, [pk for pk, key in shown.items() if key not in _known])
    if len(_known) > MOST_REMEMBERED:
        _known.clear()
    for row in rows:
        if row.id in read and row.state == EvaluationState.READY:
            _known[_key(row)] = read[row.id]
    return read | {pk: _known[key] for pk, key in shown.items() if key in _known}


def _key(row: EvaluationRow) -> _Key:
    return row.id, row.digest, row.results, price_table().key


def _read(visible: VisibleSet, ids: list[int]) -> dict[int, GroupCosts]:
    if not ids:
        return {}
    asked = ResultFilter(evaluation=Choice(tuple(map(str, ids))))
    return {int(cost.key[0] or 0): cost for cost in costs(visible, asked, ("evaluation",))}
