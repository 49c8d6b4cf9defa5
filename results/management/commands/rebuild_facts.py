"""`manage.py rebuild_facts`: makes the columnar copy again from the stored documents."""

from django.core.management.base import CommandParser

from results.facts.rebuild import rebuild
from results.management.prepared import PreparedCommand


class Command(PreparedCommand):
    """Parses, calls, prints."""

    help = "Make the facts (the columnar copy that pages read) again from the stored documents."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name what can be chosen."""
        parser.add_argument(
            "--evaluation", type=int, action="append", metavar="ID", help="only this evaluation; may be repeated"
        )

    def handle(self, *, evaluation: list[int] | None, **_options: object) -> None:
        """Rebuild, and say how much."""
        done = rebuild(None if evaluation is None else set(evaluation))
        self.stdout.write(f"Made the facts of {done} evaluation{'' if done == 1 else 's'} again.")
