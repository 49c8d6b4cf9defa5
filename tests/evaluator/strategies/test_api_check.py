"""api-check against a real server on loopback, and one that the strategy starts."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from evaluator.engine.strategies.configuration import Commands
from evaluator.engine.strategies.contracts import Criterion
from evaluator.engine.strategies.states import Outcome, Reason, State
from tests.evaluator.strategies.projects import PYTHON, choice, run, write

SERVER = """
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b"{}")
server = HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
print("listening on port", sys.argv[1], flush=True)
server.serve_forever()
"""


class Handler(BaseHTTPRequestHandler):
    """Answers what the path asks for."""

    def do_GET(self) -> None:
        match self.path:
            case "/user":
                self._answer(200, {"id": 1, "owner": {"name": "x"}, "items": [{"id": 1}, {"id": 2}]})
            case "/text":
                self._answer(200, "plain", "text/plain; charset=utf-8")
            case "/slow":
                threading.Event().wait(3)
            case _:
                self._answer(404, {"error": "nothing here"})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers["X-Key"] != "k":
            self._answer(401, {"error": "no key"})
        else:
            self._answer(201, {"got": json.loads(body), "type": self.headers["Content-Type"]})

    def _answer(self, status: int, body: object, kind: str = "application/json") -> None:
        encoded = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("X-Kiln", "hot")
        self.send_header("Content-Length", str(len(encoded)))
        self.end_headers()
        self.wfile.write(encoded)

    def log_message(self, *_: object) -> None:
        """Stay silent."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A running server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def free_port() -> int:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        return int(server.server_address[1])


def ask(folder: Path, address: str, *endpoints: dict[str, Any], **config: Any) -> Outcome:
    return run(folder, choice("api-check", baseUrl=address, endpoints=list(endpoints), **config))


@pytest.mark.parametrize(
    "endpoint",
    [
        {"path": "/user", "expectedBodyKeys": ["id", "owner.name", "items.id"]},
        {"path": "/user", "expectedStatus": 200, "expectedContentType": "application/json"},
        {"path": "/text", "expectedContentType": "text/plain", "expectedHeaders": {"x-kiln": "hot"}},
        {"path": "/none", "expectedStatus": 404, "expectedBodyKeys": ["error"]},
        {
            "method": "post",
            "path": "/make",
            "headers": {"X-Key": "k"},
            "body": {"a": 1},
            "expectedStatus": 201,
            "expectedBodyKeys": ["got.a"],
        },
    ],
)
def test_an_answer_as_expected_passes(tmp_path: Path, address: str, endpoint: dict[str, Any]) -> None:
    outcome = ask(tmp_path, address, endpoint)
    assert (outcome.state, outcome.details) == (State.PASS, "1 request: 1 answered as expected, 0 not.")


@pytest.mark.parametrize(
    ("endpoint", "said"),
    [
        ({"path": "/none"}, 'GET /none: answered 404 instead of 2xx: {"error": "nothing here"}'),
        ({"path": "/user", "expectedStatus": 201}, "GET /user: answered 200 instead of 201"),
        ({"path": "/user", "expectedBodyKeys": ["email"]}, "GET /user: the body has no key 'email'"),
        ({"path": "/text", "expectedBodyKeys": ["id"]}, "GET /text: the body is not JSON and has none of id: plain"),
        ({"path": "/text", "expectedContentType": "text/html"}, "GET /text: content type is text/plain, not text/html"),
        ({"path": "/user", "expectedHeaders": {"X-Kiln": "cold"}}, "GET /user: header X-Kiln is 'hot', not 'cold'"),
        ({"method": "POST", "path": "/make", "body": {}, "description": "no key"}, "POST /make (no key): answered 401"),
    ],
)
def test_an_answer_that_is_not_as_expected_fails(
    tmp_path: Path, address: str, endpoint: dict[str, Any], said: str
) -> None:
    outcome = ask(tmp_path, address, endpoint)
    assert (outcome.state, outcome.error_count) == (State.FAIL, 1)
    assert outcome.problems[0].message.startswith(said)


