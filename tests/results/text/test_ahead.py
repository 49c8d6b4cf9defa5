"""Steps that an import reads ahead for the process that indexes them."""

import os
import time
from pathlib import Path

import pytest

from results.models.evaluations import EvaluationState
from results.text import ahead, follower, index
from results.text.ahead import STRAY_SECONDS, TextStep, keep, sweep, take
from results.text.follower import Follower
from results.text.index import index_pending
from results.text.query import parse
from results.text.search import matching_ids
from tests.results.text.factories import add_results, answered, make_evaluation

STEP = TextStep([(1, "red", "", "")], is_end=True)


@pytest.fixture
def folder(var_dir: Path) -> Path:
    """The folder of the text index."""
    path = var_dir / "text"
    path.mkdir()
    return path


@pytest.mark.usefixtures("folder")
def test_a_step_is_taken_once() -> None:
    keep(7, 5_000, STEP)
    assert [take(7, 5_000), take(7, 5_000), take(7, 0)] == [STEP, None, None]


@pytest.mark.usefixtures("folder")
def test_a_step_may_be_taken_from_its_middle_on() -> None:
    rows = [(1, "red", "", ""), (2, "blue", "", ""), (3, "green", "", "")]
    keep(7, 10, TextStep(rows, is_end=False))
    assert [take(7, 9), take(7, 13), take(7, 11)] == [None, None, TextStep(rows[1:], is_end=False)]


def test_a_damaged_step_is_none(folder: Path) -> None:
    keep(7, 0, STEP)
    (path,) = folder.iterdir()
    path.write_bytes(path.read_bytes()[:-1])
    assert take(7, 0) is None


def test_what_a_killed_import_left_is_swept(folder: Path) -> None:
    keep(7, 0, STEP)
    keep(7, 5_000, STEP)
    old = time.time() - STRAY_SECONDS - 1
    os.utime(folder / "ahead-7-0-1.texts", (old, old))
    sweep()
    assert [path.name for path in folder.iterdir()] == ["ahead-7-5000-5001.texts"]


@pytest.mark.django_db
def test_a_kept_step_is_indexed_instead_of_its_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "RESULTS_PER_TRANSACTION", 2)
    monkeypatch.setattr(index, "RESULTS_PER_STEP", 2)
    monkeypatch.setattr(index, "RESULTS_PER_READ", 2)
    evaluation = make_evaluation()
    ids = add_results(evaluation, *[answered("red")] * 4)
    index_pending(should_stop=iter([False, True, True]).__next__)
    keep(evaluation.pk, 2, TextStep([(ids[2], "blue", "", ""), (ids[3], "blue", "", "")], is_end=False))
    index_pending()
    assert (matching_ids(parse("red")).tolist(), matching_ids(parse("blue")).tolist()) == (ids[:2], ids[2:])


class Busy:
    """A process that indexes a step each time that it is looked at."""

    def __init__(self) -> None:
        self.looks = 0

    def poll(self) -> int | None:
        """Whether it has ended."""
        self.looks += 1
        return 0 if self.looks > 4 else None


@pytest.mark.django_db
def test_an_import_reads_what_the_process_needs_after_its_present_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "RESULTS_PER_TRANSACTION", 2)
    monkeypatch.setattr(follower, "RESULTS_PER_TRANSACTION", 2)
    monkeypatch.setattr(index, "RESULTS_PER_STEP", 2)
    monkeypatch.setattr(index, "RESULTS_PER_READ", 2)
    evaluation = make_evaluation(EvaluationState.READY)
    ids = add_results(evaluation, *[answered("red")] * 5)
    process = Follower(evaluation.pk, size_bytes=1)
    process._help(Busy(), None)  # type: ignore[arg-type]  # only asked whether it has ended
    rows = {start: [row[0] for row in step.rows] for start in (2, 4) if (step := take(evaluation.pk, start))}
    assert rows == {2: ids[2:4], 4: ids[4:]}
    assert ahead.take(evaluation.pk, 0) is None
