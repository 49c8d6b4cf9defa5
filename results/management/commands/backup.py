"""Makes a backup while the server runs: `backup FILE`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from results.backups.saving import save
from results.management.prepared import PreparedCommand
from results.management.progress import counted

MEGABYTE = 1_000_000


class Command(PreparedCommand):
    """Writes everything that is stored into one file."""

    help = (
        "Write everything that is stored into FILE, as it is at one instant; the server may run. Not in it: keys and "
        "secrets, waiting uploads, files that settings name, and what can be made again (facts, text index)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file."""
        parser.add_argument("file", metavar="FILE", help="replaced once the new backup is complete")

    def handle(self, *_: Any, **options: Any) -> None:
        """Make it and say what it holds."""
        try:
            saved = save(Path(options["file"]))
        except OSError as error:
            raise CommandError(f"No backup was made: {error.filename or options['file']}: {error.strerror}.") from error
        tables = saved.manifest.tables
        evaluations = counted(tables["results_evaluation"], "evaluation")
        iterations = counted(tables["results_iteration"], "iteration")
        held = f"{evaluations} with {counted(tables['results_result'], 'result')}, {iterations}"
        self.stdout.write(f"{saved.path}: {held}; {saved.size_bytes / MEGABYTE:.1f} MB")
        self.stdout.write(f"Not in it: {'; '.join(saved.manifest.left_out)}.")
