"""A project: one body of work whose history is read together."""

from django.db import models

DEFAULT_SLUG = "default"


class Project(models.Model):
    """One body of work; everything stored belongs to exactly one."""

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.slug
