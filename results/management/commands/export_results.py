"""Writes an evaluation as a file: `export_results --evaluation ID --format mindtrial [-o FILE]`."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from results.exports.documents import NoDocumentError
from results.exports.registry import EXPORTS
from results.management.whole_files import write_whole
from results.models.evaluations import VISIBLE_STATES, Evaluation


class Command(BaseCommand):
    """Gives the document of an evaluation back, equal to its source but for white space."""

    help = "Write a whole evaluation in the format it came in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--evaluation", type=int, required=True, metavar="ID")
        parser.add_argument("--format", choices=sorted(EXPORTS), default="mindtrial")
        parser.add_argument("-o", "--output", metavar="FILE", help="default: standard output")

    def handle(self, *_: Any, **options: Any) -> None:
        """Write the document to the file, or to standard output."""
        evaluation = Evaluation.objects.filter(pk=options["evaluation"], state__in=VISIBLE_STATES).first()
        if evaluation is None:
            raise CommandError(f"There is no evaluation {options['evaluation']}. The evaluations page lists the ids.")
        try:
            pieces = EXPORTS[options["format"]](evaluation)
            if options["output"]:
                write_whole(Path(options["output"]), pieces)
            else:
                _write(sys.stdout.fileno(), pieces)
        except NoDocumentError as error:
            raise CommandError(f"{error}; it cannot be written as {options['format']}.") from error
        except OSError as error:
            raise CommandError(f"{options['output'] or 'standard output'}: {error.strerror}.") from error


def _write(descriptor: int, pieces: Iterable[bytes]) -> None:
    with os.fdopen(os.dup(descriptor), "wb") as stream:
        stream.writelines(pieces)
        stream.write(b"\n")
