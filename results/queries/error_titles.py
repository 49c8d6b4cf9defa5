"""Errors by title: how often, transient or permanent, since when and where; cancelled work apart."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np

from results.facts.engine import answer
from results.facts.links import Numbers
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.models.results import Outcome
from results.queries.cancelled import cancelled_ids, cancelled_marked
from results.queries.conditions import filtered, question
from results.queries.copies import copied_ids, counted_once
from results.queries.rows import EPOCH
from results.queries.visibility import VisibleSet
from results.statistics import OutcomeCounts
from results.text.index import lagging

_COLUMNS = "error_title_id outcome is_transient started_at_us run_id task_id evaluation_id"
_READ = "error_title_id, outcome, is_transient::UTINYINT AS is_transient, started_at_us, run_id, task_id, evaluation_id"
_GAPS = {"is_transient": 2}  # what stands for a missing value; ids begin at 1


@dataclass(frozen=True)
class ErrorTitle:
    """Results that have one error title and one outcome.

    Attributes:
        title: None = none recorded.
        outcome: `error` as a rule; a skipped result has a title that says why, and a judged one may have one too.
        is_cancelled: the message says that somebody cancelled the work.
        transient, permanent, unknown: results of which the file says so, or nothing.
        first, last: starts.
    """

    title: str | None
    outcome: str
    is_cancelled: bool
    transient: int
    permanent: int
    unknown: int
    runs: int
    tasks: int
    evaluations: int
    first: datetime
    last: datetime

    @property
    def results(self) -> int:
        """All of them."""
        return self.transient + self.permanent + self.unknown


@dataclass(frozen=True)
class ErrorTitles:
    """The errors of a filter.

    Attributes:
        titles: errors first, those with most results first.
        outcomes: of all results of the filter; `cancelled` of its errors were cancelled.
        copies: results that an older evaluation holds too, of all visible ones; they are left out.
        lagging: evaluations whose texts are still being read, so that cancelled work there may not be recognised.
    """

    titles: tuple[ErrorTitle, ...]
    outcomes: OutcomeCounts
    cancelled: int
    copies: int
    lagging: int


def error_titles(visible: VisibleSet, chosen: ResultFilter) -> ErrorTitles:
    """Group the errors of a filter by title.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    copied, cancelled = copied_ids(visible), cancelled_ids(visible)
    asked = question("errors", chosen, hash(cancelled.tobytes()))  # the text index may still be filled
    found = answer(
        visible.evaluation_ids,
        visible.key,
        asked,
        lambda reading: _titles(reading, chosen, visible, copied, cancelled),
    )
    return replace(found, lagging=len(lagging(visible.evaluation_ids)))


def _titles(
    reading: Reading, chosen: ResultFilter, visible: VisibleSet, copied: Numbers, cancelled: Numbers
) -> ErrorTitles:
    with (
        counted_once(reading, copied) as once,
        cancelled_marked(reading, cancelled) as mark,
        filtered(reading, chosen, visible) as conditions,
    ):
        where = conditions.where(once)
        counts = reading.rows(
            f"SELECT outcome, count(*) FROM {reading.table('results', f'outcome {where}')} {where} GROUP BY 1"
        )
        titled = conditions.where(" AND ".join(filter(None, ["(outcome = 2 OR error_title_id IS NOT NULL)", once])))
        source = reading.table("results", f"{_COLUMNS} {mark} {titled}")
        found = reading.arrays(f"SELECT {_READ}, {mark} AS is_cancelled FROM {source} {titled}")
    titles = _grouped(reading, {name: np.ma.filled(column, _GAPS.get(name, 0)) for name, column in found.items()})
    by_outcome = dict(counts)
    titles.sort(key=lambda title: (title.outcome != "error", title.is_cancelled, -title.results, title.title or ""))
    return ErrorTitles(
        titles=tuple(titles),
        outcomes=OutcomeCounts(*(by_outcome.get(outcome, 0) for outcome in range(4))),
        cancelled=sum(title.results for title in titles if title.is_cancelled),
        copies=copied.size,
        lagging=0,
    )


def _grouped(reading: Reading, found: dict[str, Numbers]) -> list[ErrorTitle]:
    """Results by title, outcome and whether they were cancelled, counted in arrays: there may be very many."""
    if not found["outcome"].size:
        return []
    is_cancelled = found["is_cancelled"].astype(np.bool_)
    keys = (found["error_title_id"].astype(np.int64) << 3) | (found["outcome"] << 1) | is_cancelled
    groups, places = np.unique(keys, return_inverse=True)
    states = np.bincount(places * 3 + found["is_transient"], minlength=groups.size * 3).reshape(-1, 3).tolist()
    reach = [_distinct(places, found[name], groups.size) for name in ("run_id", "task_id", "evaluation_id")]
    first, last = np.full(groups.size, 2**62), np.full(groups.size, -(2**62))
    np.minimum.at(first, places, found["started_at_us"])
    np.maximum.at(last, places, found["started_at_us"])
    names = reading.names("terms", {key >> 3 for key in groups.tolist() if key >> 3})
    return [
        ErrorTitle(
            title=names.get(key >> 3),
            outcome=str(Outcome(key >> 1 & 3).label),
            is_cancelled=bool(key & 1),
            permanent=states[place][0],
            transient=states[place][1],
            unknown=states[place][2],
            runs=reach[0][place],
            tasks=reach[1][place],
            evaluations=reach[2][place],
            first=EPOCH + timedelta(microseconds=int(first[place])),
            last=EPOCH + timedelta(microseconds=int(last[place])),
        )
        for place, key in enumerate(groups.tolist())
    ]


def _distinct(places: Numbers, ids: Numbers, groups: int) -> list[int]:
    """How many distinct ids each group has."""
    width = int(ids.max()).bit_length()
    keys = np.sort((places << width) | ids)
    is_first = np.concatenate([[True], keys[1:] != keys[:-1]])
    counts: list[int] = np.bincount(keys[is_first] >> width, minlength=groups).tolist()
    return counts
