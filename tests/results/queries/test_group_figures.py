"""Figures at several levels of grouping against hand-computed values, and MindTrial's golden numbers."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from results.filters import Choice, ResultFilter
from results.queries.evaluation_tasks import task_names
from results.queries.figure_values import Figure, figure
from results.queries.group_figures import GroupFigures, group_figures
from results.queries.visibility import visible_evaluations
from results.statistics import OutcomeCounts
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db
LARGEST = 2**63 - 1
PRICES = {"Currency": "USD", "InputPerMillion": 1000000, "OutputPerMillion": 2000000}


def keep(folder: Path, *values: dict[str, Any]) -> int:
    return stored(folder, "a", *(row(number, **fields) for number, fields in enumerate(values)))


def grouped(*names: str, **asked: Any) -> dict[tuple[str | None, ...], GroupFigures]:
    (level,) = group_figures(visible_evaluations(), asked.pop("chosen", ResultFilter()), (names,), **asked)
    return {group.key: group for group in level.selected}


def everything(name: str) -> Figure:
    (group,) = grouped().values()
    return figure(group, name)


def test_levels_are_read_at_once_each_with_its_own_median(tmp_path: Path) -> None:
    keep(
        tmp_path,
        {"category": "x", "run": "a", "duration": 1},
        {"category": "x", "run": "b", "duration": 5},
        {"category": "y", "run": "a", "duration": 100},
    )
    levels = group_figures(visible_evaluations(), ResultFilter(), ((), ("category",), ("category", "run")))
    found = [[(group.key, figure(group, "duration_median")) for group in level.selected] for level in levels]
    assert found == [
        [((), Decimal(5))],
        [(("x",), Decimal(3)), (("y",), Decimal(100))],
        [(("x", "a"), Decimal(1)), (("x", "b"), Decimal(5)), (("y", "a"), Decimal(100))],
    ]


def test_a_result_counts_in_each_of_its_tags_and_once_in_the_level_above(tmp_path: Path) -> None:
    keep(tmp_path, {"run": "a", "tags": ["t", "u"]}, {"run": "a", "tags": []})
    (outer, inner) = group_figures(visible_evaluations(), ResultFilter(), (("run",), ("run", "tag")))
    assert [group.outcomes.total for group in outer.selected] == [2]
    assert [(group.key, group.outcomes.total) for group in inner.selected] == [
        (("a", "t"), 1),
        (("a", "u"), 1),
        (("a", None), 1),
    ]


def test_a_selection_of_tasks_splits_the_figures(tmp_path: Path) -> None:
    keep(tmp_path, {"task": "p"}, {"task": "q", "kind": "Failed"}, {"task": "r", "kind": "Failed"})
    ids = {name: pk for pk, name in task_names(visible_evaluations()).items()}
    (level,) = group_figures(visible_evaluations(), ResultFilter(), ((),), tasks=[ids["q"]])
    assert [group.outcomes for group in level.selected] == [OutcomeCounts(0, 1, 0, 0)]
    assert [group.outcomes for group in level.remaining] == [OutcomeCounts(1, 1, 0, 0)]


def test_an_empty_selection_leaves_everything_remaining(tmp_path: Path) -> None:
    keep(tmp_path, {"task": "p"})
    (level,) = group_figures(visible_evaluations(), ResultFilter(), ((),), tasks=[])
    assert (level.selected, len(level.remaining)) == ((), 1)


def test_cache_and_reasoning_tokens_are_those_of_answer_and_error(tmp_path: Path) -> None:
    counters = {"InputCacheReadTokens": 7, "InputCacheWriteTokens": 0, "ReasoningTokens": 30}
    keep(
        tmp_path,
        {"usage": counters},
        {"kind": "Error", "error": {"Title": "x", "Usage": {"InputCacheReadTokens": 100}}},
        {},
    )
    found = [everything(f"{name}_tokens") for name in ("cache_read", "cache_write", "reasoning")]
    assert found == [107, 0, 30]
    (group,) = grouped().values()
    measure = group.measure("cache_read_tokens")
    assert measure is not None
    assert (measure.known, measure.unknown, measure.median) == (2, 1, Decimal("53.5"))


def test_a_failed_judges_counters_are_not_the_models(tmp_path: Path) -> None:
    error = {"Title": "Validation Error", "Usage": {"InputTokens": 40, "InputCacheReadTokens": 9}}
    keep(tmp_path, {"kind": "Error", "usage": {"InputTokens": 1}, "error": error})
    names = ("input_tokens", "cache_read_tokens", "judge_input_tokens")
    assert [everything(name) for name in names] == [1, None, 49]


def test_sums_of_counters_go_beyond_64_bits(tmp_path: Path) -> None:
    usage = {"InputTokens": 1, "InputCacheReadTokens": LARGEST, "InputTokenAccounting": "cache_tokens_included"}
    keep(tmp_path, {"usage": usage}, {"usage": usage})
    assert everything("cache_read_tokens") == 18446744073709551614
    assert everything("cache_read_tokens_median") == Decimal(LARGEST)


def test_a_deviation_takes_two_values(tmp_path: Path) -> None:
    keep(tmp_path, {"run": "a", "duration": 2}, {"run": "b", "duration": 2}, {"run": "b", "duration": 6})
    found = {key: figure(group, "duration_deviation") for key, group in grouped("run").items()}
    assert found == {("a",): None, ("b",): 2.0}


def test_skipped_results_are_in_no_measure(tmp_path: Path) -> None:
    keep(tmp_path, {"duration": 5, "kind": "Skipped"}, {"duration": 7})
    assert [everything(name) for name in ("duration", "count", "skipped", "results")] == [7, 1, 1, 2]


def test_only_what_is_asked_for_is_read(tmp_path: Path) -> None:
    keep(tmp_path, {"duration": 5})
    (group,) = grouped(wanted=("duration",), spread=()).values()
    assert (figure(group, "duration"), figure(group, "duration_median"), group.costs) == (5, None, None)
    assert group.measure("input_tokens") is None


def priced(number: int, tokens: int, prices: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    made = row(number, usage={"InputTokens": tokens, "OutputTokens": 0}, **fields)
    return made | ({"RunConfig": {"Pricing": prices}} if prices else {})


def test_a_pass_costs_what_the_priced_results_cost_over_those_that_passed(tmp_path: Path) -> None:
    stored(
        tmp_path,
        "a",
        priced(0, 3, PRICES),
        priced(1, 4, PRICES, kind="Failed"),
        priced(2, 5),
        priced(3, 2, PRICES),
    )
    (group,) = grouped().values()
    assert (figure(group, "cost"), figure(group, "cost_per_pass")) == (Decimal(9), Decimal("4.5"))
    assert group.costs is not None
    assert (group.costs.unpriced, group.costs.amounts[0].priced) == (1, 3)


def test_currencies_stay_apart(tmp_path: Path) -> None:
    stored(tmp_path, "a", priced(0, 3, PRICES), priced(1, 4, PRICES | {"Currency": "EUR"}))
    (group,) = grouped().values()
    assert group.costs is not None
    assert [(amount.currency, amount.total, amount.passed) for amount in group.costs.amounts] == [
        ("EUR", Decimal(4), 1),
        ("USD", Decimal(3), 1),
    ]


def test_no_pass_has_no_price(tmp_path: Path) -> None:
    stored(tmp_path, "a", priced(0, 3, PRICES, kind="Failed"))
    assert everything("cost_per_pass") is None


def test_a_blank_group_can_be_filtered(tmp_path: Path) -> None:
    keep(tmp_path, {"suite": "s"}, {})
    assert list(grouped("suite", chosen=ResultFilter(suite=Choice((None,))))) == [(None,)]


@pytest.mark.parametrize(("levels", "wanted"), [((("colour",),), ()), ((), ("colour",))])
def test_unknown_names_are_an_error(levels: tuple[tuple[str, ...], ...], wanted: tuple[str, ...]) -> None:
    with pytest.raises(KeyError, match="colour"):
        group_figures(visible_evaluations(), ResultFilter(), levels, wanted)


# The golden numbers of MindTrial's own test document (ten runs, one task): what each run's usage comes to.
BIG = {
    "InputTokens": 9876543210,
    "OutputTokens": 1234567890,
    "InputCacheWriteTokens": 9757309999902428,
    "InputCacheReadTokens": 91835,
    "InputTokenAccounting": "cache_tokens_separate",
}
JUDGE = {
    "InputTokens": 11,
    "InputCacheWriteTokens": 55,
    "InputCacheReadTokens": 99,
    "OutputTokens": 5,
    "InputTokenAccounting": "cache_tokens_included",
}
GOLDEN_RUNS: dict[str, dict[str, Any]] = {
    "success": {
        "usage": BIG,
        "tools": {"a": 100, "b": 36},
        "validation": {"Title": "A", "Usage": JUDGE},
        "duration": 95,
    },
    "failure": {"kind": "Failed", "usage": {"InputTokens": 300}, "duration": 10},
    "success-multiple": {"duration": 17},
    "failure-multiple": {
        "kind": "Failed",
        "validation": {
            "Title": "A",
            "Usage": {"InputTokens": 500, "OutputTokens": 150},
            "ToolUsage": {"t": {"CallCount": 847}},
        },
    },
    "error": {
        "kind": "Error",
        "error": {
            "Title": "x",
            "Transient": True,
            "Usage": {"InputTokens": 0, "OutputTokens": 0},
            "ToolUsage": {"a": {"CallCount": 3548}},
        },
    },
    "not-supported": {"kind": "Skipped", "error": {"Title": "x", "Usage": {"InputTokens": 10, "OutputTokens": 0}}},
    "check-error": {"kind": "Error", "error": {"Title": "y", "Usage": {"InputTokens": 1234, "OutputTokens": 5678}}},
    "parsing-error": {"kind": "Error", "error": {"Title": "z", "Usage": {"OutputTokens": 333}}},
    "structured-success": {
        "usage": {"InputTokens": 456, "OutputTokens": 234},
        "tools": {"a": 3},
        "validation": {
            "Title": "A",
            "Usage": {"InputTokens": 78, "OutputTokens": 12},
            "ToolUsage": {"t": {"CallCount": 1}},
        },
    },
    "structured-failure": {
        "kind": "Failed",
        "usage": {"InputTokens": 412, "OutputTokens": 198},
        "validation": {"Title": "A", "Usage": {"InputTokens": 89, "OutputTokens": 15}},
    },
}
GOLDEN_FIGURES = ("input_tokens", "output_tokens", "tool_calls", "judge_input_tokens", "judge_output_tokens")
GOLDEN = {
    "success": (9757319876537473, 1234567890, 136, 11, 5),
    "failure": (300, None, None, None, None),
    "success-multiple": (None, None, None, None, None),
    "failure-multiple": (None, None, None, 500, 150),
    "error": (0, 0, 3548, None, None),
    "not-supported": (None, None, None, None, None),
    "check-error": (1234, 5678, None, None, None),
    "parsing-error": (None, 333, None, None, None),
    "structured-success": (456, 234, 3, 78, 12),
    "structured-failure": (412, 198, None, 89, 15),
}


@pytest.fixture
def golden(tmp_path: Path) -> None:
    rows = (row(number, task="riddle", run=run, **fields) for number, (run, fields) in enumerate(GOLDEN_RUNS.items()))
    stored(tmp_path, "golden", *rows)


@pytest.mark.usefixtures("golden")
def test_effective_tokens_and_tool_calls_are_mindtrials_golden_numbers() -> None:
    found = {run: tuple(figure(group, name) for name in GOLDEN_FIGURES) for (run,), group in grouped("run").items()}
    assert found == GOLDEN


@pytest.mark.usefixtures("golden")
def test_the_total_of_the_golden_runs_is_exact_and_says_what_is_unknown() -> None:
    (group,) = grouped().values()
    measure = group.measure("input_tokens")
    assert measure is not None
    assert (measure.total, measure.known, measure.unknown) == (9757319876539875, 6, 3)
    assert (group.outcomes, group.transient_errors) == (OutcomeCounts(3, 3, 3, 1), 1)
    assert [rate.value for rate in (group.outcomes.pass_rate, group.outcomes.accuracy)] == [3 / 9, 3 / 6]
