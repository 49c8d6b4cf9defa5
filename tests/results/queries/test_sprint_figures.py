"""Figures over sprints: hand-computed ones, and those of the real files recomputed from their JSON alone."""

import json
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from results.models.sprints import Iteration
from results.queries.iterations import iteration_detail
from results.queries.sprint_figures import (
    MethodSums,
    PartFigures,
    SprintSums,
    StrategySums,
    method_of,
    part_figures,
    sums_by_month,
    sums_by_project,
    sums_by_spec,
)
from results.queries.sprints import sprint_rows
from results.statistics import Rate
from tests.fixtures.agent_bober.imports import contract, evaluation, import_bodies, import_one

pytestmark = pytest.mark.django_db


@pytest.fixture
def kilns() -> PartFigures:
    """Four sprints: failed then passed; passed; passed without a date or feedback; only iteration 2, which passed."""
    import_bodies(contract())
    import_one(evaluation(1, overallResult="fail"))
    import_one(evaluation(2, timestamp="2026-04-01T00:00:00Z"))
    import_one(evaluation(1, contract="b"))
    import_one(evaluation(1, contract="c", timestamp=None, generatorFeedback=None), "other")
    import_one(evaluation(2, contract="d"))
    return part_figures(sprint_rows())


def short(sums: SprintSums) -> tuple[Any, ...]:
    return (sums.title, sums.sprints, sums.first_try, sums.mean_to_pass, sums.open_feedback, sums.feedback_unknown)


def test_by_month_of_the_first_iteration(kilns: PartFigures) -> None:
    assert [short(sums) for sums in sums_by_month(sprint_rows(), kilns)] == [
        ("2026-03", 3, Rate(1, 2), Fraction(5, 3), 3, 0),  # passed in iterations 2, 1 and 2
        ("undated", 1, Rate(1, 1), Fraction(1), 0, 1),
    ]


def test_by_project(kilns: PartFigures) -> None:
    assert [short(sums) for sums in sums_by_project(sprint_rows(), kilns)] == [
        ("default", 3, Rate(1, 2), Fraction(5, 3), 3, 0),
        ("other", 1, Rate(1, 1), Fraction(1), 0, 1),
    ]


def test_the_same_spec_of_two_projects_is_counted_apart(kilns: PartFigures) -> None:
    found = sums_by_spec(sprint_rows(), kilns)
    assert sorted((sums.key, sums.project, sums.sprints) for sums in found) == [
        ("kiln", "default", 3),
        ("kiln", "other", 1),
    ]


def test_failing_criteria_by_method_take_it_from_the_contract(kilns: PartFigures) -> None:
    # Five iterations of three criteria; the contract of two of them names a method for two of the three.
    assert set(kilns.methods) == {
        MethodSums("not recorded", 5, 11),
        MethodSums("unit-test", 0, 2),
        MethodSums("manual", 0, 2),
    }


def test_strategies_by_result(kilns: PartFigures) -> None:
    assert kilns.strategies == (StrategySums("lint", 0, 5, 0, 0, 0), StrategySums("build", 5, 0, 0, 0, 0))


def test_feedback_by_category_and_priority() -> None:
    items = [
        {"category": "bug", "priority": "High"},
        {"category": "Bug", "priority": "low"},
        {"category": "bug", "priority": "someday"},
        {"priority": "low"},
    ]
    import_one(evaluation(generatorFeedback=items))
    assert [(sums.category, sums.by_priority) for sums in part_figures(sprint_rows()).advice] == [
        ("bug", {"high": 1, "low": 1, "other": 1}),
        ("not recorded", {"low": 1}),
    ]


def test_what_iterations_do_not_record_is_counted_apart(kilns: PartFigures) -> None:
    recorded = (kilns.with_strategies, kilns.with_criteria, kilns.with_feedback)
    assert (kilns.iterations, recorded) == (5, (5, 5, 4))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("unit-test", "unit-test"),
        ("Build", "build"),
        ("hold it against the sky", "in words"),
        (None, "not recorded"),
        (" ", "not recorded"),
    ],
)
def test_a_method_that_is_a_sentence_has_one_word_for_all(text: str | None, word: str) -> None:
    assert method_of(text) == word


