"""Web server and workers on two hosts: one database, one Redis, a folder of uploads in common, nothing else."""

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evaluator.state_folder import make_state_folder
from tests.documents import document, result
from tests.evaluator.test_serve import PROJECT, free_port, redis_url

__all__ = ["redis_url"]


@contextmanager
def part(environment: dict[str, str], *arguments: str) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, "manage.py", "serve", *arguments]
    with subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert any("is ready" in line for line in process.stdout), "it ended without being ready"
            yield process
        finally:
            process.terminate()
            process.communicate()


def ask(port: int, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {"Content-Type": "application/octet-stream"} if body is not None else {}
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, content


def wait_for_job(port: int, job: int) -> str:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        state: str = json.loads(ask(port, "GET", f"/api/v1/jobs/{job}")[1])["state"]
        if state not in {"queued", "running"}:
            return state
        time.sleep(0.1)
    return "still " + state


def slow_upload(port: int, body: bytes, answers: list[bytes], *, began: threading.Event) -> None:
    """Send a file in two halves with a second between them, and keep the answer's first line."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        head = "POST /api/v1/imports?name=slow.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        head += f"Content-Type: application/octet-stream\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode() + body[:100])
        began.set()
        time.sleep(1)
        connection.sendall(body[100:])
        answers.append(connection.makefile("rb").readline())


def test_an_upload_of_one_host_is_imported_by_another_and_shown_by_the_first(
    child_environment: dict[str, str], tmp_path: Path, redis_url: str
) -> None:
    environments = {}
    for host in ("web", "workers"):
        make_state_folder(tmp_path / host)
        environments[host] = {
            **child_environment,
            "EVALBOARD_VAR": str(tmp_path / host),
            "CELERY_BROKER_URL": redis_url,
            "EVALBOARD_STOP_SECONDS": "10",
        }
    (tmp_path / "workers" / "uploads").rmdir()
    (tmp_path / "workers" / "uploads").symlink_to(tmp_path / "web" / "uploads")
    port = free_port()

    with (
        part(environments["workers"], "--only", "workers"),
        part(environments["web"], "--only", "web", "--port", str(port)) as web,
    ):
        status, answer = ask(port, "POST", "/api/v1/imports?name=a.json", document(result(1), result(2)))
        assert status == 202, answer
        assert wait_for_job(port, json.loads(answer)["id"]) == "succeeded"
        assert json.loads(ask(port, "GET", "/api/v1/results")[1])["count"] == 2
        made = {host: {path.name for path in (tmp_path / host / "facts").glob("*.parquet")} for host in environments}
        assert made["web"]
        assert made["workers"]
        assert made["web"].isdisjoint(made["workers"])
        assert ask(port, "GET", "/readyz")[0] == 200
        assert b'evalboard_results{state="ready"} 2' in ask(port, "GET", "/metrics")[1]

        answers: list[bytes] = []
        began = threading.Event()
        upload = threading.Thread(
            target=slow_upload, args=(port, document(result(3)), answers), kwargs={"began": began}
        )
        upload.start()
        began.wait()
        time.sleep(0.3)
        web.send_signal(signal.SIGTERM)
        upload.join()
        assert web.wait(timeout=15) == 0
        assert re.fullmatch(rb"HTTP/1.1 202 .*\r\n", answers[0])  # a request that runs is answered before the end
