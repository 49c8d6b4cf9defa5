"""The manifest lists the files that hold the facts, each row once."""

from datetime import timedelta
from pathlib import Path

import duckdb
import pytest
from django.utils import timezone

from results.facts import compaction, engine, files, manifest
from results.facts.rebuild import compact_if_needed, rebuild
from results.filters import ResultFilter
from results.models.evaluations import Evaluation, EvaluationState
from results.models.facts_files import FactsFile
from results.queries.results import result_page
from results.queries.visibility import visible_evaluations
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db


def tasks() -> list[str]:
    """The task of every visible result, as a page shows them."""
    page = result_page(visible_evaluations(), ResultFilter(), size=1000)
    assert page.total == len(page.rows)
    return [shown.task for shown in page.rows]


def several(folder: Path, count: int) -> list[int]:
    return [stored(folder, str(number), row(number)) for number in range(count)]


def test_no_evaluation_means_no_file_and_no_result() -> None:
    assert (manifest.current().members, tasks()) == ((), [])


def test_an_import_adds_one_delta(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", row(1), row(2))
    (delta,) = manifest.current().members
    assert (delta.is_base, delta.evaluation_id, delta.results) == (False, evaluation, 2)


def test_a_document_without_results_adds_no_file(tmp_path: Path) -> None:
    stored(tmp_path, "a")
    assert manifest.current().members == ()


def test_eight_deltas_are_left_alone(tmp_path: Path) -> None:
    several(tmp_path, 8)
    current = manifest.current()
    assert (current.base, len(current.deltas)) == (None, 8)


def test_the_ninth_delta_makes_a_base_of_all(tmp_path: Path) -> None:
    several(tmp_path, 9)
    current = manifest.current()
    assert (current.base is not None, len(current.deltas)) == (True, 0)
    assert tasks() == [f"task {number}" for number in range(9)]


def test_a_second_compaction_keeps_what_the_first_one_held(tmp_path: Path) -> None:
    several(tmp_path, 19)
    current = manifest.current()
    assert (current.base is not None, len(current.deltas)) == (True, 1)
    assert tasks() == [f"task {number}" for number in range(19)]


def test_a_base_is_sorted_by_evaluation_run_and_task(tmp_path: Path) -> None:
    for number in range(9):
        rows = (row(10 * number + 2, run="b"), row(10 * number + 1, run="a"), row(10 * number, run="b"))
        stored(tmp_path, str(number), *rows)
    base = manifest.current().base
    assert base is not None
    connection = duckdb.connect(str(files.base_path(base.name)), read_only=True)
    found = connection.execute("SELECT evaluation_id, run_id, task_id, result_id FROM results").fetchall()
    connection.close()
    assert found == sorted(found)


def test_many_results_in_deltas_make_a_base_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compaction, "SMALL_RESULTS", 3)
    stored(tmp_path, "a", *(row(number) for number in range(4)))
    assert (manifest.current().base is not None, manifest.current().deltas) == (True, ())


def test_compaction_drops_what_is_no_longer_visible(tmp_path: Path) -> None:
    gone, *_ = several(tmp_path, 8)
    Evaluation.objects.filter(pk=gone).update(state=EvaluationState.DELETING)
    stored(tmp_path, "last", row(8))
    base = manifest.current().base
    assert base is not None
    assert base.results == 8


def test_compaction_leaves_a_delta_that_came_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    several(tmp_path, 3)
    write_base = compaction.write_base

    def slow(*arguments: object) -> object:
        stored(tmp_path, "meanwhile", row(99))
        return write_base(*arguments)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr(compaction, "write_base", slow)
    with files.exclusive():
        assert compaction.compact()
    assert len(manifest.current().deltas) == 1
    assert tasks() == ["task 0", "task 1", "task 2", "task 99"]


def test_of_two_compactions_the_later_one_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    several(tmp_path, 3)
    write_base = compaction.write_base

    def overtaken(*arguments: object) -> object:
        monkeypatch.setattr(compaction, "write_base", write_base)
        assert compaction.compact()
        return write_base(*arguments)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr(compaction, "write_base", overtaken)
    assert not compaction.compact()
    assert len(list(files.directory().glob("*.duckdb"))) == 1
    assert tasks() == ["task 0", "task 1", "task 2"]


def test_a_swap_of_something_that_left_changes_nothing(tmp_path: Path) -> None:
    several(tmp_path, 1)
    before = manifest.current()
    assert not manifest.swap([before.deltas[0].name, "another"], [])
    assert manifest.current() == before


def test_a_forgotten_evaluation_leaves_the_manifest(tmp_path: Path) -> None:
    first, second = several(tmp_path, 2)
    manifest.forget(first)
    assert [delta.evaluation_id for delta in manifest.current().deltas] == [second]


def test_files_are_unlinked_an_hour_after_they_left(tmp_path: Path) -> None:
    (evaluation,) = several(tmp_path, 1)
    manifest.forget(evaluation)
    assert manifest.sweep_files() == 0
    assert manifest.sweep_files(timezone.now() + timedelta(minutes=61)) == 1
    assert (list(files.directory().glob("*.parquet")), FactsFile.objects.count()) == ([], 0)


def test_sweeping_leaves_what_is_listed(tmp_path: Path) -> None:
    several(tmp_path, 1)
    manifest.sweep_files(timezone.now() + timedelta(days=3))
    assert tasks() == ["task 0"]


def test_what_a_killed_writer_left_is_swept_a_day_later() -> None:
    stray = files.part_path(files.new_stem("e9"), "results", 0)
    stray.write_bytes(b"")
    manifest.sweep_files()
    assert stray.exists()
    manifest.sweep_files(timezone.now() + timedelta(hours=25))
    assert not stray.exists()


def test_a_new_process_state_reads_the_same_rows(tmp_path: Path) -> None:
    several(tmp_path, 10)
    before = tasks()
    engine.reset()
    assert tasks() == before


def test_nothing_to_compact_is_no_work(tmp_path: Path) -> None:
    several(tmp_path, 2)
    assert not compact_if_needed()


def test_rebuilding_everything_gives_the_same_rows(tmp_path: Path) -> None:
    several(tmp_path, 10)
    before = manifest.current().version
    assert rebuild() == 10
    assert tasks() == [f"task {number}" for number in range(10)]
    assert not set(before) & set(manifest.current().version)