def test_a_failure_can_be_reproduced_with_curl(tmp_path: Path, address: str) -> None:
    endpoint = {"method": "POST", "path": "/make", "body": {"a": "it's"}, "expectedBodyKeys": ["id"]}
    (problem,) = ask(tmp_path, address, endpoint).problems
    assert problem.reproduction == (
        f"""curl -i -X POST -H 'Content-Type: application/json' -d '{{"a": "it'"'"'s"}}' {address}/make"""
    )
    assert problem.expected == "The answer has status 2xx, the keys id."


def test_a_request_that_takes_too_long_fails(tmp_path: Path, address: str) -> None:
    outcome = ask(tmp_path, address, {"path": "/slow"}, timeout=200)
    assert outcome.problems[0].message == "GET /slow: no whole answer within 0.2 s"


def test_requests_come_from_the_contract_where_none_are_configured(tmp_path: Path, address: str) -> None:
    criteria = (
        Criterion("sc-1-1", "GET /user returns 200, GET /none responds with status 404."),
        Criterion("sc-1-2", "POST /make creates something; `GET /users/:id` shows it."),
    )
    outcome = run(tmp_path, choice("api-check", baseUrl=address), criteria=criteria)
    assert outcome.state is State.PASS
    assert outcome.details == ("2 requests: 2 answered as expected, 0 not. The requests come from the contract's text.")


def test_without_anything_to_ask_it_is_skipped(tmp_path: Path, address: str) -> None:
    outcome = ask(tmp_path, address)
    assert (outcome.state, outcome.reason) == (State.SKIPPED, Reason.NOTHING_TO_RUN)


def test_a_server_that_is_not_there_is_an_error_not_a_fail(tmp_path: Path) -> None:
    outcome = ask(tmp_path, f"http://127.0.0.1:{free_port()}", {"path": "/"})
    assert (outcome.state, outcome.reason) == (State.ERROR, Reason.SERVER)
    assert "Nothing listens at" in outcome.details


def test_the_server_is_started_waited_for_and_stopped(tmp_path: Path) -> None:
    port = free_port()
    write(tmp_path, {"server.py": SERVER})
    address, command = f"http://127.0.0.1:{port}", f"{PYTHON} server.py {port}"
    config: dict[str, Any] = {"startServer": True, "serverCommand": command, "serverReadyPattern": "listening on port"}
    config["serverTimeout"] = 60_000
    first = ask(tmp_path, address, {"path": "/"}, **config)
    again = ask(tmp_path, address, {"path": "/"}, **config)
    assert (first.state, again.state) == (State.PASS, State.PASS), (first, again)
    assert first.notes == (f"started with {command!r}",)


@pytest.mark.parametrize(
    ("script", "timeout_ms", "said"),
    [
        ("echo starting; sleep 60", 1000, "did not print 'ready' within 1 s: starting"),
        ("echo no such module; exit 1", 30_000, "ended with exit code 1 before it was ready: no such module"),
    ],
)
def test_a_server_that_does_not_become_ready_is_an_error_with_its_words(
    tmp_path: Path, script: str, timeout_ms: int, said: str
) -> None:
    write(tmp_path, {"server.sh": script})
    config: dict[str, Any] = {"startServer": True, "serverReadyPattern": "ready", "serverTimeout": timeout_ms}
    chosen = choice("api-check", baseUrl=f"http://127.0.0.1:{free_port()}", endpoints=[{"path": "/"}], **config)
    outcome = run(tmp_path, chosen, commands=Commands(dev="sh server.sh"))
    assert (outcome.state, outcome.reason) == (State.ERROR, Reason.SERVER)
    assert said in outcome.details


def test_a_port_that_is_taken_is_an_error(tmp_path: Path, address: str) -> None:
    outcome = ask(tmp_path, address, {"path": "/"}, startServer=True, serverCommand="true")
    assert (outcome.state, outcome.reason) == (State.ERROR, Reason.SERVER)
    assert "is in use already" in outcome.details
