"""Figures by group as text, CSV, JSON or JSON Lines; numbers are exact, and what is not known is empty or null."""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from io import StringIO
from typing import Any

from results.exports.encoding import as_json as encoded
from results.exports.encoding import plain
from results.exports.shown_text import CONTROLS, harmless
from results.filters import UNSPECIFIED
from results.queries.figure_values import COUNTS, DEVIATION, PARTS, RATES, STATISTICS, TOTAL, Figure, figure
from results.queries.group_figures import MEASURES, GroupFigures
from results.queries.summary import Measure

UNITS = {"duration": "duration_ns"}  # measures whose name does not say the unit
MONEY = ("cost", "currency", "cost_per_pass", "priced", "unpriced", "inconsistent")
USUAL_TEXT = (
    *("count", "passed", "failed", "error", "skipped", *RATES, "duration_ns", "duration_ns_median"),
    *("input_tokens", "output_tokens", "tool_calls", "cost", "currency", "cost_per_pass"),
)
HUNDREDTH = Decimal("0.01")


@dataclass(frozen=True)
class Cell:
    """A value under the name of its column; None is not known, or has no denominator."""

    name: str
    value: str | Figure


@dataclass(frozen=True)
class Stats:
    """A table of figures. `names` says what is grouped by, `columns` which figures text and CSV hold; empty = usual."""

    names: tuple[str, ...]
    groups: Sequence[GroupFigures]
    columns: tuple[str, ...] = ()


def column_names() -> tuple[str, ...]:
    """The columns that there are, in order."""
    measures = (name for measure in MEASURES for name in _measure_names(measure))
    return (*COUNTS[1:], *RATES, *measures, *MONEY)


def as_csv(stats: Stats) -> Iterator[str]:
    """A line per group below a header, lines ended by LF; names that a spreadsheet would run are quoted with `'`."""
    columns = stats.columns or column_names()
    yield _csv_line([*stats.names, *columns])
    for group in stats.groups:
        cells = {cell.name: cell.value for cell in _cells(group)}
        named = [harmless(_named(value)) for value in group.key]
        yield _csv_line([*named, *(_plain(cells[column]) for column in columns)])


def as_text(stats: Stats) -> Iterator[str]:
    """A table for people: rates in percent with two decimals, times in seconds."""
    columns = stats.columns or USUAL_TEXT
    rows = [[*stats.names, *(column.replace("_ns", "_s") for column in columns)]]
    for group in stats.groups:
        cells = {cell.name: cell.value for cell in _cells(group)}
        named = [_named(value).translate(CONTROLS) for value in group.key]
        rows.append([*named, *(_readable(column, cells[column]) or _absence(column, cells) for column in columns)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    keys = len(stats.names)
    for row in rows:
        padded = [
            cell.ljust(width) if place < keys else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(padded).rstrip() + "\n"


def as_json(stats: Stats) -> Iterator[str]:
    """One document with everything that is known of each group."""
    listed = [_record(stats.names, group) for group in stats.groups]
    yield f"{encoded({'group_by': stats.names, 'groups': listed}).decode()}\n"


def as_json_lines(stats: Stats) -> Iterator[str]:
    """One group a line."""
    for group in stats.groups:
        yield f"{encoded(_record(stats.names, group)).decode()}\n"


FORMATS: dict[str, Callable[[Stats], Iterable[str]]] = {
    "text": as_text,
    "csv": as_csv,
    "json": as_json,
    "jsonl": as_json_lines,
}


def _named(value: str | None) -> str:
    """A name, or the word for a missing one; a name that reads like this word is written as filters take it."""
    if value is None:
        return UNSPECIFIED
    return f"\\{value}" if value.lstrip("\\") == UNSPECIFIED else value


def _measure_names(measure: str) -> list[str]:
    name = UNITS.get(measure, measure)
    rest = (f"{name}_{statistic}" for statistic in STATISTICS if statistic != TOTAL)
    return [name, *rest, f"{name}_unknown"]


def _cells(group: GroupFigures) -> Iterator[Cell]:
    for name in (*COUNTS[1:], *RATES):
        yield Cell(name, figure(group, name))
    for name, part in PARTS.items():
        yield Cell(name.replace(part.measure, UNITS.get(part.measure, part.measure)), figure(group, name))
    for measure in MEASURES:
        found = group.measure(measure)
        yield Cell(f"{UNITS.get(measure, measure)}_unknown", None if found is None else found.unknown)
    amounts = () if group.costs is None else group.costs.amounts
    yield Cell("cost", _money((amount.currency, amount.total) for amount in amounts))
    yield Cell("currency", " + ".join(amount.currency or UNSPECIFIED for amount in amounts) or None)
    yield Cell("cost_per_pass", _money((amount.currency, amount.per_pass) for amount in amounts))
    yield Cell("priced", sum(amount.priced for amount in amounts))
    yield Cell("unpriced", None if group.costs is None else group.costs.unpriced)
    yield Cell("inconsistent", None if group.costs is None else group.costs.inconsistent)


def _money(amounts: Iterable[tuple[str | None, Decimal | None]]) -> str | None:
    """The amounts of a group: one as a number, its currency has a column; several each with their own, never added."""
    listed = list(amounts)
    known = [(currency, amount) for currency, amount in listed if amount is not None]
    if len(listed) == 1:
        return plain(known[0][1]) if known else None
    return " + ".join(f"{plain(amount)} {currency or UNSPECIFIED}" for currency, amount in known) or None


def _record(names: tuple[str, ...], group: GroupFigures) -> dict[str, Any]:
    record: dict[str, Any] = {"group": dict(zip(names, group.key, strict=True))}
    record |= {name: figure(group, name) for name in (*COUNTS[1:], *RATES)}
    record |= {UNITS.get(name, name): _measure(group.measure(name)) for name in MEASURES}
    if group.costs is not None:
        record["costs"] = [
            {"currency": amount.currency, "total": amount.total, "priced": amount.priced, "per_pass": amount.per_pass}
            for amount in group.costs.amounts
        ]
        record |= {"unpriced": group.costs.unpriced, "inconsistent": group.costs.inconsistent}
        record["unused"] = group.costs.unused
    return record


def _measure(measure: Measure | None) -> dict[str, Any] | None:
    if measure is None:
        return None
    return {
        "known": measure.known,
        "unknown": measure.unknown,
        TOTAL: measure.total,
        "median": measure.median,
        "p95": measure.p95,
        DEVIATION: measure.deviation if measure.known > 1 else None,
    }


def _csv_line(cells: list[str]) -> str:
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue()


def _plain(value: str | Figure) -> str:
    if value is None:
        return ""
    return plain(value) if isinstance(value, Decimal) else str(value)


def _absence(column: str, cells: dict[str, str | Figure]) -> str:
    """The word for a value that is not there."""
    if column in MONEY:
        return "unpriced" if cells["unpriced"] and not cells["priced"] else "none"
    has_no_base = not cells["count"] or column in RATES
    return "n/a" if has_no_base or column.endswith(DEVIATION) else "unknown"


def _readable(column: str, value: str | Figure) -> str:
    """A value for people; empty when it is missing."""
    if value is None or isinstance(value, str):
        return (value or "").translate(CONTROLS)
    if column in RATES:
        return f"{(Decimal(str(value)) * 100).quantize(HUNDREDTH, ROUND_HALF_UP)}%"
    if column.startswith("duration_ns") and not column.endswith("_unknown"):
        return f"{Decimal(str(value)).scaleb(-9).quantize(Decimal('0.001'), ROUND_HALF_UP):f}"
    return f"{value:.2f}" if isinstance(value, float) else _plain(value)
