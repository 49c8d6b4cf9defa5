"""What is exported and imported again into an empty database is exported equal; MindTrial's schema takes all of it."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command
from jsonschema import Draft202012Validator

from evaluator import live
from results.merging import merge
from results.models.evaluations import Evaluation
from results.models.merges import Merge
from results.models.trials import Trial
from results.store.deletion import hide, remove
from tests.documents import document, result, write
from tests.evaluator.live_trials import order, run

pytestmark = pytest.mark.django_db

# What no schema knows, odd numbers and a task twice: all of it must survive.
ODD = document(
    result(
        1, Got=1.50, Details={"Answer": {"Usage": {"InputTokens": 9_757_309_999_902_428}}}, Extra={"b": 1, "a": None}
    ),
    result(1, Provider="anthropic", Kind="Error", Got="<b>", Want=None),
    Notes=["kept"],
)


def imported(path: Path) -> int:
    call_command("import_results", str(path), stdout=io.StringIO())
    return Evaluation.objects.order_by("pk").values_list("pk", flat=True)[Evaluation.objects.count() - 1]


def exported(evaluation_id: int, path: Path, form: str) -> bytes:
    call_command("export_results", evaluation=evaluation_id, format=form, output=str(path))
    return path.read_bytes()


def a_live_one() -> int:
    queued = live.queue_trial(order())
    run(queued)
    return queued.trial_id


def a_merged_one(folder: Path) -> int:
    other = imported(write(folder, "other.json", document(result(9, Task="sum", Run="quick", Want="4"))))
    return merge([a_live_one(), other], "both").evaluation_id


def made(kind: str, folder: Path) -> int:
    if kind == "file":
        return imported(write(folder, "odd.json", ODD))
    return a_live_one() if kind == "live" else a_merged_one(folder)


def emptied() -> None:
    Trial.objects.all().delete()
    Merge.objects.all().delete()
    for evaluation_id in list(Evaluation.objects.values_list("pk", flat=True)):
        hide(evaluation_id)
        remove(evaluation_id)
    assert not Evaluation.objects.exists()


@pytest.mark.parametrize("kind", ["file", "live", "merged"])
@pytest.mark.parametrize("form", ["mindtrial", "live"])
def test_a_second_round_is_equal(kind: str, form: str, tmp_path: Path) -> None:
    first = exported(made(kind, tmp_path), tmp_path / "first.json", form)
    emptied()
    second = exported(imported(tmp_path / "first.json"), tmp_path / "second.json", form)
    assert second == first


@pytest.mark.parametrize("kind", ["live", "merged"])
def test_the_published_schema_takes_what_was_made_here(kind: str, tmp_path: Path, shared_folder: Path) -> None:
    [schema] = (shared_folder / "samples" / "mindtrial").glob("*schema.json")
    written = exported(made(kind, tmp_path), tmp_path / "out.json", "mindtrial")
    found = Draft202012Validator(json.loads(schema.read_bytes())).iter_errors(json.loads(written))
    assert [error.message for error in found] == []


def test_everything_of_a_merge_is_kept_in_its_whole_document(tmp_path: Path) -> None:
    written = json.loads(exported(a_merged_one(tmp_path), tmp_path / "out.json", "live"))
    models = [row.get("RunConfig", {}).get("Model") for row in written["Results"]["openai"]]
    assert models == [None, "gpt-6-mini", "gpt-6-mini", "gpt-6", "gpt-6", "gpt-6"]  # the first came from the file
