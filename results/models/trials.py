"""Live trials: evaluations that we run ourselves, what they were made from, and which tasks of which runs are done."""

from django.db import models

from results.models.evaluations import Evaluation
from results.models.jobs import Job
from results.models.results import Outcome


class TrialState(models.TextChoices):
    """Where a trial stands. Its evaluation is `running` as long as the trial is, and `ready` afterwards."""

    RUNNING = "running"
    READY = "ready"
    CANCELLED = "cancelled"


class Trial(models.Model):
    """One live trial: the two files with their keys taken out, what was picked of them, and where it stands."""

    evaluation = models.OneToOneField(Evaluation, on_delete=models.CASCADE, primary_key=True, related_name="trial")
    state = models.CharField(max_length=20, choices=TrialState, default=TrialState.RUNNING)
    reason = models.TextField(
        default="", help_text="why it ended before it was whole; empty = it did not, or was asked to"
    )
    config_name = models.TextField(help_text="of the configuration file, as the user knows it")
    config_text = models.TextField(help_text="keys stand in it as `${…}`")
    tasks_name = models.TextField(help_text="of the task file, as the user knows it")
    tasks_text = models.TextField()
    folder = models.TextField(help_text="where the tasks' relative files start")
    plan = models.JSONField(help_text="what was picked: see `results.trial_plan`")
    parallel_per_run = models.PositiveIntegerField(default=1, help_text="tasks of one run that are asked at once")
    keeps_keys = models.BooleanField(default=False, help_text="keys taken out of its files stay in var/secrets")
    total = models.BigIntegerField(help_text="results that it comes to once everything is done")
    next_ordinal = models.BigIntegerField(
        default=0, help_text="of the next result; locks the trial while one is written"
    )
    next_call = models.BigIntegerField(default=0, help_text="ordinal of the next tool call")
    next_use = models.BigIntegerField(default=0, help_text="ordinal of the next tool use")
    copied_at = models.DateTimeField(null=True, help_text="when the facts were brought up to date; null = never")
    rerun_of = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="reruns")
    ended_at = models.DateTimeField(null=True)


class TrialShare(models.Model):
    """A part of a trial that one worker does: some entries of `providers`. A resumed trial gets new ones."""

    trial = models.ForeignKey(Trial, on_delete=models.CASCADE, related_name="shares")
    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="trial_share")
    entries = models.JSONField(help_text="positions in `providers`, from 0")


class TrialResult(models.Model):
    """A task that a run is done with; places count from 0 as the files list entries, runs and tasks."""

    trial = models.ForeignKey(Trial, on_delete=models.CASCADE, related_name="done", db_index=False)
    entry = models.IntegerField()
    run = models.IntegerField(help_text="place of the run in its entry, the disabled ones counted")
    task = models.IntegerField(help_text="place of the task in its file, the disabled ones counted")
    result_id = models.BigIntegerField()
    outcome = models.PositiveSmallIntegerField(choices=Outcome)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["trial", "entry", "run", "task"], name="trial_result_once")]
