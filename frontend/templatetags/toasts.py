"""The toast of a page: what the form before it has done."""

from django import template
from django.http import HttpRequest
from django.template import Context

from frontend.toasts import Toast, take

register = template.Library()


@register.inclusion_tag("_toast.html", takes_context=True)
def toasts(context: Context) -> dict[str, Toast | str | None]:
    """What was done; the page's own address closes it where there are no scripts."""
    request = context.get("request")
    if not isinstance(request, HttpRequest):
        return {"toast": None}
    return {"toast": take(request), "address": request.get_full_path()}
