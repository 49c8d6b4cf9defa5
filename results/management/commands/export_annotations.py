"""Writes what people said of results: `export_annotations [--project SLUG] [-o FILE]`."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from results.exports.annotations import annotation_lines
from results.management.whole_files import write_whole


class Command(BaseCommand):
    """Gives every annotation with its history, and the vocabulary, as JSON Lines."""

    help = "Write what people said of results, with its history, as JSON Lines; import_annotations reads them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--project", metavar="SLUG", help="of this project only")
        parser.add_argument("-o", "--output", metavar="FILE", help="default: standard output")

    def handle(self, *_: Any, **options: Any) -> None:
        """Write to the file, or to standard output."""
        lines = annotation_lines(options["project"])
        try:
            if options["output"]:
                write_whole(Path(options["output"]), lines)
                return
            with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as stream:
                stream.writelines(lines)
        except OSError as error:
            raise CommandError(f"{options['output'] or 'standard output'}: {error.strerror}.") from error
