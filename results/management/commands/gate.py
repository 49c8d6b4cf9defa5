"""Stops what got worse: `gate --candidate X [--baseline Y|pinned] [--min-pass-rate R] … [--json] [--markdown FILE]`."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.http import QueryDict

from results.exports.encoding import as_json
from results.filters import ResultFilter
from results.gating.failure import report_failure
from results.gating.junit import as_junit
from results.gating.markdown import as_markdown
from results.gating.plain import plain_report
from results.gating.report import REFUSED_KEYS, Gate, judge
from results.gating.rules import RuleError, Rules
from results.gating.words import terminal_lines
from results.importing import reason_of
from results.management.whole_files import write_whole
from results.queries.visibility import visible_evaluations
from results.text.search import TooManyToScanError

UNJUDGED = 2  # exit code, of mistakes in the options too: they are no pass, and no failed rule
RULES = {
    "min_pass_rate": ("RATE", "passed of passed, failed and error, such as 0.9"),
    "max_regressions": ("N", "tasks that passed in the baseline and do not pass now; 0 if no rule is named"),
    "max_error_rate": ("RATE", "error of passed, failed and error"),
    "max_cost": ("AMOUNT", "what the model cost, such as 2.50 or '2.50 USD'"),
    "min_results": ("N", "with fewer results (or pairs) nothing is judged"),
    "significance": ("LEVEL", "worse by the exact paired test at this level, such as 0.05, fails"),
}


class Command(BaseCommand):
    """Holds every run of an evaluation against rules. Exit code 0: all passed; 1: some failed; 2: not to be judged."""

    help = "Hold an evaluation against rules and a baseline; exit 0 passed, 1 failed, 2 could not be judged."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--candidate", required=True, metavar="X", help="id or name of an evaluation, or latest")
        parser.add_argument(
            "--baseline", default="", metavar="Y", help="likewise, or pinned (the default where a rule compares)"
        )
        parser.add_argument("--run", action="append", default=[], metavar="R", help="run or provider/run, with * and ?")
        parser.add_argument("--filter", default="", metavar="QUERY", help="as in the address of the results page")
        parser.add_argument("--project", default="", metavar="P", help="slug, where the candidate is looked for")
        for name, (metavar, words) in RULES.items():
            parser.add_argument(f"--{name.replace('_', '-')}", metavar=metavar, help=words)
        parser.add_argument("--json", action="store_true", help="print one JSON document instead of text")
        parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the comment of a pull request there")
        parser.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML there")
        parser.add_argument("--base-url", default="", metavar="URL", help="of Evalboard, for links in the files")

    def handle(self, *_: Any, **options: Any) -> None:
        """Judge, print, write, and exit with what came of it.

        Raises:
            CommandError: an option makes no sense, or a file cannot be written; exit code 2.
        """
        base_url = options["base_url"].rstrip("/")
        try:
            report = judge(visible_evaluations(), _gate(options))
            if options["markdown"] is not None:
                write_whole(options["markdown"], [as_markdown(report, base_url).encode(errors="replace")])
            if options["junit"] is not None:
                write_whole(options["junit"], [as_junit(report, base_url)])
        except (DatabaseError, OSError, TooManyToScanError) as error:
            words = str(error) if isinstance(error, TooManyToScanError) else reason_of(error)
            raise CommandError(words, returncode=UNJUDGED) from error
        if options["json"]:
            self.stdout.write(msgspec.json.format(as_json(plain_report(report))).decode())
        else:
            self.stdout.write("\n".join(terminal_lines(report)))
        report_failure(report)
        if report.exit_code:
            sys.exit(report.exit_code)


def _gate(options: dict[str, Any]) -> Gate:
    chosen = ResultFilter.parse(QueryDict(options["filter"].removeprefix("?")))
    problems = list(chosen.problems)
    problems += [
        f"{name} is not for a gate: it says itself what is judged." for name in REFUSED_KEYS if chosen.choice(name)
    ]
    if problems:
        raise CommandError(f"--filter: {' '.join(problems)}", returncode=UNJUDGED)
    try:
        rules = Rules.read({name: options[name] for name in RULES})
    except RuleError as error:
        raise CommandError(f"--{error.rule.replace('_', '-')}: {error}", returncode=UNJUDGED) from error
    return Gate(options["candidate"], options["baseline"], tuple(options["run"]), chosen, options["project"], rules)
