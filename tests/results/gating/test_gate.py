"""Gates against hand-computed values: what passes, what fails, and what cannot be judged."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from results.gating.rules import RuleError, Rules
from results.models.evaluations import Evaluation
from results.models.trials import Trial
from results.store.describing import set_baseline
from tests.results.facts.evaluations import row, stored
from tests.results.gating.gates import check, judged, results

pytestmark = pytest.mark.django_db
PRICED = {"RunConfig": {"Name": "x", "Pricing": {"Currency": "USD", "InputPerMillion": 1, "OutputPerMillion": 2}}}
MILLION = {"InputTokens": 1_000_000, "OutputTokens": 1_000_000}  # 3 USD at these prices


@pytest.mark.parametrize(
    ("outcomes", "least", "state"),
    [
        ("pppppppppf", "0.9", "passed"),  # 9 of 10
        ("pppppppppf", "0.901", "failed"),
        ("pppppppppe", "0.9", "passed"),  # an error counts
        ("ppppppppfs", "0.9", "failed"),  # 8 of 9: the skipped one does not
        ("ssss", "0", "unjudged"),  # no denominator
    ],
)
def test_a_pass_rate_is_held_against_the_least_that_is_asked_for(
    tmp_path: Path, outcomes: str, least: str, state: str
) -> None:
    report = judged(stored(tmp_path, "a", *results("a", outcomes)), min_pass_rate=least)
    assert (report.state, check(report, "min_pass_rate").state) == (state, state)


def test_a_rate_carries_its_figure_threshold_and_counts(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", *results("a", "ppfe"))
    found = check(judged(evaluation, max_error_rate="0.2"), "max_error_rate")
    assert (found.state, found.figure, found.threshold, found.counts) == (
        "failed",
        0.25,
        Decimal("0.2"),
        {"error": 1, "n": 4},
    )
    assert found.message == "25 % are errors (1 of 4); allowed: at most 20 %."
    assert found.address == f"/results/?evaluation={evaluation}&provider=openai&run=a&outcome=error"


@pytest.mark.parametrize(
    ("before", "after", "most", "states"),
    [
        ("ppff", "pfpf", "0", ("passed", "failed")),  # one regressed, one improved
        ("ppff", "pfpf", "1", ("passed", "passed")),
        ("ppff", "ppff", "0", ("passed", "passed")),
        ("ppff", "pepf", "0", ("passed", "failed")),  # an error is no pass
        ("ppff", "p.ff", "0", ("unjudged", "unjudged")),  # the missing one may have regressed
        ("ppff", "p.ff", "1", ("unjudged", "passed")),  # it would be the only one
        ("ppff", "ppf.", "0", ("unjudged", "passed")),  # it had not passed
        ("ppff", "psff", "0", ("unjudged", "unjudged")),  # a skipped one is missing
        ("ppfs", "ppff", "0", ("passed", "passed")),  # skipped before
        ("pp..", "..pp", "0", ("unjudged", "unjudged")),  # no pair
        ("ppff", ".fff", "0", ("unjudged", "failed")),  # what failed does so whatever is missing
    ],
)
def test_regressions_are_counted_and_missing_tasks_are_no_pass(
    tmp_path: Path, before: str, after: str, most: str, states: tuple[str, str]
) -> None:
    baseline, candidate = (
        stored(tmp_path, name, *results("a", outcomes)) for name, outcomes in (("a", before), ("b", after))
    )
    report = judged(candidate, baseline, max_regressions=most)
    assert (check(report, "tasks").state, check(report, "max_regressions").state) == states
    expected = "failed" if "failed" in states else "unjudged" if "unjudged" in states else "passed"
    assert report.state == expected


def test_regressed_and_missing_tasks_are_named(tmp_path: Path) -> None:
    baseline, candidate = stored(tmp_path, "a", *results("a", "ppp")), stored(tmp_path, "b", *results("a", "pf."))
    (run,) = judged(candidate, baseline).runs
    assert run.tasks is not None
    named = [[line.task for line in rows] for rows in (run.tasks.regressed, run.tasks.missing)]
    assert named == [["task 1"], ["task 2"]]


def test_a_task_with_other_accepted_answers_may_have_regressed(tmp_path: Path) -> None:
    baseline = stored(tmp_path, "a", *results("a", "pp", Want="blue"), row(9, run="a", task="same"))
    candidate = stored(tmp_path, "b", *results("a", "pf", Want="green"), row(9, run="a", task="same"))
    found = check(judged(candidate, baseline), "max_regressions")
    assert (found.state, found.counts) == ("unjudged", {"regressed": 0, "uncertain": 1, "pairs": 1})


@pytest.mark.parametrize(
    ("before", "after", "state", "p_value"),
    [
        ("pppppp", "ffffff", "failed", 0.03125),  # 2 · 0.5^6
        ("ppppp", "fffff", "unjudged", 0.0625),  # five pairs can never be below 0.05
        ("ppppppp", "fffffpp", "passed", 0.0625),  # five of seven
        ("ffffff", "pppppp", "passed", 0.03125),  # clearly better
    ],
)
def test_a_run_fails_where_it_is_clearly_worse(
    tmp_path: Path, before: str, after: str, state: str, p_value: float
) -> None:
    baseline, candidate = (
        stored(tmp_path, name, *results("a", outcomes)) for name, outcomes in (("a", before), ("b", after))
    )
    found = check(judged(candidate, baseline, significance="0.05"), "significance")
    assert (found.state, found.figure) == (state, p_value)


def test_several_runs_are_tests_that_are_corrected_together(tmp_path: Path) -> None:
    baseline = stored(tmp_path, "a", *results("a", "pppppp"), *results("b", "pppppp"))
    candidate = stored(tmp_path, "b", *results("a", "ffffff"), *results("b", "pppppp"))
    report = judged(candidate, baseline, significance="0.05")
    first, second = [one for one in report.checks if one.rule == "significance"]
    # 2 · 0.03125 = 0.0625, and 0.025 each would take seven pairs
    assert (first.figure, first.state, second.figure, second.state) == (0.0625, "unjudged", 1.0, "unjudged")


@pytest.mark.parametrize(
    ("most", "state"), [("6", "passed"), ("5.99", "failed"), ("6 USD", "passed"), ("6 EUR", "unjudged")]
)
def test_a_cost_is_held_against_the_most_that_is_allowed(tmp_path: Path, most: str, state: str) -> None:
    evaluation = stored(tmp_path, "a", *results("a", "pf", usage=MILLION, **PRICED))
    found = check(judged(evaluation, max_cost=most), "max_cost")
    assert (found.state, found.figure) == (state, None if state == "unjudged" else Decimal(6))


@pytest.mark.parametrize("more", [{"usage": MILLION}, {}])  # without prices; without any usage
def test_an_unknown_cost_is_no_pass_but_what_is_known_can_fail(tmp_path: Path, more: dict[str, Any]) -> None:
    priced = results("a", "p", usage=MILLION, **PRICED)
    evaluation = stored(tmp_path, "a", *priced, row(8, run="a", task="other", **more))
    states = [check(judged(evaluation, max_cost=most), "max_cost").state for most in ("10", "2.50")]
    assert states == ["unjudged", "failed"]


def test_too_few_results_cannot_be_judged(tmp_path: Path) -> None:
    report = judged(stored(tmp_path, "a", *results("a", "fff")), min_pass_rate="0.9", min_results="4")
    assert [one.state for one in report.checks] == ["unjudged", "unjudged"]


def test_without_a_rule_no_regression_from_the_pinned_baseline_is_allowed(tmp_path: Path) -> None:
    baseline, candidate = stored(tmp_path, "a", *results("a", "pp")), stored(tmp_path, "b", *results("a", "pf"))
    before = judged(candidate)
    set_baseline(baseline, is_baseline=True)
    after = judged(candidate)
    assert (before.state, check(before, "baseline").state, after.state, after.exit_code) == (
        "unjudged",
        "unjudged",
        "failed",
        1,
    )


def test_a_run_that_one_side_lacks_is_no_pass(tmp_path: Path) -> None:
    baseline = stored(tmp_path, "a", *results("a", "pp"), *results("old", "pp"))
    candidate = stored(tmp_path, "b", *results("a", "pp"), *results("new", "pp"))
    report = judged(candidate, baseline)
    unjudged = [one for one in report.checks if one.state == "unjudged"]
    assert [(one.rule, one.pairing and one.pairing.named.run) for one in unjudged] == [
        ("max_regressions", "new"),
        ("tasks", "old"),
    ]
    assert judged(candidate, baseline, runs=("openai/a",)).state == "passed"


def test_a_run_in_place_of_another_one_stands_against_it(tmp_path: Path) -> None:
    baseline, candidate = stored(tmp_path, "a", *results("old", "pp")), stored(tmp_path, "b", *results("new", "pf"))
    assert check(judged(candidate, baseline), "max_regressions").figure == 1


def test_a_filter_counts_on_both_sides(tmp_path: Path) -> None:
    easy, hard = {"difficulty": "easy"}, {"difficulty": "hard"}
    baseline = stored(tmp_path, "a", row(0, task="x", **easy), row(1, task="y", **hard))
    candidate = stored(tmp_path, "b", row(2, task="x", **easy), row(3, task="y", kind="Failed", **hard))
    states = [judged(candidate, baseline, query).state for query in ("", "difficulty=easy", "difficulty=none")]
    assert states == ["failed", "passed", "unjudged"]


def test_a_filter_picks_runs(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", *results("a", "pp", model="m"), *results("b", "ff", model="n"))
    queries = ("run=a", "run=-b", "model=m", "provider=other")
    states = [judged(evaluation, "", query, min_pass_rate="1").state for query in queries]
    assert states == ["passed", "passed", "passed", "unjudged"]


def test_the_latest_evaluation_stands_against_the_one_before_it(tmp_path: Path) -> None:
    first, second = stored(tmp_path, "a", *results("a", "pp")), stored(tmp_path, "b", *results("a", "pf"))
    for pk, day in ((first, 2), (second, 1)):
        Evaluation.objects.filter(pk=pk).update(started_at=f"2026-11-0{day}T00:00:00Z")
    report = judged("latest", "latest")
    assert report.candidate is not None
    assert report.baseline is not None
    assert (report.candidate.id, report.baseline.id) == (first, second)


@pytest.mark.parametrize(
    ("candidate", "said"), [("nothing", "There is no evaluation nothing."), ("same", "2 evaluations are called same")]
)
def test_a_candidate_that_is_not_one_evaluation_is_not_judged(tmp_path: Path, candidate: str, said: str) -> None:
    for name in ("a", "b"):
        Evaluation.objects.filter(pk=stored(tmp_path, name, row(0, task=name))).update(name="same")
    report = judged(candidate)
    assert report.exit_code == 2
    assert check(report, "candidate").message.startswith(said)


def test_evaluations_of_two_projects_or_one_with_itself_cannot_be_compared(tmp_path: Path) -> None:
    here, there = stored(tmp_path, "a", row(0)), stored(tmp_path, "b", row(0), project="other")
    set_baseline(here, is_baseline=True)
    found = [check(judged(here, baseline), "baseline") for baseline in ("pinned", here)]
    assert [one.state for one in found] == ["unjudged", "unjudged"]
    assert judged(there, here).state == "unjudged"


def test_a_trial_that_ended_early_is_no_pass(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", *results("a", "pp"))
    Trial.objects.create(
        evaluation_id=evaluation, state="cancelled", total=5, plan={"runs": [], "tasks": [], "only": None}
    )
    report = judged(evaluation, min_pass_rate="0.5")
    assert (report.state, check(report, "candidate").state) == ("unjudged", "unjudged")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("min_pass_rate", "90"),
        ("min_pass_rate", "nan"),
        ("max_error_rate", "-0.1"),
        ("max_regressions", "1.5"),
        ("min_results", "0"),
        ("max_cost", "cheap"),
        ("significance", "0"),
        ("significance", "1"),
    ],
)
def test_a_threshold_that_makes_no_sense_is_refused(name: str, text: str) -> None:
    with pytest.raises(RuleError, match="is not"):
        Rules.read({name: text})
