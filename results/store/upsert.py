"""Rows that exist once per digest: found, or made where missing, many at a time and safe beside other writers."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from django.db import connection, models

SQL_VALUES = 500  # values in one IN list: far below every database's limit

Value = TypeVar("Value")
Key = tuple[Any, ...]


def batches(values: Sequence[Value], size: int = SQL_VALUES) -> Iterator[Sequence[Value]]:
    """Cut a sequence into parts of at most `size`."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


def insert_missing(model: type[models.Model], columns: Sequence[str], rows: Sequence[Key]) -> None:
    """Insert rows, leaving alone those that a unique constraint already has."""
    if not rows:
        return
    names = ", ".join(f'"{column}"' for column in columns)
    marks = ", ".join(["%s"] * len(columns))
    sql = f'INSERT INTO "{model._meta.db_table}" ({names}) VALUES ({marks}) ON CONFLICT DO NOTHING'
    with connection.cursor() as cursor:
        cursor.executemany(sql, rows)


def _found(model: type[models.Model], scope: str | None, keys: Sequence[Key]) -> dict[Key, int]:
    fields = ("digest",) if scope is None else (scope, "digest")
    wanted = set(keys)
    found: dict[Key, int] = {}
    for part in batches(keys):
        rows = model._default_manager.filter(digest__in=[key[-1] for key in part]).values_list("pk", *fields)
        found.update({row[1:]: row[0] for row in rows.iterator(chunk_size=5000) if row[1:] in wanted})
    return found


def ensure(
    model: type[models.Model], scope: str | None, columns: Sequence[str], rows: dict[Key, Key]
) -> dict[Key, int]:
    """Find the row of each key, making those that are missing; inside the caller's transaction.

    Args:
        model: a table with a `digest` that is unique, alone or within `scope`.
        scope: the column that, with the digest, makes a row unique; None when the digest alone does.
        columns: names of the columns that `rows` gives values for.
        rows: (digest,) or (scope value, digest) -> values of a new row.

    Returns:
        Key -> primary key, for every key of `rows`.
    """
    found = _found(model, scope, list(rows))
    missing = sorted(key for key in rows if key not in found)
    if missing:
        insert_missing(model, columns, [rows[key] for key in missing])
        found.update(_found(model, scope, missing))
    return found
