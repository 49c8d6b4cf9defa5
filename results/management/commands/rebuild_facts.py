"""`manage.py rebuild_facts`: makes the columnar copy again from the stored documents."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from results.facts.rebuild import rebuild


class Command(BaseCommand):
    """Parses, calls, prints."""

    help = "Make the facts (the columnar copy that pages read) again from the stored documents."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--evaluation", type=int, action="append", metavar="ID", help="only this evaluation; may be repeated"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        chosen: list[int] | None = options["evaluation"]
        done = rebuild(None if chosen is None else set(chosen))
        self.stdout.write(f"Made the facts of {done} evaluation{'' if done == 1 else 's'} again.")
