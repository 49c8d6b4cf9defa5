"""Which results do not count because an older evaluation holds them too."""

from pathlib import Path

import pytest
from django.http import QueryDict

from results.filters import Choice, ResultFilter
from results.models.dimensions import Task
from results.queries.copies import copied_ids
from results.queries.facets import facets
from results.queries.neighbours import neighbours
from results.queries.results import result_page
from results.queries.summary import summary
from results.queries.task_history import task_history
from results.queries.visibility import VisibleSet, visible_evaluations
from results.statistics import OutcomeCounts
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


@pytest.fixture
def merged(tmp_path: Path) -> int:
    """An evaluation that holds a result of its own and a copy; the original is in an older one."""
    stored(tmp_path, "original", row(task="a", kind="Failed", TraceID=on_day(1)))
    return stored(tmp_path, "merged", row(1, task="a", TraceID=on_day(2)), row(task="a", TraceID=on_day(1)))


def shown(query: str) -> list[int]:
    return [found.id for found in result_page(visible_evaluations(), ResultFilter.parse(QueryDict(query))).rows]


def test_the_filter_shows_what_history_counts(merged: int) -> None:
    counted = ResultFilter.parse(QueryDict("copies=no"))
    assert sorted(shown("copies=no")) == [(merged - 1) * EVALUATION, merged * EVALUATION]
    assert shown("copies=yes") == shown("copies=-no") == [merged * EVALUATION + 1]
    assert shown("copies=no&started=..2024-01-01") == []
    assert summary(visible_evaluations(), counted)[0].outcomes == OutcomeCounts(passed=1, failed=1)
    history = task_history(visible_evaluations(), Task.objects.get().pk, ResultFilter())
    assert history is not None
    assert history.outcomes == OutcomeCounts(passed=1, failed=1)


def test_a_hidden_original_does_not_make_its_copy_count(merged: int) -> None:
    chosen = ResultFilter(evaluation=Choice((str(merged),)))
    history = task_history(visible_evaluations(), Task.objects.get().pk, chosen)
    assert history is not None
    assert (history.outcomes.total, history.copies) == (1, 1)
    assert len(shown(f"copies=no&evaluation={merged}")) == 1


def test_copies_are_a_facet(merged: int) -> None:
    for query in ("", "copies=no", "copies=no&outcome=passed&provider=openai&task=a"):
        (facet,) = facets(visible_evaluations(), ResultFilter.parse(QueryDict(query)), ("copies",))
        assert {option.value: option.count for option in facet.options} == {
            "yes": 1,
            "no": 1 if "outcome" in query else 2,
        }


def test_without_any_copy_every_result_counts(tmp_path: Path) -> None:
    stored(tmp_path, "one", row(task="a"), row(1, task="b"))
    assert len(shown("copies=no")) == 2
    assert shown("copies=yes") == []


def test_neighbours_are_those_of_the_counted_results(merged: int) -> None:
    found = neighbours(visible_evaluations(), ResultFilter.parse(QueryDict("copies=no")), "", merged * EVALUATION)
    assert found.total == 2
