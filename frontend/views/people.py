"""People and their roles, and the log of changes."""

import secrets

from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from frontend.access import account_of
from frontend.contexts.people import ChangesPage, PeoplePage
from frontend.rendering import render_page
from frontend.toasts import Toast, leave
from results.accounts import set_role
from results.models.accounts import Role
from results.models.projects import Project
from results.names import storable
from results.reach import OutOfReachError, present_reach, within

UNPROCESSABLE = 422
PASSWORD_BYTES = 12
MOST_NAME_CHARACTERS = 150
EVERY_PROJECT = ""
NO_ROLE = "none"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def list_people(request: HttpRequest) -> HttpResponse:
    """Roles and accounts; a POST adds an account and shows its password this once."""
    if request.method != "POST":
        return render_page(request, "people.html", PeoplePage.build(request))
    name = request.POST.get("name", "").strip()
    problem = _name_problem(name)
    if problem:
        return render_page(request, "people.html", PeoplePage.build(request, problem=problem), status=UNPROCESSABLE)
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    User.objects.create_user(name, password=password)
    return render_page(request, "people.html", PeoplePage.build(request, password=password, password_of=name))


@never_cache
@require_POST
def change_person(request: HttpRequest, user_id: int) -> HttpResponse:
    """Close or open an account, give it a new password, or make it administer the installation, or no longer."""
    user, change = User.objects.filter(pk=user_id).first(), request.POST.get("change", "")
    if user is None:
        raise Http404
    if change == "password":
        password = secrets.token_urlsafe(PASSWORD_BYTES)
        user.set_password(password)
        user.save(update_fields=["password"])
        page = PeoplePage.build(request, password=password, password_of=user.get_username())
        return render_page(request, "people.html", page)
    if account_of(request) == user:
        page = PeoplePage.build(request, problem="Nobody can take the rights of their own account away.")
        return render_page(request, "people.html", page, status=UNPROCESSABLE)
    changes = {"close": ("is_active", False), "open": ("is_active", True)}
    changes |= {"promote": ("is_superuser", True), "demote": ("is_superuser", False)}
    if change not in changes:
        raise Http404
    name, value = changes[change]
    setattr(user, name, value)
    user.save(update_fields=[name])
    return leave(redirect("people"), Toast(f"Saved: {user.get_username()}"))


@require_POST
def change_role(request: HttpRequest) -> HttpResponse:
    """Give a person a role in a project, or take it away."""
    user = User.objects.filter(username=storable(request.POST.get("name", "").strip())).first()
    word = request.POST.get("role", "")
    roles = {str(role.label): role for role in Role}
    if user is None or (word not in roles and word != NO_ROLE):
        problem = "There is no account of that name." if user is None else "Choose a role."
        return render_page(request, "people.html", PeoplePage.build(request, problem=problem), status=UNPROCESSABLE)
    set_role(user, _project(request.POST.get("project", EVERY_PROJECT)), roles.get(word))
    return leave(redirect("people"), Toast(f"Saved: the role of {user.get_username()}"))


@require_safe
def list_changes(request: HttpRequest) -> HttpResponse:
    """The log of changes."""
    return render_page(request, "changes.html", ChangesPage.build(request, request.GET))


def _project(slug: str) -> Project | None:
    """The project that a form names; None for every one.

    Raises:
        OutOfReachError: the one who asks does not administer it.
    """
    if slug == EVERY_PROJECT:
        if present_reach() is not None:
            raise OutOfReachError("every project")
        return None
    found = within(Project.objects.filter(slug=storable(slug)), "pk").first()
    if found is None:
        raise OutOfReachError(slug)
    return found


def _name_problem(name: str) -> str:
    if not name or len(name) > MOST_NAME_CHARACTERS:
        return f"A name has 1 to {MOST_NAME_CHARACTERS} characters."
    try:
        UnicodeUsernameValidator()(name)
    except ValidationError as error:
        return str(error.messages[0])
    return "There is an account of that name already." if User.objects.filter(username=name).exists() else ""
