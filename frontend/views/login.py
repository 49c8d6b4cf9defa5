"""Logging in and out."""

from django.conf import settings
from django.contrib.auth import authenticate, login, logout
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from frontend.access import account_of, client_address
from frontend.contexts.login import LoginPage
from frontend.rendering import render_page
from frontend.views.addresses import way_back
from results.accounts import FAILED_LOGIN, locked_until, note
from results.names import storable

UNPROCESSABLE = 422
TOO_MANY = 429


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def log_in(request: HttpRequest) -> HttpResponse:
    """The form; a POST opens a session and leads to the page that was wanted."""
    if not settings.ACCOUNTS:
        raise Http404
    back = way_back(request, "/")
    if account_of(request) is not None:
        return redirect(back)
    if request.method != "POST":
        return render_page(request, "login.html", LoginPage.build(request, back))
    name, address = storable(request.POST.get("name", "").strip()), client_address(request)
    until = locked_until(name, address)
    if until is not None:
        seconds = max(1, round((until - timezone.now()).total_seconds()))
        response = render_page(request, "login.html", LoginPage.locked(request, back, name, seconds), status=TOO_MANY)
        response["Retry-After"] = str(seconds)
        return response
    user = authenticate(request, username=name, password=request.POST.get("password", ""))
    if user is None:
        note(name, FAILED_LOGIN, address=address)
        return render_page(request, "login.html", LoginPage.failed(request, back, name), status=UNPROCESSABLE)
    login(request, user)
    note(name, "log in", address=address)
    return redirect(back)


@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    """End the session."""
    logout(request)
    return redirect("login" if settings.ACCOUNTS else "home")
