"""Results and what belongs to one: its document, tool calls, tool uses and scores.

Ids are ranges: `evaluation_id · RESULTS_PER_EVALUATION + ordinal` for results and documents,
`evaluation_id · CALLS_PER_EVALUATION + ordinal` for the rest. A delete is a range, an id is never used again.
Foreign keys carry no constraint and no index: rows are written in bulk and read through the facts.
"""

from django.db import models

from results.models.dimensions import RunVersion, TaskVersion, Term
from results.models.evaluations import Evaluation, TimeSource


class Outcome(models.IntegerChoices):
    """The recorded outcome of a result."""

    PASSED = 0, "passed"
    FAILED = 1, "failed"
    ERROR = 2, "error"
    SKIPPED = 3, "skipped"


class Section(models.IntegerChoices):
    """Whose tokens and tools: the model's, the judge's, or a failed try's."""

    ANSWER = 1, "answer"
    VALIDATION = 2, "validation"
    ERROR = 3, "error"


class CallStatus(models.IntegerChoices):
    """The six statuses of a tool call; a word we do not know is null."""

    SUCCESS = 1, "success"
    NONZERO_EXIT = 2, "nonzero_exit"
    EMPTY_OUTPUT = 3, "empty_output"
    TIMEOUT = 4, "timeout"
    INVALID_ARGUMENTS = 5, "invalid_arguments"
    INFRASTRUCTURE_ERROR = 6, "infrastructure_error"


CALL_STATUSES = {str(status.label): int(status) for status in CallStatus}  # the word of a file -> the number of a table
FAILED_STATUSES = tuple(word for word, status in CALL_STATUSES.items() if status != CallStatus.SUCCESS)


def _bare_key(to: type[models.Model], *, null: bool = False) -> "models.ForeignKey[models.Model, models.Model]":
    return models.ForeignKey(
        to, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, null=null, related_name="+"
    )


class Result(models.Model):
    """One run at one task inside one evaluation."""

    id = models.BigIntegerField(primary_key=True)
    evaluation = _bare_key(Evaluation)
    run_version = _bare_key(RunVersion)
    task_version = _bare_key(TaskVersion)
    repeat = models.IntegerField(help_text="counted from 1 per run and task within the evaluation")
    attempts = models.IntegerField(null=True, help_text="tries it took; null = not recorded")
    outcome = models.PositiveSmallIntegerField(choices=Outcome)
    trace_id = models.TextField()
    started_at_us = models.BigIntegerField(help_text="microseconds since 1970 UTC")
    started_at_source = models.PositiveSmallIntegerField(choices=TimeSource)
    duration_ns = models.BigIntegerField(null=True, help_text="model time; null = not recorded")


class ResultDocument(models.Model):
    """The result's own bytes, white space removed, every token kept; zstd-compressed."""

    result = models.OneToOneField(
        Result, on_delete=models.DO_NOTHING, db_constraint=False, primary_key=True, related_name="document"
    )
    body = models.BinaryField()


class ToolCall(models.Model):
    """One recorded invocation of a tool: numbers, status, tool and position; texts stay in the document."""

    id = models.BigIntegerField(primary_key=True)
    result = _bare_key(Result)
    section = models.PositiveSmallIntegerField(choices=Section)
    position = models.IntegerField(help_text="counted from 0 within the section")
    tool = _bare_key(Term)
    status = models.PositiveSmallIntegerField(choices=CallStatus, null=True)
    turn = models.BigIntegerField(null=True, help_text="conversation turn from 1; null = unknown")
    started_at_us = models.BigIntegerField(null=True)
    duration_ns = models.BigIntegerField(null=True, help_text="own time; null = the process never ran")
    wall_time_ns = models.BigIntegerField(null=True)
    exit_code = models.BigIntegerField(null=True)
    is_timed_out = models.BooleanField()
    stdout_bytes = models.BigIntegerField(null=True)
    stderr_bytes = models.BigIntegerField(null=True)


class ToolUse(models.Model):
    """A result's recorded total for one tool (MindTrial `ToolUsage`); it need not agree with the calls."""

    id = models.BigIntegerField(primary_key=True)
    result = _bare_key(Result)
    section = models.PositiveSmallIntegerField(choices=Section)
    tool = _bare_key(Term)
    calls = models.BigIntegerField(null=True)
    duration_ns = models.BigIntegerField(null=True)


class Score(models.Model):
    """A number beside the outcome; neither is derived from the other."""

    id = models.BigIntegerField(primary_key=True)
    result = _bare_key(Result)
    name = _bare_key(Term)
    value = models.FloatField(null=True, help_text="null = recorded without a value")
    lowest = models.FloatField(null=True, help_text="lower end of the scale; null = unknown")
    highest = models.FloatField(null=True, help_text="upper end of the scale; null = unknown")
    is_higher_better = models.BooleanField(null=True)
