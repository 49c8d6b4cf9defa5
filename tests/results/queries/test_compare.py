"""Comparisons of runs against hand-computed values."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from results.filters import Choice, ResultFilter
from results.paired import PairedOutcomes
from results.queries.compare import Comparison, Kind, compare
from results.queries.compare_columns import (
    ColumnKey,
    baseline_of,
    columns_of_results,
    compared_runs,
    runs_of,
)
from results.queries.compare_figures import Shift
from results.queries.compare_rows import ComparedRows, compared_rows, compared_task, shown_counts
from results.queries.visibility import visible_evaluations
from results.store.describing import set_baseline
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db
LARGEST = 2**63 - 1


def results(run: str, outcomes: str, **fields: Any) -> list[dict[str, Any]]:
    """A run with a task for each letter: passed, failed, error or skipped; `.` = no result."""
    kinds = {"p": "Passed", "f": "Failed", "e": "Error", "s": "Skipped"}
    return [
        row(number, run=run, task=f"task {number}", kind=kinds[letter], TraceID=f"{run} {number}", **fields)
        for number, letter in enumerate(outcomes)
        if letter != "."
    ]


def keys_of(*evaluation_ids: int) -> list[ColumnKey]:
    """Every column of some evaluations, by run and then by evaluation."""
    return [column.key for column in runs_of(visible_evaluations(), evaluation_ids)]


def compared(*evaluation_ids: int) -> Comparison:
    return compare(visible_evaluations(), keys_of(*evaluation_ids))


def listed(found: Comparison, *asked: Any) -> ComparedRows:
    return compared_rows(visible_evaluations(), found, *asked)


def names(rows: ComparedRows) -> list[str]:
    return [line.task for line in rows.rows]


def test_each_task_is_improved_regressed_or_the_same(tmp_path: Path) -> None:
    found = compared(stored(tmp_path, "a", *results("a", "ppffe"), *results("b", "pfpfp")))
    assert found.candidates[0].pairs == PairedOutcomes(improved=2, regressed=1, same=2)


def test_an_error_is_no_pass_and_another_error_the_same(tmp_path: Path) -> None:
    found = compared(stored(tmp_path, "a", *results("a", "pef"), *results("b", "eee")))
    assert found.candidates[0].pairs == PairedOutcomes(improved=0, regressed=1, same=2)


def test_eight_against_one_are_told_from_chance(tmp_path: Path) -> None:
    found = compared(stored(tmp_path, "a", *results("a", "ffffffffp"), *results("b", "ppppppppf")))
    candidate = found.candidates[0]
    assert (candidate.pairs.p_value, candidate.corrected_p_value) == (0.0390625, 0.0390625)


def test_several_candidates_are_corrected_together(tmp_path: Path) -> None:
    document = [*results("a", "ffffffffp"), *results("b", "ppppppppf"), *results("c", "ffffffffp")]
    found = compared(stored(tmp_path, "a", *document))
    assert [one.corrected_p_value for one in found.candidates] == [0.078125, 1.0]


def test_skipped_results_are_in_no_pair(tmp_path: Path) -> None:
    found = compared(stored(tmp_path, "a", *results("a", "psp"), *results("b", "pps")))
    assert (found.candidates[0].pairs.pairs, found.candidates[0].kinds[Kind.SKIPPED]) == (1, 2)


def test_unequal_task_sets_are_told_apart(tmp_path: Path) -> None:
    found = compared(stored(tmp_path, "a", *results("a", "pp..p"), *results("b", "p.pp.")))
    kinds = found.candidates[0].kinds
    figures = (kinds[Kind.ONLY_HERE], kinds[Kind.NOT_HERE], found.tasks, found.shared_tasks)
    assert figures == (2, 2, 5, 1)


def test_columns_without_a_common_task_have_no_pairs(tmp_path: Path) -> None:
    found = compared(stored(tmp_path, "a", *results("a", "pp.."), *results("b", "..pp")))
    candidate = found.candidates[0]
    assert (candidate.pairs.pairs, candidate.interval, candidate.corrected_p_value) == (0, None, None)


def test_a_run_that_was_skipped_throughout_has_no_rate_and_no_pairs(tmp_path: Path) -> None:
    found = compared(stored(tmp_path, "a", *results("a", "ppf"), *results("b", "sss")))
    assert (found.columns[1].outcomes.pass_rate.value, found.candidates[0].pairs.pairs) == (None, 0)


def test_one_column_alone_has_figures_and_no_candidates(tmp_path: Path) -> None:
    found = compared(stored(tmp_path, "a", *results("a", "ppf")))
    assert (found.columns[0].outcomes.passed, found.candidates) == (2, ())


def test_repeats_are_paired_with_each_other(tmp_path: Path) -> None:
    document = [
        row(number, run=run, task="task", kind=kind, TraceID=f"{run} {number}")
        for run, kinds in (("a", ("Passed", "Failed", "Failed")), ("b", ("Failed", "Passed")))
        for number, kind in enumerate(kinds)
    ]
    found = compared(stored(tmp_path, "a", *document))
    assert (found.candidates[0].pairs, found.candidates[0].kinds[Kind.NOT_HERE]) == (PairedOutcomes(1, 1, 0), 1)


def test_the_same_run_in_two_evaluations_is_compared_with_itself(tmp_path: Path) -> None:
    before, after = stored(tmp_path, "a", *results("a", "pf")), stored(tmp_path, "b", *results("a", "pp"))
    assert compared(before, after).candidates[0].pairs == PairedOutcomes(improved=1, regressed=0, same=1)


def test_runs_of_one_name_under_two_providers_stay_apart(tmp_path: Path) -> None:
    document = [*results("a", "pf", provider="x"), *results("a", "fp", provider="y")]
    for place, line in enumerate(document):
        line["TraceID"] = str(place)
    assert compared(stored(tmp_path, "a", *document)).candidates[0].pairs == PairedOutcomes(1, 1, 0)


def test_a_task_with_other_accepted_answers_is_changed_and_no_pair(tmp_path: Path) -> None:
    before = stored(tmp_path, "a", *results("a", "pf", Want="blue"))
    after = stored(tmp_path, "b", *results("a", "fp", Want="green"))
    candidate = compared(before, after).candidates[0]
    assert (candidate.changed, candidate.kinds[Kind.OTHER_ANSWER], candidate.pairs.pairs) == (2, 2, 0)


def test_a_task_with_other_metadata_is_changed_and_still_a_pair(tmp_path: Path) -> None:
    before = stored(tmp_path, "a", *results("a", "pf", suite="old"))
    after = stored(tmp_path, "b", *results("a", "fp", suite="new"))
    candidate = compared(before, after).candidates[0]
    assert (candidate.changed, candidate.pairs) == (2, PairedOutcomes(1, 1, 0))


def test_accepted_answers_that_one_side_does_not_record_have_not_changed(tmp_path: Path) -> None:
    before = stored(tmp_path, "a", *results("a", "pf", Want="blue"))
    after = stored(tmp_path, "b", *results("a", "fe", Want=None))
    candidate = compared(before, after).candidates[0]
    assert (candidate.changed, candidate.pairs.pairs) == (0, 2)


def test_medians_leave_unknown_values_and_skipped_results_out(tmp_path: Path) -> None:
    document = results("a", "ppps")
    for line, duration_ns in zip(document, (10, 31, 0, 999), strict=True):
        line["DurationNS"] = duration_ns
    del document[2]["DurationNS"]
    duration = compared(stored(tmp_path, "a", *document)).columns[0].duration
    assert (duration.known, duration.unknown, duration.total, duration.median) == (2, 1, 41, 20)


def test_differences_are_taken_over_the_pairs_where_both_are_known(tmp_path: Path) -> None:
    document = [*results("a", "pp.p"), *results("b", "pfp.")]
    for line, duration in zip(document, (100, 200, 4000, 150, 230, 7000), strict=True):
        line["DurationNS"] = duration
    found = compared(stored(tmp_path, "a", *document))
    assert found.candidates[0].differences.duration == Shift(pairs=2, total=80, median=40)


def test_token_sums_are_exact_beyond_64_bits(tmp_path: Path) -> None:
    usage = {"InputTokens": 1, "OutputTokens": LARGEST}
    document = [*results("a", "ppp", usage=usage), *results("b", "ppp", usage={"InputTokens": 1, "OutputTokens": 1})]
    found = compared(stored(tmp_path, "a", *document))
    moved = found.candidates[0].differences.output_tokens
    assert (found.columns[0].output_tokens.total, moved.total) == (3 * LARGEST, 3 - 3 * LARGEST)


def test_token_sums_are_exact_beyond_floating_point(tmp_path: Path) -> None:
    usage = {"InputTokens": 1, "OutputTokens": 2**53 + 1}
    found = compared(stored(tmp_path, "a", *results("a", "pp", usage=usage)))
    assert found.columns[0].output_tokens.total == 2**54 + 2


def test_costs_are_compared_in_their_currency_and_what_has_no_price_is_counted(tmp_path: Path) -> None:
    priced = {"RunConfig": {"Name": "x", "Pricing": {"Currency": "USD", "InputPerMillion": 1, "OutputPerMillion": 2}}}
    usage = {"InputTokens": 1_000_000, "OutputTokens": 500_000}
    document = [
        *results("a", "pp", usage=usage, **priced),
        *results("b", "p", usage={"InputTokens": 3_000_000, "OutputTokens": 0}, **priced),
        *results("b", ".p", usage=usage),
    ]
    found = compared(stored(tmp_path, "a", *document))
    costs, moved = found.columns[1].costs, found.candidates[0].differences
    assert [(amount.currency, amount.total) for amount in costs.amounts] == [("USD", Decimal(3))]
    assert [(amount.total, amount.priced) for amount in moved.costs] == [(Decimal(1), 1)]
    assert (costs.unpriced, moved.unpriced) == (1, 1)


def test_currencies_are_not_added_up(tmp_path: Path) -> None:
    usage = {"InputTokens": 1_000_000, "OutputTokens": 0}
    document = []
    for run, currency in (("a", "USD"), ("b", "EUR")):
        pricing = {"Currency": currency, "InputPerMillion": 1, "OutputPerMillion": 2}
        document += results(run, "p", usage=usage, RunConfig={"Name": run, "Pricing": pricing})
    found = compared(stored(tmp_path, "a", *document)).candidates[0].differences
    assert (found.costs, found.unpriced) == ((), 1)


def test_what_differs_is_listed_with_the_most_regressed_first(tmp_path: Path) -> None:
    document = [*results("a", "fppp"), *results("b", "pfpf"), *results("c", "pppf")]
    found = compared(stored(tmp_path, "a", *document))
    assert names(listed(found, "differ")) == ["task 3", "task 1", "task 0"]


@pytest.mark.parametrize(
    ("shown", "place", "expected"),
    [
        ("improved", None, ["task 0"]),
        ("regressed", None, ["task 3", "task 1"]),
        ("regressed", 0, ["task 3", "task 1"]),
        ("regressed", 1, ["task 3"]),
        ("same", 1, ["task 1", "task 2"]),
        ("only-here", None, []),
        ("all", None, ["task 3", "task 1", "task 0", "task 2"]),
    ],
)
def test_rows_are_narrowed_to_what_a_count_counts(
    tmp_path: Path, shown: str, place: int | None, expected: list[str]
) -> None:
    document = [*results("a", "fppp"), *results("b", "pfpf"), *results("c", "pppf")]
    found = compared(stored(tmp_path, "a", *document))
    assert (names(listed(found, shown, place)), shown_counts(found, place)[shown]) == (expected, len(expected))


def test_rows_go_by_name_when_asked(tmp_path: Path) -> None:
    found = compared(stored(tmp_path, "a", *results("a", "fppp"), *results("b", "pfpf")))
    assert names(listed(found, "all", None, "-task")) == ["task 3", "task 2", "task 1", "task 0"]


def test_a_page_beyond_the_end_is_the_last_one(tmp_path: Path) -> None:
    found = compared(stored(tmp_path, "a", *results("a", "p" * 60), *results("b", "p" * 60)))
    page = listed(found, "all", None, "", 99)
    assert (page.page, page.total, len(page.rows)) == (2, 60, 10)


def test_a_cell_leads_to_its_result(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", *results("a", "pf"), *results("b", ".p"))
    (line,) = listed(compared(evaluation), "improved").rows
    assert [cell.result_id for cell in line.cells] == [evaluation * 2**24 + 1, evaluation * 2**24 + 2]


def test_a_task_that_no_column_has_has_no_row(tmp_path: Path) -> None:
    found = compared(stored(tmp_path, "a", *results("a", "pf")))
    assert compared_task(visible_evaluations(), found, 999_999, 1) is None


def test_columns_of_deleted_and_unknown_evaluations_are_left_out(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", *results("a", "p"))
    (key,) = keys_of(evaluation)
    asked = [ColumnKey(999, key.run_id), key, ColumnKey(evaluation, 999)]
    assert [column.key for column in compared_runs(visible_evaluations(), asked)] == [key]


@pytest.mark.parametrize("text", ["", ":", "1", "1:", "a:b", "1:2:3", "-1:2", "²:1", f"{'9' * 40}:1"])
def test_a_text_that_names_no_column_is_none(text: str) -> None:
    assert ColumnKey.parse(text) is None


def test_a_column_is_written_as_it_is_read() -> None:
    assert ColumnKey.parse("12:7") == ColumnKey(12, 7) == ColumnKey.parse(ColumnKey(12, 7).text)


def test_results_stand_in_their_columns(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", *results("a", "p"), *results("b", "p"))
    ids = [evaluation * 2**24 + 1, evaluation * 2**24, evaluation * 2**24, 7]
    assert columns_of_results(visible_evaluations(), ids) == keys_of(evaluation)[::-1]


def test_a_project_has_the_baseline_that_was_pinned(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", *results("a", "p"))
    before = baseline_of(visible_evaluations(), "default")
    set_baseline(evaluation, is_baseline=True)
    assert (before, baseline_of(visible_evaluations(), "default")) == (None, evaluation)


def test_columns_that_the_facts_do_not_hold_yet_have_no_rows() -> None:
    found = compare(visible_evaluations(), [ColumnKey(1, 1), ColumnKey(2, 1)])
    assert (found.rows, found.candidates[0].pairs.pairs, listed(found, "all").rows) == (0, 0, ())


def test_a_filter_leaves_results_out_as_if_they_were_not_there(tmp_path: Path) -> None:
    def document(run: str, outcomes: str) -> list[dict[str, Any]]:
        lines = results(run, outcomes)
        for line, suite in zip(lines, ("new", "new", "old", "old"), strict=True):
            line["TaskMetadata"] = {"Suite": suite}
        return lines

    evaluation = stored(tmp_path, "a", *document("a", "pfpp"), *document("b", "ppff"))
    chosen = ResultFilter(suite=Choice(("new",)))
    found = compare(visible_evaluations(), keys_of(evaluation), chosen)
    assert (found.candidates[0].pairs, found.columns[1].outcomes.passed) == (PairedOutcomes(1, 0, 1), 2)
