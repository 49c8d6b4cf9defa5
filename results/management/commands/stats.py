"""`manage.py stats`: figures by group, over everything that is stored or a filter's part of it."""

import re
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.http import QueryDict

from results.exports.stats import FORMATS, Stats, column_names
from results.filters import Choice, ResultFilter
from results.management.prepared import PreparedCommand
from results.queries.any_case import in_any_case
from results.queries.group_figures import group_figures
from results.queries.grouping import GROUPS
from results.queries.visibility import VisibleSet, visible_evaluations
from results.text.search import TooManyToScanError

COMMAS = re.compile(r"[,\s]+")


class Command(PreparedCommand):
    """Parses, asks, prints."""

    help = "Print counts, rates, model time, tokens, tool calls and costs by group."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--group-by", default="provider,run", metavar="A,B", help=f"any of {', '.join(GROUPS)}")
        parser.add_argument(
            "--filter", default="", metavar="QUERY", help="as in the address of the results page: category=math&tag=x"
        )
        parser.add_argument("--ignore-case", action="store_true", help="take the names of the filter in any case")
        parser.add_argument("--evaluation", type=int, action="append", default=[], metavar="ID", help="only this one")
        parser.add_argument("--format", choices=[*FORMATS], default="text")
        parser.add_argument("--columns", default="", metavar="A,B", help="of text and CSV; an unknown one lists them")

    def handle(self, *_: Any, **options: Any) -> None:
        """Ask for the figures and write them."""
        names = tuple(dict.fromkeys(_listed(options["group_by"])))
        columns = tuple(_listed(options["columns"]))
        _demand(names, GROUPS, "--group-by")
        _demand(columns, column_names(), "--columns")
        visible = visible_evaluations()
        chosen = _filter(options["filter"], options["evaluation"], visible)
        if options["ignore_case"]:
            chosen = in_any_case(visible, chosen)
        try:
            (level,) = group_figures(visible, chosen, (names,))
        except TooManyToScanError as error:
            raise CommandError(str(error)) from error
        for piece in FORMATS[options["format"]](Stats(names, level.selected, columns)):
            self.stdout.write(piece, ending="")


def _listed(text: str) -> list[str]:
    return [name for name in COMMAS.split(text) if name]


def _demand(asked: tuple[str, ...], known: tuple[str, ...], option: str) -> None:
    unknown = [name for name in asked if name not in known]
    if unknown:
        raise CommandError(f"{option}: {', '.join(unknown)} is not one of {', '.join(known)}.")


def _filter(query: str, evaluations: list[int], visible: VisibleSet) -> ResultFilter:
    chosen = ResultFilter.parse(QueryDict(query.removeprefix("?")))
    if chosen.problems:
        raise CommandError(f"--filter: {' '.join(chosen.problems)}")
    for pk in evaluations:
        if pk not in visible.evaluation_ids:
            raise CommandError(f"There is no evaluation {pk}. The evaluations page lists the ids.")
    return chosen.with_choice("evaluation", Choice(tuple(map(str, evaluations)))) if evaluations else chosen
