"""Deletes evaluations: `delete_evaluation ID…`."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from results.management.prepared import PreparedCommand
from results.management.progress import counted
from results.models.evaluations import VISIBLE_STATES, Evaluation
from results.store.deletion import hide, remove


class Command(PreparedCommand):
    """Removes evaluations with everything they brought."""

    help = "Delete evaluations and everything that only they brought: results, documents, tasks, runs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the ids."""
        parser.add_argument("evaluations", nargs="+", type=int, metavar="ID")

    def handle(self, *_: Any, **options: Any) -> None:
        """Check that all exist, then delete one after the other."""
        rows = Evaluation.objects.filter(pk__in=options["evaluations"], state__in=VISIBLE_STATES)
        found = {evaluation.pk: evaluation for evaluation in rows}
        missing = sorted(set(options["evaluations"]) - set(found))
        if missing:
            ids = ", ".join(map(str, missing))
            raise CommandError(
                f"There is no evaluation {ids}. Nothing was deleted; the evaluations page lists the ids."
            )
        for evaluation in found.values():
            hide(evaluation.pk)
            remove(evaluation.pk)
            self.stdout.write(
                f"deleted evaluation {evaluation.pk}, {evaluation.name}: {counted(evaluation.results, 'result')}"
            )
