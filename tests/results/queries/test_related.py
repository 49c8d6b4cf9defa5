"""What stands beside a result: history, copies, repeats, other runs."""

from pathlib import Path

import pytest

from results.queries.related import related_results
from results.queries.visibility import VisibleSet, visible_evaluations
from tests.documents import START_MS, trace_id
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db
DAY_MS = 86_400_000


def first_of(evaluation: int) -> int:
    return evaluation * 2**24


def on_day(day: int, number: int = 0) -> str:
    return trace_id(day * 100 + number, START_MS + day * DAY_MS)


def test_the_history_holds_the_same_task_and_run_newest_first(tmp_path: Path) -> None:
    later = stored(tmp_path, "later", row(task="a", kind="Failed", TraceID=on_day(2)))
    earlier = stored(tmp_path, "earlier", row(task="a", TraceID=on_day(1)), row(task="b", TraceID=on_day(1, 1)))
    found = related_results(visible_evaluations(), first_of(earlier))
    assert [(entry.row.evaluation, entry.has_this) for entry in found.history] == [("later", False), ("earlier", True)]
    assert (found.total, found.passed, found.strip) == (2, 1, ("passed", "failed"))
    assert later


def test_another_project_is_another_history(tmp_path: Path) -> None:
    here = stored(tmp_path, "here", row(task="a", TraceID=on_day(1)))
    stored(tmp_path, "there", row(task="a", TraceID=on_day(2)), project="other")
    assert related_results(visible_evaluations(), first_of(here)).total == 1


def test_a_result_that_two_evaluations_hold_counts_once(tmp_path: Path) -> None:
    original = stored(tmp_path, "original", row(task="a", TraceID=on_day(1)))
    merged = stored(tmp_path, "merged", row(task="a", TraceID=on_day(1)), row(1, task="b"))
    found = related_results(visible_evaluations(), first_of(merged))
    (entry,) = found.history
    assert (found.total, entry.counted_id) == (1, first_of(original))
    assert [copy.evaluation for copy in entry.copies] == ["original"]
    assert [copy.evaluation_id for copy in found.copies] == [original]


def test_the_own_row_of_a_copied_result_is_that_of_the_open_evaluation(tmp_path: Path) -> None:
    original = stored(tmp_path, "original", row(task="a", TraceID=on_day(1)))
    changed = stored(tmp_path, "changed", row(task="a", kind="Failed", TraceID=on_day(1)))
    shown = [related_results(visible_evaluations(), first_of(pk)).history[0] for pk in (original, changed)]
    assert [(entry.row.evaluation, entry.row.outcome, entry.has_this) for entry in shown] == [
        ("original", "passed", True),
        ("changed", "failed", True),
    ]


def test_the_same_trace_id_twice_in_one_document_is_two_repeats(tmp_path: Path) -> None:
    twice = stored(tmp_path, "twice", row(task="a", TraceID=on_day(1)), row(task="a", kind="Failed", TraceID=on_day(1)))
    found = related_results(visible_evaluations(), first_of(twice))
    assert (found.total, found.repeats, found.copies) == (2, 2, ())


def test_results_without_a_trace_id_are_not_copies(tmp_path: Path) -> None:
    first = stored(tmp_path, "first", row(task="a", TraceID=""))
    stored(tmp_path, "second", row(task="a", TraceID="", kind="Failed"))
    assert related_results(visible_evaluations(), first_of(first)).total == 2


def test_other_runs_at_the_task_are_those_of_the_evaluation(tmp_path: Path) -> None:
    stored(tmp_path, "elsewhere", row(task="a", run="far", TraceID=on_day(1)))
    here = stored(
        tmp_path, "here", row(task="a", TraceID=on_day(2)), row(1, task="a", run="z"), row(2, task="a", run="b"), row(3)
    )
    found = related_results(visible_evaluations(), first_of(here))
    assert ([peer.run for peer in found.peers], found.peer_total) == (["b", "z"], 2)


def test_an_evaluation_that_may_not_be_seen_is_not_in_the_history(tmp_path: Path) -> None:
    here = stored(tmp_path, "here", row(task="a", TraceID=on_day(1)))
    stored(tmp_path, "hidden", row(task="a", TraceID=on_day(2)))
    assert related_results(VisibleSet.of(frozenset({here})), first_of(here)).total == 1


def test_an_unknown_result_has_nothing_beside_it() -> None:
    assert related_results(visible_evaluations(), 5).total == 0
