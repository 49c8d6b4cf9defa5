"""Who may see and do what: the one place that answers for every page and for the API."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from frontend.rights import RULES, Right, Rule
from results.accounts import Standing, note, standing_of, use_token
from results.queries.project_of import project_of, projects_of
from results.queries.visibility import VisibleSet
from results.queries.visibility import visible_evaluations as ready_evaluations
from results.reach import OutOfReachError, Reach, narrowed, present_reach, set_present
from results.saved_reports import SavedReport

API = "/api/"
READING = ("GET", "HEAD", "OPTIONS", "TRACE")
BEARER = "Bearer "
NOBODY: Reach = frozenset()
TARGETS = ("evaluation", "job", "project", "name", "user", "role")  # fields of forms that the log of changes repeats
TARGET_CHARACTERS = 500
STANDING = "evalboard.standing"

log = logging.getLogger(__name__)
Get = Callable[[HttpRequest], HttpResponseBase]


@dataclass(frozen=True)
class Asker:
    """Who asks: an account with its roles, and what a token narrows them to."""

    user: User
    standing: Standing
    may_write: bool = True
    project_id: int | None = None

    def reach(self, right: Right) -> Reach:
        """The projects in which this asker has a right."""
        reach = self.standing.reach(right.role)
        if self.project_id is None:
            return reach
        return frozenset({self.project_id}) if reach is None or self.project_id in reach else NOBODY


class GuardAccess:
    """Lets a request through, with the projects that it may touch, or answers why not; writes the log of changes."""

    def __init__(self, get_response: Get) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer; with accounts nothing is within reach before `process_view` knows who asks."""
        with narrowed(NOBODY if settings.ACCOUNTS else None):
            response = self.get_response(request)
            reach = present_reach()
        _log_change(request, response)
        if settings.ACCOUNTS and isinstance(response, StreamingHttpResponse) and not response.is_async:
            response.streaming_content = _under(reach, iter(cast("Iterator[bytes]", response.streaming_content)))
        return response

    def process_view(
        self,
        request: HttpRequest,
        _view: Callable[..., HttpResponse],
        _args: list[Any],
        places: dict[str, Any],
    ) -> HttpResponseBase | None:
        """Look the address up in the table of permissions; None = go on."""
        rule = _rule(request)
        if rule is None:
            raise PermissionDenied(f"no rule for {request.path}")
        if not settings.ACCOUNTS:
            return None
        right = rule.reading if request.method in READING else rule.changing
        if right is Right.NOTHING:
            return None
        asker = _asker(request)
        if asker is None:
            return _log_in(request)
        try:
            reach = _allowed(request, asker, right, places)
        except PermissionDenied as error:
            return _refused(request, str(error))
        set_present(reach)
        return None

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        """Say so when a form named a project that its sender may not change."""
        return _refused(request, str(error)) if isinstance(error, OutOfReachError) else None


def visible_evaluations(request: HttpRequest) -> VisibleSet:  # noqa: ARG001  (its reach is the present one)
    """The evaluations that this request may read: everything ready or running in the projects within its reach.

    Args:
        request: of any page or API call.

    Returns:
        The set that every query takes; evaluations being imported or deleted are never in it.
    """
    return ready_evaluations()


def shared_evaluations(report: SavedReport) -> VisibleSet:
    """The evaluations that whoever has an open link to a report may read, and nothing else, with or without an account.

    The projects of these come within reach of the request.

    Args:
        report: whose link is open.

    Returns:
        Those that were picked for it, with its baseline; where none was picked, those of its project. One of no single
        project was saved by somebody to whom every project is open, and shows all.
    """
    named = {pick.id for pick in report.picks if pick.id is not None}
    if report.baseline is not None:
        named.add(report.baseline.evaluation_id)
    with narrowed(None):
        ready = ready_evaluations(None if report.picks else report.project).evaluation_ids
    found = VisibleSet.of(frozenset(named & ready) if report.picks else ready)
    if settings.ACCOUNTS:
        set_present(projects_of(found.evaluation_ids))
    return found


def account_of(request: HttpRequest) -> User | None:
    """The account that asks; None without accounts, and before logging in."""
    user = getattr(request, "user", None) if settings.ACCOUNTS else None
    return None if user is None or isinstance(user, AnonymousUser) or not user.is_authenticated else user


def has_right(request: HttpRequest, right: Right) -> bool:
    """Whether the one who asks has a right in any project; without accounts everybody has every right."""
    if not settings.ACCOUNTS:
        return True
    user = account_of(request)
    if user is None:
        return False
    return user.is_superuser if right is Right.INSTALLATION else _standing(request, user).reach(right.role) != NOBODY


