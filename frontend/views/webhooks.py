"""Webhooks: made, tried, switched off and on, removed."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_POST

from evaluator.jobs import tell_webhooks
from evaluator.webhook_addresses import AddressRefusedError
from evaluator.webhook_receivers import make_webhook, remove_webhook
from frontend.contexts.shell import Shell
from frontend.contexts.webhooks import WebhooksPage
from frontend.rendering import render_page
from frontend.toasts import Toast, leave
from results.models.projects import Project
from results.models.webhooks import Webhook, WebhookEvent
from results.reach import within
from results.webhooks import write_delivery


@require_http_methods(["GET", "HEAD", "POST"])
def list_webhooks(request: HttpRequest) -> HttpResponse:
    """Every webhook, and a form for another one; a secret of ours is shown in the answer to that form, once."""
    shell, given = Shell.build(request), request.POST
    if request.method != "POST":
        return render_page(request, "webhooks_list.html", WebhooksPage.build(shell))
    project = get_object_or_404(within(Project.objects.all(), "pk"), slug=given.get("project", ""))
    try:
        made = make_webhook(
            project,
            given.get("url", "").strip(),
            given.get("secret", ""),
            given.get("format", ""),
            given.getlist("event"),
        )
    except AddressRefusedError as error:
        page = WebhooksPage.build(shell, given, problem=str(error))
        return render_page(request, "webhooks_list.html", page, status=422)
    if made.made_secret:
        page = WebhooksPage.build(shell, made_secret=made.made_secret)
        return render_page(request, "webhooks_list.html", page)
    return leave(redirect("webhooks-list"), Toast("Webhook added"))


@require_POST
def test_webhook(request: HttpRequest, webhook_id: int) -> HttpResponse:  # noqa: ARG001  (no account has to be looked at)
    """Send a test."""
    hook = get_object_or_404(Webhook, pk=webhook_id)
    write_delivery(hook, WebhookEvent.TEST, {"project": hook.project.slug, "path": "/", "title": "It works"})
    tell_webhooks()
    return leave(redirect("webhooks-list"), Toast("A test is on its way; this page says how it went"))


@require_POST
def edit_webhook(request: HttpRequest, webhook_id: int) -> HttpResponse:
    """Switch a webhook on or off, or remove it with its secret."""
    hooks = Webhook.objects.filter(pk=webhook_id)
    if not hooks.exists():
        raise Http404
    if request.POST.get("do") == "remove":
        remove_webhook(webhook_id)
        return leave(redirect("webhooks-list"), Toast("Webhook removed, with its secret"))
    is_enabled = request.POST.get("do") == "enable"
    hooks.update(is_enabled=is_enabled)
    return leave(redirect("webhooks-list"), Toast(f"Webhook switched {'on' if is_enabled else 'off'}"))
