"""Reads what people said of results: `import_annotations FILE`, `-` for standard input."""

import json
import sys
from argparse import ArgumentParser
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from results.annotation_import import LineError, import_annotations
from results.importers.source import ImportRefused


class Command(BaseCommand):
    """Hangs annotations on the evaluations that they belong to; those of others wait until these are imported."""

    help = "Read the JSON Lines of export_annotations; what is there already stays as it is."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("file", metavar="FILE", help="- for standard input")
        parser.add_argument("--json", action="store_true", help="a report for scripts")

    def handle(self, *_: Any, **options: Any) -> None:
        """Read the file and say what came of it."""
        path = options["file"]
        try:
            with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as stream:
                done = import_annotations(stream)
        except (LineError, ImportRefused) as error:
            raise CommandError(f"{path}: {error}") from error
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}.") from error
        if options["json"]:
            self.stdout.write(json.dumps(msgspec.to_builtins(done)))
            return
        waiting = f"; {done.waiting:,} of them wait for their evaluation" if done.waiting else ""
        self.stdout.write(f"{done.added:,} annotations added{waiting}, {done.known:,} were there already.")
