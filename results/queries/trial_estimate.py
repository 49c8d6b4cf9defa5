"""What a live trial may use and cost, from the earlier results of the same runs at the same tasks."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

from results.filters import Choice, ResultFilter
from results.queries.costs import Amount
from results.queries.group_figures import COST, GroupFigures, group_figures
from results.queries.visibility import VisibleSet

NANO = Decimal("1E-9")


@dataclass(frozen=True, order=True)
class Pair:
    """A run at a task, by names."""

    provider: str
    run: str
    task: str


@dataclass(frozen=True)
class Estimate:
    """What some pairs may come to: the sum of their means over earlier results.

    Attributes:
        pairs: all of them; known: those with earlier results that counted.
        input_tokens, output_tokens: effective ones of the model, rounded; None = not known of any pair.
        token_pairs: pairs whose tokens are known.
        costs: of the model, by currency; `priced` of each counts pairs. None of the judge's.
        priced: pairs whose cost is known.
        results: the earlier results that it rests on.
    """

    pairs: int
    known: int
    input_tokens: int | None
    output_tokens: int | None
    token_pairs: int
    costs: tuple[Amount, ...]
    priced: int
    results: int


def estimate(visible: VisibleSet, project: str, pairs: Collection[Pair]) -> Estimate:
    """Estimate what some pairs will use and cost.

    Args:
        visible: evaluations that may be seen.
        project: slug of the project whose results count.
        pairs: each once per time that it will be asked.

    Returns:
        Skipped results are left out; a run whose model was another then counts all the same.
    """
    earlier = _earlier(visible, project, pairs)
    found = [earlier[pair] for pair in pairs if pair in earlier]
    tokens = [
        (inputs, outputs)
        for group in found
        if (inputs := _mean(group, "input_tokens")) is not None
        and (outputs := _mean(group, "output_tokens")) is not None
    ]
    amounts: dict[str | None, list[Decimal]] = defaultdict(list)
    for group in found:
        for amount in group.costs.amounts if group.costs is not None else ():
            amounts[amount.currency].append(amount.total / amount.priced)
    return Estimate(
        pairs=len(pairs),
        known=len(found),
        input_tokens=round(sum(inputs for inputs, _ in tokens)) if tokens else None,
        output_tokens=round(sum(outputs for _, outputs in tokens)) if tokens else None,
        token_pairs=len(tokens),
        costs=tuple(
            Amount(currency, sum(values, Decimal()).quantize(NANO, ROUND_HALF_EVEN), len(values))
            for currency, values in sorted(amounts.items(), key=lambda item: (item[0] is None, item[0] or ""))
        ),
        priced=sum(bool(group.costs is not None and group.costs.amounts) for group in found),
        results=sum(group.outcomes.counted for group in found),
    )


def _earlier(visible: VisibleSet, project: str, pairs: Collection[Pair]) -> Mapping[Pair, GroupFigures]:
    if not pairs or not visible.evaluation_ids:
        return {}
    runs = tuple(sorted({pair.run for pair in pairs}))
    asked = ResultFilter(project=Choice((project,)), run=Choice(runs))
    wanted = ("input_tokens", "output_tokens", COST)
    (level,) = group_figures(visible, asked, [("provider", "run", "task")], wanted, spread=())
    return {
        Pair(provider or "", run or "", task or ""): group
        for group in level.selected
        for provider, run, task in [group.key]
        if group.outcomes.counted
    }


def _mean(group: GroupFigures, name: str) -> float | None:
    measure = group.measure(name)
    return None if measure is None else measure.mean
