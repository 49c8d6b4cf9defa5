"""What results point to: providers, runs, tasks, their versions, and the words that describe them.

Rows are made once per distinct text and removed when the last evaluation that used them goes. Uniqueness is held by
a digest (`results.names.digest_of`), because an index on the text itself refuses long texts on PostgreSQL.
"""

from django.db import models

from results.models.projects import Project


class Term(models.Model):
    """One distinct text: a suite, category, difficulty, tag, model, tool or error title."""

    digest = models.CharField(max_length=32, unique=True)
    text = models.TextField()


class TagSet(models.Model):
    """One distinct ordered list of tags."""

    digest = models.CharField(max_length=32, unique=True)


class TagSetMember(models.Model):
    """One tag of a tag set; order and repetitions are kept."""

    tag_set = models.ForeignKey(TagSet, on_delete=models.CASCADE, related_name="members")
    position = models.PositiveIntegerField()
    term = models.ForeignKey(Term, on_delete=models.PROTECT)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tag_set", "position"], name="tag_set_position")]


class Provider(models.Model):
    """Who serves a model; identity is the exact text."""

    digest = models.CharField(max_length=32, unique=True)
    name = models.TextField()


class Run(models.Model):
    """A named configuration of a provider; not an execution."""

    provider = models.ForeignKey(Provider, on_delete=models.PROTECT, related_name="runs")
    digest = models.CharField(max_length=32)
    name = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["provider", "digest"], name="run_identity")]


class RunVersion(models.Model):
    """A run's model, parameters and prices as one evaluation recorded them."""

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="versions")
    digest = models.CharField(max_length=32)
    model = models.ForeignKey(Term, on_delete=models.PROTECT, null=True, related_name="+")
    config = models.TextField(default="", help_text="the recorded RunConfig as compact JSON; empty = not recorded")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "digest"], name="run_version_identity")]


class Task(models.Model):
    """One question; identity is the project and the exact name."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT)
    digest = models.CharField(max_length=32)
    name = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "digest"], name="task_identity")]


class TaskVersion(models.Model):
    """A task's suite, category, difficulty, tags and accepted answers as one evaluation recorded them."""

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="versions")
    digest = models.CharField(max_length=32)
    suite = models.ForeignKey(Term, on_delete=models.PROTECT, null=True, related_name="+")
    category = models.ForeignKey(Term, on_delete=models.PROTECT, null=True, related_name="+")
    difficulty = models.ForeignKey(Term, on_delete=models.PROTECT, null=True, related_name="+")
    tag_set = models.ForeignKey(TagSet, on_delete=models.PROTECT, null=True)
    accepted_digest = models.CharField(max_length=32, null=True, help_text="of the accepted answers; null = unknown")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["task", "digest"], name="task_version_identity")]
