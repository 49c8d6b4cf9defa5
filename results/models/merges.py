"""Merges: an evaluation that was made of others, and which these were."""

from django.db import models

from results.models.evaluations import Evaluation


class Merge(models.Model):
    """An evaluation that was made of others, the last one winning per provider, run and task."""

    evaluation = models.OneToOneField(Evaluation, on_delete=models.CASCADE, primary_key=True, related_name="merge")
    stats = models.JSONField(default=dict, help_text="a `MergeStats` as JSON")


class MergeSource(models.Model):
    """One evaluation that went into a merge; later positions win. A deleted source stays as a name."""

    merge = models.ForeignKey(Merge, on_delete=models.CASCADE, related_name="sources")
    position = models.IntegerField(help_text="counted from 1")
    source = models.ForeignKey(Evaluation, on_delete=models.SET_NULL, null=True, related_name="merged_into")
    name = models.TextField(help_text="of the source when it was merged")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["merge", "position"], name="merge_source_once")]
