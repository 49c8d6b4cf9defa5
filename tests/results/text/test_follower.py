"""A second process that keeps the index up while an import writes."""

import os
import sys
import time
from pathlib import Path

import pytest

from results.models.evaluations import EvaluationState
from results.text import follower
from results.text.follower import Follower, follow
from results.text.index import is_complete
from results.text.query import parse
from results.text.search import matching_ids
from tests.results.text.factories import add_results, answered, make_evaluation

PATIENCE_SECONDS = 30
LARGE = 100_000_000  # bytes of a file that is worth a process


@pytest.mark.django_db
def test_a_small_file_is_indexed_at_the_end_without_a_process() -> None:
    evaluation = make_evaluation()
    ids = add_results(evaluation, answered("red"))
    is_done = Follower(evaluation.pk, size_bytes=1_000).finish()
    assert (is_done, matching_ids(parse("red")).tolist()) == (True, ids)


@pytest.mark.django_db
def test_an_index_that_cannot_be_written_does_not_fail_the_import(var_dir: Path) -> None:
    evaluation = make_evaluation()
    add_results(evaluation, answered("red"))
    (var_dir / "text").write_text("a file where a folder should be")
    assert not Follower(evaluation.pk, size_bytes=1_000).finish()


def test_no_process_starts_before_most_of_the_file_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    monkeypatch.setattr(follower, "_is_reproducible", lambda: True)
    monkeypatch.setattr(follower, "_start", started.append)
    process = Follower(7, LARGE)
    counts = []
    for done_bytes in (0, int(LARGE * 0.89), int(LARGE * 0.91), LARGE):
        process.notice(done_bytes)
        counts.append(len(started))
    assert (counts, started) == ([0, 0, 1, 1], [7])


@pytest.mark.django_db
def test_following_ends_when_the_evaluation_is_gone() -> None:
    assert follow(12345, os.getppid()) == 0


@pytest.mark.django_db
def test_following_ends_when_the_writer_died() -> None:
    evaluation = make_evaluation(EvaluationState.IMPORTING)
    add_results(evaluation, answered("red"))
    assert follow(evaluation.pk, parent_id=-1) == 1


@pytest.mark.django_db
def test_a_process_that_cannot_be_started_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "_is_reproducible", lambda: True)
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    evaluation = make_evaluation()
    ids = add_results(evaluation, answered("red"))
    process = Follower(evaluation.pk, LARGE)
    process.notice(LARGE)
    is_done = process.finish()
    assert (is_done, matching_ids(parse("red")).tolist()) == (True, ids)


def test_a_process_indexes_what_is_committed_and_ends_when_it_is_ready(
    child_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in child_environment.items():
        monkeypatch.setenv(name, value)
    evaluation = make_evaluation(EvaluationState.IMPORTING)
    early = add_results(evaluation, answered("red"))
    process = Follower(evaluation.pk, LARGE)
    process.notice(LARGE)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not len(found_before := matching_ids(parse("red"))) and time.monotonic() < deadline:
        time.sleep(0.05)
    late = add_results(evaluation, answered("red"))
    evaluation.state = EvaluationState.READY
    evaluation.save()
    is_done = process.finish(PATIENCE_SECONDS)
    found = matching_ids(parse("red")).tolist()
    assert (is_done, is_complete(evaluation.pk), found_before.tolist(), found) == (True, True, early, early + late)
