"""Real processes that die or meet: nothing half-done is seen, nothing is lost, other writers get through."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone

from results.jobs import create_job, say
from results.models.evaluations import VISIBLE_STATES, Evaluation
from results.models.jobs import Job, JobKind, JobMessage
from results.models.results import Result
from results.store.chunks import CHUNK_RESULTS
from results.sweeper import sweep
from tests.documents import document, result, write

pytestmark = pytest.mark.django_db(transaction=True)

PROJECT = Path(__file__).resolve().parents[2]
CHUNKS = 6
PATIENCE_SECONDS = 60


@pytest.fixture(scope="module")
def large_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [result(n, Task=f"task {n % 50}") for n in range(CHUNKS * CHUNK_RESULTS)]
    return write(tmp_path_factory.mktemp("large"), "large.json", document(*rows))


def start_import(path: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "manage.py", "import_results", str(path), "--json"]
    return subprocess.Popen(
        command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )


def wait_until(is_true: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_true():
        if process.poll() is not None:
            pytest.fail(f"the import ended too soon: {process.stderr.read().decode() if process.stderr else ''}")
        assert time.monotonic() < deadline, "the import never got that far"
        time.sleep(0.005)


def kill(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


@pytest.mark.parametrize("chunk", [0, 1, CHUNKS - 1])
def test_an_import_that_is_killed_shows_nothing_and_can_be_done_again(
    chunk: int, large_file: Path, child_environment: dict[str, str]
) -> None:
    process = start_import(large_file, child_environment)
    wait_until(lambda: Evaluation.objects.exists() and Result.objects.count() >= chunk * CHUNK_RESULTS, process)
    kill(process)
    assert not Evaluation.objects.filter(state__in=VISIBLE_STATES).exists()
    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    sweep()
    assert (Evaluation.objects.count(), Result.objects.count()) == (0, 0)
    again = start_import(large_file, child_environment)
    output, errors = again.communicate(timeout=PATIENCE_SECONDS)
    assert again.returncode == 0, errors.decode() + output.decode()
    assert Evaluation.objects.get(state__in=VISIBLE_STATES).results == CHUNKS * CHUNK_RESULTS


def test_other_writers_get_through_while_an_import_runs(large_file: Path, child_environment: dict[str, str]) -> None:
    process = start_import(large_file, child_environment)
    wait_until(Result.objects.exists, process)
    written = 0
    while process.poll() is None:
        with transaction.atomic():
            say(create_job(JobKind.INDEX).pk, "written beside an import")
        written += 1
    _, errors = process.communicate()
    assert process.returncode == 0, errors.decode()
    assert JobMessage.objects.filter(text="written beside an import").count() == written > 0


def test_two_imports_of_the_same_file_at_once_store_it_once(
    large_file: Path, child_environment: dict[str, str]
) -> None:
    processes = [start_import(large_file, child_environment) for _ in range(2)]
    outputs = [process.communicate(timeout=PATIENCE_SECONDS)[0] for process in processes]
    states = sorted("stored" if b'"stored",' in output else "unchanged" for output in outputs)
    assert (states, Evaluation.objects.count(), Result.objects.count()) == (
        ["stored", "unchanged"],
        1,
        CHUNKS * CHUNK_RESULTS,
    )
