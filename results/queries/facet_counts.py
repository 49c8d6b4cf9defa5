"""Counts behind the facets: results per value of a key, read in as few passes as possible."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from results.facts.links import Cells, Links
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.models.evaluations import Evaluation
from results.queries.cancelled import CANCELLED_MARK
from results.queries.conditions import Conditions
from results.queries.copies import COPY_MARK
from results.queries.filter_columns import BITS, CODED, NAMED, Reach, bits_of
from results.queries.review_marks import REVIEW_KEYS, REVIEW_MARK

# What a version says of its results: one pass over the versions answers for all of these.
_BY_VERSION = {
    "provider": ("run_version_id", "run_versions", "provider_id"),
    "run": ("run_version_id", "run_versions", "run_id"),
    "model": ("run_version_id", "run_versions", "model_id"),
    "task": ("task_version_id", "task_versions", "task_id"),
    "suite": ("task_version_id", "task_versions", "suite_id"),
    "category": ("task_version_id", "task_versions", "category_id"),
    "difficulty": ("task_version_id", "task_versions", "difficulty_id"),
    "tag": ("task_version_id", "task_versions", "tag_set_id"),
}
_BY_COLUMN = {
    "evaluation": "evaluation_id",
    "project": "evaluation_id",
    "tool": "tool_set",
    "cancelled": f"outcome {CANCELLED_MARK}",
    "copies": COPY_MARK,
    **dict.fromkeys(REVIEW_KEYS, REVIEW_MARK),
}
_FEW_VALUES = {name: column for name, (column, _) in CODED.items()} | {"currency": "currency_id"}
_FEW_PAIRS = dict.fromkeys(("provider", "run", "model"), "run_version_id") | {"evaluation": "evaluation_id"}

Counts = Counter[str | None]


@dataclass(frozen=True)
class FacetReader:
    """Counts the values of keys, each under the conditions of all others."""

    reading: Reading
    conditions: Conditions
    chosen: ResultFilter
    _known: dict[tuple[str, Reach], Cells] = field(default_factory=dict)

    @staticmethod
    def columns(names: Iterable[str]) -> str:
        """SQL of the columns of the results that are read for some keys."""
        versions = {_BY_VERSION[name][0] for name in names if name in _BY_VERSION}
        rest = [name for name in names if name not in _BY_VERSION]
        others = {_BY_COLUMN.get(name) or (CODED.get(name) or NAMED.get(name) or ("",))[0] for name in rest}
        special = "tool_set calls call_statuses evaluation_id run_id task_id"  # of statuses and repeats
        is_special = not {"call_status", "repeats"}.isdisjoint(names)
        return " ".join((*versions, *others, special * is_special))

    def counts(self, names: Sequence[str]) -> dict[str, Counts]:
        """The counts of each key by value; None is unspecified."""
        reaches = {name: self.conditions.reach(name) for name in names}
        together: dict[Reach, dict[str, None]] = defaultdict(dict)
        few = {**_FEW_VALUES, **_FEW_PAIRS} if self.conditions.is_beside else _FEW_VALUES
        for name, column in few.items():
            if name in reaches:
                together[reaches[name]][column] = None
        for reach, columns in together.items():
            if len(columns) > 1:
                self._count_together([*columns], reach)
        return {name: self._counted(name, reaches[name]) for name in names}

    def _count_together(self, columns: list[str], reach: Reach) -> None:
        """One pass for several columns of few values each: their combinations are still few."""
        listed = ", ".join(columns)
        source = self._source(listed, reach)
        arrays = self.reading.arrays(f"SELECT {listed}, count(*) AS results FROM {source} GROUP BY ALL")
        for column in columns:
            self._known[column, reach] = Cells.of(arrays[column], arrays["results"])

    def total(self) -> int:
        """Results that meet all conditions; costs nothing once any key without one of its own was counted."""
        return self._total(Reach(self.conditions.where()))

    def _total(self, reach: Reach) -> int:
        known = next((cells.total for (_, met), cells in self._known.items() if met == reach), None)
        if known is None:
            known = int(self.reading.rows(f"SELECT count(*) FROM {self._source('outcome', reach)}")[0][0])
        return known

    def _cells(self, column: str, reach: Reach) -> Cells:
        """Results by one column that holds numbers."""
        found = self._known.get((column, reach))
        if found is None:
            sql = f"SELECT {column} AS id, count(*) AS results FROM {self._source(column, reach)} GROUP BY 1"
            arrays = self.reading.arrays(sql)
            found = self._known[column, reach] = Cells.of(arrays["id"], arrays["results"])
        return found

    def _source(self, columns: str, reach: Reach) -> str:
        table = self.reading.table("results", f"{columns} {reach.where}", is_whole=reach.is_whole)
        return f"{table} {reach.where}"

    def _counted(self, name: str, reach: Reach) -> Counts:
        special = {
            "tool": self._tools,
            "call_status": self._statuses,
            "repeats": lambda met: self._truths(self.conditions.repeated, met),
            "cancelled": lambda met: self._truths(self.conditions.offers.cancelled, met),
            "copies": lambda met: self._truths(self.conditions.offers.copied, met),
            "evaluation": self._evaluations,
            "project": self._projects,
        }
        if name in special:
            return special[name](reach)
        if name in REVIEW_KEYS:
            return self._reviews(name, reach)
        if name in CODED:
            return self._words(name, reach)
        if name not in _BY_VERSION:
            return self._named(name, self._cells(NAMED[name][0], reach))
        version, table, column = _BY_VERSION[name]
        cells = self.reading.links(table).added_up(self._cells(version, reach), column)
        if name == "tag":
            cells = self.reading.links("set_terms").added_up(cells, "term_id")
        return self._named(name, cells)

    def _reviews(self, name: str, reach: Reach) -> Counts:
        """Results by a value of what is said of them; a result counts once in each of its labels."""
        reviews, counts = self.conditions.offers.reviews, Counter[str | None]()
        for number, count in self._cells(reviews.column, reach).pairs():
            for value in reviews.values(name, number):
                counts[value] += count
        return counts

    def _evaluations(self, reach: Reach) -> Counts:
        return Counter({str(pk): count for pk, count in self._cells("evaluation_id", reach).pairs()})

    def _projects(self, reach: Reach) -> Counts:
        counted = {pk: count for pk, count in self._cells("evaluation_id", reach).pairs() if pk is not None}
        counts: Counts = Counter()
        for pk, slug in Evaluation.objects.filter(pk__in=counted).values_list("pk", "project__slug"):
            counts[slug] += counted[pk]
        return counts

    def _named(self, name: str, cells: Cells) -> Counts:
        """Ids by their names; ids with the same name are one value."""
        counted = cells.pairs()
        names = self.reading.names("terms" if name in ("tag", "tool") else NAMED[name][1], [pk for pk, _ in counted])
        counts: Counts = Counter()
        for pk, count in counted:
            counts[names[pk]] += count
        return counts

    def _words(self, name: str, reach: Reach) -> Counts:
        column, codes = CODED[name]
        words: dict[int | None, str] = {code: word for word, listed in codes.items() for code in listed or (None,)}
        counts: Counts = Counter()
        for code, count in self._cells(column, reach).pairs():
            counts[words.get(code)] += count
        return counts

    def _truths(self, condition: str, reach: Reach) -> Counts:
        cells = self._cells(f"{condition}::UTINYINT", reach)
        return Counter({"yes" if found else "no": count for found, count in cells.pairs()})

    def _tools(self, reach: Reach) -> Counts:
        """Results by tool; where statuses are asked for, by tools with a call of one of them and of none excluded."""
        tools, cells = self.reading.links("tools"), self._tool_sets(reach)
        wanted, unwanted = self.chosen.call_status.included, self.chosen.call_status.excluded
        is_met = self._has_status(tools, wanted) if wanted else np.ones(len(tools.ids), np.bool_)
        found = tools.added_up(cells, "tool_id", is_met & ~self._has_status(tools, unwanted))
        is_silent_met = (not wanted or None in wanted) and None not in unwanted
        missing = self._total(reach) - cells.total if is_silent_met else 0
        return self._named("tool", Cells(found.ids, found.counts, missing))

    @staticmethod
    def _has_status(tools: Links, statuses: Sequence[str | None]) -> NDArray[np.bool_]:
        """Which lines of tool sets have a call with one of some statuses; None = no call of the line's tool."""
        bits = bits_of([word for word in statuses if word is not None])
        is_met: NDArray[np.bool_] = tools.values["statuses"] & bits != 0
        if None in statuses:
            is_met |= tools.values["statuses"] == 0
        return is_met

    def _tool_sets(self, reach: Reach) -> Cells:
        """Results by tool set; most results have none, and counting these takes as long as counting the others."""
        where = f"{reach.where} {'AND' if reach.where else 'WHERE'} tool_set IS NOT NULL"
        return self._cells("tool_set", Reach(where, reach.is_whole))

    def _statuses(self, reach: Reach) -> Counts:
        """Results by status of their calls; where a tool is asked for, of its calls."""
        tools = self.conditions.tool_ids()
        if tools:
            links, cells = self.reading.links("tools"), self._tool_sets(reach)
            is_asked = np.isin(links.values["tool_id"], tools)
            sets = {bit: links.ids[is_asked & (links.values["statuses"] & bit != 0)] for bit in BITS.values()}
            found = {word: int(cells.counts[np.isin(cells.ids, sets[bit])].sum()) for word, bit in BITS.items()}
            without = np.isin(cells.ids, links.ids[is_asked & (links.values["statuses"] == 0)])
            silent = int(cells.counts[without].sum())
            silent += self._total(reach) - cells.total if None in self.chosen.tool.included else 0
        else:
            cells = self._cells("call_statuses", reach)
            found = {word: int(cells.counts[cells.ids & bit != 0].sum()) for word, bit in BITS.items()}
            silent = int(cells.counts[cells.ids == 0].sum())
        counts: Counts = Counter({word: count for word, count in found.items() if count})
        if silent:
            counts[None] = silent
        return counts
