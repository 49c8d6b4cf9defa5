"""Tasks in one list against hand-computed values."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from results.filters import Choice, ResultFilter
from results.queries.flips import Flips
from results.queries.task_lines import TaskLine
from results.queries.task_list import TaskListing, task_page
from results.queries.visibility import visible_evaluations
from results.statistics import OutcomeCounts
from tests.results.facts.evaluations import row, stored
from tests.results.queries.histories import on_day

pytestmark = pytest.mark.django_db
PRICED = {"Model": "m", "Pricing": {"Currency": "USD", "InputPerMillion": 1000, "OutputPerMillion": 0}}


def keep(folder: Path, name: str, day: int, *values: dict[str, Any], project: str = "default") -> int:
    rows = (row(number, TraceID=on_day(day, number), **fields) for number, fields in enumerate(values))
    return stored(folder, name, *rows, project=project)


def page(sort: str = "pass_rate", chosen: ResultFilter | None = None, **more: Any) -> TaskListing:
    return task_page(visible_evaluations(), chosen or ResultFilter(), sort, **more)


def line(task: str) -> TaskLine:
    return next(found for found in page().rows if found.name == task)


def names(*args: Any, **more: Any) -> list[str]:
    return [found.name for found in page(*args, **more).rows]


def test_nothing_stored_is_an_empty_page() -> None:
    found = page()
    assert (found.rows, found.total, found.pages) == ((), 0, 1)


def test_a_line_counts_results_runs_and_evaluations(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"task": "t", "run": "a"}, {"task": "t", "run": "b", "kind": "Failed"})
    keep(tmp_path, "two", 2, {"task": "t", "run": "a", "kind": "Error"}, {"task": "t", "run": "b", "kind": "Skipped"})
    found = line("t")
    assert (found.outcomes, found.runs, found.evaluations) == (OutcomeCounts(1, 1, 1, 1), 2, 2)
    assert found.project == "default"


def test_the_hardest_task_comes_first_and_one_without_a_counted_result_last(tmp_path: Path) -> None:
    keep(
        tmp_path,
        "one",
        1,
        {"task": "easy"},
        {"task": "hard", "kind": "Failed"},
        {"task": "skipped", "kind": "Skipped"},
        {"task": "half"},
        {"task": "half", "run": "b", "kind": "Error"},
    )
    assert names() == ["hard", "half", "easy", "skipped"]
    assert names("-pass_rate") == ["easy", "half", "hard", "skipped"]
    found = page()
    assert (found.total, found.never, found.always) == (4, 1, 1)


def test_tasks_of_one_rate_come_with_more_results_first_then_by_name(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"task": "b"}, {"task": "a"}, {"task": "c"}, {"task": "c", "run": "other"})
    assert names() == ["c", "a", "b"]


def test_the_flakiest_task_changes_most_often(tmp_path: Path) -> None:
    for day in range(1, 5):
        keep(
            tmp_path,
            f"day {day}",
            day,
            {"task": "steady"},
            {"task": "flaky", "kind": "Failed" if day % 2 else "Passed"},
            {"task": "once", "kind": "Failed" if day < 2 else "Passed"},
        )
    assert names("-flips") == ["flaky", "once", "steady"]
    assert [found.flips for found in page("-flips").rows] == [Flips(3, 0, 3), Flips(1, 0, 3), Flips(0, 0, 3)]
    assert [found.flips for found in page("-flips", latest=2).rows] == [Flips(1, 0, 1), Flips(0, 0, 1), Flips(0, 0, 1)]


def test_the_slowest_task_has_the_largest_median(tmp_path: Path) -> None:
    keep(
        tmp_path,
        "one",
        1,
        {"task": "fast", "duration": 10},
        {"task": "slow", "duration": 100},
        {"task": "slow", "run": "b", "duration": 201},
        {"task": "slow", "run": "c", "duration": 900, "kind": "Skipped"},
        {"task": "unknown", "DurationNS": None},
    )
    assert names("-duration") == ["slow", "fast", "unknown"]
    assert line("slow").median_ns == Decimal("150.5")
    assert line("unknown").median_ns is None


def test_the_most_expensive_task_has_the_largest_sum(tmp_path: Path) -> None:
    usage = [{"InputTokens": tokens, "OutputTokens": 1} for tokens in (1000, 3000)]
    keep(
        tmp_path,
        "one",
        1,
        {"task": "cheap", "usage": usage[0], "RunConfig": PRICED},
        {"task": "dear", "usage": usage[1], "RunConfig": PRICED},
        {"task": "dear", "run": "b", "usage": usage[1], "RunConfig": PRICED},
        {"task": "unpriced", "usage": usage[1]},
    )
    assert names("-cost") == ["dear", "cheap", "unpriced"]
    costs = line("dear").costs
    assert ([amount.total for amount in costs.amounts], costs.unpriced) == ([Decimal(6)], 0)
    assert line("unpriced").costs.unpriced == 1


def test_metadata_is_that_of_the_latest_result(tmp_path: Path) -> None:
    keep(tmp_path, "late", 9, {"task": "t", "suite": "new", "category": "c"})
    keep(tmp_path, "early", 1, {"task": "t", "suite": "old", "difficulty": "hard"})
    found = line("t")
    assert (found.suite, found.category, found.difficulty) == ("new", "c", None)


def test_copies_count_once(tmp_path: Path) -> None:
    keep(tmp_path, "original", 1, {"task": "t"})
    keep(tmp_path, "merged", 1, {"task": "t"}, {"task": "u"})
    assert (line("t").outcomes.total, line("t").evaluations, page().copies) == (1, 1, 1)


def test_a_filter_narrows_the_list(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"task": "a", "suite": "x"}, {"task": "b", "suite": "y"})
    assert names(chosen=ResultFilter(suite=Choice(("y",)))) == ["b"]


def test_tasks_of_one_name_in_two_projects_are_two(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"task": "t"})
    keep(tmp_path, "two", 2, {"task": "t"}, project="other")
    assert sorted(found.project for found in page().rows) == ["default", "other"]


def test_pages_go_on_where_the_one_before_ended(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, *({"task": f"t{number}"} for number in range(5)))
    assert [names("task", page=number, size=2) for number in (1, 2, 3, 9)] == [
        ["t0", "t1"],
        ["t2", "t3"],
        ["t4"],
        ["t4"],
    ]
    assert names("-task", size=2) == ["t4", "t3"]


def test_flips_follow_time_whatever_was_imported_first(tmp_path: Path) -> None:
    for day, kind in ((3, "Passed"), (1, "Passed"), (2, "Failed")):
        keep(tmp_path, f"day {day}", day, {"task": "t", "kind": kind})
    assert line("t").flips == Flips(2, 0, 2)
