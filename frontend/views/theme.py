"""Setting the colour theme."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from frontend import theme
from frontend.views.addresses import way_back


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Keep the theme in a cookie and go back to the page that asked."""
    response = redirect(way_back(request, "/"))
    chosen = request.POST.get("theme", theme.SYSTEM)
    if chosen in theme.LABELS and chosen != theme.SYSTEM:
        response.set_cookie(
            theme.COOKIE, chosen, theme.COOKIE_AGE_SECONDS, secure=request.is_secure(), httponly=True, samesite="Lax"
        )
    else:
        response.delete_cookie(theme.COOKIE)
    return response
