"""Saved views: addresses of the explorer, of comparisons and of lists, by a name."""

from django.db import models


class SavedView(models.Model):
    """One address with its query."""

    name = models.CharField(max_length=100)
    path = models.CharField(max_length=200, help_text="of the page, from / on, without a query")
    query = models.TextField(default="", help_text="what follows the ?")
    author = models.CharField(max_length=80, default="")
    is_pinned = models.BooleanField(default=False, help_text="it stands on the overview")
    is_shared = models.BooleanField(default=True, help_text="everybody sees it, where there are accounts")
    created_at = models.DateTimeField(auto_now_add=True)
