"""A copy of the database as one SQLite file, made while others write; and the way back, in one transaction.

The copy is the same whatever the database is, so that what was kept in SQLite can be restored into PostgreSQL.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from secrets import token_hex
from typing import Any

from django.apps import apps
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connection, connections, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import load_backend

ENGINE = "django.db.backends.sqlite3"
ROWS_PER_WRITE = 2_000
SECONDS_TO_WAIT = 60  # for the writers of the database
# Rows that others may write between the look at the counters and the restore: their ids are not used again.
ID_MARGIN = 10_000

Row = tuple[Any, ...]


@contextmanager
def opened(path: Path, alias: str = "") -> Iterator[BaseDatabaseWrapper]:
    """A SQLite file as one of this thread's databases, for as long as the block lasts; no alias = one of its own."""
    name = alias or f"copy-{token_hex(4)}"
    entry: dict[str, Any] = {"ENGINE": ENGINE, "NAME": str(path)}
    copy = load_backend(ENGINE).DatabaseWrapper(
        connections.configure_settings({"default": {}, name: entry})[name], name
    )
    before = connections[name] if alias else None
    connections[name] = copy
    try:
        yield copy
    finally:
        copy.close()
        if before is None:
            del connections[name]
        else:
            connections[name] = before


def migrate_copy(path: Path) -> None:
    """Bring the tables of a copy up to date, or make them."""
    with opened(path, DEFAULT_DB_ALIAS):  # in the place of the database: a migration of data may know no other
        call_command("migrate", interactive=False, verbosity=0)


def stored_models() -> list[type[models.Model]]:
    """Every model that has a table."""
    listed = apps.get_models(include_auto_created=True)
    return [model for model in listed if model._meta.managed and not model._meta.proxy]


def copy_out(path: Path) -> None:
    """Copy the database as it is at one instant into a new SQLite file; nobody has to wait for it."""
    if connection.vendor == "sqlite":
        with closing(_live_file()) as source, closing(sqlite3.connect(path)) as target:
            source.backup(target)
        return
    migrate_copy(path)
    with opened(path) as copy, transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        counters = _counters()
        with transaction.atomic(using=copy.alias):
            for model in stored_models():
                _fill(copy, model, rows_of(connection, model))
    raise_counters(path, counters, 0)


def copy_in(path: Path) -> None:
    """Put a copy in the place of everything in the database, at once: others see the old rows or the new ones."""
    if connection.vendor == "sqlite":
        raise_counters(path, _counters(), ID_MARGIN)
        connections.close_all()
        with closing(sqlite3.connect(path)) as source, closing(_live_file()) as target:
            source.backup(target)
        return
    with opened(path) as copy, transaction.atomic(), connection.cursor() as cursor:
        listed = stored_models()
        tables = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in listed)
        cursor.execute(f"LOCK TABLE {tables} IN EXCLUSIVE MODE")  # readers go on, writers wait
        for model in listed:
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")
        for model in listed:
            _copy_rows(cursor, model, rows_of(copy, model))
        with closing(sqlite3.connect(path)) as source:
            kept = dict(source.execute("SELECT name, seq FROM sqlite_sequence"))
        for table, last in _counters().items():
            _set_counter(cursor, table, max(last, kept.get(table, 0)))


def raise_counters(path: Path, others: dict[str, int], margin: int) -> None:
    """Let the ids of a copy go on behind those that the database gave: an id never means two things."""
    with closing(sqlite3.connect(path)) as copy:
        kept = dict(copy.execute("SELECT name, seq FROM sqlite_sequence"))
        for table, last in others.items():
            if last and last + margin > kept.get(table, 0):
                copy.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
                copy.execute("INSERT INTO sqlite_sequence(name, seq) VALUES(?, ?)", (table, last + margin))
        copy.commit()


def rows_of(source: BaseDatabaseWrapper, model: type[models.Model]) -> Iterator[Row]:
    """All rows of a table, values as Python has them."""
    names = [field.attname for field in model._meta.concrete_fields]
    return model._default_manager.using(source.alias).order_by("pk").values_list(*names).iterator(ROWS_PER_WRITE)


def _live_file() -> sqlite3.Connection:
    return sqlite3.connect(connection.settings_dict["NAME"], timeout=SECONDS_TO_WAIT)


def _fill(copy: BaseDatabaseWrapper, model: type[models.Model], rows: Iterator[Row]) -> None:
    fields = model._meta.concrete_fields
    columns = ", ".join(copy.ops.quote_name(str(field.column)) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    sql = f"INSERT INTO {copy.ops.quote_name(model._meta.db_table)} ({columns}) VALUES ({marks})"
    with copy.cursor() as cursor:
        cursor.execute(f"DELETE FROM {copy.ops.quote_name(model._meta.db_table)}")  # what migrations put there
        while part := list(islice(rows, ROWS_PER_WRITE)):
            cursor.executemany(sql, list(_prepared(copy, model, part)))


def _copy_rows(cursor: Any, model: type[models.Model], rows: Iterator[Row]) -> None:  # noqa: ANN401  (Django's)
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in model._meta.concrete_fields)
    with cursor.copy(f"COPY {connection.ops.quote_name(model._meta.db_table)} ({columns}) FROM STDIN") as copy:
        for row in _prepared(connection, model, rows):
            copy.write_row(row)


def _prepared(target: BaseDatabaseWrapper, model: type[models.Model], rows: Iterable[Row]) -> Iterator[Row]:
    fields = model._meta.concrete_fields
    for row in rows:
        yield tuple(field.get_db_prep_save(value, target) for field, value in zip(fields, row, strict=True))


def _counters() -> dict[str, int]:
    """The last id that each table of the database gave."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, seq FROM sqlite_sequence")
            return dict(cursor.fetchall())
        last = {}
        for model in stored_models():
            cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [f'"{model._meta.db_table}"', _key(model)])
            (sequence,) = cursor.fetchone()
            if sequence is not None:
                cursor.execute(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}")
                (last[model._meta.db_table],) = cursor.fetchone()
        return last


def _set_counter(cursor: Any, table: str, last: int) -> None:  # noqa: ANN401  (Django's)
    model = next(model for model in stored_models() if model._meta.db_table == table)
    if last:
        cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [f'"{table}"', _key(model), last])


def _key(model: type[models.Model]) -> str:
    return str(model._meta.pk.column)
