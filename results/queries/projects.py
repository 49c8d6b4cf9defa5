"""Projects to choose from."""

from results.models.projects import Project


def project_slugs() -> tuple[str, ...]:
    """The slugs of all projects in order, in one query; also of those without anything visible."""
    return tuple(Project.objects.order_by("slug").values_list("slug", flat=True))
