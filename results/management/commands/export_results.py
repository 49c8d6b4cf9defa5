"""Writes filtered results, a whole evaluation or iterations: `export_results --format F [--filter QUERY] [-o FILE]`."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.http import QueryDict

from results.exports.documents import NoDocumentError
from results.exports.fields import COLUMN_FIELDS
from results.exports.iterations import latest_of_sprint
from results.exports.registry import EXPORTS, ITERATION_FORMATS
from results.exports.table import table_of
from results.exports.table_formats import TABLE_FORMATS
from results.filters import Choice, ResultFilter
from results.management.prepared import PreparedCommand
from results.management.whole_files import write_whole
from results.models.evaluations import VISIBLE_STATES, Evaluation
from results.models.sprints import Iteration
from results.queries.every_row import ResultsGoneError
from results.queries.sorting import SORTS
from results.queries.visibility import visible_evaluations
from results.text.search import TooManyToScanError

REFUSALS = (NoDocumentError, ResultsGoneError, TooManyToScanError)


class Command(PreparedCommand):
    """Gives back the document of an evaluation or of iterations, or the results that a filter lets through."""

    help = "Write a whole evaluation, iterations of a sprint, or filtered results as a table."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--evaluation", type=int, metavar="ID", help="its results only")
        parser.add_argument("--iteration", type=int, metavar="ID", help="one iteration of a sprint")
        parser.add_argument("--sprint", type=int, metavar="ID", help="all its iterations, the latest revision of each")
        parser.add_argument(
            "--format",
            choices=[*EXPORTS, *ITERATION_FORMATS, *TABLE_FORMATS],
            default="mindtrial",
            help=f"{', '.join(EXPORTS)}: a whole evaluation; {', '.join(ITERATION_FORMATS)}: iterations; "
            "the others: a table of filtered results",
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
        try:
            pieces = _pieces(options)
            if options["output"]:
                write_whole(Path(options["output"]), pieces)
            else:
                _write(sys.stdout.fileno(), pieces)
        except REFUSALS as error:
            raise CommandError(f"{error}") from error
        except OSError as error:
            raise CommandError(f"{options['output'] or 'standard output'}: {error.strerror}.") from error


def _pieces(options: dict[str, Any]) -> Iterator[bytes]:
    is_of_iterations = options["format"] in ITERATION_FORMATS
    if not is_of_iterations and (options["iteration"] is not None or options["sprint"] is not None):
        raise CommandError(f"--iteration and --sprint go with --format {' or '.join(ITERATION_FORMATS)}.")
    if is_of_iterations:
        return _iterations(options)
    return _document(options) if options["format"] in EXPORTS else _table(options)


def _iterations(options: dict[str, Any]) -> Iterator[bytes]:
    iteration, sprint = options["iteration"], options["sprint"]
    if (iteration is None) == (sprint is None) or options["filter"] or options["evaluation"] is not None:
        raise CommandError(f"{options['format']} holds iterations: name one by --iteration ID, or all by --sprint ID.")
    if sprint is not None:
        found = latest_of_sprint(sprint)
    else:
        found = list(Iteration.objects.filter(pk=iteration).values_list("pk", flat=True))
    if not found:
        named = f"iteration {iteration}" if sprint is None else f"sprint {sprint} with iterations"
        raise CommandError(f"There is no {named}. The addresses of the sprints' pages have the ids.")
    return ITERATION_FORMATS[options["format"]].write(found)


def _document(options: dict[str, Any]) -> Iterator[bytes]:
    if options["evaluation"] is None or options["filter"]:
        raise CommandError(
            f"{options['format']} holds a whole evaluation: name it by --evaluation ID, without --filter. "
            f"Filtered results go into {', '.join(TABLE_FORMATS)}."
        )
    evaluation = Evaluation.objects.filter(pk=options["evaluation"], state__in=VISIBLE_STATES).first()
    if evaluation is None:
        raise _no_evaluation(options["evaluation"])
    form = EXPORTS[options["format"]]
    yield from form.write(evaluation)
    if form.suffix == "json":  # a document as it came has no line break at its end
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
