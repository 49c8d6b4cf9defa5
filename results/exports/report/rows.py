"""The rows of a report file: the first ones as a table, all others as data that its script pages through."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import escape

import msgspec

from results.exports.comma_separated import cell_text
from results.exports.encoding import plain
from results.exports.fields import Field, FieldKind, Value
from results.exports.shown_text import visible

LABELS = {"result_id": "Result", "duration_ns": "Model time, s", "started_at": "Started", "is_transient": "Transient"}
# What stands where a value is missing; a missing number is unknown.
UNSPECIFIED, NOT_RECORDED, NONE = "(unspecified)", "not recorded", "none"
MISSING = {
    "suite": UNSPECIFIED,
    "category": UNSPECIFIED,
    "difficulty": UNSPECIFIED,
    "answer": NOT_RECORDED,
    "model": NOT_RECORDED,
    "attempts": NOT_RECORDED,
    "tags": NONE,
    "error_title": NONE,
    "is_transient": NONE,
    "cost": NONE,
    "currency": NONE,
    "corrected_outcome": NONE,
    "is_confirmed": NONE,
    "reason": NONE,
    "labels": NONE,
    "comments": NONE,
}
NUMBERS = (FieldKind.NUMBER, FieldKind.AMOUNT)
_JSON = msgspec.json.Encoder()


@dataclass(frozen=True)
class RowColumn:
    """One column: `kind` is `number`, `outcome`, `long` or `text`, `missing` the word for a value that is not there."""

    name: str
    label: str
    kind: str
    missing: str


def row_columns(fields: Sequence[Field]) -> tuple[RowColumn, ...]:
    """The columns of the table, one a field of the export."""
    return tuple(
        RowColumn(
            field.name,
            LABELS.get(field.name, field.name.replace("_", " ").capitalize()),
            "number" if field.kind in NUMBERS else {"outcome": "outcome", "answer": "long"}.get(field.name, "text"),
            MISSING.get(field.name, "unknown"),
        )
        for field in fields
    )


def row_texts(columns: Sequence[RowColumn], row: Sequence[Value]) -> list[str | None]:
    """What the cells of a row say; None = missing. Numbers have all their digits, model time is in seconds."""
    return [_text(column, value) for column, value in zip(columns, row, strict=True)]


def table_rows(columns: Sequence[RowColumn], rows: Sequence[Sequence[Value]]) -> bytes:
    """Rows of the table."""
    lines = []
    for row in rows:
        first, *others = (_cell(*pair) for pair in zip(columns, row_texts(columns, row), strict=True))
        lines.append(f'<tr><th scope="row"{first}</th>' + "".join(f"<td{cell}</td>" for cell in others) + "</tr>\n")
    return "".join(lines).encode(errors="replace")


def data_rows(columns: Sequence[RowColumn], rows: Sequence[Sequence[Value]]) -> bytes:
    """Rows as data: a list of texts each. No `<` stands in it, so that nothing in it can end it."""
    listed = _JSON.encode([row_texts(columns, row) for row in rows])
    return b'<script type="application/json">' + listed.replace(b"<", b"\\u003c") + b"</script>\n"


def _text(column: RowColumn, value: Value) -> str | None:
    if value is None or value == ():
        return None
    if column.name == "duration_ns" and isinstance(value, int):
        return plain(Decimal(value).scaleb(-9))
    text = ", ".join(map(visible, value)) if isinstance(value, tuple) else cell_text(value)
    return text if text.isascii() else text.encode(errors="replace").decode()


def _cell(column: RowColumn, text: str | None) -> str:
    """A cell from the end of its tag's name on, up to its end tag."""
    number = ' class="num"' if column.kind == "number" else ""
    if text is None:
        return f'{number} data-missing><span class="missing">{column.missing}</span>'
    if column.kind == "outcome":
        return f'><span class="outcome" data-outcome="{escape(text)}">{escape(text)}</span>'
    if column.kind == "long":
        return f' class="wrap"><div class="long" dir="auto">{escape(text)}</div>'
    return f"{number}>{escape(text)}" if number else f"><bdi>{escape(text)}</bdi>"
