"""The tasks that have results in some evaluations."""

from results.facts.engine import answer
from results.facts.reading import Reading
from results.queries.visibility import VisibleSet


def task_names(visible: VisibleSet) -> dict[int, str]:
    """The names of all tasks of the visible evaluations, by id; in no order."""
    return answer(visible.evaluation_ids, visible.key, ("task names",), _read)


def _read(reading: Reading) -> dict[int, str]:
    ids = reading.rows(f"SELECT DISTINCT task_id FROM {reading.table('results', 'task_id')}")
    names = reading.names("tasks", [pk for (pk,) in ids])
    return {pk: str(name) for pk, name in names.items() if pk is not None}
