"""An evaluation: one results document or one live trial, and the links to what it brought."""

from django.db import models
from django.db.models import Q

from results.models.dimensions import RunVersion, TaskVersion, Term
from results.models.jobs import Job
from results.models.projects import Project

RESULTS_PER_EVALUATION = 2**24  # a result's id is evaluation id times this, plus its ordinal
CALLS_PER_EVALUATION = 2**32  # the same for tool calls, tool uses and scores


class EvaluationState(models.TextChoices):
    """Readers see only `ready` and `running`."""

    IMPORTING = "importing"
    RUNNING = "running"
    READY = "ready"
    DELETING = "deleting"


class TimeSource(models.IntegerChoices):
    """Where a time comes from."""

    TRACE_ID = 1, "trace id"
    DOCUMENT = 2, "document"
    DOCUMENT_UTC_ASSUMED = 3, "document, no zone, taken as UTC"
    IMPORT = 4, "import"


VISIBLE_STATES = (EvaluationState.READY, EvaluationState.RUNNING)


class Evaluation(models.Model):
    """Many results written together."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT)
    state = models.CharField(max_length=20, choices=EvaluationState, default=EvaluationState.IMPORTING)
    name = models.TextField()
    note = models.TextField(default="", blank=True)
    is_baseline = models.BooleanField(default=False, help_text="what the project's other evaluations are compared with")
    format = models.CharField(max_length=40, help_text="name of the importer, or `live`")
    file_name = models.TextField(default="", help_text="as the user knows it")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the source bytes, hex")
    size_bytes = models.BigIntegerField(default=0)
    app_name = models.TextField(default="")
    app_version = models.TextField(default="")
    created_at_text = models.TextField(default="", help_text="the document's own time as it was written")
    created_at = models.DateTimeField(null=True, help_text="the document's own time; null = absent or unreadable")
    created_at_source = models.PositiveSmallIntegerField(choices=TimeSource, default=TimeSource.IMPORT)
    started_at = models.DateTimeField(null=True, help_text="earliest start of a result, else of document or import")
    started_at_source = models.PositiveSmallIntegerField(choices=TimeSource, default=TimeSource.IMPORT)
    imported_at = models.DateTimeField(auto_now_add=True)
    job = models.ForeignKey(Job, on_delete=models.SET_NULL, null=True)
    results = models.BigIntegerField(default=0)
    passed = models.BigIntegerField(default=0)
    failed = models.BigIntegerField(default=0)
    errors = models.BigIntegerField(default=0)
    skipped = models.BigIntegerField(default=0)
    runs = models.IntegerField(default=0)
    tasks = models.IntegerField(default=0)
    calls = models.BigIntegerField(default=0, help_text="recorded tool calls")
    warnings = models.JSONField(default=list, help_text='[{"path", "message"}] as the import said them')

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "digest"],
                condition=~Q(state="deleting") & ~Q(digest=""),
                name="evaluation_once_per_project",
            ),
            models.UniqueConstraint(fields=["project"], condition=Q(is_baseline=True), name="one_baseline_per_project"),
        ]

    def result_id(self, ordinal: int) -> int:
        """The id of this evaluation's result number `ordinal`, counted from 0 in document order."""
        return self.pk * RESULTS_PER_EVALUATION + ordinal


class EvaluationDocument(models.Model):
    """The source document around the results: zstd-compressed compact JSON, and where the results stood in it."""

    evaluation = models.OneToOneField(Evaluation, on_delete=models.CASCADE, primary_key=True, related_name="document")
    body = models.BinaryField()
    slots = models.JSONField(help_text="[[offset in the body, number of results], …] in document order")


class EvaluationLabel(models.Model):
    """A word that the user put on an evaluation."""

    evaluation = models.ForeignKey(Evaluation, on_delete=models.CASCADE, related_name="labels")
    text = models.CharField(max_length=60)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["evaluation", "text"], name="evaluation_label_once")]


class EvaluationTask(models.Model):
    """The evaluation has results for this task version."""

    evaluation = models.ForeignKey(Evaluation, on_delete=models.CASCADE)
    task_version = models.ForeignKey(TaskVersion, on_delete=models.CASCADE)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["evaluation", "task_version"], name="evaluation_task_once")]


class EvaluationRun(models.Model):
    """The evaluation has results of this run version."""

    evaluation = models.ForeignKey(Evaluation, on_delete=models.CASCADE)
    run_version = models.ForeignKey(RunVersion, on_delete=models.CASCADE)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["evaluation", "run_version"], name="evaluation_run_once")]


class EvaluationTerm(models.Model):
    """The evaluation uses this term in any role."""

    evaluation = models.ForeignKey(Evaluation, on_delete=models.CASCADE)
    term = models.ForeignKey(Term, on_delete=models.CASCADE)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["evaluation", "term"], name="evaluation_term_once")]
