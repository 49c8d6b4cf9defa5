"""Merges evaluations into a new one: `merge_results ID ID… [--name N] [--dry-run] [--json]`."""

import sys
from argparse import ArgumentParser
from typing import Any

import msgspec
from django.core.management.base import CommandError
from django.db import DatabaseError

from results.importing import Progress, reason_of
from results.management.prepared import PreparedCommand
from results.management.progress import ProgressBar, counted
from results.merge_sources import MergeRefused, check_sources, default_name
from results.merging import merge, plain_stats
from results.queries.merge_plan import merge_plan
from results.records import MergeStats


class Command(PreparedCommand):
    """The last result wins per provider, run and task; the evaluations merged stay as they are. Needs no worker."""

    help = "Merge evaluations into a new one; of several results of one run and task the last one named wins."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("evaluations", nargs="+", type=int, metavar="ID", help="evaluations; later ones win")
        parser.add_argument("--name", default="", help="of the new evaluation")
        parser.add_argument("--dry-run", action="store_true", help="say what would be updated, and write nothing")
        parser.add_argument("--json", action="store_true", help="print one JSON document instead of text")

    def handle(self, *_: Any, **options: Any) -> None:
        """Merge and report."""
        try:
            sources = check_sources(options["evaluations"])
            name = options["name"] or default_name(sources)
            if options["dry_run"]:
                self._print(merge_plan([row.pk for row in sources]).stats, None, name, options["json"])
                return
            bar = ProgressBar(sys.stderr)
            merged = merge(
                options["evaluations"], name, lambda done, total: bar.show(Progress(name, done, total, done))
            )
            bar.clear()
        except MergeRefused as error:
            raise CommandError(str(error)) from error
        except (DatabaseError, OSError) as error:
            raise CommandError(reason_of(error)) from error
        self._print(merged.stats, merged.evaluation_id, name, options["json"])

    def _print(self, stats: MergeStats, evaluation_id: int | None, name: str, is_json: bool) -> None:
        if is_json:
            told = {"evaluation": evaluation_id, "name": name, **plain_stats(stats)}
            self.stdout.write(msgspec.json.format(msgspec.json.encode(told)).decode())
            return
        total = updated = 0
        for provider, runs in sorted(stats.runs.items()):
            self.stdout.write(provider)
            for run, counts in sorted(runs.items()):
                self.stdout.write(f"  {run}: {counts.total:,} total, {counts.updated:,} updated")
                total, updated = total + counts.total, updated + counts.updated
        what = "would hold" if evaluation_id is None else f"stored as evaluation {evaluation_id}:"
        self.stdout.write(f"{name!r} {what} {counted(total, 'result')}, {updated:,} updated")
