"""The way to a live trial through its forms, for tests: files in, picks, start; the work is done in this process."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from evaluator.live_work import run_trial
from results.models.jobs import Job, JobKind, JobState
from results.models.trials import Trial
from tests.evaluator.live_trials import CONFIG, ENVIRONMENT, TASKS, services
from tests.evaluator.trials.doubles import FakeAskers


def a_file(text: str | bytes, name: str = "config.yaml") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text if isinstance(text, bytes) else text.encode())


def send_files(client: Client, config: str = CONFIG, tasks: str = TASKS, **fields: Any) -> HttpResponse:
    """Send the first form."""
    data = {"config": a_file(config), "tasks": a_file(tasks, "tasks.yaml"), **fields}
    return client.post("/trials/new/", data)  # type: ignore[return-value]


def a_draft(client: Client, config: str = CONFIG, tasks: str = TASKS, **fields: Any) -> str:
    """The address of the page of a draft."""
    response = send_files(client, config, tasks, **fields)
    assert response.status_code == 302, text_of(response)
    return str(response.headers["Location"])


def start(client: Client, address: str, **fields: Any) -> Trial:
    """Press Start; it must be begun."""
    response = client.post(address, {"do": "start", **fields})
    assert response.status_code == 302, text_of(response)
    return Trial.objects.get(pk=int(response.headers["Location"].strip("/").rsplit("/", 1)[1]))


def work(askers: FakeAskers | None = None) -> None:
    """Do the jobs of trials that wait."""
    for job_id in list(Job.objects.filter(kind=JobKind.TRIAL, state=JobState.QUEUED).values_list("pk", flat=True)):
        run_trial(job_id, environment=ENVIRONMENT, services=services(askers))


def text_of(response: Any) -> str:
    """What a page says, with non-breaking spaces as plain ones."""
    return str(response.content.decode().replace("\N{NO-BREAK SPACE}", " ").replace("&nbsp;", " "))


def page_text(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == 200, text_of(response)
    return text_of(response)
