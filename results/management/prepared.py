"""The base of commands that need prepared tables: one sentence with the remedy instead of a traceback."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

PREPARE = "Run `.venv/bin/python manage.py migrate` once, or `make serve`, which does it."


class PreparedCommand(BaseCommand):
    """Says what to do where the database was not prepared, or cannot be reached."""

    def execute(self, *arguments: Any, **options: Any) -> str | None:  # noqa: ANN401  (as Django has it)
        """Run; what the database is lacking is looked for only when something failed."""
        try:
            return super().execute(*arguments, **options)
        except CommandError as error:
            if (lack := _lack()) is None:
                raise
            raise CommandError(f"{str(error).rstrip('.')}. {lack}") from error
        except DatabaseError as error:
            if not connection.in_atomic_block:
                connection.close()  # a broken transaction answers nothing
            if (lack := _lack()) is None:
                raise
            raise CommandError(lack) from error


def _lack() -> str | None:
    """What is wrong with the database and what a user can do; None when its tables are as this release wants them."""
    try:
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        reason = str(error).partition("\n")[0]
        return f"The database cannot be reached ({reason}). Check DATABASE_URL."
    if not plan:
        return None
    state = "is of an older release" if executor.loader.applied_migrations else "is empty"
    return f"The database {state}: {len(plan)} migrations are not applied. {PREPARE}"
