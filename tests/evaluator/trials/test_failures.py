"""What goes wrong between us and a service: each has its words, its class, and no key in it."""

import asyncio
import gzip
import json
import logging
import time
import traceback
from typing import Any

import pytest

from evaluator.engine.trials.definitions import ProviderDefinition
from evaluator.engine.trials.interfaces import Asker, ConversationError, FailureKind
from evaluator.engine.trials.providers import bounded_transport
from results.records import TokenUsage
from tests.evaluator.trials.fake_models import chat, messages
from tests.evaluator.trials.fake_models.replies import Asked, Cut, Dialect, Reply, wrapped
from tests.evaluator.trials.fake_models.server import FakeModels
from tests.evaluator.trials.model_asking import KEY, TEXT_TASK, ask, defined, failure, with_asker

FAMILIES = [
    ("openai", "gpt-4o"),
    ("openai", "gpt-5"),
    ("anthropic", "claude-sonnet-5"),
    ("google", "gemini-3-pro"),
    ("deepseek", "deepseek-chat"),
    ("openrouter", "a/b"),
]
IDS = [f"{provider}-{model.replace('/', '-')}" for provider, model in FAMILIES]


ASKED = Asked(Dialect.CHAT, "POST", "/", {}, {}, is_stream=False, model="m")
STATUSES = {400: False, 401: False, 404: False, 408: True, 409: True, 429: True, 500: True, 501: None, 502: True}
STATUSES |= {503: True, 504: True, 529: True}


def failures(provider: ProviderDefinition, count: int) -> list[ConversationError]:
    """What the asker of a run says, asked some times in vain."""

    async def use(asker: Asker) -> list[ConversationError]:
        caught = []
        for _ in range(count):
            try:
                await asker.ask(TEXT_TASK, None)
            except ConversationError as error:
                caught.append(error)
        return caught

    return with_asker(provider, use)


@pytest.mark.parametrize(("provider", "model"), FAMILIES, ids=IDS)
def test_a_status_says_whether_another_try_may_help(provider: str, model: str) -> None:
    with FakeModels([Reply(status=status) for status in STATUSES]) as models:
        errors = failures(defined(models, provider, model), len(STATUSES))
    told = {int(error.details["HTTP Status"][0]): error.is_transient for error in errors}
    assert told == STATUSES
    assert {error.kind for error in errors} == {FailureKind.EXECUTION}
    assert "status 400" in errors[0].message
    assert len(models.asked) == len(STATUSES)  # no SDK tries again on its own


@pytest.mark.parametrize(("provider", "model"), FAMILIES, ids=IDS)
def test_a_dropped_connection_is_worth_another_try(provider: str, model: str) -> None:
    with FakeModels([Reply(wrapped("4"), cut=cut) for cut in Cut]) as models:
        errors = failures(defined(models, provider, model), len(Cut))
    assert [(error.kind, error.is_transient) for error in errors] == len(Cut) * [(FailureKind.EXECUTION, True)]
    assert [error.spent.usage for error in errors] == [None, None]


@pytest.mark.parametrize(("provider", "model"), FAMILIES, ids=IDS)
def test_a_service_that_is_too_slow_is_worth_another_try_and_its_time_counts(provider: str, model: str) -> None:
    with FakeModels([Reply(wrapped("4"), delay_seconds=5)]) as models:
        error = failure(defined(models, provider, model, timeout=0.1))
    assert (error.kind, error.is_transient) == (FailureKind.EXECUTION, True)
    assert error.spent.duration_ns >= 100_000_000
    assert "in time" in error.message


def test_a_service_that_is_not_there_is_worth_another_try() -> None:
    with FakeModels() as models:
        provider = defined(models, "openai", "gpt-4o")
    error = failure(provider)
    assert (error.is_transient, "could not be reached" in error.message) == (True, True)


@pytest.mark.parametrize(("provider", "model"), FAMILIES, ids=IDS)
def test_a_body_that_no_service_sends_is_a_failure(provider: str, model: str) -> None:
    bodies = (b"<html>busy</html>", b'{"id": "x", "choi', b"[]")
    with FakeModels([Reply(raw=body) for body in bodies]) as models:
        errors = failures(defined(models, provider, model), len(bodies))
    assert len(errors) == len(bodies)
    assert False not in {error.is_transient for error in errors}
    if provider != "anthropic":  # whose stream has no event then, and whose SDK keeps nothing of it
        assert errors[0].details["Response Body"] == ["<html>busy</html>"]


@pytest.mark.parametrize(("provider", "model"), FAMILIES, ids=IDS)
def test_a_reply_without_an_answer_keeps_its_usage(provider: str, model: str) -> None:
    usage = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
    usage |= {"input_tokens": 100, "output_tokens": 50, "promptTokenCount": 100, "candidatesTokenCount": 50}
    texts = ("I think it is 4.", '{"title": "A", "explanation": "B"', '{"answer": 4}', " ")
    with FakeModels([Reply(text, usage=usage) for text in texts]) as models:
        errors = failures(defined(models, provider, model), len(texts))
    assert [error.kind for error in errors] == len(texts) * [FailureKind.PARSING]
    for error in errors:
        assert error.spent.usage == TokenUsage(
            input_tokens=100,
            output_tokens=50,
            input_token_accounting="cache_tokens_included",
            output_token_accounting="reasoning_tokens_included",
        )


