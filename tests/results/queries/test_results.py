"""Pages of results: the right rows in the right order."""

from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict
from pytest_django import DjangoAssertNumQueries

from results.facts import engine
from results.filters import ResultFilter
from results.pricing import Origin, Reason
from results.queries.results import ResultRow, result_page
from results.queries.sorting import SORTS
from results.queries.visibility import VisibleSet, visible_evaluations
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db
LARGEST = 2**63 - 1


def asked(query: str) -> ResultFilter:
    return ResultFilter.parse(QueryDict(query))


def shown(query: str = "", sort: str = "", **options: int) -> list[str]:
    return [found.task for found in result_page(visible_evaluations(), asked(query), sort, **options).rows]


@pytest.fixture
def five(tmp_path: Path) -> None:
    """Five results that differ in everything."""
    rows: list[dict[str, Any]] = [
        row(0, task="a", run="r2", provider="p", suite="core", tags=["x", "y"], duration=3, usage={"InputTokens": 5}),
        row(1, task="b", run="r1", provider="p", kind="Failed", tags=["y"], duration=2, usage={"InputTokens": 70}),
        row(2, task="c", run="r1", provider="q", kind="Skipped", suite="edge", duration=None, model="m"),
        row(
            3, task="d", run="r2", provider="q", kind="Error", error={"Title": "Broken", "Transient": True}, duration=2
        ),
        row(4, task="Ä", run="r10", provider="q", suite="core", tags=["x"], tools={"bash": 2}, duration=9),
    ]
    stored(tmp_path, "five", *rows)


@pytest.mark.parametrize(
    ("query", "tasks"),
    [
        ("", "a b c d Ä"),
        ("provider=p", "a b"),
        ("provider=-p", "c d Ä"),
        ("run=r1&run=r10", "b c Ä"),
        ("suite=core", "a Ä"),
        ("suite=-core", "b c d"),
        ("suite=(unspecified)", "b d"),
        ("suite=-(unspecified)", "a c Ä"),
        ("suite=edge&suite=(unspecified)", "b c d"),
        ("suite=nowhere", ""),
        ("suite=-nowhere", "a b c d Ä"),
        ("model=m", "c"),
        ("outcome=failed&outcome=error", "b d"),
        ("outcome=-passed", "b c d"),
        ("tag=x", "a Ä"),
        ("tag=x&tag=y", "a b Ä"),
        ("tag=x&tag=y&tags=all", "a"),
        ("tag=-y", "c d Ä"),
        ("tag=(unspecified)", "c d"),
        ("tag=x&tag=-y", "Ä"),
        ("tag=x&tag=nowhere&tags=all", ""),
        ("tool=bash", "Ä"),
        ("tool=-bash", "a b c d"),
        ("tool=(unspecified)", "a b c d"),
        ("error=Broken", "d"),
        ("task=a&task=%C3%84", "a Ä"),
        ("duration=2ns..3ns", "a b d"),
        ("duration=..2ns", "b d"),
        ("input_tokens=6..", "b"),
        ("tool_calls=2", "Ä"),
        ("suite=core&outcome=passed&tag=y", "a"),
        ("evaluation=999999", ""),
    ],
)
def test_a_filter_shows_exactly_what_it_means(five: None, query: str, tasks: str) -> None:
    assert shown(query) == tasks.split()


@pytest.mark.parametrize(
    ("sort", "tasks"),
    [
        ("duration", "b d a Ä c"),
        ("-duration", "Ä a b d c"),
        ("input_tokens", "a b c d Ä"),
        ("-input_tokens", "b a c d Ä"),
        ("task", "a b c d Ä"),
        ("-task", "Ä d c b a"),
        ("run", "b c Ä a d"),
        ("-run", "a d Ä b c"),
        ("provider", "a b c d Ä"),
        ("-provider", "c d Ä a b"),
        ("suite", "a Ä c b d"),
        ("-suite", "c a Ä b d"),
        ("tags", "Ä a b c d"),
        ("-tags", "b a Ä c d"),
        ("tool_calls", "Ä a b c d"),
        ("outcome", "a Ä b d c"),
        ("error", "d a b c Ä"),
        ("model", "c a b d Ä"),
        ("nonsense", "a b c d Ä"),
    ],
)
def test_missing_values_come_last_both_ways_and_ties_in_document_order(five: None, sort: str, tasks: str) -> None:
    assert shown(sort=sort) == tasks.split()


