"""Filling the index: watermarks, several processes, damage, deleted evaluations."""

import sqlite3
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from results.models.evaluations import Evaluation, EvaluationState
from results.models.results import ResultDocument
from results.text import index, index_file
from results.text.ahead import TextStep
from results.text.index import forget, index_pending, is_complete, lagging, reclaim
from results.text.index_file import current_path, opened
from results.text.query import parse
from results.text.search import matching_ids
from tests.results.text.factories import add_bodies, add_results, answered, make_evaluation

pytestmark = pytest.mark.django_db


def found(words: str) -> list[int]:
    return [int(result_id) for result_id in matching_ids(parse(words))]


def damage() -> Path:
    path = current_path()
    assert path is not None
    path.write_bytes(b"SQLite format 3\x00" + b"\xff" * 8_000)
    return path


def test_the_answer_says_how_many_were_indexed() -> None:
    add_results(make_evaluation(), answered("red"), answered("green"))
    assert index_pending() == 2


def test_nothing_is_indexed_twice() -> None:
    ids = add_results(make_evaluation(), answered("red"))
    index_pending()
    index_pending()
    assert found("red") == ids


def test_a_complete_evaluation_is_not_read_again() -> None:
    add_results(make_evaluation(), answered("red"))
    index_pending()
    with CaptureQueriesContext(connection) as queries:
        index_pending()
    assert not [query for query in queries if ResultDocument._meta.db_table in query["sql"]]


def test_results_that_come_later_are_added() -> None:
    evaluation = make_evaluation(EvaluationState.IMPORTING)
    add_results(evaluation, answered("red"))
    index_pending(evaluation.pk)
    later = add_results(evaluation, answered("green"))
    index_pending(evaluation.pk)
    assert found("green") == later


def test_many_results_take_several_transactions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "RESULTS_PER_TRANSACTION", 4)
    monkeypatch.setattr(index, "RESULTS_PER_STEP", 2)
    monkeypatch.setattr(index, "RESULTS_PER_READ", 2)
    ids = add_results(make_evaluation(), *[answered("red")] * 11)
    index_pending()
    assert found("red") == ids


def test_it_stops_between_steps_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "RESULTS_PER_TRANSACTION", 2)
    monkeypatch.setattr(index, "RESULTS_PER_STEP", 2)
    monkeypatch.setattr(index, "RESULTS_PER_READ", 2)
    answers = iter([False, True])
    add_results(make_evaluation(), *[answered("red")] * 6)
    assert index_pending(should_stop=lambda: next(answers, True)) == 2


def test_another_process_that_was_faster_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = make_evaluation()
    ids = add_results(evaluation, answered("red"))
    read = index.read_step

    def read_while_another_writes(evaluation_id: int, start: int) -> TextStep:
        monkeypatch.setattr(index, "read_step", read)
        index_pending(evaluation_id)
        return read(evaluation_id, start)

    monkeypatch.setattr(index, "read_step", read_while_another_writes)
    index_pending(evaluation.pk)
    assert found("red") == ids


def test_only_a_ready_evaluation_becomes_complete() -> None:
    evaluation = make_evaluation(EvaluationState.RUNNING)
    add_results(evaluation, answered("red"))
    index_pending()
    assert not is_complete(evaluation.pk)


def test_an_evaluation_without_results_becomes_complete() -> None:
    evaluation = make_evaluation()
    index_pending()
    assert is_complete(evaluation.pk)


def test_an_evaluation_lags_until_its_results_are_indexed() -> None:
    evaluation = make_evaluation()
    add_results(evaluation, answered("red"))
    before = lagging([evaluation.pk])
    index_pending()
    assert [set(before), set(lagging([evaluation.pk]))] == [{evaluation.pk}, set()]


