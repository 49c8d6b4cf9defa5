"""Figures are right while imports register files and compactions replace them."""

import multiprocessing
from pathlib import Path
from threading import Event, Thread

import pytest
from django.db import connections

from results.facts import compaction
from results.filters import ResultFilter
from results.models.evaluations import Evaluation
from results.queries.facets import facets
from results.queries.results import result_page
from results.queries.summary import summary
from results.queries.visibility import VisibleSet, visible_evaluations
from tests.results.facts.evaluations import row, stored

IMPORTS = 8
PER_IMPORT = 3


def figures(visible: VisibleSet) -> set[int]:
    """The number of results as three kinds of question count it."""
    page = result_page(visible, ResultFilter(), "-duration", size=1000)
    (outcomes,) = facets(visible, ResultFilter(), ("outcome",))
    total = sum(group.outcomes.total for group in summary(visible, ResultFilter(), (), ("duration",)))
    return {page.total, len(page.rows), sum(option.count for option in outcomes.options), total}


def read_until(done: Event, wrong: list[str], readings: list[int]) -> None:
    """Read in a loop; what is seen is exactly the visible evaluations."""
    try:
        while not done.is_set():
            visible = visible_evaluations()
            expected = {PER_IMPORT * len(visible.evaluation_ids)}
            if (found := figures(visible)) != expected:
                wrong.append(f"{found} instead of {expected}")
            readings.append(min(expected))
    except Exception as error:  # noqa: BLE001  the test shows it
        wrong.append(repr(error))
    finally:
        connections.close_all()


@pytest.mark.django_db(transaction=True)
def test_every_figure_is_right_while_files_are_registered_and_compacted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "MAX_DELTAS", 1)  # every second import compacts
    done = Event()
    wrong: list[str] = []
    readings: list[int] = []
    readers = [Thread(target=read_until, args=(done, wrong, readings)) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for number in range(IMPORTS):
            stored(tmp_path, str(number), *(row(10 * number + place) for place in range(PER_IMPORT)))
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert wrong == []
    assert figures(visible_evaluations()) == {PER_IMPORT * IMPORTS}
    assert len(set(readings)) > 1


def count_in_child(answers: "multiprocessing.Queue[int]") -> None:
    """Runs in a forked child."""
    connections.close_all()
    answers.put(result_page(visible_evaluations(), ResultFilter()).total)
    connections.close_all()


@pytest.mark.django_db(transaction=True)
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_child_opens_an_engine_of_its_own(tmp_path: Path) -> None:
    stored(tmp_path, "a", row(1), row(2))
    assert result_page(visible_evaluations(), ResultFilter()).total == 2
    connections.close_all()
    context = multiprocessing.get_context("fork")
    answers: multiprocessing.Queue[int] = context.Queue()
    child = context.Process(target=count_in_child, args=(answers,))
    child.start()
    assert answers.get(timeout=60) == 2
    child.join()


@pytest.mark.django_db
def test_an_answer_is_remembered_until_the_files_change(tmp_path: Path) -> None:
    stored(tmp_path, "a", row(1))
    assert result_page(visible_evaluations(), ResultFilter()).total == 1
    stored(tmp_path, "b", row(2))
    assert result_page(visible_evaluations(), ResultFilter()).total == 2


@pytest.mark.django_db
def test_a_renamed_evaluation_is_shown_with_its_new_name(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", row(1))
    result_page(visible_evaluations(), ResultFilter())
    Evaluation.objects.filter(pk=evaluation).update(name="renamed")
    assert result_page(visible_evaluations(), ResultFilter()).rows[0].evaluation == "renamed"
