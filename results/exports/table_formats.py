"""The formats that a filtered view can be written in."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from results.exports.comma_separated import as_csv
from results.exports.json_rows import as_json_document, as_json_lines
from results.exports.markdown import as_markdown
from results.exports.parquet import as_parquet
from results.exports.report.file import as_html
from results.exports.table import Table
from results.exports.workbook import as_workbook


@dataclass(frozen=True)
class TableFormat:
    """One format.

    Attributes:
        label: what people call it.
        suffix: of its files, without the dot.
        write: the bytes, in pieces; the first comes once the rows can be read.
    """

    label: str
    suffix: str
    content_type: str
    write: Callable[[Table], Iterator[bytes]]


TABLE_FORMATS = {
    "csv": TableFormat("CSV", "csv", "text/csv; charset=utf-8", as_csv),
    "jsonl": TableFormat("JSON Lines", "jsonl", "application/x-ndjson", as_json_lines),
    "json": TableFormat("JSON", "json", "application/json", as_json_document),
    "xlsx": TableFormat(
        "Excel", "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", as_workbook
    ),
    "parquet": TableFormat("Parquet", "parquet", "application/vnd.apache.parquet", as_parquet),
    "html": TableFormat("HTML report", "html", "text/html; charset=utf-8", as_html),
    "markdown": TableFormat("Markdown", "md", "text/markdown; charset=utf-8", as_markdown),
}
