"""Tools: calls, times with missing values, failures, and what became of the results."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from results.filters import Choice, ResultFilter
from results.models.dimensions import Term
from results.queries.tool_outcomes import Gap
from results.queries.tool_use import ToolLine, ToolUse, tool_name, tool_use
from results.queries.visibility import visible_evaluations
from results.statistics import OutcomeCounts
from tests.documents import result
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db
MS = 10**6


def call(tool: str = "python", status: str = "success", **fields: Any) -> dict[str, Any]:
    return {"Tool": tool, "CallID": "c", "Status": status, **fields}


def timed(wall_ms: int | None) -> dict[str, Any]:
    return call() if wall_ms is None else call(WallTimeNS=wall_ms * MS)


def with_calls(
    number: int, *calls: dict[str, Any], totals: Mapping[str, int | None] | None = None, **fields: Any
) -> dict[str, Any]:
    """A result with calls; the totals of the same tools are recorded too unless others are given."""
    named = {entry["Tool"]: 1 for entry in calls} if totals is None else totals
    usage = {name: {"CallCount": count} for name, count in named.items()}
    return result(number, Details={"Answer": {"ToolCalls": [*calls], "ToolUsage": usage}}, **fields)


def asked(chosen: ResultFilter | None = None, tool_id: int | None = None) -> ToolUse:
    return tool_use(visible_evaluations(), chosen or ResultFilter(), tool_id)


def line_of(use: ToolUse, tool: str) -> ToolLine:
    return next(line for line in use.tools if line.tool == tool)


def test_calls_are_counted_by_status(tmp_path: Path) -> None:
    statuses = ["success", "success", "nonzero_exit", "empty_output", "timeout", "invalid_arguments"]
    statuses += ["infrastructure_error", "a new word"]
    stored(tmp_path, "a", with_calls(1, *[call(status=status) for status in statuses]))
    figures = line_of(asked(), "python").figures
    assert figures is not None
    assert (figures.calls, figures.statuses, figures.other) == (8, (2, 1, 1, 1, 1, 1), 1)
    assert (figures.success.hits, figures.success.n, figures.failed) == (2, 7, 5)


def test_medians_leave_out_calls_without_a_time(tmp_path: Path) -> None:
    walls = [10, 20, None, 40, 50]
    calls = [timed(wall) for wall in walls]
    stored(tmp_path, "a", with_calls(1, *calls))
    total = asked().total
    assert total is not None
    assert (total.wall.known, total.wall.unknown, total.wall.total) == (4, 1, 120 * MS)
    # median of 10 20 40 50, and 95 % of the way: place 2.85 = 40 + 0.85 · 10
    assert (total.wall.median, total.wall.p95) == (Decimal(30 * MS), Decimal("48.5") * MS)
    assert (total.own.median, total.own.unknown) == (None, 5)


def test_times_beyond_floating_point_stay_exact(tmp_path: Path) -> None:
    long = 2**53 + 1
    stored(tmp_path, "a", with_calls(1, call(WallTimeNS=long)))
    total = asked().total
    assert total is not None
    assert total.wall.median == Decimal(long)


def test_turns_are_those_of_the_last_call_of_a_result(tmp_path: Path) -> None:
    rows = [
        with_calls(1, call(ConversationTurn=1), call(ConversationTurn=4)),
        with_calls(2, call(ConversationTurn=2)),
        with_calls(3, call()),
    ]
    stored(tmp_path, "a", *rows)
    total = asked().total
    assert total is not None
    assert total.turns is not None
    assert (total.turns.median, total.turns.unknown) == (Decimal(3), 1)


def test_outcomes_are_told_apart_by_a_failed_call(tmp_path: Path) -> None:
    rows = [
        with_calls(1, call(), call()),
        with_calls(2, call(), Kind="Failed"),
        with_calls(3, call(), call(status="timeout"), Kind="Failed"),
        with_calls(4, call(status="nonzero_exit")),
        with_calls(5, call(status="a new word")),
        with_calls(6, totals={"python": 3}),
    ]
    stored(tmp_path, "a", *rows, row(7))
    use = asked()
    joined = line_of(use, "python").joined
    assert (joined.good, joined.failed) == (OutcomeCounts(passed=1, failed=1), OutcomeCounts(passed=1, failed=1))
    assert (joined.unclear, joined.without_calls) == (1, 1)
    assert (use.results, use.using, use.with_calls) == (7, 6, 5)


def test_the_test_of_independence_is_fishers(tmp_path: Path) -> None:
    good = [with_calls(number, call()) for number in range(8)]
    failed = [with_calls(10 + number, call(status="timeout"), Kind="Failed") for number in range(4)]
    stored(tmp_path, "a", *good, *failed)
    # One table of C(12, 4) = 495 is as far apart.
    assert line_of(asked(), "python").joined.p_value == pytest.approx(1 / 495)


def test_calls_without_a_total_are_counted(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", with_calls(1, call("sql"), totals={}), with_calls(2, call("sql")))
    assert line_of(asked(), "sql").without_usage == asked().without_usage == Gap(1, (evaluation * 2**24,))


def test_a_total_without_calls_is_counted_by_tool_and_section_and_one_of_0_calls_is_none(tmp_path: Path) -> None:
    evaluation = stored(
        tmp_path,
        "a",
        with_calls(1, call("sql"), totals={"sql": 1, "python": 2}),
        with_calls(2, totals={"python": 0}),
        with_calls(3, totals={"python": None}),
        with_calls(4, call("python"), totals={"python": 5}),
    )
    found = Gap(2, (evaluation * 2**24, evaluation * 2**24 + 2))
    assert line_of(asked(), "python").without_calls == asked().without_calls == found
    assert line_of(asked(), "sql").without_calls == Gap()


def test_a_tool_with_totals_only_has_no_figures(tmp_path: Path) -> None:
    stored(tmp_path, "a", with_calls(1, totals={"sql": 2}))
    assert (line_of(asked(), "sql").figures, asked().total) == (None, None)


def test_calls_of_judges_are_apart(tmp_path: Path) -> None:
    judged = {"Validation": {"ToolCalls": [call("sql")]}, "Answer": {"ToolCalls": [call()]}}
    failed = {"Error": {"Title": "Validation Error", "ToolCalls": [call("sql")]}}
    own = {"Error": {"Title": "Something else", "ToolCalls": [call("own")]}}
    rows = [result(number, Details=details) for number, details in enumerate((judged, failed, own))]
    stored(tmp_path, "a", *rows)
    use = asked()
    assert {line.tool for line in use.tools} == {"python", "own"}
    assert use.judge_calls == 2


def test_a_filter_chooses_results_and_all_of_their_calls_count(tmp_path: Path) -> None:
    stored(tmp_path, "a", with_calls(1, call(), call("sql"), Run="x"), with_calls(2, call(), Run="y"))
    use = asked(ResultFilter(run=Choice(("x",))))
    assert [(line.tool, line.figures and line.figures.calls) for line in use.tools] == [("python", 1), ("sql", 1)]


def test_one_tool_is_told_by_run(tmp_path: Path) -> None:
    stored(tmp_path, "a", with_calls(1, call(), call("sql"), Run="x"), with_calls(2, call("sql"), Run="y"))
    tool = line_of(asked(), "python").id
    assert tool is not None
    use = asked(tool_id=tool)
    assert [(line.run, line.figures and line.figures.calls) for line in use.runs] == [("x", 1)]
    assert tool_name(visible_evaluations(), tool) == "python"


def test_the_slowest_calls_come_first(tmp_path: Path) -> None:
    stored(tmp_path, "a", with_calls(1, call(WallTimeNS=1), call("sql", WallTimeNS=3), call(WallTimeNS=2), call()))
    assert [(found.tool, found.wall_ns) for found in asked().slowest] == [("sql", 3), ("python", 2), ("python", 1)]


def test_a_word_that_is_no_tool_has_no_page(tmp_path: Path) -> None:
    stored(tmp_path, "a", with_calls(1, call()), row(2, model="m"))
    assert [tool_name(visible_evaluations(), pk) for pk in Term.objects.values_list("pk", flat=True)].count(
        "python"
    ) == 1


def test_a_copy_counts_once(tmp_path: Path) -> None:
    stored(tmp_path, "a", with_calls(1, call()))
    stored(tmp_path, "b", with_calls(1, call()), with_calls(2, call()))
    use = asked()
    assert (use.total and use.total.calls, use.using, use.copies) == (2, 2, 1)


def test_nothing_at_all() -> None:
    use = asked()
    assert (use.results, use.total, use.tools, use.runs, use.slowest) == (0, None, (), (), ())