def test_a_running_evaluation_lags_only_while_it_has_newer_results() -> None:
    evaluation = make_evaluation(EvaluationState.RUNNING)
    add_results(evaluation, answered("red"))
    index_pending()
    up_to_date = lagging([evaluation.pk])
    add_results(evaluation, answered("green"))
    assert [set(up_to_date), set(lagging([evaluation.pk]))] == [set(), {evaluation.pk}]


def test_a_damaged_document_does_not_stop_the_others() -> None:
    evaluation = make_evaluation()
    add_bodies(evaluation, b"not zstd")
    ids = add_results(evaluation, answered("red"))
    index_pending()
    assert found("red") == ids


def test_a_lost_file_is_filled_again() -> None:
    ids = add_results(make_evaluation(), answered("red"))
    index_pending()
    path = current_path()
    assert path is not None
    path.unlink()
    index_pending()
    assert found("red") == ids


def test_a_damaged_file_is_filled_again() -> None:
    ids = add_results(make_evaluation(), answered("red"))
    index_pending()
    damage()
    index_pending()
    assert found("red") == ids


def test_a_damaged_file_lags_and_finds_nothing_but_is_no_error() -> None:
    evaluation = make_evaluation()
    add_results(evaluation, answered("red"))
    index_pending()
    damage()
    assert [found("red"), list(lagging([evaluation.pk]))] == [[], [evaluation.pk]]


def test_damage_that_shows_during_the_work_is_mended() -> None:
    ids = add_results(make_evaluation(), answered("red"))
    index_pending()
    with opened() as connection_:
        connection_.execute("DELETE FROM progress")
        connection_.execute("UPDATE result_text_data SET block = x'ff' WHERE id > 10")
    add_results(make_evaluation(), answered("red"))
    index_pending()
    assert found("red")[:1] == ids


def test_a_file_of_another_version_is_replaced() -> None:
    ids = add_results(make_evaluation(), answered("red"))
    index_pending()
    with opened() as connection_:
        connection_.execute("PRAGMA user_version = 999")
    index_pending()
    assert found("red") == ids


def test_no_other_file_is_left_after_a_replacement() -> None:
    index_pending()
    damage()
    index_pending()
    assert [path.name for path in index_file.index_folder().glob("*.sqlite3")] == ["index-000002.sqlite3"]


def test_an_evaluation_that_is_gone_is_forgotten_by_the_next_round() -> None:
    evaluation = make_evaluation()
    add_results(evaluation, answered("red"))
    index_pending()
    Evaluation.objects.filter(pk=evaluation.pk).delete()
    index_pending()
    with opened() as connection_:
        assert connection_.execute("SELECT is_forgotten FROM progress").fetchall() == [(1,)]


def test_the_index_is_written_anew_when_deleted_results_outnumber_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "RECLAIM_FROM_RESULTS", 2)
    gone, kept = make_evaluation(), make_evaluation()
    add_results(gone, *[answered("red")] * 3)
    ids = add_results(kept, answered("red"))
    index_pending()
    forget(gone.pk)
    Evaluation.objects.filter(pk=gone.pk).delete()
    assert (reclaim(), found("red"), is_complete(kept.pk)) == (True, ids, True)


def test_a_few_deleted_results_stay_where_they_are() -> None:
    gone = make_evaluation()
    add_results(gone, answered("red"))
    index_pending()
    forget(gone.pk)
    assert not reclaim()


def test_a_full_disk_is_an_error_of_its_own_and_keeps_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = make_evaluation()
    add_results(evaluation, *[answered("red " * 20_000)] * 3)
    index_pending(0)
    path = current_path()
    connect = index_file._connect

    def connect_to_a_full_disk(place: Path) -> sqlite3.Connection | None:
        connection_ = connect(place)
        if connection_ is not None:
            connection_.execute("PRAGMA max_page_count = 1")
        return connection_

    monkeypatch.setattr(index_file, "_connect", connect_to_a_full_disk)
    with pytest.raises(sqlite3.OperationalError, match="full"):
        index_pending()
    assert current_path() == path
