"""`manage.py serve`: what it refuses, and a whole life from start to stop."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from evaluator.management.commands.serve import address, require_loopback

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "example.org", ""])
def test_an_address_that_others_can_reach_is_refused(host: str) -> None:
    with pytest.raises(CommandError, match="can be reached by other machines"):
        require_loopback(host)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_a_loopback_address_is_allowed(host: str) -> None:
    require_loopback(host)


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


@dataclass
class Served:
    """A running `serve`."""

    process: "subprocess.Popen[str]"
    address: str

    def children(self) -> list[int]:
        """Processes whose state folder is the one of this test, `serve` itself left out."""
        mark = self.mark
        found = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            try:
                is_ours = mark in path.read_bytes()
            except OSError:
                continue
            if is_ours and int(path.parent.name) != self.process.pid:
                found.append(int(path.parent.name))
        return found

    mark: bytes = b""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """Start `serve` on a free port with a state folder of its own."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    state = tmp_path / "served"
    environment = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "CELERY_BROKER_URL"}}
    environment |= {"EVALBOARD_VAR": str(state), "DJANGO_SETTINGS_MODULE": "evaluator.settings"}
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        ready = next((line for line in process.stdout if "ready" in line), "")
        found = re.search(r"http://\S+", ready)
        assert found, "serve ended without an address"
        yield Served(process, found[0], f"EVALBOARD_VAR={state}\0".encode())
        process.kill()


def test_serve_answers_at_the_address_it_prints_and_leaves_nothing_behind(served: Served) -> None:
    with urllib.request.urlopen(served.address) as response:
        assert response.status == 200
    assert len(served.children()) >= 4  # Granian and its processes, two workers
    served.process.send_signal(signal.SIGTERM)
    assert served.process.wait(timeout=10) == 0
    assert served.children() == []
