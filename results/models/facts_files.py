"""The manifest of the facts: which files a query reads."""

from django.db import models

from results.models.evaluations import Evaluation


class FactsFile(models.Model):
    """One member of the facts: the base or a delta. Names are random and never used again.

    A row with `left_at` set is no longer read; its file is unlinked an hour later.
    """

    name = models.CharField(max_length=80, unique=True)
    is_base = models.BooleanField(default=False)
    evaluation = models.ForeignKey(Evaluation, on_delete=models.SET_NULL, null=True, help_text="null for the base")
    results = models.BigIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True)
