"""The figures of a report, by hand: tiles, runs, the comparison, what is unknown, and where it comes from."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict

from results.exports.report.asked import Baseline, Links, ReportAsked
from results.exports.report.content import ReportContent
from results.exports.report.filter_words import filter_words
from results.exports.report.markdown import write_markdown
from results.exports.table import table_of
from results.filters import ResultFilter
from results.queries.visibility import visible_evaluations
from tests.results.facts.evaluations import row, stored
from tests.results.queries.histories import on_day

pytestmark = pytest.mark.django_db
NBSP = "\N{NO-BREAK SPACE}"


def asked(query: str = "", **fields: Any) -> ReportAsked:
    """A report about what a query string says."""
    made = ReportAsked("Review", "", visible_evaluations(), ResultFilter.parse(QueryDict(query)))
    return replace(made, **fields)


def built(query: str = "", **fields: Any) -> ReportContent:
    return ReportContent.build(asked(query, **fields), "1.0")


def tiles(report: ReportContent) -> dict[str, tuple[str, str]]:
    """Value and note by label, with plain spaces."""
    return {tile.label: (tile.value.replace(NBSP, " "), tile.note.replace(NBSP, " ")) for tile in report.tiles}


def two_weeks(folder: Path) -> tuple[int, int]:
    """Two evaluations of one run at eight tasks: all passed, then six of them failed."""
    first = stored(folder, "first", *(row(number, TraceID=on_day(0, number)) for number in range(8)))
    kinds = ["Failed"] * 6 + ["Passed"] * 2
    second = stored(
        folder, "second", *(row(number, TraceID=on_day(7, number), kind=kind) for number, kind in enumerate(kinds))
    )
    return first, second


def test_tiles_count_as_pages_do(tmp_path: Path) -> None:
    kinds = ("Passed", "Passed", "Passed", "Failed", "Error", "Skipped")
    times = (10, 20, 30, 40, None, 60)  # seconds; the skipped one is in no figure
    rows = [
        row(number, kind=kind, duration=None if time is None else time * 10**9)
        for number, (kind, time) in enumerate(zip(kinds, times, strict=True))
    ]
    stored(tmp_path, "a", *rows)
    found = tiles(built())
    assert found["Pass rate"] == ("60.0 %", "n 5 · 95 % 23.1–88.2 %")  # 3 of 5, Wilson
    assert found["Results"] == ("6", "3 passed, 1 failed, 1 error, 1 skipped")
    assert found["Error rate"][0] == "20.0 %"
    assert found["Median model time"] == ("25.0 s", "1 unknown")  # of 10, 20, 30, 40
    assert "model time of 1 result" in [text.replace(NBSP, " ") for text in built().provenance.unknown]


def test_no_results_have_no_rates() -> None:
    found = tiles(built())
    assert (found["Pass rate"], found["Results"][0], found["Median model time"][0]) == (("", "n 0"), "0", "")


def test_each_run_is_compared_with_itself_in_the_baselines_evaluation(tmp_path: Path) -> None:
    first, second = two_weeks(tmp_path)
    report = built(f"evaluation={second}", baseline=Baseline(first))
    assert report.comparison is not None
    (line,) = report.comparison.lines
    assert (line.before.value, line.after.value) == (f"100.0{NBSP}%", f"25.0{NBSP}%")
    assert (line.improved.count, line.regressed.count, line.same.count, line.pairs) == ("0", "6", "2", "8")
    assert (line.difference, line.p_value, line.reading, line.good) == (f"−75.0{NBSP}pp", "0.0312", "worse", "false")
    (table,) = report.comparison.tables
    assert (table.title, table.total) == ("Regressed tasks", 6)
    assert [move.task for move in table.moves] == [f"task {number}" for number in range(6)]
    assert tiles(report)["Regressed"][0] == "6"


def test_runs_are_compared_with_one_run(tmp_path: Path) -> None:
    rows = [row(number, TraceID=on_day(0, number)) for number in range(3)]
    rows += [row(number, TraceID=on_day(0, 10 + number), run="slow", kind="Failed") for number in range(2)]
    evaluation = stored(tmp_path, "a", *rows)
    report = built(f"evaluation={evaluation}", baseline=Baseline(evaluation, "openai", "gpt"))
    assert report.comparison is not None
    (line,) = report.comparison.lines
    assert (line.name, line.regressed.count, line.pairs, line.reading) == ("slow", "2", "2", "too few pairs")


def test_a_filter_narrows_both_sides_of_a_comparison_except_by_outcome(tmp_path: Path) -> None:
    first, second = two_weeks(tmp_path)
    report = built(f"evaluation={second}&outcome=failed&task=task 0&task=task 7", baseline=Baseline(first))
    assert report.comparison is not None
    (line,) = report.comparison.lines
    assert (line.pairs, line.regressed.count, line.same.count) == ("2", "1", "1")
    assert report.comparison.notes == (
        "Compared over the results that the report’s other filters let through, on both sides.",
        "The filter by outcome does not narrow the comparison.",
    )


def test_a_chart_draws_the_shares_of_the_longest_line(tmp_path: Path) -> None:
    rows = [row(number, TraceID=on_day(0, number), kind="Failed" if number else "Passed") for number in range(4)]
    rows.append(row(0, TraceID=on_day(0, 9), run="short"))
    stored(tmp_path, "a", *rows)
    (chart,) = built(charts=("outcomes",)).charts
    drawn = [[(part.kind, part.start, part.width) for part in line.stretches] for line in chart.lines]
    assert drawn == [[("passed", "0.00", "25.00")], [("passed", "0.00", "25.00"), ("failed", "25.00", "75.00")]]


def test_provenance_names_sources_filters_and_baseline(tmp_path: Path) -> None:
    first, second = two_weeks(tmp_path)
    report = built(f"evaluation={second}&outcome=failed&outcome=error", baseline=Baseline(first))
    found = report.provenance
    assert {source.file_name for source in found.sources} == {"first.json", "second.json"}
    assert all(len(source.digest) == 64 for source in found.sources)
    assert found.filters == ("evaluation second", "outcome failed or error")
    assert found.baseline == "first"


def test_a_filter_reads_as_a_sentence() -> None:
    query = "tag=a&tag=b&tags=all&run=-slow&suite=(unspecified)&duration=1s..2s&q=needle"
    assert filter_words(ResultFilter.parse(QueryDict(query)), {}) == (
        "run not slow",
        "suite (unspecified)",
        "tag a and b",
        "model time 1s..2s",
        "text needle",
    )


def test_numbers_lead_to_results_on_a_page_and_nowhere_in_a_file(tmp_path: Path) -> None:
    _, second = two_weeks(tmp_path)
    page = built(f"evaluation={second}", links=Links("/results/", "/compare/"))
    (line,) = page.runs.lines
    query = f"evaluation={second}&provider=openai&run=gpt&outcome=failed"
    assert [cell.href for cell in line.counts] == [
        f"/results/?{query.replace('failed', 'passed')}",
        f"/results/?{query}",
        "",
        "",
    ]
    (alone,) = built(f"evaluation={second}").runs.lines
    assert {cell.href for cell in alone.counts} == {""}


def test_markdown_of_a_report_escapes_everything(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", row(0, run="<img src=x>|`b`"))
    made = asked(f"evaluation={evaluation}", title="[a](b)", notes="# not a heading\n<script>")
    table = table_of(made.visible, made.chosen, "", ["task"], "1.0")
    text = b"".join(write_markdown(made, table)).decode()
    assert text.startswith("# \\[a\\](b)\n\n> \\# not a heading  \n> \\<script\\>  \n")
    assert "| \\<img src=x\\>\\|\\`b\\` |" in text
