"""One's own account: password and tokens."""

from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from frontend.access import account_of
from frontend.contexts.account import AccountPage
from frontend.rendering import render_page
from frontend.toasts import Toast, leave
from results.accounts import make_token
from results.models.accounts import ApiToken
from results.models.projects import Project
from results.names import storable
from results.reach import within

UNPROCESSABLE = 422
MOST_NAME_CHARACTERS = 100
MOST_DAYS = 3_650


@require_safe
@never_cache
def show_account(request: HttpRequest) -> HttpResponse:
    """One's own rights, tokens and the form for the password."""
    return render_page(request, "account.html", AccountPage.build(request, _user(request)))


@require_POST
@sensitive_post_parameters()
def change_password(request: HttpRequest) -> HttpResponse:
    """Set another password; other sessions of the account end."""
    user = _user(request)
    problems: tuple[str, ...] = ()
    new = request.POST.get("new", "")
    if not user.check_password(request.POST.get("old", "")):
        problems = ("The present password is another one.",)
    elif new != request.POST.get("again", ""):
        problems = ("The two new passwords differ.",)
    else:
        try:
            validate_password(new, user)
        except ValidationError as error:
            problems = tuple(error.messages)
    if problems:
        page = AccountPage.build(request, user, password_problems=problems)
        return render_page(request, "account.html", page, status=UNPROCESSABLE)
    user.set_password(new)
    user.save(update_fields=["password"])
    update_session_auth_hash(request, user)
    return leave(redirect("account"), Toast("The password was changed; other sessions were ended."))


@require_POST
@never_cache
def add_token(request: HttpRequest) -> HttpResponse:
    """Make a token and show it this once."""
    user, name, days = _user(request), storable(request.POST.get("name", "").strip()), request.POST.get("days", "")
    slug = storable(request.POST.get("project", ""))
    project = within(Project.objects.filter(slug=slug), "pk").first() if slug else None
    problem = _token_problem(name, days, is_unknown=bool(slug) and project is None)
    if problem:
        page = AccountPage.build(request, user, token_problem=problem)
        return render_page(request, "account.html", page, status=UNPROCESSABLE)
    may_write = request.POST.get("may_write") == "yes"
    token = make_token(user, name, may_write=may_write, project=project, days=int(days) if days else None)
    return render_page(request, "account.html", AccountPage.build(request, user, token=token))


@require_POST
def revoke_token(request: HttpRequest, token_id: int) -> HttpResponse:
    """End one of one's own tokens."""
    own = ApiToken.objects.filter(pk=token_id, user=_user(request), revoked_at__isnull=True)
    if own.update(revoked_at=timezone.now()) != 1:
        raise Http404
    return leave(redirect("account"), Toast("The token no longer works."))


def _token_problem(name: str, days: str, *, is_unknown: bool) -> str:
    if not name or len(name) > MOST_NAME_CHARACTERS:
        return f"Say what the token is for, in at most {MOST_NAME_CHARACTERS} characters."
    if is_unknown:
        return "There is no such project among yours."
    if days and not (days.isascii() and days.isdigit() and 0 < int(days[:6]) <= MOST_DAYS):
        return f"A token works for 1 to {MOST_DAYS:,} days."
    return ""


def _user(request: HttpRequest) -> User:
    user = account_of(request)
    if user is None:
        raise Http404
    return user
