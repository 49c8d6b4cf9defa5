"""Saved reports: what each is about and is called, and the links by which others may read it."""

from django.db import models

from results.models.evaluations import Evaluation
from results.models.projects import Project


class Report(models.Model):
    """One report. It holds no numbers: they are computed whenever it is read."""

    title = models.TextField()
    notes = models.TextField(default="", blank=True, help_text="plain text")
    project = models.ForeignKey(Project, on_delete=models.SET_NULL, null=True, help_text="null = of all projects")
    query = models.TextField(default="", blank=True, help_text="the filter as a query string, without evaluations")
    sort = models.CharField(max_length=60, default="", blank=True, help_text="as the explorer takes it")
    columns = models.JSONField(default=list, help_text="of its rows: keys of the explorer's columns; [] = all")
    charts = models.JSONField(default=list, help_text="keys of `results.exports.report.asked.CHARTS`, in order")
    baseline = models.ForeignKey(Evaluation, on_delete=models.SET_NULL, null=True, related_name="baseline_of_reports")
    baseline_name = models.TextField(default="", help_text="of the baseline's evaluation when it was picked; '' = none")
    baseline_provider = models.TextField(default="", help_text="of the one run that is the baseline")
    baseline_run = models.TextField(null=True, help_text="its name; null = each run is compared with itself")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)


class ReportEvaluation(models.Model):
    """One evaluation that a report was made of. A deleted one stays as a name."""

    report = models.ForeignKey(Report, on_delete=models.CASCADE, related_name="picks")
    position = models.IntegerField(help_text="counted from 1")
    evaluation = models.ForeignKey(Evaluation, on_delete=models.SET_NULL, null=True, related_name="in_reports")
    name = models.TextField(help_text="of the evaluation when it was picked")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["report", "position"], name="report_evaluation_once")]


class ReportLink(models.Model):
    """A secret address of a report. Whoever knows it may read it until it expires or is revoked."""

    report = models.ForeignKey(Report, on_delete=models.CASCADE, related_name="links")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token, hex; the token is not kept")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    uses = models.BigIntegerField(default=0)