def raw_iterations(folder: Path) -> dict[str, dict[int, Any]]:
    """The real files, read as JSON and nothing else: by contract and number."""
    found: defaultdict[str, dict[int, Any]] = defaultdict(dict)
    for path in folder.glob("*.json"):
        fields = json.loads(path.read_text())
        found[fields["contractId"]][fields["iteration"]] = fields
    return found


def test_the_real_files_give_the_figures_that_their_json_gives(shared_folder: Path) -> None:
    base = shared_folder / "samples" / "agent-bober" / ".bober"
    import_bodies({f".bober/{path.relative_to(base)}": path.read_bytes() for path in sorted(base.rglob("*.json"))})
    rows = sprint_rows()
    figures = part_figures(rows)
    raw = raw_iterations(base / "eval-results")
    months: defaultdict[str, list[bool]] = defaultdict(list)
    for numbers in raw.values():
        first = numbers[min(numbers)]
        if 1 in numbers:
            months[first.get("timestamp", "")[:7]].append(first["overallResult"] == "pass")
    assert {sums.key: sums.first_try for sums in sums_by_month(rows, figures) if sums.first_try.n} == {
        month: Rate(sum(passed), len(passed)) for month, passed in months.items()
    }
    everything = [fields for numbers in raw.values() for fields in numbers.values()]
    strategies = Counter(
        (part["strategy"], part["result"]) for fields in everything for part in fields.get("strategyResults", [])
    )
    assert {(sums.strategy, sums.passed, sums.failed, sums.skipped) for sums in figures.strategies} == {
        (name, *(strategies[name, word] for word in ("pass", "fail", "skipped"))) for name, _ in strategies
    }
    words = Counter(
        part["result"].lower().split("-")[0] for fields in everything for part in fields.get("criteriaResults", [])
    )
    assert (sum(sums.failed for sums in figures.methods), sum(sums.judged for sums in figures.methods)) == (
        words["fail"],
        words["fail"] + words["pass"],
    )
    assert sum(sums.total for sums in figures.advice) == sum(
        len(fields.get("generatorFeedback", [])) for fields in everything
    )


def raw_flags(fields: dict[str, Any]) -> set[str]:
    """What is odd in a real file, by its JSON alone: time missing or midnight, and how the parts fit to the verdict."""
    flags = set()
    criteria, score = fields.get("criteriaResults"), fields["score"]
    results = [part["result"].lower().split("-")[0] for part in criteria or []]
    required = [part["result"].lower() for part in criteria or [] if part.get("required", True)]
    is_fail = fields["overallResult"] == "fail"
    if "timestamp" not in fields:
        flags.add("the time is not recorded")
    elif "T00:00:00" in fields["timestamp"]:
        flags.add("midnight exactly")
    if is_fail and "fail" not in required and not score["requiredFailed"]:
        flags.add("fails outside the criteria")
    if not is_fail and "skipped" in required:
        flags.add("required and skipped")
    if criteria is not None and len(results) != score["criteriaTotal"]:
        flags.add("but the score counts")
    return flags


def test_the_real_files_are_flagged_where_their_json_is_odd(shared_folder: Path) -> None:
    base = shared_folder / "samples" / "agent-bober" / ".bober"
    import_bodies({f".bober/{path.relative_to(base)}": path.read_bytes() for path in sorted(base.rglob("*.json"))})
    words = sorted(
        {
            flag
            for numbers in raw_iterations(base / "eval-results").values()
            for fields in numbers.values()
            for flag in raw_flags(fields)
        }
    )
    assert len(words) >= 3
    for stored in Iteration.objects.select_related("sprint"):
        detail = iteration_detail(stored.pk)
        assert detail is not None
        fields = json.loads((base / "eval-results" / Path(stored.file_name).name).read_text())
        said = {word for word in words for warning in detail.warnings if word in warning.message}
        assert said == raw_flags(fields), stored.file_name
