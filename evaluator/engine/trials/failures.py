"""What a failed request means: in words for people, and whether another try may help."""

import json
import re
from collections.abc import Iterator

import httpx2
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelRequestTimeout,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
    UnexpectedModelBehavior,
)

from evaluator.engine.trials.interfaces import ConversationError, FailureKind
from evaluator.engine.trials.providers.bounded_transport import AnswerRefusedError
from evaluator.engine.trials.secrecy import Redactor

TRANSIENT_STATUSES = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
CLIENT_ERRORS = range(400, 500)
LONGEST_BODY = 2000  # characters of a service's error that are kept
LONGEST_MESSAGE = 1000
REQUEST_ID_HEADERS = ("x-request-id", "request-id", "x-goog-request-id", "x-oneapi-request-id")

_LATER = (
    ModelConnectionError,
    ModelRequestTimeout,
    ModelRateLimitError,
    ModelUnavailableError,
    ModelServerError,
    httpx2.TransportError,
    ConnectionError,
    TimeoutError,
)
_NEVER = (ModelQuotaExceededError, ModelRequestRejectedError)
_ANY_KEY = re.compile(r"\b(?:sk|rk|pk|xai|gsk|AIza)[-_][A-Za-z0-9_-]{12,}")


def explained(error: Exception, redactor: Redactor, *, is_streaming: bool = False) -> ConversationError:
    """The failure of a request, without any key in it.

    It is not raised here, so that the service's own exception, whose request holds the key, does not follow it.
    """
    refused = _refused(error)
    message = _message(error) if refused is None else f"the service's answer was not read: {refused}"
    details = {name: [_clean(text, redactor)] for name, text in _details(error)}
    return ConversationError(
        FailureKind.EXECUTION,
        _clean(message, redactor)[:LONGEST_MESSAGE],
        is_transient=is_transient(error, is_streaming=is_streaming),
        details=details,
        retry_after_seconds=error.retry_after if isinstance(error, ModelAPIError) else None,
    )


def is_transient(error: Exception, *, is_streaming: bool = False) -> bool | None:
    """True = worth another try, False = the same request fails again, None = unknown."""
    if _refused(error) is not None:
        return False
    if isinstance(error, _NEVER) and not _says_later(error):
        return False
    if isinstance(error, ModelHTTPError):
        return is_transient_status(error.status_code)
    # A stream that cannot be put together was broken on its way.
    return True if isinstance(error, _LATER) or (is_streaming and isinstance(error, ModelAPIError)) else None


def is_transient_status(status: int) -> bool | None:
    """The same for a status of HTTP."""
    if status in TRANSIENT_STATUSES:
        return True
    return False if status in CLIENT_ERRORS else None


def _says_later(error: Exception) -> bool:
    """Whether a refusal has a status that asks for patience; an empty account answers 429 too, and stays empty."""
    if isinstance(error, ModelQuotaExceededError) or not isinstance(error, ModelHTTPError):
        return False
    return error.status_code in TRANSIENT_STATUSES


def _message(error: Exception) -> str:
    if isinstance(error, ModelHTTPError):
        told = _told(error.body)
        return f"the service answered with status {error.status_code}" + (f": {told}" if told else "")
    if isinstance(error, ModelRequestTimeout):
        return f"the service did not answer in time: {error}"
    if isinstance(error, ModelTimeoutError | httpx2.TimeoutException | TimeoutError):
        return f"the service did not answer in time: {_deepest(error)}"
    if isinstance(error, ModelConnectionError | httpx2.TransportError | OSError):
        return f"the service could not be reached: {_deepest(error)}"
    if isinstance(error, ModelAPIError | UnexpectedModelBehavior):
        return f"the service's answer is of no use: {error}"
    return f"{type(error).__name__}: {error}"


def _told(body: object) -> str:
    """The message inside an error's body, wherever the service puts it."""
    if isinstance(body, str):
        return body
    if not isinstance(body, dict):
        return ""
    inner = body.get("error", body)
    if isinstance(inner, dict):
        return str(inner.get("message") or "")
    return str(inner)


def _causes(error: BaseException) -> list[BaseException]:
    """The error and what it came of, one after the other."""
    seen: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in seen:
        seen.append(current)
        current = current.__cause__ or current.__context__
    return seen


def _refused(error: BaseException) -> BaseException | None:
    """That an answer was too large, whatever an SDK made of it."""
    return next((one for one in _causes(error) if isinstance(one, AnswerRefusedError)), None)


def _deepest(error: BaseException) -> str:
    """The first cause, which knows more than `Connection error.` does."""
    for told in reversed(_causes(error)):
        if text := str(told):
            return f"{type(told).__name__}: {text}"
    return type(error).__name__


def _details(error: Exception) -> Iterator[tuple[str, str]]:
    yield "Exception", type(error).__name__.removeprefix("_HTTP")
    if isinstance(error, ModelHTTPError):
        yield "HTTP Status", str(error.status_code)
        headers = error.headers or {}
        for name in REQUEST_ID_HEADERS:
            if name in headers:
                yield "Request ID", headers[name]
                break
    if isinstance(error, ModelAPIError):
        if error.provider_error_code:
            yield "Service Code", error.provider_error_code
        if error.provider_error_type:
            yield "Service Type", error.provider_error_type
        if error.retry_after is not None:
            yield "Retry After Seconds", f"{error.retry_after:g}"
    if body := _body(error):
        yield "Response Body", body


def _body(error: Exception) -> str:
    """What the service sent: as its error, or what should have been JSON and is not, such as a page of a proxy."""
    if isinstance(error, ModelAPIError) and error.body:
        return _written(error.body)
    unreadable = (cause.doc for cause in _causes(error) if isinstance(cause, json.JSONDecodeError))
    return next(unreadable, "")


def _written(body: object) -> str:
    return body if isinstance(body, str) else json.dumps(body, ensure_ascii=False, default=str)


def _clean(text: str, redactor: Redactor) -> str:
    """A text without the run's key, and without anything else that looks like one; cut only afterwards."""
    return _ANY_KEY.sub("[key]", redactor.text(text))[:LONGEST_BODY]
