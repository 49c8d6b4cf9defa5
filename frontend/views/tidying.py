"""Pages whose forms send more than an address should hold."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect

from frontend.contexts.tidying import tidied

View = Callable[..., HttpResponse]


def without_blanks(view: View) -> View:
    """Lead a form that sends its empty fields too to the address without them, which a person would share."""

    @wraps(view)
    def tidy_view(request: HttpRequest, **places: int) -> HttpResponse:
        tidy = QueryDict(mutable=True)
        for name, values in request.GET.lists():
            if kept := [value for value in values if value]:
                tidy.setlist(name, kept)
        if tidy == request.GET or request.headers.get("HX-Request") == "true":
            return view(request, **places)
        return redirect(f"{request.path}?{tidy.urlencode()}" if tidy else request.path)

    return tidy_view


def with_tidy_address(view: View) -> View:
    """Give a page one address for one state: a form is led to it, htmx is told it with the answer."""

    @wraps(view)
    def tidy_view(request: HttpRequest, **places: int) -> HttpResponse:
        tidy = tidied(request.GET)
        if tidy is None:
            return view(request, **places)
        address = f"{request.path}?{tidy.urlencode()}" if tidy else request.path
        if request.headers.get("HX-Request") != "true":
            return redirect(address)
        request.GET = tidy  # type: ignore[assignment]  # Django's annotation allows an immutable query only
        response = view(request, **places)
        response["HX-Push-Url"] = address
        return response

    return tidy_view
