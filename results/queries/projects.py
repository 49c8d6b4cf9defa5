"""Projects to choose from."""

from results.models.jobs import Job, JobKind
from results.models.projects import DEFAULT_SLUG, Project
from results.reach import within

WORK = (JobKind.IMPORT, JobKind.MERGE, JobKind.TRIAL, JobKind.STRATEGIES)


def project_slugs() -> tuple[str, ...]:
    """The slugs of all projects within reach, in order, in one query; also of those without anything visible."""
    return tuple(within(Project.objects.order_by("slug"), "pk").values_list("slug", flat=True))


def usual_project() -> str:
    """The slug of the project that something was put into last, in one query; the default one before that."""
    work = within(Job.objects.filter(kind__in=WORK, project__isnull=False))
    return work.order_by("-pk").values_list("project__slug", flat=True).first() or DEFAULT_SLUG
