"""Loads the demo, once."""

from django.core.management.base import CommandError

from results.demo.loading import load_demo
from results.management.prepared import PreparedCommand


class Command(PreparedCommand):
    """`manage.py load_demo`."""

    help = "Load some weeks of made-up results into the project `demo`, unless that was done before."

    def handle(self, **_: object) -> None:
        """Load it and say what came of it."""
        reports = load_demo()
        for report in reports:
            if report.state == "rejected":
                raise CommandError(f"{report.path}: {report.error}")
        if reports:
            results = sum(report.results or 0 for report in reports)
            self.stdout.write(f"Demo loaded: {len(reports)} files, {results:,} results.")
        else:
            self.stdout.write("The demo was loaded before; nothing to do.")
