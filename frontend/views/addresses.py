"""Where a form leads to when it is done."""

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def way_back(request: HttpRequest, default: str) -> str:
    """The address that the form or link names with `next`, if it is one of ours; else the default."""
    target = request.POST.get("next") or request.GET.get("next") or default
    is_ours = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return target if is_ours else default
