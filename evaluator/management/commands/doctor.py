"""`manage.py doctor`: looks at the installation, and says what to do about what it finds."""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict

from django.core.management.base import BaseCommand

from evaluator.doctor.examination import examine
from evaluator.findings import Finding, Level


class Command(BaseCommand):
    """Prints a line for each finding, problems with their remedies."""

    help = "Examine the database, broker, workers, copies, disk, rights, versions and settings; say what to do."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare --json."""
        parser.add_argument("--json", action="store_true", dest="as_json", help="print one JSON document")

    def handle(self, *_args: object, as_json: bool, **_options: object) -> None:
        """Examine and print; the exit code is 1 when there is a problem."""
        found = examine()
        problems = sum(finding.level is Level.PROBLEM for finding in found)
        if as_json:
            self.stdout.write(json.dumps({"problems": problems, "findings": [asdict(one) for one in found]}, indent=2))
        else:
            for finding in found:
                self.stdout.write(line(finding))
            warnings = sum(finding.level is Level.WARNING for finding in found)
            self.stdout.write(f"{len(found)} checks: {problems} problems, {warnings} warnings.")
        if problems:
            sys.exit(1)


def line(finding: Finding) -> str:
    """A finding as people read it."""
    remedy = f"\n{'':9}{finding.remedy}" if finding.remedy else ""
    return f"{finding.level.value:<8} {finding.about}: {finding.text}{remedy}"
