"""Imports result files: `import_results PATH… [--project P] [--format F] [--json]`."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from secrets import token_hex
from typing import Any

import msgspec
from django.core.management.base import CommandError
from django.db import DatabaseError

from results.archives import Incoming, find_files
from results.importers.registry import IMPORTERS
from results.importers.source import ImportRefused
from results.importing import reason_of
from results.intake import ImportOptions, find_project, import_files
from results.management.prepared import PreparedCommand
from results.management.progress import ProgressBar, counted
from results.models.projects import DEFAULT_SLUG
from results.reports import FileReport, ImportReport, report_of
from results.sweeper import sweep

BATCH_BYTES = 8  # of the word that the jobs of one call have in common
WARNINGS_SHOWN = 5  # a file's further warnings are counted; all of them are on the evaluation's page
NAME_FORMAT = f"Name it with --format: {', '.join(sorted(IMPORTERS))}."


class Command(PreparedCommand):
    """Reads files, folders, zip archives or standard input into the database; needs no worker."""

    help = "Import result files: files, folders, zip archives, or - for standard input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument(
            "paths", nargs="+", metavar="PATH", help="file, folder or zip archive; - reads standard input"
        )
        parser.add_argument("--project", default=DEFAULT_SLUG, help="slug of the project (default: %(default)s)")
        parser.add_argument("--format", choices=sorted(IMPORTERS), help="do not recognise the format, take this one")
        parser.add_argument("--json", action="store_true", help="print one JSON document instead of text")

    def handle(self, *_: Any, **options: Any) -> None:
        """Import everything, report, and exit with 1 if anything was rejected."""
        try:
            find_project(options["project"])
            sweep()
        except ImportRefused as error:
            if options["json"]:
                self.stdout.write(msgspec.json.encode({"error": str(error)}).decode())
            raise CommandError(str(error)) from error
        except DatabaseError as error:
            raise CommandError(reason_of(error)) from error
        bar = ProgressBar(sys.stderr)
        import_options = ImportOptions(
            options["project"],
            options["format"],
            watch=bar.show,
            format_hint=NAME_FORMAT,
            batch=token_hex(BATCH_BYTES),
            is_patient=True,
            tell=bar.say,
        )
        files = []
        for file in import_files(_incoming(options["paths"]), import_options):
            bar.clear()
            files.append(file)
            if not options["json"]:
                self._print_file(file)
        report = report_of(files)
        if options["json"]:
            self.stdout.write(msgspec.json.format(msgspec.json.encode(report)).decode())
        else:
            self._print_totals(report)
        if report.totals.rejected:
            sys.exit(1)

    def _print_file(self, file: FileReport) -> None:
        what = [counted(file.results, "result")] if file.evaluation is not None else []
        what += [f"evaluation {file.evaluation}"] if file.evaluation is not None else []
        what += [f"iteration {iteration}" for iteration in file.iterations]
        what += [f"contract {contract}" for contract in file.contracts] + [f"spec {spec}" for spec in file.specs]
        what += [file.error] if file.error else []
        style = {"rejected": self.style.ERROR, "stored": self.style.SUCCESS}.get(file.state, str)
        self.stdout.write(f"{style(f'{file.state:9}')} {file.path}  {', '.join(what)}")
        for warning in file.warnings[:WARNINGS_SHOWN]:
            place = f"{warning.path}: " if warning.path else ""
            self.stdout.write(f"          {self.style.WARNING('warning')} {place}{warning.message}")
        if len(file.warnings) > WARNINGS_SHOWN:
            self.stdout.write(f"          and {len(file.warnings) - WARNINGS_SHOWN:,} more warnings")

    def _print_totals(self, report: ImportReport) -> None:
        totals = report.totals
        if not totals.files:
            self.stdout.write("No files there. Hidden files of a folder are left out; name them to import them.")
            return
        new = [counted(totals.results, "result"), counted(totals.iterations, "iteration")]
        new += [counted(totals.contracts, "contract")] if totals.contracts else []
        new += [counted(totals.specs, "spec")] if totals.specs else []
        self.stdout.write(
            f"{counted(totals.files, 'file')}: {totals.stored:,} stored, {totals.unchanged:,} unchanged, "
            f"{totals.rejected:,} rejected; {', '.join(new)} new"
        )


def _incoming(paths: list[str]) -> Iterator[Incoming]:
    for path in paths:
        yield from find_files(path)
