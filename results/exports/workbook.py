"""An Excel workbook: numbers are numbers, times are times, every text is a text; a page says where it comes from."""

import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from results.exports.comma_separated import cell_text
from results.exports.encoding import instant
from results.exports.fields import Value
from results.exports.spool import pieces_of
from results.exports.table import Table

ROWS = 1_048_575  # of a sheet below its header; what is more goes on in the next sheet
CHARACTERS = 32_767  # of a cell
LARGEST = 2**53  # whole numbers above are not exact in a spreadsheet, which has doubles only: they are written as text
DIGITS = 15  # of a decimal that a spreadsheet shows exactly
OPTIONS = {
    "constant_memory": True,  # a row is on disk once the next one begins
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "default_date_format": "yyyy-mm-dd hh:mm:ss.000",
    "remove_timezone": True,
}


def as_workbook(table: Table) -> Iterator[bytes]:
    """XLSX, written to a temporary file first, which it needs; times are in UTC, to the millisecond."""
    with tempfile.TemporaryDirectory(prefix="evalboard-export-") as folder:
        path = Path(folder, "results.xlsx")
        with xlsxwriter.Workbook(path, {**OPTIONS, "tmpdir": folder}) as book:
            _write(book, table)
        yield from pieces_of(path)


def _write(book: xlsxwriter.Workbook, table: Table) -> None:
    bold = book.add_format({"bold": True})
    source = table.provenance
    about = book.add_worksheet("About")
    facts = {
        "Results": str(table.total),
        "Query": source.query or "everything",
        "Exported at": instant(source.made_at),
        "Evalboard": source.version,
        "Times": "UTC",
    }
    for number, (name, text) in enumerate(facts.items()):
        about.write_string(number, 0, name, bold)
        about.write_string(number, 1, _fitting(text))
    about.set_column(0, 1, 24)
    sheet, used = _sheet(book, table, bold, 1), 0
    sheet.activate()
    for rows in table.pieces:
        for row in rows:
            if used == ROWS:
                sheet, used = _sheet(book, table, bold, len(book.worksheets())), 0
            used += 1
            for column, value in enumerate(row):
                _cell(sheet, used, column, value)


def _sheet(book: xlsxwriter.Workbook, table: Table, bold: Format, number: int) -> Worksheet:
    sheet = book.add_worksheet("Results" if number == 1 else f"Results {number}")
    sheet.freeze_panes(1, 2)
    sheet.set_column(0, len(table.fields) - 1, 16)
    for column, field in enumerate(table.fields):
        sheet.write_string(0, column, field.name, bold)
    return sheet


def _cell(sheet: Worksheet, row: int, column: int, value: Value) -> None:
    match value:
        case None:
            return
        case bool():
            sheet.write_boolean(row, column, value)
        case int() if abs(value) <= LARGEST:
            sheet.write_number(row, column, value)
        case Decimal() if len(value.normalize().as_tuple().digits) <= DIGITS:
            sheet.write_number(row, column, float(value))
        case datetime():
            sheet.write_datetime(row, column, value.astimezone(UTC))
        case _:
            sheet.write_string(row, column, _fitting(cell_text(value)))


def _fitting(text: str) -> str:
    """A text as a cell can hold it; one that is too long says how long it was."""
    shown = text.encode(errors="replace").decode()
    if len(shown) <= CHARACTERS:
        return shown
    note = f" … (cut; {len(text):,} characters in all)"
    return shown[: CHARACTERS - len(note)] + note
