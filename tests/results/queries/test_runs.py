"""Runs in one list, one run through time, and its configurations."""

from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from results.filters import Choice, ResultFilter
from results.models.dimensions import Run
from results.queries.run_configs import ConfigValue, run_configs
from results.queries.run_history import RunHistory, run_history
from results.queries.run_list import RunLine, run_list
from results.queries.versions import Change
from results.queries.visibility import VisibleSet, visible_evaluations
from results.statistics import OutcomeCounts
from tests.results.facts.evaluations import row, stored
from tests.results.queries.histories import on_day

pytestmark = pytest.mark.django_db


def keep(folder: Path, name: str, day: int, *values: dict[str, Any]) -> int:
    rows = (row(number, TraceID=on_day(day, number), **fields) for number, fields in enumerate(values))
    return stored(folder, name, *rows)


def lines(chosen: ResultFilter | None = None) -> dict[str, RunLine]:
    return {line.run: line for line in run_list(visible_evaluations(), chosen or ResultFilter()).runs}


def history(run: str, chosen: ResultFilter | None = None, **more: Any) -> RunHistory:
    found = run_history(visible_evaluations(), Run.objects.get(name=run).pk, chosen or ResultFilter(), **more)
    assert found is not None
    return found


def test_nothing_stored_has_no_runs() -> None:
    assert lines() == {}


def test_a_run_has_a_point_an_evaluation_in_order_of_time(tmp_path: Path) -> None:
    late = keep(tmp_path, "late", 9, {"run": "a", "kind": "Failed"}, {"run": "b"})
    early = keep(tmp_path, "early", 1, {"run": "a"}, {"run": "a", "task": "x", "kind": "Skipped"})
    found = lines()["a"]
    assert [(point.evaluation_id, point.outcomes) for point in found.trend] == [
        (early, OutcomeCounts(1, 0, 0, 1)),
        (late, OutcomeCounts(0, 1, 0, 0)),
    ]
    assert (found.outcomes, found.provider) == (OutcomeCounts(1, 1, 0, 1), "openai")


def test_runs_of_one_name_under_two_providers_are_two(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"provider": "x", "run": "a"}, {"provider": "y", "run": "a"})
    assert [(line.provider, line.run) for line in run_list(visible_evaluations(), ResultFilter()).runs] == [
        ("x", "a"),
        ("y", "a"),
    ]


def test_the_model_is_that_of_the_latest_evaluation(tmp_path: Path) -> None:
    keep(tmp_path, "late", 9, {"run": "a", "model": "new"})
    keep(tmp_path, "early", 1, {"run": "a", "model": "old"})
    assert (lines()["a"].model, lines()["a"].versions) == ("new", 2)


def test_copies_count_once_in_the_trend(tmp_path: Path) -> None:
    original = keep(tmp_path, "original", 1, {"run": "a"})
    keep(tmp_path, "merged", 1, {"run": "a"}, {"run": "b"})
    assert [point.evaluation_id for point in lines()["a"].trend] == [original]
    assert history("a").outcomes.total == 1


def test_a_filter_narrows_the_list(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"run": "a", "suite": "x"}, {"run": "b", "suite": "y"})
    assert list(lines(ResultFilter(suite=Choice(("x",))))) == ["a"]


def test_an_unknown_run_and_one_that_cannot_be_seen_have_no_history(tmp_path: Path) -> None:
    assert run_history(visible_evaluations(), 99, ResultFilter()) is None
    keep(tmp_path, "one", 1, {"run": "a"})
    assert run_history(VisibleSet.of(frozenset()), Run.objects.get().pk, ResultFilter()) is None


def test_a_history_has_figures_by_evaluation(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"run": "a", "duration": 100}, {"run": "a", "task": "x", "duration": 201})
    keep(tmp_path, "two", 3, {"run": "a", "kind": "Failed", "duration": 5})
    found = history("a")
    assert [(point.evaluation.name, point.median_ns) for point in found.points] == [
        ("one", Decimal("150.5")),
        ("two", Decimal(5)),
    ]
    assert found.median_ns == 100
    assert found.points[1].evaluation.started_at - found.points[0].evaluation.started_at == timedelta(days=2)


def test_categories_stand_against_the_rest_of_the_same_evaluations(tmp_path: Path) -> None:
    keep(
        tmp_path,
        "together",
        1,
        {"run": "a", "category": "x"},
        {"run": "b", "category": "x", "kind": "Failed"},
        {"run": "c", "category": "x"},
        {"run": "c", "task": "u", "kind": "Failed"},
    )
    keep(tmp_path, "without", 2, {"run": "b", "category": "x"})
    found = history("a")
    assert [(other.run) for other in found.others] == ["b", "c"]
    first, second = found.heat
    assert (first.name, first.own, first.rest) == ("x", OutcomeCounts(1), OutcomeCounts(1, 1))
    assert first.others == (OutcomeCounts(0, 1), OutcomeCounts(1))
    assert (second.name, second.own, second.others) == (None, OutcomeCounts(), (None, OutcomeCounts(0, 1)))


def test_suites_and_difficulties_can_stand_in_place_of_categories(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"run": "a", "suite": "s", "difficulty": "hard"})
    assert [row.name for group in ("suite", "difficulty") for row in history("a", group=group).heat] == ["s", "hard"]


def test_a_run_alone_has_no_others(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"run": "a", "kind": "Skipped"})
    found = history("a")
    assert (found.others, found.other_total, found.outcomes.pass_rate.value) == ((), 0, None)


def test_a_filter_that_lets_nothing_through_leaves_an_empty_history(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"run": "a"})
    found = history("a", ResultFilter(suite=Choice(("none",))))
    assert (found.points, found.heat, found.median_ns) == ((), (), None)


def test_a_configuration_is_listed_value_by_value(tmp_path: Path) -> None:
    config = {"Model": "m", "ModelParameters": {"temperature": 0.20, "stop": ["a"]}, "MaxRequestsPerMinute": 30}
    keep(tmp_path, "one", 1, {"run": "a", "RunConfig": config})
    found = run_configs(visible_evaluations(), Run.objects.get().pk)
    assert (found.model, found.steps) == ("m", ())
    assert set(found.values) == {
        ConfigValue("ModelParameters.temperature", "0.2"),
        ConfigValue("ModelParameters.stop", '["a"]'),
        ConfigValue("MaxRequestsPerMinute", "30"),
    }


def test_a_configuration_that_changed_says_since_when(tmp_path: Path) -> None:
    for day, model in ((1, "old"), (2, "old"), (3, "new"), (4, "new")):
        keep(tmp_path, f"day {day}", day, {"run": "a", "model": model})
    found = run_configs(visible_evaluations(), Run.objects.get().pk)
    (step,) = found.steps
    assert (step.evaluation, step.changes, found.since) == ("day 3", (Change("Model", "old", "new"),), step.started_at)


def test_a_run_without_a_configuration_has_none(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"run": "a"})
    found = run_configs(visible_evaluations(), Run.objects.get().pk)
    assert (found.model, found.values, found.steps) == (None, (), ())
