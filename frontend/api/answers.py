"""How the API answers: exact JSON, an entity tag on what is read, and one shape for every error."""

from collections.abc import Callable
from hashlib import blake2b
from http import HTTPStatus
from typing import Any, TypeVar, cast

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, ValidationError
from ninja.renderers import BaseRenderer

from results.exports.encoding import as_json
from results.text.search import TooManyToScanError

Fault = TypeVar("Fault", bound=Exception)
SAFE = ("GET", "HEAD")


class ErrorBody(Schema):
    """What went wrong: a word for programs, a sentence for people, and where in the request; empty = all of it."""

    code: str
    message: str
    path: str


class ErrorAnswer(Schema):
    """The one shape of errors."""

    error: ErrorBody


class ApiError(Exception):
    """An answer that is an error."""

    def __init__(self, status: int, code: str, message: str, path: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.body = ErrorAnswer(error=ErrorBody(code=code, message=message, path=path))


def not_found(what: str, name: object) -> ApiError:
    """The error for a thing that does not exist, or may not be seen."""
    return ApiError(404, "not_found", f"There is no {what} {name}.", "path")


class Renderer(BaseRenderer):
    """JSON with numbers of any size, exact decimals and times in UTC."""

    media_type = "application/json"

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> bytes:  # noqa: ANN401, ARG002
        """Encode an answer."""
        return as_json(data)


class Api(NinjaAPI):
    """The API with entity tags: what did not change since `If-None-Match` is not sent again."""

    def create_response(self, request: HttpRequest, data: Any, **kwargs: Any) -> HttpResponse:  # noqa: ANN401
        """Make the response."""
        response = super().create_response(request, data, **kwargs)
        response.headers["Cache-Control"] = "private, no-cache"
        if request.method not in SAFE or response.status_code != HTTPStatus.OK:
            return response
        etag = quote_etag(blake2b(response.content, digest_size=16).hexdigest())
        response.headers["ETag"] = etag
        found = get_conditional_response(request, etag=etag, response=response)
        return (
            response if found is None else HttpResponse(found.content, status=found.status_code, headers=found.headers)
        )


def handle_errors(api: Api) -> None:
    """Let every error have the one shape."""

    def answer(request: HttpRequest, error: ApiError) -> HttpResponse:
        return api.create_response(request, error.body.model_dump(), status=error.status)

    def invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
        first, *more = error.errors
        words = [part for part in first["loc"] if isinstance(part, str)]
        path = ".".join(dict.fromkeys((words[0], words[-1])))  # what is between them are names of ours
        rest = f" ({len(more)} more problems.)" if more else ""
        return answer(request, ApiError(422, "invalid", f"{path}: {first['msg']}.{rest}", path))

    def unreadable(request: HttpRequest, error: HttpError) -> HttpResponse:
        return answer(request, ApiError(error.status_code, "unreadable", str(error), "body"))

    def too_large(request: HttpRequest, _error: RequestDataTooBig) -> HttpResponse:
        most = f"{settings.DATA_UPLOAD_MAX_MEMORY_SIZE:,} bytes"
        return answer(request, ApiError(413, "too_large", f"The body is larger than {most}.", "body"))

    def missing(request: HttpRequest, _error: Http404) -> HttpResponse:
        return answer(request, ApiError(404, "not_found", "There is no such thing.", "path"))

    def too_many(request: HttpRequest, error: TooManyToScanError) -> HttpResponse:
        return answer(request, ApiError(422, "too_many_to_scan", str(error), "query.q"))

    _handle(api, ApiError, answer)
    _handle(api, ValidationError, invalid)
    _handle(api, HttpError, unreadable)
    _handle(api, RequestDataTooBig, too_large)
    _handle(api, Http404, missing)
    _handle(api, TooManyToScanError, too_many)


def _handle(api: Api, kind: type[Fault], respond: Callable[[HttpRequest, Fault], HttpResponse]) -> None:
    api.add_exception_handler(kind, lambda request, error: respond(request, cast("Fault", error)))
