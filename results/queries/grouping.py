"""Groups of results: the ids that SQL groups by, and the names that they stand for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from results.facts.reading import Reading
from results.queries.conditions import Conditions
from results.queries.filter_columns import NAMED

GROUPS = ("provider", "run", "model", "task", "suite", "category", "difficulty", "tag", "evaluation")


@dataclass(frozen=True)
class Grouping:
    """A grouping by some of `GROUPS`, in order; by none of them = one group of everything."""

    names: tuple[str, ...]

    @property
    def keys(self) -> str:
        """SQL of the ids, each with a comma behind it, as they come out of `source`."""
        return "".join(f"key_{name}, " for name in self.names)

    @property
    def clause(self) -> str:
        """The GROUP BY over them; empty for one group."""
        return f"GROUP BY {self.keys.rstrip(', ')}" if self.names else ""

    def source(self, reading: Reading, conditions: Conditions, values: str, table: str = "results") -> str:
        """SQL of the filtered results: the ids of their groups and some values.

        Args:
            reading: of the facts.
            conditions: of the filter.
            values: SQL of what is read beside the ids, of columns of the results.
            table: `results`, or `counters` for values of the recorded counters, while no results are held apart.
        """
        keys = "".join(f"{self._key(name)} AS key_{name}, " for name in self.names)
        where = conditions.where()
        used = f"{keys} {values} {where} {'run_id' if 'run' in self.names else ''}"
        used += " task_id" * ("task" in self.names) + " tag_set_id" * ("tag" in self.names)
        sql = f"SELECT {keys}{values} FROM (SELECT * FROM {reading.table(table, used)} {where}) AS found"
        if "run" in self.names and "provider" not in self.names:
            sql += " JOIN run_names ON run_names.id = found.run_id"
        if "task" in self.names:
            sql += " JOIN task_names ON task_names.id = found.task_id"
        if "tag" in self.names:
            sql += " LEFT JOIN set_terms ON set_terms.tag_set_id = found.tag_set_id"
        return sql

    def _key(self, name: str) -> str:
        """The column of a key; things of one name are one group, as runs of two providers or tasks of two projects."""
        if name == "run" and "provider" not in self.names:
            return "run_names.first_id"
        special = {"task": "task_names.first_id", "tag": "set_terms.term_id", "evaluation": "evaluation_id"}
        return special.get(name) or NAMED[name][0]

    def named(self, reading: Reading, ids: Sequence[Sequence[int | None]]) -> list[tuple[str | None, ...]]:
        """The names of some groups, each given by its ids in order; an evaluation's name is its number."""
        columns = [self._labels(reading, name, [row[place] for row in ids]) for place, name in enumerate(self.names)]
        return [tuple(column[number] for column in columns) for number in range(len(ids))]

    def order(self, keys: Iterable[tuple[str | None, ...]]) -> list[int]:
        """The places of groups in the order of their names, code point by code point, unspecified last.

        Evaluations come in the order of their numbers.
        """
        listed = list(keys)
        return sorted(range(len(listed)), key=lambda number: [*map(self._sort_key, self.names, listed[number])])

    @staticmethod
    def _labels(reading: Reading, name: str, ids: list[int | None]) -> list[str | None]:
        if name == "evaluation":
            return [str(pk) for pk in ids]
        known = reading.names("terms" if name == "tag" else NAMED[name][1], ids)
        return [known[pk] for pk in ids]

    @staticmethod
    def _sort_key(name: str, value: str | None) -> tuple[bool, int, str]:
        if value is None:
            return True, 0, ""
        return False, int(value) if name == "evaluation" else 0, value
