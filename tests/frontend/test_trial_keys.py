"""No key is ever told: not by a page, a form that comes back, a message, a log, a row, or a file of another kind."""

import logging
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from pytest_django.fixtures import Settings

from evaluator import jobs, trial_drafts
from evaluator.engine.trials.interfaces import ConversationError, FailureKind
from evaluator.key_files import kept_keys
from results.compression import decompress
from results.models.trials import Trial
from tests.evaluator.live_trials import CONFIG, TASKS
from tests.evaluator.trials.doubles import FakeAskers
from tests.frontend.trial_forms import a_draft, a_file, send_files, start, work

pytestmark = pytest.mark.django_db

LITERAL = "sk-literal-in-the-file-0123"
TYPED = "sk-typed-into-a-field-4567"
SET = "sk-from-the-environment"  # as the work of the tests knows it
SECRETS = (LITERAL, TYPED, SET)
KEYED = CONFIG.replace("sk-a-literal-key-of-ours", LITERAL) + f"# api-key: {LITERAL}\n"


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs.run_trial, "delay", lambda _job_id: None)
    monkeypatch.setenv("ANTHROPIC_API_KEY", SET)


class Watched(Client):
    """Keeps everything that pages say."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def request(self, **request: Any) -> Any:
        response = super().request(**request)
        content = b"".join(response)  # a stream too
        self.said += [content.decode(errors="replace"), repr(dict(response.headers)), str(response.cookies)]
        return response


def rows() -> Iterator[str]:
    """Every value of every row of ours."""
    for model in apps.get_app_config("results").get_models():
        for row in model._default_manager.values():
            yield repr(row)
            yield from (decompress(value).decode() for value in row.values() if isinstance(value, bytes | memoryview))


def files(folder: Path) -> Iterator[Path]:
    yield from (path for path in folder.rglob("*") if path.is_file() and path.parent.name != "secrets")


def telling(key: str) -> FakeAskers:
    """Services that send the keys back."""

    def reply(_task: Any) -> ConversationError:
        return ConversationError(FailureKind.EXECUTION, f"bad key {key} or {SET}", is_transient=True)

    return FakeAskers(reply)


def go_all_the_way(client: Client) -> Trial:
    """Every step, with its refusals: files, picks, start, failures, run again with a key typed in, cancel, resume."""
    send_files(client, KEYED.replace("providers", "provders"))
    send_files(client, KEYED + "  - [")
    send_files(client, KEYED, TASKS.replace("name: wrong, ", ""))
    address = a_draft(client, KEYED)
    client.post(address, {"do": "start", "chosen": "yes"})
    client.get(address)
    trial = start(client, address)
    work(telling(LITERAL))
    client.post(f"/trials/{trial.pk}/rerun/", {"kind": "errors", "key.EVALBOARD_KEY_OPENAI": ""})
    client.post(f"/trials/{trial.pk}/rerun/", {"kind": "errors", "key.EVALBOARD_KEY_OPENAI": TYPED})
    again = Trial.objects.latest("pk")
    client.post(f"/trials/{again.pk}/cancel/")
    client.post(f"/trials/{again.pk}/resume/", {"key.EVALBOARD_KEY_OPENAI": TYPED})
    work(telling(TYPED))
    draft = client.post("/trials/new/", {"config_of": trial.pk, "tasks_of": trial.pk}).headers["Location"]
    client.post(f"{draft}keys/", {"key.EVALBOARD_KEY_OPENAI": TYPED, "key.OTHER": TYPED})
    client.get(draft)
    of_both = [f"/{kind}/{pk}/" for kind in ("trials", "evaluations") for pk in (trial.pk, again.pk)]
    documents = [f"/evaluations/{pk}/document.json" for pk in (trial.pk, again.pk)]
    results = [f"/results/{again.evaluation.result_id(0)}/", f"/trials/{again.pk}/config.yaml"]
    for path in (*of_both, *documents, *results, "/trials/", "/trials/new/", "/jobs/", "/", "/errors/"):
        assert client.get(path).status_code == 200, path
    return trial


def test_no_key_is_told_anywhere_on_the_way(var_dir: Path, caplog: pytest.LogCaptureFixture) -> None:
    client = Watched()
    caplog.set_level(logging.DEBUG)

    go_all_the_way(client)

    places = {
        "a page": client.said,
        "a log": [caplog.text],
        "a row": list(rows()),
        "a file": [path.read_bytes().decode("latin-1") for path in files(var_dir)],
    }
    told = [(place, secret) for place, texts in places.items() for secret in SECRETS if any(secret in t for t in texts)]
    assert told == []
    assert any("[key]" in text for text in client.said)  # the service's words were shown, without the key


def test_keys_lie_in_a_file_for_its_owner_alone_and_go_when_the_trial_ends(client: Client, var_dir: Path) -> None:
    address = a_draft(client, KEYED)
    (draft_file,) = (var_dir / "secrets").glob("trial-*.json")
    trial = start(client, address)
    (trial_file,) = (var_dir / "secrets").glob("trial-*.json")

    assert draft_file != trial_file
    assert stat.S_IMODE(trial_file.stat().st_mode) == 0o600
    assert kept_keys(trial.pk) == {"EVALBOARD_KEY_OPENAI": LITERAL}
    work()
    assert list((var_dir / "secrets").glob("trial-*.json")) == []


def test_keys_that_shall_be_kept_stay(client: Client) -> None:
    trial = start(client, a_draft(client, KEYED), keep_keys="yes")
    work()

    assert kept_keys(trial.pk) == {"EVALBOARD_KEY_OPENAI": LITERAL}


def test_a_key_that_is_typed_in_lets_the_draft_start(client: Client) -> None:
    trial = start(client, a_draft(client, KEYED))
    work()
    draft = client.post("/trials/new/", {"config_of": trial.pk, "tasks_of": trial.pk}).headers["Location"]
    assert 'type="password" id="EVALBOARD_KEY_OPENAI"' in client.get(draft).content.decode()

    client.post(f"{draft}keys/", {"key.EVALBOARD_KEY_OPENAI": TYPED})

    assert 'type="password"' not in client.get(draft).content.decode()
    assert kept_keys(start(client, draft).pk) == {"EVALBOARD_KEY_OPENAI": TYPED}


def test_a_file_may_not_name_the_servers_own_secrets(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://user:a-password-of-ours@host/db")

    text = client.get(a_draft(client, CONFIG.replace("sk-a-literal-key-of-ours", '"${DATABASE_URL}"'))).content.decode()

    assert "a-password-of-ours" not in text
    assert "${DATABASE_URL}</code> is not set" in text


def test_an_upload_for_a_trial_is_held_in_memory_and_others_are_not(client: Client, settings: Settings) -> None:
    settings.FILE_UPLOAD_HANDLERS = [
        "frontend.held_uploads.HoldingUploadHandler",
        "tests.frontend.test_trial_keys.Forbidden",
    ]

    assert send_files(client, KEYED).status_code == 302
    with pytest.raises(AssertionError, match="another handler"):
        client.post("/import/", {"files": a_file("{}", "a.json")})


class Forbidden:
    """A handler that may not be reached."""

    chunk_size = 2**16

    def __init__(self, request: object) -> None:
        pass

    def handle_raw_input(self, *_: object, **__: object) -> None:
        pass

    def new_file(self, *_: object, **__: object) -> None:
        raise AssertionError("another handler")

    def upload_complete(self) -> None:
        pass

    def upload_interrupted(self) -> None:
        pass


def made_ago(folder: Path, seconds: float) -> None:
    """Let everything in a folder be as old as that."""
    for path in folder.iterdir():
        os.utime(path, (time.time() - seconds,) * 2)


def test_what_nobody_begins_is_removed_with_its_keys(client: Client, var_dir: Path) -> None:
    a_draft(client, KEYED)
    begun = start(client, a_draft(client, KEYED))

    made_ago(var_dir / "trials", trial_drafts.KEYS_KEPT_SECONDS + 60)
    trial_drafts.prune_drafts()
    assert [path.name for path in (var_dir / "secrets").glob("trial-*.json")] == [f"trial-{begun.pk}.json"]
    assert len(list((var_dir / "trials").iterdir())) == 2

    made_ago(var_dir / "trials", trial_drafts.DRAFT_KEPT_SECONDS + 60)
    trial_drafts.prune_drafts()
    assert [str(path / "files") for path in (var_dir / "trials").iterdir()] == [begun.folder]
