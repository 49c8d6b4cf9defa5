"""What people say of results: comments, labels, corrected verdicts and reasons, each by whom and when; never erased."""

from django.db import models
from django.db.models import Q

from results.models.evaluations import Evaluation
from results.models.projects import Project
from results.models.results import Outcome


class AnnotationKind(models.IntegerChoices):
    """What one annotation says."""

    COMMENT = 1, "comment"
    LABEL = 2, "label"
    VERDICT = 3, "verdict"
    REASON = 4, "reason"


class WordKind(models.IntegerChoices):
    """What a word of a project's vocabulary is for."""

    LABEL = 1, "label"
    REASON = 2, "reason"


class ReviewedEvaluation(models.Model):
    """The lasting identity of an evaluation whose results were annotated; it stays when the evaluation is deleted."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE)
    evaluation = models.OneToOneField(Evaluation, on_delete=models.SET_NULL, null=True, related_name="reviewed")
    digest = models.CharField(max_length=64, help_text="of the evaluation: SHA-256 of its source bytes; empty = none")
    content = models.CharField(max_length=32, help_text="of counts and results, whatever the white space of the file")
    name = models.TextField(help_text="of the evaluation when it was last seen")

    class Meta:
        indexes = [models.Index(fields=["project", "digest"], name="reviewed_digest")]


class ReviewWord(models.Model):
    """A label or a reason of a project; a reason that is no longer offered stays where it was assigned."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="review_words")
    kind = models.PositiveSmallIntegerField(choices=WordKind)
    text = models.CharField(max_length=60)
    is_offered = models.BooleanField(default=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "kind", "text"], name="review_word_once")]


class Annotation(models.Model):
    """One thing that somebody said of one result. An edit ends it and begins another; nothing is overwritten."""

    reviewed = models.ForeignKey(ReviewedEvaluation, on_delete=models.CASCADE, db_index=False)
    ordinal = models.IntegerField(help_text="of the result in its document, from 0")
    kind = models.PositiveSmallIntegerField(choices=AnnotationKind)
    text = models.TextField(default="", help_text="of a comment")
    word = models.ForeignKey(ReviewWord, on_delete=models.PROTECT, null=True, help_text="of a label or a reason")
    outcome = models.PositiveSmallIntegerField(
        choices=Outcome, null=True, help_text="of a verdict: the corrected outcome; null = right as recorded"
    )
    author = models.CharField(max_length=80, help_text="who said it; empty = nobody gave a name")
    created_at = models.DateTimeField(help_text="when its first wording was written")
    valid_from = models.DateTimeField(help_text="when this wording was written")
    valid_to = models.DateTimeField(null=True, help_text="when it was replaced or removed; null = it holds")
    ended_by = models.CharField(max_length=80, default="", help_text="who replaced or removed it")

    class Meta:
        indexes = [models.Index(fields=["reviewed", "ordinal"], name="annotation_place")]
        constraints = [
            models.UniqueConstraint(
                fields=["reviewed", "ordinal", "kind"],
                condition=Q(valid_to=None, kind__in=[AnnotationKind.VERDICT, AnnotationKind.REASON]),
                name="one_verdict_one_reason",
            ),
            models.UniqueConstraint(
                fields=["reviewed", "ordinal", "word"],
                condition=Q(valid_to=None, kind=AnnotationKind.LABEL),
                name="annotation_label_once",
            ),
        ]
