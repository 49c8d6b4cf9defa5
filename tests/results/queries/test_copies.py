"""Which results do not count because an older evaluation holds them too."""

from pathlib import Path

import pytest

from results.queries.copies import copied_ids
from results.queries.visibility import VisibleSet, visible_evaluations
from tests.results.facts.evaluations import row, stored
from tests.results.queries.histories import on_day

pytestmark = pytest.mark.django_db
EVALUATION = 2**24


def copies(*evaluation_ids: int) -> list[int]:
    visible = VisibleSet.of(frozenset(evaluation_ids)) if evaluation_ids else visible_evaluations()
    found: list[int] = copied_ids(visible).tolist()
    return found


def test_a_result_of_two_evaluations_counts_in_the_older_one(tmp_path: Path) -> None:
    stored(tmp_path, "original", row(task="a", TraceID=on_day(1)))
    merged = stored(tmp_path, "merged", row(1, task="b", TraceID=on_day(2)), row(task="a", TraceID=on_day(1)))
    assert copies() == [merged * EVALUATION + 1]


def test_an_evaluation_that_cannot_be_seen_holds_no_original(tmp_path: Path) -> None:
    stored(tmp_path, "original", row(task="a", TraceID=on_day(1)))
    merged = stored(tmp_path, "merged", row(task="a", TraceID=on_day(1)), row(1, task="b"))
    assert copies(merged) == []


def test_another_project_holds_no_original(tmp_path: Path) -> None:
    stored(tmp_path, "here", row(task="a", TraceID=on_day(1)))
    stored(tmp_path, "there", row(task="a", TraceID=on_day(1)), row(1, task="b"), project="other")
    assert copies() == []


def test_the_same_trace_id_twice_in_one_document_means_repeats(tmp_path: Path) -> None:
    stored(tmp_path, "original", row(task="a", TraceID=on_day(1)))
    stored(tmp_path, "twice", row(task="a", TraceID=on_day(1)), row(task="a", kind="Failed", TraceID=on_day(1)))
    assert copies() == []


def test_results_without_a_trace_id_are_no_copies(tmp_path: Path) -> None:
    stored(tmp_path, "first", row(task="a", TraceID=""))
    stored(tmp_path, "second", row(task="a", TraceID="", kind="Failed"))
    assert copies() == []


def test_a_later_import_is_taken_into_account(tmp_path: Path) -> None:
    stored(tmp_path, "original", row(task="a", TraceID=on_day(1)))
    assert copies() == []
    again = stored(tmp_path, "again", row(task="a", TraceID=on_day(1)), row(1, task="b"))
    assert copies() == [again * EVALUATION]