def test_an_empty_account_is_not_worth_another_try() -> None:
    body = {"error": {"message": "You exceeded your quota", "code": "insufficient_quota", "type": "insufficient_quota"}}
    with FakeModels([Reply(status=429, error=body)]) as models:
        error = failure(defined(models, "openai", "gpt-4o"))
    assert error.is_transient is False
    assert error.message == "the service answered with status 429: You exceeded your quota"


def test_details_name_the_request() -> None:
    body = {"error": {"message": "slow down", "code": "rate_limit_exceeded", "type": "requests"}}
    with FakeModels([Reply(status=429, error=body, headers={"retry-after": "7"})]) as models:
        error = failure(defined(models, "openai", "gpt-4o"))
    assert error.details["Request ID"] == ["req-1"]
    assert error.details["Service Code"] == ["rate_limit_exceeded"]
    assert error.details["Retry After Seconds"] == ["7"]
    assert "slow down" in error.details["Response Body"][0]


def test_an_error_with_a_good_status_is_an_error() -> None:
    body = b'{"error": {"code": 502, "message": "the provider is down"}}'
    for provider in ("openrouter", "alibaba"):
        with FakeModels([Reply(raw=body)]) as models:
            error = failure(defined(models, provider, "a/b"))
        assert (error.is_transient, error.details["HTTP Status"]) == (True, ["502"])


@pytest.mark.parametrize(("provider", "model"), FAMILIES, ids=IDS)
def test_no_key_is_ever_told(provider: str, model: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    body = {"error": {"message": f"Incorrect API key provided: {KEY}.", "code": 401, "param": KEY}}
    scripts = [Reply(status=401, error=body), Reply(raw=f"not JSON {KEY}".encode()), Reply(f"no answer: {KEY}")]
    with FakeModels(scripts) as models:
        whole = defined(models, provider, model)
        errors = failures(whole, len(scripts))
    assert len(errors) == len(scripts)
    for error in errors:
        assert error.__cause__ is None
        assert error.__context__ is None
        assert KEY not in f"{error!r} {vars(error)} {''.join(traceback.format_exception(error))}"
    assert KEY not in repr(whole)
    assert KEY not in caplog.text


def test_cancelling_stops_at_once() -> None:
    async def cancel(asker: Asker) -> float:
        task = asyncio.create_task(asker.ask(TEXT_TASK, None))
        await asyncio.sleep(0.3)
        began = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - began

    with FakeModels([Reply(wrapped("4"), delay_seconds=30)]) as models:
        assert with_asker(defined(models, "openai", "gpt-4o"), cancel) < 10


def test_a_failure_is_the_same_whether_streamed_or_not() -> None:
    for is_streaming in (True, False):
        with FakeModels([Reply(status=529, error={"type": "error", "error": {"type": "overloaded_error"}})]) as models:
            error = failure(defined(models, "anthropic", "claude-sonnet-5", {"stream": is_streaming}))
        assert (error.is_transient, error.details["Service Type"]) == (True, ["overloaded_error"])


@pytest.mark.parametrize(("provider", "speaker"), [("anthropic", messages), ("alibaba", chat)])
def test_a_stream_that_ends_too_early_is_worth_another_try(provider: str, speaker: Any) -> None:
    asked = Asked(Dialect.CHAT, "POST", "/", {}, {"model": "m"}, is_stream=True, model="m")
    whole: bytes = speaker.stream(asked, Reply(wrapped("4")))
    with FakeModels(
        [Reply(raw=part, headers={"content-type": "text/event-stream"}) for part in cut_up(whole)]
    ) as models:
        errors = failures(defined(models, provider, "m", {"stream": True}), 2)
    assert [(error.kind, error.is_transient) for error in errors] == 2 * [(FailureKind.EXECUTION, True)]


def cut_up(stream: bytes) -> list[bytes]:
    """A stream after its third event, and one in the middle of its fourth."""
    events = stream.split(b"\n\n")
    whole = b"\n\n".join(events[:3]) + b"\n\n"
    return [whole, whole + events[3][: len(events[3]) // 2] + b"\n\n"]


@pytest.mark.parametrize(("provider", "model"), FAMILIES, ids=IDS)
@pytest.mark.parametrize("packed", [True, False])
def test_an_answer_without_end_is_not_read(
    provider: str, model: str, packed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_transport, "LARGEST_ANSWER_BYTES", 1024 * 1024)
    raw = b" " * 3_000_000
    reply = Reply(raw=gzip.compress(raw), headers={"content-encoding": "gzip"}) if packed else Reply(raw=raw)
    with FakeModels([reply]) as models:
        error = failure(defined(models, provider, model))
    assert "the service's answer was not read: the answer has more than 1 MiB" in error.message
    assert error.is_transient is False


def test_an_answer_that_is_packed_is_read_and_one_packed_otherwise_than_asked_is_not() -> None:
    body = json.dumps(chat.document(ASKED, Reply(wrapped("4")))).encode()
    packed = Reply(raw=gzip.compress(body), headers={"content-encoding": "gzip"})
    with FakeModels([packed, Reply(raw=b"x", headers={"content-encoding": "br"})]) as models:
        provider = defined(models, "openai", "gpt-4o")
        assert ask(provider).final_answer == "4"
        assert "packed as 'br', which was not asked for" in failure(provider).message
