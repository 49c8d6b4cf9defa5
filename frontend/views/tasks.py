"""Pages about tasks."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from frontend.access import visible_evaluations
from frontend.contexts.shell import Shell
from frontend.contexts.task import TaskPage
from frontend.contexts.tasks import TasksPage
from frontend.rendering import render_page
from frontend.views.tidying import with_tidy_address


@require_safe
@with_tidy_address
def list_tasks(request: HttpRequest) -> HttpResponse:
    """The tasks of every visible evaluation, the hardest first unless the query says otherwise."""
    page = TasksPage.build(Shell.build(request, "Tasks"), visible_evaluations(request), request.GET)
    return render_page(request, "tasks_list.html", page)


@require_safe
@with_tidy_address
def show_task(request: HttpRequest, task_id: int) -> HttpResponse:
    """One task."""
    page = TaskPage.build(Shell.build(request, "Tasks"), visible_evaluations(request), task_id, request.GET)
    if page is None:
        raise Http404
    return render_page(request, "task_show.html", page)
