"""Keys of uploaded files lie below `var/secrets` for their owner only, and nowhere else."""

import json
import logging
import os
import stat
from pathlib import Path

import pytest
from django.apps import apps
from django.core.serializers import serialize
from django.db import models

from evaluator import live
from evaluator.engine.trials.interfaces import ConversationError, FailureKind
from evaluator.key_files import forget_idle_keys, forget_keys, keep_keys, kept_keys
from results.exports.live import export_live
from results.models.evaluations import Evaluation
from results.models.results import Result
from results.models.trials import Trial
from results.queries.detail import result_document
from results.queries.visibility import visible_evaluations
from tests.evaluator.live_trials import ENVIRONMENT, KEY, order, run
from tests.evaluator.trials.doubles import FakeAskers

ALL_KEYS = (KEY, ENVIRONMENT["ANTHROPIC_API_KEY"])


def test_a_file_of_keys_is_for_its_owner_only(var_dir: Path) -> None:
    keep_keys(7, {"A": "one"})

    path = var_dir / "secrets" / "trial-7.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert (kept_keys(7), kept_keys(8)) == ({"A": "one"}, {})
    assert [entry.name for entry in path.parent.iterdir()] == ["trial-7.json"]


def test_keys_are_forgotten_once_and_for_all(var_dir: Path) -> None:
    keep_keys(7, {"A": "one"})

    forget_keys(7)
    forget_keys(7)

    assert list((var_dir / "secrets").iterdir()) == []


@pytest.mark.django_db
@pytest.mark.parametrize("is_kept", [True, False])
def test_keys_stay_while_a_trial_runs_and_afterwards_only_if_wanted(*, is_kept: bool) -> None:
    queued = live.queue_trial(order(keeps_keys=is_kept))
    assert kept_keys(queued.trial_id) == {"EVALBOARD_KEY_OPENAI": KEY}

    run(queued)

    assert bool(kept_keys(queued.trial_id)) is is_kept
    assert live.asked_keys(queued.trial_id, ENVIRONMENT) == ([] if is_kept else ["EVALBOARD_KEY_OPENAI"])


@pytest.mark.django_db
def test_the_sweep_forgets_keys_of_trials_that_are_gone(var_dir: Path) -> None:
    kept, gone = (live.queue_trial(order(keeps_keys=True)).trial_id for _ in range(2))
    Trial.objects.filter(pk=gone).delete()

    draft, left = (var_dir / "secrets" / f"trial-{kept}.json.{word}" for word in ("new", "old"))
    for path in (draft, left):
        path.write_text("{}")
    for path in (left, var_dir / "secrets" / f"trial-{gone}.json"):
        os.utime(path, (0, 0))

    forget_idle_keys()

    assert (bool(kept_keys(kept)), bool(kept_keys(gone))) == (True, False)
    assert (draft.exists(), left.exists()) == (True, False)


@pytest.mark.django_db
def test_the_sweep_leaves_keys_of_a_trial_that_is_being_written_down() -> None:
    keep_keys(99, {"EVALBOARD_KEY_OPENAI": KEY})
    forget_idle_keys()
    assert kept_keys(99)


@pytest.mark.django_db
def test_a_key_that_a_service_sends_back_is_found_nowhere(var_dir: Path, caplog: pytest.LogCaptureFixture) -> None:
    def reply(task: object) -> ConversationError:
        details = {"HTTP Response": [f"key {key} is wrong" for key in ALL_KEYS]}
        return ConversationError(FailureKind.EXECUTION, f"401: {ALL_KEYS} for {task}", details=details)

    caplog.set_level(logging.DEBUG)
    queued = live.queue_trial(order())
    run(queued, FakeAskers(reply))

    rows = [serialize("json", everything(model)) for model in apps.get_app_config("results").get_models()]
    documents = [result_document(visible_evaluations(), pk) for pk in Result.objects.values_list("pk", flat=True)]
    exported = b"".join(export_live(Evaluation.objects.get()))
    written = [path.read_bytes() for path in var_dir.rglob("*") if path.is_file()]
    places = {
        "tables": "".join(rows).encode(),
        "documents": json.dumps([str(document) for document in documents]).encode(),
        "export": exported,
        "files": b"".join(written),
        "logs": caplog.text.encode(),
        "objects": repr([order(), Trial.objects.values()]).encode(),
    }
    assert len(documents) == 12
    assert b"[key]" in exported
    assert [(name, key) for name, found in places.items() for key in ALL_KEYS if key.encode() in found] == []


def everything(model: type[models.Model]) -> models.QuerySet[models.Model]:
    return model._default_manager.all()
