"""Restores a backup while the server runs: `restore FILE [--replace]`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from results.backups.container import BackupRefusedError
from results.backups.restoring import restore
from results.management.progress import counted


class Command(BaseCommand):
    """Puts a backup in the place of what is stored."""

    help = (
        "Put a backup in the place of what is stored. It is checked whole before anything changes, then everything "
        "changes at once; the server may run. Jobs that run meanwhile stop."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file and the permission."""
        parser.add_argument("file", metavar="FILE", help="a backup that `backup` made, of SQLite or PostgreSQL")
        parser.add_argument(
            "--replace", action="store_true", help="there is something already: keep it in var/backups and replace it"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Restore it and say what is there now."""
        path = Path(options["file"])
        try:
            restored = restore(path, may_replace=options["replace"], say=self.stdout.write)
        except BackupRefusedError as error:
            raise CommandError(f"{error}") from error
        except OSError as error:
            raise CommandError(f"The restore failed: {error.filename or path}: {error.strerror}.") from error
        tables = restored.manifest.tables
        evaluations = counted(tables["results_evaluation"], "evaluation")
        made = f"{restored.manifest.made_at:%Y-%m-%d %H:%M} UTC"
        self.stdout.write(
            f"Restored the backup of {made}: {evaluations}, {counted(tables['results_result'], 'result')}."
        )
        if restored.safety is not None:
            self.stdout.write(f"What was here before: {restored.safety}")
