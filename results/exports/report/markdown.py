"""A report as Markdown: the same figures as tables, then its rows."""

from collections.abc import Iterator, Sequence

from results.exports.markdown import as_markdown, escaped, table_line
from results.exports.report.asked import ReportAsked
from results.exports.report.content import Provenance, ReportContent
from results.exports.report.rates import RateMark
from results.exports.table import Table

NUMBER, TEXT = "---:", "---"
MISSING = "n/a"


def write_markdown(asked: ReportAsked, table: Table) -> Iterator[bytes]:
    """The report in pieces; notes are a quotation, line by line, so that nothing in them is markup."""
    report = ReportContent.build(asked, table.provenance.version, table.provenance.made_at)
    yield f"# {escaped(report.title)}\n\n".encode(errors="replace")
    for text in report.missing:
        yield f"**{escaped(text)}**\n\n".encode(errors="replace")
    if report.notes:
        yield "".join(f"> {escaped(line)}  \n" for line in report.notes.split("\n")).encode(errors="replace") + b"\n"
    yield from _table(
        "", ("Figure", "Value", ""), [(tile.label, tile.value or MISSING, tile.note) for tile in report.tiles], (1,)
    )
    yield from _runs(report)
    yield from _comparison(report)
    yield from _provenance(report.provenance)
    yield b"## Results\n\n"
    yield from as_markdown(table)


def _runs(report: ReportContent) -> Iterator[bytes]:
    heads = ("Run", "Provider", "Evaluation", "Pass rate", "Passed", "Failed", "Error", "Skipped", "Median model time")
    rows = [
        (
            *(line.name, line.provider, line.evaluation, _rate(line.rate)),
            *(cell.count for cell in line.counts),
            *(line.time or "unknown", line.tokens or "unknown", line.cost or line.cost_note or "none"),
        )
        for line in report.runs.lines
    ]
    yield from _table("Runs", (*heads, "Output tokens", "Cost"), rows, range(3, 11))
    if report.runs.left_out:
        yield f"{report.runs.left_out} more runs are in the rows.\n\n".encode()


def _comparison(report: ReportContent) -> Iterator[bytes]:
    if report.comparison is None:
        return
    heads = ("Run", "Evaluation", "Baseline", "Pass rate", "Difference", "95 % interval, pp", "Pairs", "Improved")
    rows = [
        (
            *(line.name, line.evaluation, _rate(line.before), _rate(line.after), line.difference or MISSING),
            *(line.interval or MISSING, line.pairs, line.improved.count, line.regressed.count),
            *(line.corrected or MISSING, line.reading),
        )
        for line in report.comparison.lines
    ]
    yield from _table("Against the baseline", (*heads, "Regressed", "Holm p", "Reading"), rows, range(2, 10))
    for note in report.comparison.notes:
        yield f"{escaped(note)}\n\n".encode(errors="replace")
    for table in report.comparison.tables:
        moves = [
            (" ".join(filter(None, (move.task, move.repeat))), move.name, move.before, move.after)
            for move in table.moves
        ]
        yield from _table(f"{table.title}: {table.total}", ("Task", "Run", "Baseline", "Now"), moves, ())


def _provenance(provenance: Provenance) -> Iterator[bytes]:
    rows = [
        *(("Source", " ".join(filter(None, (one.name, one.file_name, one.digest)))) for one in provenance.sources),
        ("Filter", "; ".join(provenance.filters) or "none: every result"),
        *([("Baseline", provenance.baseline)] if provenance.baseline else []),
        ("Unknown", "; ".join(provenance.unknown) or "nothing"),
        ("Computed", f"{provenance.computed}, by Evalboard {provenance.version}"),
    ]
    yield from _table("Provenance", ("", ""), rows, ())


def _rate(mark: RateMark) -> str:
    return f"{mark.value} (n {mark.n}, {mark.interval})" if mark.value else MISSING


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int]) -> Iterator[bytes]:
    if title:
        yield f"## {title}\n\n".encode()
    yield table_line(list(heads))
    yield table_line([NUMBER if place in numbers else TEXT for place in range(len(heads))])
    yield from (table_line([escaped(cell) for cell in row]) for row in rows)
    yield b"\n"