@pytest.mark.parametrize("sort", [sign + name for name in SORTS for sign in ("", "-")])
def test_pages_put_together_are_the_whole_list(five: None, sort: str) -> None:
    pages = [shown(sort=sort, page=page, size=2) for page in (1, 2, 3)]
    assert pages[0] + pages[1] + pages[2] == shown(sort=sort)


def test_a_page_past_the_end_is_the_last_one(five: None) -> None:
    page = result_page(visible_evaluations(), asked(""), page=9, size=2)
    assert (page.page, page.pages, page.total, len(page.rows)) == (3, 3, 5, 1)


def test_a_row_says_everything_that_a_list_shows(tmp_path: Path) -> None:
    usage = {"InputTokens": 17903, "InputCacheReadTokens": 17817, "OutputTokens": 0}
    fields = {"suite": "s", "category": "c", "difficulty": "d", "tags": ["b", "a", "b"], "model": "m"}
    evaluation = stored(tmp_path, "one", row(1, provider="p", run="r", task="t", usage=usage, tools={"x": 1}, **fields))
    found = result_page(visible_evaluations(), asked("")).rows[0]
    assert found == ResultRow(
        id=evaluation * 2**24,
        evaluation_id=evaluation,
        evaluation=found.evaluation,
        provider="p",
        run="r",
        model="m",
        task="t",
        suite="s",
        category="c",
        difficulty="d",
        tags=("b", "a", "b"),
        outcome="passed",
        repeat=1,
        attempts=None,
        duration_ns=1_500_000_000,
        input_tokens=35720,
        output_tokens=0,
        tool_calls=1,
        started_at=found.started_at,
        started_at_source=1,
        is_transient=None,
        error_title=None,
        cost=None,
        currency=None,
        cost_reason=Reason.NO_PRICES,
        cost_origin=Origin.NONE,
    )
    assert found.evaluation
    assert found.started_at.isoformat() == "2026-05-28T20:26:40+00:00"


@pytest.mark.parametrize("tokens", [9757319876537473, 9007199254740993, LARGEST])
def test_large_token_counts_are_exact(tmp_path: Path, tokens: int) -> None:
    stored(tmp_path, "a", row(1, usage={"InputTokens": tokens}))
    assert result_page(visible_evaluations(), asked("")).rows[0].input_tokens == tokens


def test_token_counts_beyond_64_bits_are_exact_and_sort(tmp_path: Path) -> None:
    large = {"InputTokens": LARGEST, "InputCacheReadTokens": LARGEST}
    stored(tmp_path, "a", row(1, usage={"InputTokens": LARGEST}), row(2, usage=large), row(3))
    found = result_page(visible_evaluations(), asked(""), "-input_tokens").rows
    assert [result.input_tokens for result in found] == [18446744073709551614, LARGEST, None]


def test_three_results_of_one_run_and_task_are_three_repeats(tmp_path: Path) -> None:
    stored(tmp_path, "a", *(row(number, task="same") for number in range(3)))
    assert [found.repeat for found in result_page(visible_evaluations(), asked("")).rows] == [1, 2, 3]


def test_names_that_look_alike_stay_apart(tmp_path: Path) -> None:
    tasks = ["a b", "a-b", "задача 1", "задача 2", "A b"]
    stored(tmp_path, "a", *(row(number, task=task) for number, task in enumerate(tasks)))
    assert [shown(f"task={task}") for task in tasks] == [[task] for task in tasks]


def test_words_of_an_answer_find_its_result(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", row(1, task="x"), row(2, task="y"))
    assert evaluation
    assert shown("q=surelynowhere") == []


def test_an_evaluation_that_cannot_be_seen_has_no_row(five: None) -> None:
    assert result_page(VisibleSet.of(frozenset()), asked("")).total == 0


def test_a_page_takes_three_queries_of_the_database(
    five: None, django_assert_max_num_queries: DjangoAssertNumQueries, tmp_path: Path
) -> None:
    visible = visible_evaluations()
    result_page(visible, asked(""))
    engine.forget_answers()
    with django_assert_max_num_queries(3):
        result_page(visible, asked("provider=p"))


@pytest.mark.parametrize("sort", ["-duration", "task", "id"])
def test_pages_read_from_files_are_those_read_from_memory(
    five: None, monkeypatch: pytest.MonkeyPatch, sort: str
) -> None:
    before = shown(sort=sort)
    engine.reset()
    monkeypatch.setattr(engine, "MAX_RECENT_RESULTS", 0)
    assert shown(sort=sort) == before
