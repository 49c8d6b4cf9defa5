"""Many rows into one table at once: `executemany` on SQLite, `COPY` on PostgreSQL; no model objects."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, models

from results.models.results import Result, ResultDocument, Score, ToolCall, ToolUse

Row = Sequence[Any]  # values in the order of the table's columns

# The PostgreSQL type of each kind of column, for binary COPY.
POSTGRES_TYPES = {
    "BigIntegerField": "int8",
    "IntegerField": "int4",
    "PositiveSmallIntegerField": "int2",
    "TextField": "text",
    "BinaryField": "bytea",
    "BooleanField": "bool",
    "FloatField": "float8",
}


@dataclass(frozen=True)
class BulkTable:
    """A table, its columns in the order in which rows give them, and the SQL that fills it."""

    insert_sql: str
    copy_sql: str
    types: tuple[str, ...]


def _column_type(field: "models.Field[Any, Any]") -> str:
    target = field.target_field if isinstance(field, models.ForeignKey) else field
    if isinstance(target, models.BigAutoField):
        return "int8"
    return POSTGRES_TYPES[target.get_internal_type()]


def bulk_table(model: type[models.Model]) -> BulkTable:
    """Prepare the SQL that fills a model's table; columns are in the model's order."""
    fields = model._meta.local_concrete_fields
    name = f'"{model._meta.db_table}"'
    columns = ", ".join(f'"{field.column}"' for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    return BulkTable(
        insert_sql=f"INSERT INTO {name} ({columns}) VALUES ({marks})",
        copy_sql=f"COPY {name} ({columns}) FROM STDIN (FORMAT BINARY)",
        types=tuple(_column_type(field) for field in fields),
    )


RESULTS = bulk_table(Result)
DOCUMENTS = bulk_table(ResultDocument)
CALLS = bulk_table(ToolCall)
USES = bulk_table(ToolUse)
SCORES = bulk_table(Score)

RESULT_FIELDS = [field.name for field in Result._meta.local_concrete_fields]
STARTED = RESULT_FIELDS.index("started_at_us")  # positions in a row of RESULTS
STARTED_SOURCE = RESULT_FIELDS.index("started_at_source")
OUTCOME = RESULT_FIELDS.index("outcome")


def insert(table: BulkTable, rows: Sequence[Row]) -> None:
    """Insert all rows; inside the caller's transaction."""
    if not rows:
        return
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            cursor.executemany(table.insert_sql, rows)
            return
        with cursor.copy(table.copy_sql) as copy:
            copy.set_types(table.types)
            for row in rows:
                copy.write_row(row)
