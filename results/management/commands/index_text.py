"""Brings the text index up to date, once or while an import writes."""

import gc
import os
import sqlite3
from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.db import DatabaseError

from results.management.prepared import PreparedCommand
from results.text.follower import follow as follow_evaluation
from results.text.index import index_pending


class Command(PreparedCommand):
    """`manage.py index_text [--evaluation ID] [--follow]`."""

    help = "Index the texts of results that searching does not find yet. The server does this by itself."

    requires_system_checks = ()  # a follower starts with every large import and should be at work soon

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say which evaluation, and whether to wait for more."""
        parser.add_argument("--evaluation", type=int, help="only this evaluation (default: all)")
        parser.add_argument("--follow", action="store_true", help="go on until the evaluation is complete or gone")
        parser.add_argument("--parent", type=int, default=os.getppid(), help="process that writes the evaluation")

    def handle(self, *, evaluation: int | None, follow: bool, parent: int, **_: object) -> None:
        """Index what is pending and say how much it was."""
        try:
            if follow and evaluation is not None:
                gc.disable()  # hundreds of thousands of short-lived records and no cycles
                indexed = follow_evaluation(evaluation, parent)
            else:
                indexed = index_pending(evaluation)
        except (sqlite3.Error, DatabaseError, OSError) as error:
            raise CommandError(f"The texts could not be indexed now, and are tried again later: {error}") from error
        self.stdout.write(f"{indexed:,} results indexed")
