"""Counts behind the facets: results per value of a key, read in as few passes as possible."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from results.facts.reading import Reading
from results.filters import ResultFilter
from results.models.evaluations import Evaluation
from results.queries.conditions import BITS, CODED, NAMED, Conditions, bits_of, in_ids

# What a version says of its results: one pass over the versions answers for all of these.
_RUN_KEYS = {"provider": "provider_id", "run": "run_id", "model": "model_id"}
_TASK_KEYS = {
    "task": "task_id",
    "suite": "suite_id",
    "category": "category_id",
    "difficulty": "difficulty_id",
    "tag": "tag_set_id",
}
_VERSIONS = (("run_version_id", "run_versions", _RUN_KEYS), ("task_version_id", "task_versions", _TASK_KEYS))

Counts = Counter[str | None]


@dataclass(frozen=True)
class FacetReader:
    """Counts the values of keys, each under the conditions of all others."""

    reading: Reading
    conditions: Conditions
    chosen: ResultFilter

    def counts(self, names: Sequence[str]) -> dict[str, Counts]:
        """The counts of each key by value; None is unspecified."""
        together: dict[str, list[str]] = defaultdict(list)
        for name in names:
            together[self.conditions.where(without=name)].append(name)
        found: dict[str, Counts] = {}
        for where, same in together.items():
            rest = list(same)
            for column, table, keys in _VERSIONS:
                family = [name for name in same if name in keys]
                if len(family) > 1:
                    found |= self._by_version(where, column, table, {name: keys[name] for name in family})
                    rest = [name for name in rest if name not in family]
            found |= {name: self._counted(name, where) for name in rest}
        return found

    def _by_version(self, where: str, column: str, table: str, keys: dict[str, str]) -> dict[str, Counts]:
        """Count versions in one pass, then add them up by what they say."""
        cells = self._cells(column, where)
        selects = []
        for number, key in enumerate(keys.values()):
            joined = f"cells JOIN {table} AS version ON version.id = cells.{column}"
            value = f"version.{key}"
            if key == "tag_set_id":
                joined += " LEFT JOIN set_terms ON set_terms.tag_set_id = version.tag_set_id"
                value = "set_terms.term_id"
            selects.append(f"SELECT {number} AS number, {value} AS id, sum(results)::BIGINT FROM {joined} GROUP BY 2")
        rows = self.reading.rows(f"WITH cells AS MATERIALIZED ({cells}) {' UNION ALL '.join(selects)}")
        return {
            name: self._named(name, [(pk, count) for place, pk, count in rows if place == number])
            for number, name in enumerate(keys)
        }

    def _cells(self, columns: str, where: str) -> str:
        source = self.reading.table("results", f"{columns} {where}")
        return f"SELECT {columns}, count(*) AS results FROM {source} {where} GROUP BY ALL"

    def _counted(self, name: str, where: str) -> Counts:
        special = {
            "tool": self._tools,
            "call_status": self._statuses,
            "tag": self._tags,
            "repeats": self._repeats,
            "evaluation": self._evaluations,
            "project": self._projects,
        }
        if name in special:
            return special[name](where)
        if name in CODED:
            return self._words(name, where)
        return self._named(name, self.reading.rows(self._cells(NAMED[name][0], where)))

    def _tags(self, where: str) -> Counts:
        cells = self._cells("tag_set_id", where)
        joined = f"({cells}) AS cells LEFT JOIN set_terms USING (tag_set_id)"
        return self._named("tag", self.reading.rows(f"SELECT term_id, sum(results)::BIGINT FROM {joined} GROUP BY 1"))

    def _evaluations(self, where: str) -> Counts:
        return Counter({str(pk): count for pk, count in self.reading.rows(self._cells("evaluation_id", where))})

    def _projects(self, where: str) -> Counts:
        counted = dict(self.reading.rows(self._cells("evaluation_id", where)))
        counts: Counts = Counter()
        for pk, slug in Evaluation.objects.filter(pk__in=counted).values_list("pk", "project__slug"):
            counts[slug] += counted[pk]
        return counts

    def _named(self, name: str, rows: Iterable[tuple[int | None, int]]) -> Counts:
        """Ids by their names; ids with the same name are one value."""
        counted = list(rows)
        names = self.reading.names("terms" if name in ("tag", "tool") else NAMED[name][1], [pk for pk, _ in counted])
        counts: Counts = Counter()
        for pk, count in counted:
            counts[names[pk]] += count
        return counts

    def _words(self, name: str, where: str) -> Counts:
        column, codes = CODED[name]
        words: dict[int | None, str] = {code: word for word, listed in codes.items() for code in listed or (None,)}
        counts: Counts = Counter()
        for code, count in self.reading.rows(self._cells(column, where)):
            counts[words.get(None if code is None else int(code))] += count
        return counts

    def _repeats(self, where: str) -> Counts:
        is_repeated = self.conditions.repeated
        source = self.reading.table("results", f"{is_repeated} {where}")
        rows = self.reading.rows(f"SELECT {is_repeated}, count(*) FROM {source} {where} GROUP BY 1")
        return Counter({"yes" if found else "no": count for found, count in rows})

    def _tools(self, where: str) -> Counts:
        """Results by tool; where a status is asked for, only tools that have a call with it."""
        words = [word for word in self.chosen.call_status.included if word is not None]
        is_open = not words or None in self.chosen.call_status.included
        with_status = "" if is_open else f"WHERE statuses & {bits_of(words)} <> 0"
        sql = (
            f"WITH cells AS MATERIALIZED ({self._cells('tool_set', where)}) "
            "SELECT tool_id, sum(results)::BIGINT FROM cells "
            f"JOIN (SELECT DISTINCT tool_set, tool_id, statuses FROM {self.reading.table('tools')}) USING (tool_set) "
            f"{with_status} GROUP BY 1"
        )
        return self._named("tool", self.reading.rows(sql))

    def _statuses(self, where: str) -> Counts:
        """Results by status of their calls; where a tool is asked for, of its calls."""
        tools = self.conditions.tool_ids()
        if tools:
            of_tools = f"SELECT tool_set, bit_or(statuses) AS bits FROM {self.reading.table('tools')}"
            cells = self._cells("tool_set, calls = 0 AS is_silent", where)
            sql = (
                f"SELECT coalesce(bits, 0), is_silent, results FROM ({cells}) LEFT JOIN "
                f"({of_tools} WHERE {in_ids('tool_id', tools)} GROUP BY 1) USING (tool_set)"
            )
            rows = self.reading.rows(sql)
        else:
            rows = [(bits, bits == 0, count) for bits, count in self.reading.rows(self._cells("call_statuses", where))]
        counts: Counts = Counter()
        for bits, is_silent, count in rows:
            if is_silent:
                counts[None] += count
            for word, bit in BITS.items():
                if bits & bit:
                    counts[word] += count
        return counts
