"""Figures by group against hand-computed values."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from results.filters import Choice, ResultFilter
from results.queries.summary import GroupSummary, Measure, summary
from results.queries.visibility import visible_evaluations
from results.statistics import OutcomeCounts
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db
LARGEST = 2**63 - 1


def grouped(*names: str, chosen: ResultFilter | None = None) -> dict[tuple[str | None, ...], GroupSummary]:
    found = summary(visible_evaluations(), chosen or ResultFilter(), names)
    return {group.key: group for group in found}


def everything() -> GroupSummary:
    (group,) = summary(visible_evaluations(), ResultFilter())
    return group


def measured(group: GroupSummary, name: str) -> Measure:
    measure = getattr(group, name)
    assert isinstance(measure, Measure)
    return measure


def keep(folder: Path, *values: dict[str, Any]) -> None:
    stored(folder, "a", *(row(number, **fields) for number, fields in enumerate(values)))


def test_no_result_means_no_group() -> None:
    assert summary(visible_evaluations(), ResultFilter(), ("run",)) == []


def test_everything_without_a_measure_is_one_group(tmp_path: Path) -> None:
    keep(tmp_path, {}, {"kind": "Failed"}, {"kind": "Error", "error": {"Title": "x", "Transient": True}})
    (group,) = summary(visible_evaluations(), ResultFilter(), (), ())
    assert (group.outcomes, group.transient_errors) == (OutcomeCounts(1, 1, 1, 0), 1)


def test_outcomes_are_counted_by_group(tmp_path: Path) -> None:
    keep(
        tmp_path,
        {"run": "a"},
        {"run": "a", "kind": "Failed"},
        {"run": "b", "kind": "Skipped"},
        {"run": "a", "kind": "Error"},
    )
    counts = {key: group.outcomes for key, group in grouped("run").items()}
    assert counts == {("a",): OutcomeCounts(1, 1, 1, 0), ("b",): OutcomeCounts(0, 0, 0, 1)}


def test_unknown_tokens_are_counted_and_not_taken_as_zero(tmp_path: Path) -> None:
    keep(tmp_path, {"usage": {"InputTokens": 100}}, {}, {"usage": {"InputTokens": 300}})
    tokens = measured(everything(), "input_tokens")
    assert (tokens.total, tokens.mean, tokens.known, tokens.unknown) == (400, 200.0, 2, 1)
    assert (tokens.median, tokens.deviation) == (Decimal(200), 100.0)


def test_a_sum_goes_beyond_64_bits(tmp_path: Path) -> None:
    keep(tmp_path, *({"usage": {"InputTokens": LARGEST}} for _ in range(2)))
    tokens = measured(everything(), "input_tokens")
    assert (tokens.total, tokens.median) == (18446744073709551614, Decimal(LARGEST))


def test_a_median_of_large_numbers_is_exact(tmp_path: Path) -> None:
    keep(tmp_path, {"usage": {"InputTokens": LARGEST}}, {"usage": {"InputTokens": LARGEST - 1}})
    assert measured(everything(), "input_tokens").median == Decimal("9223372036854775806.5")


def test_large_cache_counters_are_added_exactly(tmp_path: Path) -> None:
    usage = {
        "InputTokens": 9876635045,
        "InputCacheWriteTokens": 9757309999902428,
        "InputTokenAccounting": "cache_tokens_separate",
    }
    keep(tmp_path, {"usage": usage})
    assert measured(everything(), "input_tokens").total == 9757319876537473


def test_percentiles_of_model_time_lie_between_the_closest_ranks(tmp_path: Path) -> None:
    keep(tmp_path, {"duration": 100}, {"duration": 302}, {"duration": 301})
    time = measured(everything(), "duration")
    assert (time.median, time.p95, time.total) == (Decimal(301), Decimal("301.9"), 703)


def test_skipped_results_have_no_part_in_any_measure(tmp_path: Path) -> None:
    keep(tmp_path, {"duration": 100}, {"duration": 900, "kind": "Skipped", "usage": {"InputTokens": 10}})
    group = everything()
    assert (measured(group, "duration").total, measured(group, "input_tokens").unknown) == (100, 1)


def test_a_group_of_skipped_results_has_unknown_measures(tmp_path: Path) -> None:
    keep(tmp_path, {"kind": "Skipped"})
    assert everything().duration == Measure(0, 0, None, None, None, None)


def test_the_usage_of_a_failed_judge_is_not_the_models(tmp_path: Path) -> None:
    error = {"Title": "Validation Error", "Usage": {"InputTokens": 1234, "OutputTokens": 5678}}
    keep(tmp_path, {"kind": "Error", "usage": {"InputTokens": 7}, "error": error})
    group = everything()
    assert (measured(group, "input_tokens").total, measured(group, "output_tokens").total) == (7, None)


def test_the_usage_of_any_other_error_is_the_models(tmp_path: Path) -> None:
    keep(tmp_path, {"kind": "Error", "error": {"Title": "Response Parsing Error", "Usage": {"OutputTokens": 333}}})
    assert measured(everything(), "output_tokens").total == 333


def test_tool_calls_are_summed(tmp_path: Path) -> None:
    keep(tmp_path, {"tools": {"a": 100, "b": 36}}, {}, {"tools": {"a": 0}})
    tools = measured(everything(), "tool_calls")
    assert (tools.total, tools.known, tools.unknown) == (136, 2, 1)


def test_a_result_counts_once_in_each_of_its_tags(tmp_path: Path) -> None:
    keep(tmp_path, {"tags": ["x", "y", "x"]}, {"tags": ["y"]}, {})
    assert {key: group.outcomes.total for key, group in grouped("tag").items()} == {("x",): 1, ("y",): 2, (None,): 1}


def test_groups_come_in_order_of_their_names_with_unspecified_last(tmp_path: Path) -> None:
    keep(tmp_path, {"suite": "b"}, {}, {"suite": "Ä"}, {"suite": "a"}, {"suite": "B"})
    assert list(grouped("suite")) == [("B",), ("a",), ("b",), ("Ä",), (None,)]


def test_runs_of_one_name_are_apart_when_the_provider_is_asked_for(tmp_path: Path) -> None:
    keep(tmp_path, {"provider": "x", "run": "y-z"}, {"provider": "x-y", "run": "z"}, {"provider": "x", "run": "z"})
    assert list(grouped("provider", "run")) == [("x", "y-z"), ("x", "z"), ("x-y", "z")]
    assert {key: group.outcomes.total for key, group in grouped("run").items()} == {("y-z",): 1, ("z",): 2}


def test_tasks_of_one_name_in_two_projects_are_one_group(tmp_path: Path) -> None:
    stored(tmp_path, "a", row(1, task="t"))
    stored(tmp_path, "b", row(2, task="t"), project="other")
    assert {key: group.outcomes.total for key, group in grouped("task").items()} == {("t",): 2}


def test_a_group_by_evaluation_is_named_by_its_id(tmp_path: Path) -> None:
    first, second = stored(tmp_path, "a", row(1)), stored(tmp_path, "b", row(2))
    assert list(grouped("evaluation")) == [(str(first),), (str(second),)]


def test_only_results_of_the_filter_count(tmp_path: Path) -> None:
    keep(tmp_path, {"suite": "a", "run": "r"}, {"suite": "b", "run": "r"})
    found = grouped("run", chosen=ResultFilter(suite=Choice(("a",))))
    assert found[("r",)].outcomes.total == 1


def test_transient_and_parsing_errors_are_counted(tmp_path: Path) -> None:
    keep(
        tmp_path,
        {"kind": "Error", "error": {"Title": "x", "Transient": True}},
        {"kind": "Error", "error": {"Title": "x", "Transient": False, "ResponseParsing": True}},
        {"kind": "Error", "error": {"Title": "x"}},
    )
    assert (everything().transient_errors, everything().response_parsing_errors) == (1, 1)


def test_measures_that_are_not_asked_for_are_none(tmp_path: Path) -> None:
    keep(tmp_path, {})
    (group,) = summary(visible_evaluations(), ResultFilter(), (), ("duration",))
    assert (group.duration is None, group.input_tokens) == (False, None)


def test_an_unknown_group_is_an_error() -> None:
    with pytest.raises(KeyError, match="colour"):
        summary(visible_evaluations(), ResultFilter(), ("colour",))


def test_white_space_alone_is_no_metadata(tmp_path: Path) -> None:
    keep(tmp_path, {"difficulty": "  ", "tags": ["\t", "x"]}, {"difficulty": ""}, {"difficulty": " easy "})
    assert {key: group.outcomes.total for key, group in grouped("difficulty").items()} == {(" easy ",): 1, (None,): 2}
    assert list(grouped("tag")) == [("x",), (None,)]
