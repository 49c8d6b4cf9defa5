"""Files of tasks: from disk and from the web, within limits, and never out of a network that we were led into."""

import asyncio
from pathlib import Path

import pytest

from evaluator.engine.trials import attachments
from evaluator.engine.trials.attachments import attached, content_of
from evaluator.engine.trials.definitions import TaskFile
from evaluator.engine.trials.interfaces import ConversationError, FailureKind
from evaluator.engine.trials.providers.file_types import IMAGES
from tests.evaluator.trials.fake_models.replies import Reply
from tests.evaluator.trials.fake_models.server import FakeModels

PNG = b"\x89PNG\r\n\x1a\nrest"


def fetch(uri: str, *, allows_loopback: bool = False) -> bytes:
    return asyncio.run(content_of(TaskFile("a file", uri), allows_loopback=allows_loopback))


def problem(uri: str, *, allows_loopback: bool = False) -> ConversationError:
    with pytest.raises(ConversationError) as caught:
        fetch(uri, allows_loopback=allows_loopback)
    return caught.value


@pytest.mark.parametrize("form", ["{}", "file://{}"])
def test_a_local_file_is_read(tmp_path: Path, form: str) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    assert fetch(form.format(tmp_path / "a.png")) == PNG


def test_a_missing_file_is_named() -> None:
    error = problem("/no/such/file.png")
    assert (error.kind, error.is_transient) == (FailureKind.EXECUTION, False)
    assert error.message == "the file 'a file': it cannot be read: No such file or directory"
    assert error.details == {"File": ["/no/such/file.png"]}


def test_a_file_of_the_web_is_fetched() -> None:
    with FakeModels([Reply(raw=PNG)]) as server:
        assert fetch(f"{server.url}/a.png") == PNG


@pytest.mark.parametrize(("status", "is_transient"), [(404, False), (204, False), (503, True)])
def test_only_status_200_will_do(status: int, is_transient: bool) -> None:
    with FakeModels([Reply(raw=b"", status=status)]) as server:
        error = problem(f"{server.url}/a.png")
    assert (str(status) in error.message, error.is_transient) == (True, is_transient)


def test_files_that_are_too_large_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attachments, "LARGEST_BYTES", 1024**2)
    (tmp_path / "large").write_bytes(bytes(1024**2 + 1))
    with FakeModels([Reply(raw=bytes(1024**2 + 1))]) as server:
        for uri in (str(tmp_path / "large"), f"{server.url}/large"):
            assert problem(uri).message == "the file 'a file': it is larger than 1 MB"


def test_a_download_has_a_limit_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attachments, "DOWNLOAD_SECONDS", 0.2)
    with FakeModels([Reply(raw=PNG, delay_seconds=10)]) as server:
        error = problem(f"{server.url}/a.png")
    assert error.is_transient is True


def test_a_redirect_is_followed_but_not_into_a_private_network() -> None:
    away = Reply(raw=b"", status=302, headers={"location": "/there.png"})
    with FakeModels([away, Reply(raw=PNG), away]) as server:
        assert fetch(f"{server.url}/here.png", allows_loopback=True) == PNG
        assert "private network" in problem(f"{server.url}/here.png").message
    assert [asked.path for asked in server.asked] == ["/here.png", "/there.png", "/here.png"]


def test_a_redirect_out_of_the_web_or_without_end_is_refused() -> None:
    with FakeModels([Reply(raw=b"", status=302, headers={"location": "file:///etc/passwd"})]) as server:
        assert "no address of the web" in problem(server.url, allows_loopback=True).message
    again = Reply(raw=b"", status=302, headers={"location": "/again"})
    with FakeModels(answer=lambda _asked: again) as server:
        assert "more than 5 times" in problem(server.url, allows_loopback=True).message


@pytest.mark.parametrize(
    ("name", "told", "data", "media_type"),
    [
        ("a.png", None, b"anything", "image/png"),
        ("a.bin", "image/jpg", b"anything", "image/jpeg"),
        ("a", None, PNG, "image/png"),
        ("a", None, b"RIFF????WEBPVP8 ", "image/webp"),
    ],
)
def test_the_type_is_told_or_guessed(tmp_path: Path, name: str, told: str | None, data: bytes, media_type: str) -> None:
    (tmp_path / name).write_bytes(data)
    file = TaskFile(name, str(tmp_path / name), told)
    assert asyncio.run(attached(file, IMAGES)).media_type == media_type


def test_a_type_that_the_service_does_not_read_is_unsupported_before_anything_is_fetched() -> None:
    with pytest.raises(ConversationError, match=r"application/pdf: a\.pdf") as caught:
        asyncio.run(attached(TaskFile("a.pdf", "http://127.0.0.1:9/a.pdf"), IMAGES))
    assert caught.value.kind is FailureKind.UNSUPPORTED
