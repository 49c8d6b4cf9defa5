"""Projects to choose from."""

from results.models.jobs import Job, JobKind
from results.models.projects import DEFAULT_SLUG, Project
from results.reach import within


def project_slugs() -> tuple[str, ...]:
    """The slugs of all projects within reach, in order, in one query; also of those without anything visible."""
    return tuple(within(Project.objects.order_by("slug"), "pk").values_list("slug", flat=True))


def usual_project() -> str:
    """The slug of the project that files went into last, in one query; the default one before the first import."""
    imports = within(Job.objects.filter(kind=JobKind.IMPORT, project__isnull=False))
    return imports.order_by("-pk").values_list("project__slug", flat=True).first() or DEFAULT_SLUG
