"""Background work: the job row is the truth, a queue message only a hint."""

from django.db import models

from results.models.projects import Project


class JobKind(models.TextChoices):
    """What a job does."""

    IMPORT = "import"
    DELETE = "delete"
    COMPACT = "compact"
    INDEX = "index"
    MERGE = "merge"
    TRIAL = "trial"
    STRATEGIES = "strategies"
    REVIEW = "review"


class JobState(models.TextChoices):
    """Where a job stands; the last three are final."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Upload(models.Model):
    """A private copy of the bytes that a user gave us, below `var/uploads`."""

    file_name = models.TextField(help_text="as the user knows it")
    stored_name = models.CharField(max_length=80, unique=True, help_text="random, below var/uploads")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the bytes, hex")
    size_bytes = models.BigIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)


class Job(models.Model):
    """Background work with progress, messages and cancel."""

    kind = models.CharField(max_length=20, choices=JobKind)
    state = models.CharField(max_length=20, choices=JobState, default=JobState.QUEUED)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, null=True)
    upload = models.ForeignKey(Upload, on_delete=models.SET_NULL, null=True)
    title = models.TextField(default="", help_text="what the pages call it, such as a file name")
    batch = models.CharField(max_length=40, default="", help_text="common to what was given at one time; empty = alone")
    arguments = models.JSONField(default=dict, help_text="ids and options only")
    report = models.JSONField(default=dict, help_text="what came of it")
    owner = models.CharField(max_length=80, default="", help_text="random id of the process that runs it")
    is_resumable = models.BooleanField(default=False, help_text="the sweeper may send it again")
    lease_until = models.DateTimeField(null=True)
    starts = models.PositiveIntegerField(default=0)
    is_cancel_requested = models.BooleanField(default=False)
    done = models.BigIntegerField(default=0)
    total = models.BigIntegerField(null=True, help_text="null while unknown")
    unit = models.CharField(max_length=20, default="results")
    error = models.TextField(default="")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["state", "lease_until"], name="job_state_lease"),
            models.Index(fields=["batch"], name="job_batch"),
        ]


class JobMessage(models.Model):
    """One line of a job's log."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="messages")
    level = models.CharField(max_length=10, default="info", help_text="info, warning or error")
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)
