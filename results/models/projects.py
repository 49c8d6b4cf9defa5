"""A project: one body of work whose history is read together."""

from django.db import models

DEFAULT_SLUG = "default"


class Project(models.Model):
    """One body of work; everything stored belongs to exactly one."""

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)
    review_version = models.BigIntegerField(default=0, help_text="counts changes of what is said of its results")

    def __str__(self) -> str:
        return self.slug
