"""The overview's figures against values computed by hand."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict

from results.filters import ResultFilter
from results.queries import overview_changes, overview_trend
from results.queries.overview import Overview, overview
from results.queries.overview_costs import latest_costs
from results.queries.overview_errors import ErrorKinds, error_kinds
from results.queries.overview_evaluations import evaluation_briefs
from results.queries.visibility import visible_evaluations
from results.statistics import OutcomeCounts
from results.store.describing import set_baseline
from tests.documents import START_MS, trace_id
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db

DAY_MS = 86_400_000
SECOND = 1_000_000_000


def asked(text: str = "") -> Overview:
    visible = visible_evaluations()
    return overview(visible, ResultFilter.parse(QueryDict(text)), evaluation_briefs(visible))


def day(folder: Path, number: int, *rows: dict[str, Any], project: str = "default") -> int:
    """An evaluation of day `number`: its trace ids are its own."""
    placed = [
        each | {"TraceID": trace_id(1000 * number + place, START_MS + number * DAY_MS)}
        for place, each in enumerate(rows)
    ]
    return stored(folder, f"day {number}", *placed, project=project)


def test_without_results_there_is_nothing_to_say() -> None:
    found = asked()
    assert (found.latest_id, found.latest, found.changes, found.trend.runs, found.evaluations) == (
        None,
        None,
        None,
        (),
        0,
    )


def test_the_trend_has_a_point_for_each_run_and_evaluation_in_the_order_of_time(tmp_path: Path) -> None:
    later = day(tmp_path, 2, row(1, task="a", kind="Failed"), row(2, task="b"), row(3, task="a", run="mini"))
    earlier = day(tmp_path, 1, row(1, task="a"), row(2, task="b", kind="Skipped"))
    trend = asked().trend
    assert trend.evaluation_ids == (earlier, later)
    assert [(line.provider, line.run) for line in trend.runs] == [("openai", "gpt"), ("openai", "mini")]
    points = [(point.evaluation_id, point.outcomes) for point in trend.runs[0].points]
    assert points == [(earlier, OutcomeCounts(1, 0, 0, 1)), (later, OutcomeCounts(1, 1, 0, 0))]
    assert trend.outcomes == OutcomeCounts(3, 1, 0, 1)


def test_a_run_with_only_skipped_results_has_no_point(tmp_path: Path) -> None:
    day(tmp_path, 1, row(1, kind="Skipped"))
    found = asked()
    assert (found.trend.runs, found.trend.all_evaluations, found.evaluations) == ((), 0, 1)
    assert found.latest is not None
    assert found.latest.outcomes.pass_rate.value is None


def test_a_result_that_two_evaluations_hold_counts_once_in_the_trend(tmp_path: Path) -> None:
    first = stored(tmp_path, "first", row(1), row(2))
    merged = stored(tmp_path, "merged", row(1), row(2), row(3))
    points = {point.evaluation_id: point.outcomes.passed for point in asked().trend.runs[0].points}
    assert points == {first: 2, merged: 1}


def test_large_ids_are_counted_without_an_array_of_them_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    day(tmp_path, 1, row(1, category="maths"), row(2, kind="Failed", category=""))
    day(tmp_path, 2, row(1, category="maths", kind="Error"), row(2, run="mini", category="maths"))
    quick = asked()
    monkeypatch.setattr(overview_trend, "_MOST_CELLS", 0)
    monkeypatch.setattr(overview_changes, "_MOST_CELLS", 0)
    assert asked("started=2000-01-01..") == quick


def test_the_latest_evaluation_is_compared_with_the_one_before_it(tmp_path: Path) -> None:
    before = day(
        tmp_path,
        1,
        row(1, task="a"),
        row(2, task="b", kind="Failed"),
        row(3, task="c"),
        row(4, task="d"),
        row(5, task="e"),
    )
    latest = day(
        tmp_path,
        2,
        row(1, task="a", kind="Error"),
        row(2, task="b"),
        row(3, task="c"),
        row(4, task="d", kind="Skipped"),
        row(6, task="f"),
    )
    found = asked()
    assert (found.latest_id, found.reference_id, found.is_baseline) == (latest, before, False)
    assert found.changes is not None
    pairs = found.changes.pairs
    assert (pairs.improved, pairs.regressed, pairs.same) == (1, 1, 1)
    assert [(each.task, each.outcome) for each in found.changes.regressed] == [("a", "error")]
    assert [(each.task, each.outcome) for each in found.changes.improved] == [("b", "passed")]
    assert [(each.run, each.pairs.regressed, each.pairs.pairs) for each in found.changes.runs] == [("gpt", 1, 3)]


def test_the_baseline_of_the_project_comes_before_the_evaluation_before(tmp_path: Path) -> None:
    baseline = day(tmp_path, 1, row(1, task="a", kind="Failed"))
    day(tmp_path, 2, row(1, task="a"))
    day(tmp_path, 3, row(1, task="a"))
    set_baseline(baseline, is_baseline=True)
    found = asked()
    assert (found.reference_id, found.is_baseline) == (baseline, True)
    assert found.changes is not None
    assert found.changes.pairs.improved == 1


def test_the_baseline_itself_is_compared_with_the_evaluation_before_it(tmp_path: Path) -> None:
    before = day(tmp_path, 1, row(1, task="a"))
    set_baseline(day(tmp_path, 2, row(1, task="a")), is_baseline=True)
    found = asked()
    assert (found.reference_id, found.is_baseline) == (before, False)


def test_an_evaluation_of_other_runs_or_of_another_project_is_no_reference(tmp_path: Path) -> None:
    day(tmp_path, 1, row(1, run="other"))
    day(tmp_path, 2, row(1), project="elsewhere")
    latest = day(tmp_path, 3, row(1))
    found = asked()
    assert (found.latest_id, found.reference_id, found.changes) == (latest, None, None)


def test_tasks_whose_accepted_answers_changed_are_no_pairs(tmp_path: Path) -> None:
    day(tmp_path, 1, row(1, task="a", Want="blue"), row(2, task="b", Want="blue"))
    day(tmp_path, 2, row(1, task="a", Want="red", kind="Failed"), row(2, task="b", Want="blue", kind="Failed"))
    changes = asked().changes
    assert changes is not None
    assert (changes.pairs.regressed, changes.pairs.pairs) == (1, 1)


def test_repeats_are_paired_by_their_number(tmp_path: Path) -> None:
    day(tmp_path, 1, row(1, task="a"), row(2, task="a", kind="Failed"))
    day(tmp_path, 2, row(1, task="a", kind="Failed"), row(2, task="a"), row(3, task="a"))
    changes = asked().changes
    assert changes is not None
    assert (changes.pairs.improved, changes.pairs.regressed, changes.pairs.same) == (1, 1, 0)


def test_categories_come_with_the_lowest_pass_rate_first_and_their_history(tmp_path: Path) -> None:
    before = day(tmp_path, 1, row(1, task="a", category="logic"))
    latest = day(
        tmp_path,
        2,
        row(1, task="a", category="logic", kind="Failed"),
        row(2, task="b", category="logic"),
        row(3, task="c", category="maths"),
        row(4, task="d", kind="Error"),
        row(5, task="e", category="vision", kind="Skipped"),
    )
    found = asked()
    assert found.latest is not None
    told = [(each.category, each.outcomes.passed, each.outcomes.counted) for each in found.latest.categories]
    assert told == [(None, 0, 1), ("logic", 1, 2), ("maths", 1, 1)]
    lines = [[(point.evaluation_id, point.outcomes.passed) for point in line] for line in found.category_trends]
    assert lines == [[(latest, 0)], [(before, 1), (latest, 1)], [(latest, 1)]]


def test_errors_are_told_apart_and_time_leaves_skipped_results_out(tmp_path: Path) -> None:
    day(
        tmp_path,
        1,
        row(1, task="a", duration=1 * SECOND, kind="Error", error={"Title": "x", "Transient": True}),
        row(2, task="b", duration=2 * SECOND, kind="Error", error={"Title": "x", "Transient": False}),
        row(3, task="c", duration=4 * SECOND, kind="Error", error={"Title": "x"}),
        row(4, task="d", duration=9 * SECOND, kind="Skipped"),
    )
    latest = asked().latest
    assert latest is not None
    assert latest.outcomes.errors == 3
    kinds = error_kinds(visible_evaluations(), ResultFilter(), asked().latest_id or 0)
    assert kinds == ErrorKinds(transient=1, permanent=1, unknown=1, cancelled=0)
    assert latest.median_ns == 2 * SECOND
    assert latest.timed == 3
    assert latest.p95_ns == Fraction(38, 10) * SECOND  # position 0.95 · 2 = 1.9 between 2 s and 4 s


def test_the_slowest_tasks_come_by_their_median(tmp_path: Path) -> None:
    day(
        tmp_path,
        1,
        row(1, task="slow", duration=10 * SECOND),
        row(2, task="slow", run="mini", duration=20 * SECOND, kind="Failed"),
        row(3, task="spiky", duration=1 * SECOND),
        row(4, task="spiky", run="mini", duration=3 * SECOND),
        row(5, task="spiky", run="nano", duration=90 * SECOND),
    )
    latest = asked().latest
    assert latest is not None
    told = [(each.task, float(each.median_ns), each.longest_ns, each.passed, each.counted) for each in latest.tasks]
    assert told == [
        ("slow", 15 * SECOND, 20 * SECOND, 1, 2),
        ("spiky", 3 * SECOND, 90 * SECOND, 3, 3),
    ]


def test_times_too_long_to_be_sorted_in_one_number_are_sorted_all_the_same(tmp_path: Path) -> None:
    huge = 2**62
    day(
        tmp_path,
        1,
        row(1, task="a", duration=huge),
        row(2, task="b", duration=5),
        row(3, task="a", run="mini", duration=huge + 2),
    )
    latest = asked().latest
    assert latest is not None
    assert [(each.task, int(each.median_ns)) for each in latest.tasks] == [("a", huge + 1), ("b", 5)]


def priced(number: int, run: str, tokens: int, **fields: Any) -> dict[str, Any]:
    """A result that cost `tokens` dollars at one dollar a token."""
    prices = {"Currency": "USD", "InputPerMillion": 1_000_000, "OutputPerMillion": 1_000_000}
    usage = {"InputTokens": tokens, "OutputTokens": 0, "InputTokenAccounting": "cache_tokens_included"}
    return row(number, run=run, usage=usage, **fields) | {"RunConfig": {"Pricing": prices}}


def test_runs_come_by_what_they_cost_and_what_a_pass_cost(tmp_path: Path) -> None:
    day(
        tmp_path,
        1,
        priced(1, "gpt", 3, task="a", duration=SECOND),
        priced(2, "gpt", 4, task="b", kind="Failed", duration=3 * SECOND),
        priced(3, "mini", 9, task="a", kind="Failed", duration=SECOND),
        row(4, run="gpt", task="c", usage={"InputTokens": 1, "OutputTokens": 1}, duration=2 * SECOND),
    )
    found = asked()
    assert found.latest is not None
    assert found.latest_id is not None
    costs = latest_costs(visible_evaluations(), ResultFilter(), found.latest_id)
    told = [(each.run, each.sum.total, each.sum.per_pass, each.unpriced) for each in costs.runs]
    assert told == [("mini", Decimal(9), None, 0), ("gpt", Decimal(7), Decimal(7), 1)]
    assert costs.main is not None
    assert (costs.main.currency, costs.main.total, costs.unpriced) == ("USD", Decimal(16), 1)
    medians = dict(found.latest.run_medians_ns)
    assert [medians[each.run_id] for each in costs.runs] == [SECOND, 2 * SECOND]


def test_tools_come_by_failed_calls_and_the_judges_own_are_left_out(tmp_path: Path) -> None:
    judge = {"Title": "Validation Error", "ToolCalls": [{"Tool": "judge", "CallID": "j", "Status": "timeout"}]}
    day(
        tmp_path,
        1,
        row(1, task="a", tool_calls=[("python", "success"), ("python", "timeout"), ("python", "timeout")]),
        row(2, task="b", tool_calls=[("python", "nonzero_exit"), ("search", "success"), ("search", "odd")]),
        row(3, task="c", kind="Error", error=judge),
    )
    latest = asked().latest
    assert latest is not None
    told = [(each.tool, each.calls, each.failed, each.mostly) for each in latest.tools]
    assert told == [("python", 4, 3, "timeout"), ("search", 2, 0, None)]


def test_a_filter_holds_for_everything(tmp_path: Path) -> None:
    day(tmp_path, 1, row(1, task="a", suite="core"), row(2, task="b", suite="extra"))
    day(
        tmp_path,
        2,
        row(1, task="a", suite="core", kind="Failed", tool_calls=[("python", "timeout")]),
        row(2, task="b", suite="extra", kind="Failed", tool_calls=[("python", "timeout")]),
    )
    found = asked("suite=core")
    assert found.latest is not None
    assert found.changes is not None
    assert (found.trend.outcomes.total, found.latest.outcomes.total, found.changes.pairs.regressed) == (2, 1, 1)
    assert found.latest.tools[0].calls == 1


def test_a_project_and_a_time_range_choose_the_latest_evaluation(tmp_path: Path) -> None:
    first = day(tmp_path, 1, row(1))
    other = day(tmp_path, 2, row(1), project="other")
    day(tmp_path, 9, row(1))
    assert asked("project=other").latest_id == other
    assert asked("started=..2026-05-31").latest_id == other
    assert asked("started=..2026-05-31&project=default").latest_id == first
