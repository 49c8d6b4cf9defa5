"""Writes filtered results, or a whole evaluation: `export_results --format F [--filter QUERY] [-o FILE]`."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.http import QueryDict

from results.exports.documents import NoDocumentError
from results.exports.fields import COLUMN_FIELDS
from results.exports.registry import EXPORTS
from results.exports.table import table_of
from results.exports.table_formats import TABLE_FORMATS
from results.filters import Choice, ResultFilter
from results.management.whole_files import write_whole
from results.models.evaluations import VISIBLE_STATES, Evaluation
from results.queries.every_row import ResultsGoneError
from results.queries.sorting import SORTS
from results.queries.visibility import visible_evaluations
from results.text.search import TooManyToScanError

REFUSALS = (NoDocumentError, ResultsGoneError, TooManyToScanError)


class Command(BaseCommand):
    """Gives back the document of an evaluation, or the results that a filter lets through, as a table."""

    help = "Write a whole evaluation in the format it came in, or filtered results as a table."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--evaluation", type=int, metavar="ID", help="its results only")
        parser.add_argument(
            "--format",
            choices=[*sorted(EXPORTS), *TABLE_FORMATS],
            default="mindtrial",
            help=f"{', '.join(sorted(EXPORTS))}: a whole evaluation; the others: a table of filtered results",
        )
        parser.add_argument(
            "--filter",
            default="",
            metavar="QUERY",
            help="what follows ? in the address of the results page: filters, sort=COLUMN or sort=-COLUMN, "
            f"cols=A,B,… of {', '.join(COLUMN_FIELDS)} (default: all)",
        )
        parser.add_argument("-o", "--output", metavar="FILE", help="default: standard output")

    def handle(self, *_: Any, **options: Any) -> None:
        """Write to the file, or to standard output."""
        is_whole = options["format"] in EXPORTS
        try:
            pieces = _document(options) if is_whole else _table(options)
            if options["output"]:
                write_whole(Path(options["output"]), pieces)
            else:
                _write(sys.stdout.fileno(), pieces)
        except REFUSALS as error:
            raise CommandError(f"{error}") from error
        except OSError as error:
            raise CommandError(f"{options['output'] or 'standard output'}: {error.strerror}.") from error


def _document(options: dict[str, Any]) -> Iterator[bytes]:
    if options["evaluation"] is None or options["filter"]:
        raise CommandError(
            f"{options['format']} holds a whole evaluation: name it by --evaluation ID, without --filter. "
            f"Filtered results go into {', '.join(TABLE_FORMATS)}."
        )
    evaluation = Evaluation.objects.filter(pk=options["evaluation"], state__in=VISIBLE_STATES).first()
    if evaluation is None:
        raise _no_evaluation(options["evaluation"])
    yield from EXPORTS[options["format"]](evaluation)
    yield b"\n"


def _table(options: dict[str, Any]) -> Iterator[bytes]:
    query = QueryDict(options["filter"].removeprefix("?"))
    asked = ResultFilter.parse(query)
    if asked.problems:
        raise CommandError(" ".join(asked.problems))
    visible = visible_evaluations()
    if options["evaluation"] is not None:
        if options["evaluation"] not in visible.evaluation_ids:
            raise _no_evaluation(options["evaluation"])
        asked = asked.with_choice("evaluation", Choice((str(options["evaluation"]),)))
    columns = [name for name in query.get("cols", "").split(",") if name]
    sort = query.get("sort", "")
    _demand_known("cols", columns, COLUMN_FIELDS)
    _demand_known("sort", [sort.removeprefix("-")] if sort else [], SORTS)
    table = table_of(visible, asked, sort, columns, settings.VERSION)
    return TABLE_FORMATS[options["format"]].write(table)


def _demand_known(key: str, names: list[str], known: Iterable[str]) -> None:
    unknown = [name for name in names if name not in known]
    if unknown:
        raise CommandError(f"{key}={unknown[0]}: there is no such column. Columns: {', '.join(known)}.")


def _no_evaluation(evaluation_id: int) -> CommandError:
    return CommandError(f"There is no evaluation {evaluation_id}. The evaluations page lists the ids.")


def _write(descriptor: int, pieces: Iterable[bytes]) -> None:
    with os.fdopen(os.dup(descriptor), "wb") as stream:
        stream.writelines(pieces)
