"""Errors by title and by message."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict

from results.filters import Choice, ResultFilter
from results.queries import error_messages as messages_module
from results.queries.error_messages import ErrorMessages, error_messages
from results.queries.error_titles import ErrorTitles, error_titles
from results.queries.explorer import explore
from results.queries.facets import facets
from results.queries.visibility import visible_evaluations
from results.statistics import OutcomeCounts
from results.text.index import index_pending
from tests.results.facts.evaluations import row, stored
from tests.results.queries.histories import on_day

pytestmark = pytest.mark.django_db


def failed(title: str = "Execution Error", message: str = "boom", **more: Any) -> dict[str, Any]:
    return {"kind": "Error", "Got": message, "error": {"Title": title, "Message": message} | more}


def keep(folder: Path, name: str, day: int, *values: dict[str, Any]) -> int:
    rows = (row(number, TraceID=on_day(day, number), **fields) for number, fields in enumerate(values))
    return stored(folder, name, *rows)


def titles(chosen: ResultFilter | None = None) -> ErrorTitles:
    index_pending()
    return error_titles(visible_evaluations(), chosen or ResultFilter())


def messages(title: str | None = "Execution Error") -> ErrorMessages:
    return error_messages(visible_evaluations(), ResultFilter(error=Choice((title,))))


def test_nothing_stored_has_no_errors() -> None:
    assert (titles().titles, titles().outcomes) == ((), OutcomeCounts())


def test_transient_permanent_and_unknown_are_three_things(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {}, failed(Transient=True), failed(Transient=False), failed(), failed(), failed("Other"))
    first, second = titles().titles
    assert (first.title, first.transient, first.permanent, first.unknown, first.results) == (
        "Execution Error",
        1,
        1,
        2,
        4,
    )
    assert (second.title, second.results) == ("Other", 1)
    assert titles().outcomes == OutcomeCounts(1, 0, 5, 0)


def test_a_title_counts_runs_tasks_and_evaluations_once(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, failed() | {"task": "a"}, failed() | {"task": "b"})
    keep(tmp_path, "two", 3, failed() | {"task": "a", "run": "other"})
    (found,) = titles().titles
    assert (found.runs, found.tasks, found.evaluations) == (2, 2, 2)
    assert (found.last - found.first).days == 2


def test_cancelled_work_is_set_apart(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, failed(), failed(message="request: context canceled"), failed(message="context canceled"))
    found = titles()
    assert [(title.is_cancelled, title.results) for title in found.titles] == [(False, 1), (True, 2)]
    assert found.cancelled == 2


@pytest.mark.parametrize(
    ("query", "tasks"),
    [
        ("cancelled=yes", "1 2"),
        ("cancelled=no", "0 3 4"),
        ("cancelled=-yes", "0 3 4"),
        ("cancelled=no&outcome=error", "3"),
        ("cancelled=yes&run=a&suite=s&category=c", "1"),
        ("cancelled=yes&q=canceled", "1 2"),
        ("cancelled=no&q=canceled", "0"),
    ],
)
def test_cancelled_work_can_be_filtered(tmp_path: Path, query: str, tasks: str) -> None:
    values = [
        {"Got": "context canceled"},
        failed(message="context canceled") | {"run": "a", "suite": "s", "category": "c"},
        failed(message="request: context canceled"),
        failed(),
        {"kind": "Skipped"},
    ]
    keep(tmp_path, "one", 1, *values)
    index_pending()
    chosen = ResultFilter.parse(QueryDict(query))
    found = explore(visible_evaluations(), chosen, names=("cancelled", "outcome"))
    assert sorted(found_row.task for found_row in found.page.rows) == [f"task {number}" for number in tasks.split()]
    assert ResultFilter.parse(QueryDict(chosen.to_query())) == chosen


def test_cancelled_work_is_counted_under_the_other_filters(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {}, failed(message="context canceled"), failed(), failed(message="context canceled"))
    index_pending()
    (facet,) = facets(
        visible_evaluations(), ResultFilter.parse(QueryDict("outcome=error&cancelled=yes")), ("cancelled",)
    )
    assert [(option.value, option.count) for option in facet.options] == [("yes", 2), ("no", 1)]


def test_an_answer_about_cancelling_is_not_cancelled_work(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"Got": "context canceled"}, failed())
    assert titles().cancelled == 0


def test_until_texts_are_read_the_page_is_told(tmp_path: Path, var_dir: Path) -> None:
    keep(tmp_path, "one", 1, failed(message="context canceled"))
    shutil.rmtree(var_dir / "text")
    found = error_titles(visible_evaluations(), ResultFilter())
    assert (found.cancelled, found.lagging) == (0, 1)


def test_skipped_results_with_a_reason_come_after_errors(tmp_path: Path) -> None:
    skipped = {"kind": "Skipped", "error": {"Title": "Feature Disabled", "Transient": False}}
    keep(tmp_path, "one", 1, skipped, skipped, failed())
    assert [(title.title, title.outcome, title.results) for title in titles().titles] == [
        ("Execution Error", "error", 1),
        ("Feature Disabled", "skipped", 2),
    ]


def test_an_error_without_a_title_is_listed(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"kind": "Error", "Got": "boom"})
    assert [(title.title, title.results) for title in titles().titles] == [(None, 1)]
    assert [cluster.shape for cluster in messages(None).clusters] == ["boom"]


def test_copies_count_once(tmp_path: Path) -> None:
    keep(tmp_path, "original", 1, failed())
    keep(tmp_path, "merged", 1, failed(), {})
    assert titles().titles[0].results == 1
    assert messages().total == 1


def test_messages_of_one_shape_are_one_cluster(tmp_path: Path) -> None:
    keep(
        tmp_path,
        "one",
        1,
        failed(message="no file /a/b/c1", Transient=True),
        failed(message="no file /a/b/c2"),
        failed(message="other"),
        failed("Another title"),
    )
    found = messages()
    assert [(cluster.shape, cluster.results) for cluster in found.clusters] == [("no file <path>", 2), ("other", 1)]
    first = found.clusters[0]
    assert (first.transient, first.permanent, first.unknown) == (1, 0, 1)
    assert (found.total, found.read, first.search) == (3, 3, 'in:error "no file"')


def test_the_example_is_the_newest_result(tmp_path: Path) -> None:
    newest = keep(tmp_path, "late", 9, failed(message="n 2"))
    keep(tmp_path, "early", 1, failed(message="n 1"))
    (cluster,) = messages().clusters
    assert (cluster.example_id, cluster.example) == (newest * 2**24, "n 2")


def test_of_many_results_some_are_read_evenly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages_module, "MOST_READ", 3)
    names = ("first", "second", "third", "fourth", "fifth")
    keep(tmp_path, "one", 1, *(failed(message=name) for name in names))
    found = messages()
    assert (found.total, found.read) == (5, 3)
    assert sorted(cluster.shape for cluster in found.clusters) == ["fifth", "first", "third"]


def test_a_message_that_says_so_is_cancelled_work(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, failed(message="Post: Context  Canceled"), failed())
    assert [(cluster.shape, cluster.is_cancelled) for cluster in messages().clusters] == [
        ("Post: Context Canceled", True),
        ("boom", False),
    ]
