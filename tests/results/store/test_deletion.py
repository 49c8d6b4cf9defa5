"""A delete takes everything that only this evaluation brought, and nothing else."""

from pathlib import Path

import pytest
from django.apps import apps

from results.intake import ImportOptions, import_file
from results.models.dimensions import RunVersion, Task, Term
from results.models.evaluations import Evaluation, EvaluationState
from results.models.results import Result
from results.store import deletion
from results.store.deletion import hide, remove
from results.sweeper import sweep
from tests.documents import document, result, write

pytestmark = pytest.mark.django_db

CALL = {"Tool": "python", "Status": "success", "WallTimeNS": 1}
KEPT = {
    "job",
    "jobmessage",
    "project",
    "factsfile",
}  # the log of what happened, the user's own project, files that leave later


def with_tools(number: int, **fields: object) -> dict[str, object]:
    answer = {"ToolUsage": {"python": {"CallCount": 1}}, "ToolCalls": [CALL]}
    return result(number, Details={"Answer": answer, "Error": {"Title": "Execution Error"}}, **fields)


def stored(folder: Path, name: str, *rows: dict[str, object]) -> int:
    report = import_file(write(folder, name, document(*rows)), ImportOptions())
    assert report.files[0].evaluation is not None
    return report.files[0].evaluation


def counts() -> dict[str, int]:
    models = apps.get_app_config("results").get_models()
    return {model._meta.model_name or "": model._default_manager.count() for model in models}


def test_a_delete_leaves_no_row_of_what_it_brought(tmp_path: Path) -> None:
    before = counts()
    evaluation = stored(tmp_path, "a.json", with_tools(1, RunConfig={"Model": "gpt-6"}), with_tools(2, Task="other"))
    hide(evaluation)
    remove(evaluation)
    assert {name: n for name, n in counts().items() if name not in KEPT and n != before[name]} == {}


def test_what_another_evaluation_uses_stays(tmp_path: Path) -> None:
    going = stored(tmp_path, "a.json", with_tools(1), with_tools(2, Task="only here"))
    stored(tmp_path, "b.json", with_tools(3, Task="task 1"))
    hide(going)
    remove(going)
    assert (list(Task.objects.values_list("name", flat=True)), RunVersion.objects.count()) == (["task 1"], 1)


def test_the_results_of_another_evaluation_stay(tmp_path: Path) -> None:
    staying = stored(tmp_path, "a.json", result(1))
    going = stored(tmp_path, "b.json", result(2))
    hide(going)
    remove(going)
    assert list(Result.objects.values_list("evaluation_id", flat=True)) == [staying]


def test_many_rows_go_in_short_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deletion, "IDS_PER_STEP", 3)
    monkeypatch.setattr(deletion, "SQL_VALUES", 3)
    evaluation = stored(tmp_path, "a.json", *(with_tools(n) for n in range(10)))
    hide(evaluation)
    remove(evaluation)
    assert (Result.objects.count(), Task.objects.count(), Term.objects.count()) == (0, 0, 0)


def test_a_delete_that_was_interrupted_is_finished_by_the_sweep(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a.json", result(1))
    hide(evaluation)
    sweep()
    assert (Evaluation.objects.count(), Result.objects.count()) == (0, 0)


def test_an_import_that_was_abandoned_is_removed_by_the_sweep(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a.json", result(1))
    Evaluation.objects.filter(pk=evaluation).update(state=EvaluationState.IMPORTING)
    sweep()
    assert (Evaluation.objects.count(), Result.objects.count()) == (0, 0)


def test_ids_are_not_used_again(tmp_path: Path) -> None:
    first = stored(tmp_path, "a.json", result(1))
    hide(first)
    remove(first)
    assert stored(tmp_path, "a.json", result(1)) > first
