"""`manage.py serve`: what it refuses, and a whole life from start to stop."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django.fixtures import Settings

from evaluator.management.commands.serve import address, require_protection, web_server
from tests.documents import document, result

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "example.org", ""])
def test_an_address_that_others_can_reach_is_refused(host: str) -> None:
    with pytest.raises(CommandError, match="can be reached by other machines") as refusal:
        require_protection(host)
    assert all(name in str(refusal.value) for name in ("EVALBOARD_ACCOUNTS=1", "SECRET_KEY", "EVALBOARD_ALLOWED_HOSTS"))


def test_an_address_that_others_can_reach_is_allowed_once_it_is_protected(settings: Settings) -> None:
    settings.ACCOUNTS = settings.HAS_OWN_SECRET = settings.HAS_OWN_HOSTS = True
    require_protection("0.0.0.0")

    settings.HAS_OWN_SECRET = False
    with pytest.raises(CommandError, match="Set first: SECRET_KEY") as refusal:
        require_protection("0.0.0.0")
    assert "EVALBOARD_ACCOUNTS" not in str(refusal.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_a_loopback_address_is_allowed(host: str) -> None:
    require_protection(host)


def test_a_port_in_use_is_refused_with_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(CommandError, match=rf"Port {port} .* is in use: stop .* or choose another"):
            call_command("serve", host="127.0.0.1", port=port)


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_port_that_does_not_exist_is_refused(port: int) -> None:
    with pytest.raises(CommandError, match=f"Port {port} does not exist; choose one from 1 to 65535"):
        call_command("serve", host="127.0.0.1", port=port)


def test_an_ipv6_address_is_shown_in_brackets() -> None:
    assert address("::1", 8000) == "http://[::1]:8000/"


def test_a_browser_may_ask_for_the_host_that_is_served() -> None:
    assert web_server("127.0.0.2", 8000).environment["EVALBOARD_ALLOWED_HOSTS"].endswith(",127.0.0.2")


@dataclass(frozen=True)
class Served:
    """A running `serve`: its process, its address, and the variables that name its state."""

    process: "subprocess.Popen[str]"
    address: str
    environment: dict[str, str]

    def descendants(self) -> list[int]:
        """Processes that have the state folder of this `serve`, without itself."""
        mark = f"EVALBOARD_VAR={self.environment['EVALBOARD_VAR']}\0".encode()
        found = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                if mark in path.read_bytes() and int(path.parent.name) != self.process.pid:
                    found.append(int(path.parent.name))
        return found

    def ask(self, program: str) -> str:
        """What a Python program prints that has Django set up with the same state."""
        command = [sys.executable, "-c", f"import django; django.setup()\n{program}"]
        done = subprocess.run(command, cwd=PROJECT, env=self.environment, capture_output=True, text=True, check=True)
        return done.stdout.strip()


def free_port() -> int:
    """A port that nobody listens on at this moment."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def wait_until_it_listens(port: int) -> None:
    """Return once somebody listens there; fail after ten seconds."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.02)
    pytest.fail(f"nothing listens on port {port}")


@pytest.fixture
def redis_url(tmp_path: Path) -> Iterator[str]:
    """A Redis of our own; the test is skipped where it is not installed."""
    if not shutil.which("redis-server"):
        pytest.skip("redis-server is not installed (apt install redis-server)")
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        wait_until_it_listens(port)
        yield f"redis://127.0.0.1:{port}/0"
        process.terminate()


@contextlib.contextmanager
def serving(state: Path, **variables: str) -> Iterator[Served]:
    """Run `serve` on a free port with a state folder of its own."""
    environment = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "CELERY_BROKER_URL"}}
    environment |= {"EVALBOARD_VAR": str(state), "DJANGO_SETTINGS_MODULE": "evaluator.settings", **variables}
    command = [sys.executable, "manage.py", "serve", "--port", str(free_port())]
    with subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            ready = re.search(r"http://\S+", next((line for line in process.stdout if "is ready" in line), ""))
            assert ready, "serve ended without an address"
            yield Served(process, ready[0], environment)
        finally:
            process.terminate()


def test_serve_answers_at_the_address_it_prints_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with serving(tmp_path / "state") as served:
        with urllib.request.urlopen(served.address) as response:
            assert response.status == 200
        assert len(served.descendants()) >= 4  # Granian and a process of it, two workers
        served.process.send_signal(signal.SIGTERM)
        assert served.process.wait(timeout=10) == 0
        assert served.descendants() == []
        assert served.process.stdout is not None
        assert served.process.stdout.read() == "Stopping …\nStopped.\n"


SEND_AN_IMPORT = """
import io
from evaluator.jobs import run_import
from results import intake, jobs, uploads
from results.models.jobs import JobKind
project = intake.find_project("default")
upload = uploads.stage(io.BytesIO(DOCUMENT), "a.json", intake.ImportOptions().limits)
job = jobs.create_job(JobKind.IMPORT, project=project, upload=upload, is_resumable=True)
run_import.delay(job.pk)
"""
WAIT_FOR_THE_END = """
import time
from results.models.jobs import Job, JobState
deadline = time.monotonic() + 20
while Job.objects.get().state in {JobState.QUEUED, JobState.RUNNING} and time.monotonic() < deadline:
    time.sleep(0.1)
print(Job.objects.get().state)
"""


def state_of_an_import(state: Path, **variables: str) -> str:
    """How an import ends that is sent to the workers of a running `serve`."""
    with serving(state, **variables) as served:
        program = SEND_AN_IMPORT.replace("DOCUMENT", repr(document(result(1), result(2))))
        return served.ask(program + WAIT_FOR_THE_END)


def test_the_worker_takes_jobs_from_files(tmp_path: Path) -> None:
    assert state_of_an_import(tmp_path / "state") == "succeeded"


def test_the_worker_takes_jobs_from_redis(tmp_path: Path, redis_url: str) -> None:
    assert state_of_an_import(tmp_path / "state", CELERY_BROKER_URL=redis_url) == "succeeded"
