"""One task through time."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from results.filters import Choice, ResultFilter
from results.models.dimensions import Task
from results.queries.flips import Flips
from results.queries.task_history import TaskHistory, task_history
from results.queries.task_strips import Attempts
from results.queries.visibility import VisibleSet, visible_evaluations
from results.statistics import OutcomeCounts
from tests.results.facts.evaluations import row, stored
from tests.results.queries.histories import on_day

pytestmark = pytest.mark.django_db


def keep(folder: Path, name: str, day: int, *values: dict[str, Any]) -> int:
    rows = (row(number, TraceID=on_day(day, number), **{"task": "t"} | fields) for number, fields in enumerate(values))
    return stored(folder, name, *rows)


def history(task: str = "t", chosen: ResultFilter | None = None) -> TaskHistory:
    found = task_history(visible_evaluations(), Task.objects.get(name=task).pk, chosen or ResultFilter())
    assert found is not None
    return found


def strips(found: TaskHistory) -> dict[str, list[list[str]]]:
    return {run.run: [[mark.outcome for mark in cell.marks] for cell in run.cells] for run in found.runs}


def test_an_unknown_task_has_no_history() -> None:
    assert task_history(visible_evaluations(), 99, ResultFilter()) is None


def test_a_task_that_cannot_be_seen_has_no_history(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {})
    assert task_history(VisibleSet.of(frozenset()), Task.objects.get().pk, ResultFilter()) is None


def test_cells_follow_the_time_of_evaluations_not_that_of_imports(tmp_path: Path) -> None:
    keep(tmp_path, "late", 9, {"run": "a", "kind": "Failed"})
    keep(tmp_path, "early", 1, {"run": "a"}, {"run": "b", "kind": "Skipped"})
    found = history()
    assert [mark.name for mark in found.evaluations] == ["early", "late"]
    assert strips(found) == {"a": [["passed"], ["failed"]], "b": [["skipped"]]}
    assert found.outcomes == OutcomeCounts(1, 1, 0, 1)


def test_repeats_are_marks_of_one_cell_and_attempts(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {}, {"kind": "Failed"}, {"kind": "Skipped"}, {"kind": "Error"})
    found = history()
    assert strips(found) == {"gpt": [["passed", "failed", "skipped", "error"]]}
    assert found.attempts == (Attempts(3, 1),)
    assert found.runs[0].flips == Flips(1, 1, 2)


def test_a_task_without_repeats_has_no_attempts(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {}, {"run": "b"})
    assert history().attempts == ()


def test_model_time_leaves_skipped_and_unknown_out(tmp_path: Path) -> None:
    keep(
        tmp_path,
        "one",
        1,
        {"duration": 100},
        {"run": "b", "duration": 201},
        {"run": "c", "duration": 9000, "kind": "Skipped"},
        {"run": "d", "DurationNS": None},
    )
    found = history()
    assert (found.median_ns, found.p95_ns) == (Fraction(301, 2), 100 + Fraction(95, 100) * 101)
    assert [run.median_ns for run in found.runs] == [201, None, None, 100]


def test_a_copy_counts_in_the_oldest_evaluation(tmp_path: Path) -> None:
    keep(tmp_path, "original", 1, {})
    keep(tmp_path, "merged", 1, {}, {"task": "u"})
    found = history()
    assert ([mark.name for mark in found.evaluations], found.copies, found.outcomes.total) == (["original"], 1, 1)


def test_the_rank_is_that_among_the_tasks_of_the_project(tmp_path: Path) -> None:
    keep(
        tmp_path,
        "one",
        1,
        {},
        {"task": "hard", "kind": "Failed"},
        {"task": "skipped", "kind": "Skipped"},
        {"task": "u"},
    )
    stored(tmp_path, "other", row(task="hardest", kind="Failed"), project="other")
    assert [(history(task).rank, history(task).ranked) for task in ("hard", "t", "u")] == [(1, 3), (2, 3), (2, 3)]
    assert history("skipped").rank is None


def test_a_filter_that_lets_nothing_through_leaves_an_empty_history(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {})
    found = history(chosen=ResultFilter(run=Choice(("nobody",))))
    assert (found.runs, found.evaluations, found.outcomes, found.median_ns) == ((), (), OutcomeCounts(), None)
    assert found.rank == 1


def test_a_newer_result_stands_for_each_version(tmp_path: Path) -> None:
    first = keep(tmp_path, "one", 1, {"suite": "a"}, {"suite": "a"})
    second = keep(tmp_path, "two", 2, {"suite": "b"})
    assert [pk for _, pk in history().version_results] == [first * 2**24 + 1, second * 2**24]
