"""Sprints of a spec, and the iterations that evaluated them."""

from django.db import models

from results.models.jobs import Job
from results.models.projects import Project


class Verdict(models.TextChoices):
    """The recorded verdict of an iteration; error = a run of ours that could not be evaluated, written as a fail."""

    PASS = "pass"
    FAIL = "fail"
    ERROR = "error"


class Spec(models.Model):
    """A plan that sprints carry out."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT)
    digest = models.CharField(max_length=32, help_text="of the spec id")
    spec_id = models.TextField()
    title = models.TextField(default="")
    body = models.BinaryField(null=True, help_text="the spec's own document, zstd-compressed; null = never imported")
    body_digest = models.CharField(max_length=64, default="", help_text="SHA-256 of that document's bytes, hex")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "digest"], name="spec_identity")]


class Sprint(models.Model):
    """One contract of a spec."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT)
    digest = models.CharField(max_length=32, help_text="of the contract id")
    contract_id = models.TextField()
    spec = models.ForeignKey(Spec, on_delete=models.PROTECT, null=True, related_name="sprints")
    title = models.TextField(default="")
    number = models.IntegerField(null=True, help_text="order within the spec; null = unknown")
    body = models.BinaryField(null=True, help_text="the contract's own document, zstd-compressed; null = not imported")
    body_digest = models.CharField(max_length=64, default="", help_text="SHA-256 of that document's bytes, hex")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "digest"], name="sprint_identity")]


class ContractDocument(models.Model):
    """A contract as a file brought it. The last one counts; where it goes, the one before takes its place again."""

    sprint = models.ForeignKey(Sprint, on_delete=models.CASCADE, related_name="documents")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the file's bytes, hex")
    body = models.BinaryField(help_text="zstd-compressed")
    imported_at = models.DateTimeField(auto_now_add=True)


class SpecDocument(models.Model):
    """A spec as a file brought it; see `ContractDocument`."""

    spec = models.ForeignKey(Spec, on_delete=models.CASCADE, related_name="documents")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the file's bytes, hex")
    body = models.BinaryField(help_text="zstd-compressed")
    imported_at = models.DateTimeField(auto_now_add=True)


class Iteration(models.Model):
    """One evaluation of a sprint. Changed bytes for the same iteration make a new revision; the old one stays."""

    sprint = models.ForeignKey(Sprint, on_delete=models.PROTECT, related_name="iterations")
    iteration = models.IntegerField(help_text="counted from 1")
    revision = models.IntegerField(default=1)
    is_latest = models.BooleanField(default=True)
    verdict = models.CharField(max_length=10, choices=Verdict)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the source bytes, hex")
    file_name = models.TextField(default="")
    recorded_at = models.DateTimeField(null=True, help_text="as recorded; unreliable, never used for order")
    imported_at = models.DateTimeField(auto_now_add=True)
    job = models.ForeignKey(Job, on_delete=models.SET_NULL, null=True)
    warnings = models.JSONField(default=list)
    body = models.BinaryField(help_text="the source document, zstd-compressed")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sprint", "iteration", "revision"], name="iteration_revision"),
        ]
