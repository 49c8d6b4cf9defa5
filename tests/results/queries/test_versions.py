"""Versions of task and run: which one a result used, and what changed before and since."""

from pathlib import Path

import pytest

from results.queries.versions import Change, ResultVersions, config_changes, result_versions
from results.queries.visibility import VisibleSet, visible_evaluations
from tests.documents import START_MS, trace_id
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db
DAY_MS = 86_400_000


def on_day(day: int) -> str:
    return trace_id(day, START_MS + day * DAY_MS)


def versions_of(evaluation: int, visible: VisibleSet | None = None) -> ResultVersions:
    found = result_versions(visible or visible_evaluations(), evaluation * 2**24)
    assert found is not None
    return found


def test_a_task_that_never_changed_has_one_version(tmp_path: Path) -> None:
    first = stored(tmp_path, "first", row(task="a", TraceID=on_day(1)))
    stored(tmp_path, "second", row(task="a", TraceID=on_day(2), kind="Failed"))
    found = versions_of(first)
    assert (found.task.others, found.run.others) == ((), ())


def test_what_changed_since_is_told(tmp_path: Path) -> None:
    first = stored(tmp_path, "first", row(task="a", suite="core", tags=["x"], Want="blue", TraceID=on_day(1)))
    second = stored(tmp_path, "second", row(task="a", suite="edge", Want="red", TraceID=on_day(2)))
    (other,) = versions_of(first).task.others
    assert (other.evaluation_id, other.is_later) == (second, True)
    assert other.changes == (
        Change("suite", "core", "edge"),
        Change("tags", "x", "none"),
        Change("accepted answers", None, None),
    )


def test_what_changed_before_goes_from_old_to_new(tmp_path: Path) -> None:
    stored(tmp_path, "first", row(task="a", difficulty="easy", TraceID=on_day(1)))
    second = stored(tmp_path, "second", row(task="a", difficulty="hard", TraceID=on_day(2)))
    found = versions_of(second).task
    assert not found.has_later
    assert found.others[0].changes == (Change("difficulty", "easy", "hard"),)


def test_a_changed_configuration_names_its_paths(tmp_path: Path) -> None:
    config = {"Model": "m1", "ModelParameters": {"temperature": 0.50, "seed": 1}}
    first = stored(tmp_path, "first", row(task="a", RunConfig=config, TraceID=on_day(1)))
    config = {"Model": "m2", "ModelParameters": {"temperature": 1, "seed": 1}}
    stored(tmp_path, "second", row(task="b", RunConfig=config, TraceID=on_day(2)))
    (other,) = versions_of(first).run.others
    assert other.changes == (Change("Model", "m1", "m2"), Change("ModelParameters.temperature", "0.5", "1"))


def test_a_version_that_returns_is_not_a_change(tmp_path: Path) -> None:
    stored(tmp_path, "first", row(task="a", suite="s", TraceID=on_day(1)))
    stored(tmp_path, "second", row(task="a", suite="t", TraceID=on_day(2)))
    third = stored(tmp_path, "third", row(task="a", suite="s", TraceID=on_day(3)))
    found = versions_of(third).task
    assert [other.evaluation for other in found.others] == ["second"]


def test_versions_that_only_this_document_holds_are_not_a_change(tmp_path: Path) -> None:
    only = stored(
        tmp_path,
        "only",
        row(task="a", suite="s", TraceID=on_day(1)),
        row(task="a", suite="t", TraceID=on_day(2)),
    )
    assert versions_of(only).task.others == ()


def test_an_evaluation_that_may_not_be_seen_changes_nothing(tmp_path: Path) -> None:
    first = stored(tmp_path, "first", row(task="a", suite="s", TraceID=on_day(1)))
    stored(tmp_path, "second", row(task="a", suite="t", TraceID=on_day(2)))
    assert versions_of(first, VisibleSet.of(frozenset({first}))).task.others == ()


def test_of_very_many_changes_the_first_are_told(tmp_path: Path) -> None:
    stored_ids = []
    for day, name in ((1, "first"), (2, "second")):
        config = {"Model": "m", "ModelParameters": {f"p{number}": number + day for number in range(5_000)}}
        stored_ids.append(stored(tmp_path, name, row(task="a", RunConfig=config, TraceID=on_day(day))))
    (other,) = versions_of(stored_ids[0]).run.others
    assert other.changes[0] == Change("ModelParameters.p0", "1", "2")
    assert (len(other.changes), other.more, other.is_at_least) == (20, 980, True)


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ('{"a":1,"b":2}', '{"b":2,"a":1}', []),
        ('{"a":"\\u00e9"}', '{"a":"é"}', []),
        ("{}", '{"a":1}', [Change("a", "not recorded", "1")]),
        ('{"a":1.50}', '{"a":1.5}', [Change("a", "1.50", "1.5")]),
        ('{"a":{"b":1,"c":2}}', '{"a":{"b":1,"c":3}}', [Change("a.c", "2", "3")]),
        ('{"a":"x"}', '{"a":{"b":1}}', [Change("a", "x", "not recorded"), Change("a.b", "not recorded", "1")]),
        ('{"a":[1]}', '{"a":[1,2]}', [Change("a", "[1]", "[1,2]")]),
        ('{"a":null}', "{}", [Change("a", "null", "not recorded")]),
    ],
)
def test_configurations_are_compared_value_by_value(before: str, after: str, changes: list[Change]) -> None:
    assert list(config_changes(before.encode(), after.encode())) == changes