def client_address(request: HttpRequest) -> str:
    """Where a request comes from; behind a proxy that speaks HTTPS for us, what that proxy says."""
    if settings.HTTPS and (said := request.headers.get("X-Forwarded-For")):
        return said.rpartition(",")[2].strip()
    return str(request.META.get("REMOTE_ADDR", ""))


def _rule(request: HttpRequest) -> Rule | None:
    match = request.resolver_match
    return None if match is None else RULES.get(str(match.route))


def _is_for_programs(request: HttpRequest) -> bool:
    rule = _rule(request)
    return request.path.startswith(API) or (rule is not None and rule.is_for_programs)


def _asker(request: HttpRequest) -> Asker | None:
    given = request.headers.get("Authorization", "")
    if _is_for_programs(request) and given.startswith(BEARER):
        use = use_token(given.removeprefix(BEARER).strip())
        if use is None:
            return None
        request.user = use.user
        return Asker(use.user, standing_of(use.user), use.may_write, use.project_id)
    user = account_of(request)
    return None if user is None else Asker(user, _standing(request, user))


def _standing(request: HttpRequest, user: User) -> Standing:
    """The roles of the one who asks, looked up once a request."""
    found: Standing | None = request.META.get(STANDING)
    if found is None:
        found = request.META[STANDING] = standing_of(user)
    return found


def _allowed(request: HttpRequest, asker: Asker, right: Right, places: dict[str, Any]) -> Reach:
    is_change = request.method not in READING
    if is_change and not asker.may_write:
        raise PermissionDenied("This token only reads. Make one that may write.")
    if right is Right.INSTALLATION and (not asker.user.is_superuser or asker.project_id is not None):
        raise PermissionDenied("Only administrators of this installation may do this.")
    if right in (Right.ACCOUNT, Right.INSTALLATION):
        return asker.reach(Right.VIEW)
    reach = asker.reach(right)
    wanted = project_of(places)
    if wanted is not None and reach is not None and wanted not in reach:
        seen = asker.reach(Right.VIEW)
        if seen is not None and wanted not in seen:
            raise Http404  # what somebody may not see does not exist for them
        raise PermissionDenied(_role_wanted(right))
    if right > Right.VIEW and reach == NOBODY:
        raise PermissionDenied(_role_wanted(right))
    return reach


def _role_wanted(right: Right) -> str:
    return f"Your account may not do this. Ask an administrator of the project for the role {right.role.label}."


def _log_in(request: HttpRequest) -> HttpResponseBase:
    if _is_for_programs(request):
        return _api_error(HTTPStatus.UNAUTHORIZED, "not_logged_in", "Send a valid token: Authorization: Bearer …")
    address = f"{reverse('login')}?{urlencode({'next': request.get_full_path()})}"
    if request.headers.get("HX-Request") == "true":
        return HttpResponse(status=204, headers={"HX-Redirect": reverse("login")})
    return redirect(address if request.method in READING else reverse("login"))


def _refused(request: HttpRequest, reason: str) -> HttpResponseBase:
    if _is_for_programs(request):
        return _api_error(HTTPStatus.FORBIDDEN, "forbidden", reason)
    raise PermissionDenied(reason)


def _api_error(status: HTTPStatus, code: str, message: str) -> JsonResponse:
    headers = {"WWW-Authenticate": "Bearer"} if status is HTTPStatus.UNAUTHORIZED else {}
    return JsonResponse({"error": {"code": code, "message": message, "path": ""}}, status=status, headers=headers)


def _under(reach: Reach, content: Iterator[bytes]) -> Iterator[bytes]:
    """A stream whose every step is done under the reach of its request, which is over by then."""
    while True:
        with narrowed(reach):
            part = next(content, None)
        if part is None:
            return
        yield part


def _log_change(request: HttpRequest, response: HttpResponseBase) -> None:
    if request.method in READING or response.status_code >= HTTPStatus.BAD_REQUEST:
        return
    rule = _rule(request)
    if rule is None or not rule.action:
        return
    user = account_of(request)
    places = dict(request.resolver_match.kwargs) if request.resolver_match else {}
    try:
        note(
            user.get_username() if user else "",
            rule.action if request.method == "POST" else f"{rule.action} ({request.method})",
            target=_target(request, places),
            address=client_address(request),
            project_id=project_of(places),
        )
    except DatabaseError as error:
        log.error("a change could not be noted (%s): %s %s", error, request.method, request.path)  # noqa: TRY400


def _target(request: HttpRequest, places: dict[str, Any]) -> str:
    words = [f"{name.removesuffix('_id')} {value}" for name, value in places.items() if name != "token"]
    if request.content_type in ("application/x-www-form-urlencoded", "multipart/form-data"):
        for name in TARGETS:
            words += [f"{name} {value}" for value in request.POST.getlist(name)]
    text = ", ".join(words)
    return text if len(text) <= TARGET_CHARACTERS else f"{text[: TARGET_CHARACTERS - 1]}…"
