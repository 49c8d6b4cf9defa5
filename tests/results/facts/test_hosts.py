"""Several hosts with one database: each has facts and a text index of its own, and all of them answer alike."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from evaluator.state_folder import make_state_folder
from results.facts import files, manifest
from results.facts.rebuild import catch_up, rebuild
from results.filters import ResultFilter
from results.models.evaluations import Evaluation
from results.models.facts_files import FactsFile
from results.queries.results import result_page
from results.queries.visibility import visible_evaluations
from results.store.deletion import hide, remove
from results.sweeper import tend_copies
from results.text.query import parse
from results.text.search import matching_ids
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db

Go = Callable[[str], None]


@pytest.fixture
def go(tmp_path: Path, settings: Settings) -> Go:
    """Makes this process one of the host of that name, which has a state folder of its own."""

    def go_to(host: str) -> None:
        settings.VAR_DIR = tmp_path / host
        make_state_folder(settings.VAR_DIR)

    return go_to


def tasks() -> list[str]:
    page = result_page(visible_evaluations(), ResultFilter(), size=1000)
    assert page.total == len(page.rows)
    return [shown.task for shown in page.rows]


def test_a_host_with_an_empty_folder_answers_like_the_one_that_imported(go: Go, tmp_path: Path) -> None:
    go("one")
    for number in range(11):  # enough for a base and two deltas
        stored(tmp_path, str(number), row(number))
    here = tasks()

    go("two")

    assert tasks() == here == [f"task {number}" for number in range(11)]


def test_hosts_that_make_files_leave_those_of_the_others_alone(go: Go, tmp_path: Path) -> None:
    go("one")
    stored(tmp_path, "a", row(1))
    go("two")
    tasks()
    made = {host: names(go, host) for host in ("one", "two")}

    for host in ("one", "two", "one"):  # whoever answers makes nothing again
        go(host)
        assert tasks() == ["task 1"]

    assert {host: names(go, host) for host in ("one", "two")} == made
    assert made["one"].isdisjoint(made["two"])


def names(go: Go, host: str) -> set[str]:
    go(host)
    return {member.name for member in manifest.current().members}


def test_a_host_follows_what_others_import_and_delete(go: Go, tmp_path: Path) -> None:
    go("two")
    stored(tmp_path, "a", row(1))
    go("one")
    assert tasks() == ["task 1"]
    second = stored(tmp_path, "b", row(2))

    go("two")
    assert tasks() == ["task 1", "task 2"]
    hide(second)
    remove(second)

    go("one")
    assert tasks() == ["task 1"]


def test_the_sweep_of_a_host_makes_its_copies_before_somebody_asks(go: Go, tmp_path: Path) -> None:
    go("one")
    evaluation = stored(tmp_path, "a", row(1, Got="a zebra"))

    go("two")
    tend_copies()

    assert [member.evaluation_id for member in manifest.current().members] == [evaluation]
    assert catch_up() == 0
    assert len(matching_ids(parse("zebra"), [evaluation])) == 1


def test_rebuilding_one_host_keeps_the_manifest_of_the_other(go: Go, tmp_path: Path) -> None:
    go("one")
    stored(tmp_path, "a", row(1))
    before = names(go, "one")

    go("two")
    assert rebuild() == 1

    assert names(go, "one") == before


def test_a_trial_that_goes_on_is_made_again_by_other_hosts(go: Go, tmp_path: Path) -> None:
    go("one")
    evaluation = stored(tmp_path, "a", row(1))
    go("two")
    tasks()

    go("one")
    manifest.forget_elsewhere(evaluation)

    assert [member.evaluation_id for member in manifest.current().members] == [evaluation]
    go("two")
    assert manifest.current().members == ()
    assert tasks() == ["task 1"]


def test_a_folder_from_before_hosts_were_told_apart_keeps_its_files(go: Go, tmp_path: Path, settings: Settings) -> None:
    go("one")
    (settings.VAR_DIR / "facts" / "base-0123456789abcdef.duckdb").write_bytes(b"")
    evaluation = Evaluation.objects.get(pk=stored(tmp_path, "a", row(1)))

    assert files.node() == ""
    assert FactsFile.objects.get().name.startswith(f"e{evaluation.pk}-")
    assert tasks() == ["task 1"]
