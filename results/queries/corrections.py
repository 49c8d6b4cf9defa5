"""Outcomes with corrected verdicts beside the recorded ones: the facts stay, corrections are laid over them."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from results.facts.engine import answer
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.models.results import Outcome
from results.queries.conditions import filtered
from results.queries.grouping import Grouping
from results.queries.reviews import has_corrections
from results.queries.visibility import VisibleSet
from results.statistics import OutcomeCounts

Key = tuple[str | None, ...]


@dataclass(frozen=True)
class CorrectedGroup:
    """One group of results.

    Attributes:
        key: its values in the order of the grouping; None is unspecified.
        recorded: outcomes as the files say.
        corrected: the same with the outcomes that people say would have been right.
        corrections: how many results are counted otherwise.
    """

    key: Key
    recorded: OutcomeCounts
    corrected: OutcomeCounts
    corrections: int


def corrected_groups(visible: VisibleSet, chosen: ResultFilter, group_by: Sequence[str] = ()) -> list[CorrectedGroup]:
    """Outcomes with and without corrections.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter; `outcome` means the recorded one.
        group_by: any of `grouping.GROUPS`; empty = one group of everything.

    Returns:
        The groups in the order of their keys; none where no visible verdict was corrected.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    if not has_corrections(visible):
        return []
    grouping = Grouping(tuple(group_by))
    return answer(
        visible.evaluation_ids, visible.key, None, lambda reading: _groups(reading, chosen, visible, grouping)
    )


def _groups(reading: Reading, chosen: ResultFilter, visible: VisibleSet, grouping: Grouping) -> list[CorrectedGroup]:
    with filtered(reading, chosen, visible, with_reviews=True) as conditions:
        source = grouping.source(reading, conditions, f"outcome, {conditions.offers.reviews.outcome} AS meant")
        keys = grouping.keys
        rows = reading.rows(f"SELECT {keys}outcome, meant, count(*) FROM ({source}) GROUP BY {keys}outcome, meant")
    counts: defaultdict[tuple[int | None, ...], Counter[tuple[int, int]]] = defaultdict(Counter)
    for *ids, outcome, meant, count in rows:
        counts[tuple(ids)][int(outcome), int(meant)] += int(count)
    listed = list(counts)
    names = grouping.named(reading, listed)
    return [_group(names[place], counts[listed[place]]) for place in grouping.order(names)]


def _group(key: Key, counts: Counter[tuple[int, int]]) -> CorrectedGroup:
    recorded, corrected = Counter[int](), Counter[int]()
    for (outcome, meant), count in counts.items():
        recorded[outcome] += count
        corrected[meant] += count
    changed = sum(count for (outcome, meant), count in counts.items() if outcome != meant)
    return CorrectedGroup(key, _outcomes(recorded), _outcomes(corrected), changed)


def _outcomes(counts: Counter[int]) -> OutcomeCounts:
    return OutcomeCounts(*(counts[outcome] for outcome in Outcome))
