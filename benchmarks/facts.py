"""Measures questions about 1,000,000 results: facts beside a plain SQLite GROUP BY, after 1 import and after 300.

Run it with `make bench` or `python -m benchmarks.facts [--results N]`; everything lies in a temporary folder. Figures
are medians of warm runs with no answer remembered: time on the clock, which other work on the machine makes longer,
and processor time of this process over all threads.
"""

import argparse
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FOLDER = tempfile.TemporaryDirectory(prefix="evalboard-bench-")
os.environ["EVALBOARD_VAR"] = FOLDER.name
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluator.settings")
sys.path.insert(0, str(ROOT))

import django

django.setup()

import numpy as np
from django.core.management import call_command
from django.db import transaction

from benchmarks.facts_rows import CHUNK, chunks, make_dimensions, result_columns
from results.facts import engine, manifest
from results.facts.rebuild import compact_if_needed
from results.facts.writer import FactsWriter
from results.filters import Choice, ResultFilter
from results.models.evaluations import Evaluation, EvaluationState
from results.queries.explorer import explore
from results.queries.facets import facets
from results.queries.results import result_page
from results.queries.sorting import SORTS
from results.queries.summary import summary
from results.queries.visibility import visible_evaluations

SIX_FACETS = ("provider", "run", "suite", "category", "difficulty", "outcome")
REPEATS = 7
FILTERS = {
    "no filter": ResultFilter(),
    "one suite": ResultFilter(suite=Choice(("suite 1",))),
    "two suites, three runs": ResultFilter(
        suite=Choice(("suite 1", "suite 2")), run=Choice(("run 1", "run 2", "run 3"))
    ),
    "a tag, a tool, a status": ResultFilter(
        tag=Choice(("tag 1",)), tool=Choice(("tool 1",)), call_status=Choice(("success",)), outcome=Choice(("passed",))
    ),
}


class Took(NamedTuple):
    """Milliseconds on the clock and of the processor."""

    wall: float
    processor: float


def import_evaluation(results: int) -> float:
    """Store the facts of one more evaluation; returns the seconds spent in the writer."""
    evaluation = Evaluation.objects.create(project_id=1, name="bench", format="bench", results=results)
    writer, seconds = FactsWriter(evaluation.pk), 0.0
    for rows in chunks(evaluation.pk, results):
        began = time.perf_counter()
        writer.add(*rows)
        seconds += time.perf_counter() - began
    began = time.perf_counter()
    name = writer.close()
    seconds += time.perf_counter() - began
    with transaction.atomic():
        manifest.register(name, evaluation, results)
        Evaluation.objects.filter(pk=evaluation.pk).update(state=EvaluationState.READY)
    return seconds


def median(work: Callable[[], object]) -> Took:
    """The median of warm runs, with no answer remembered."""
    wall, processor = [], []
    for _ in range(REPEATS + 1):
        engine.forget_answers()
        began, used = time.perf_counter(), time.process_time()
        work()
        wall.append(1000 * (time.perf_counter() - began))
        processor.append(1000 * (time.process_time() - used))
    return Took(statistics.median(wall[1:]), statistics.median(processor[1:]))


def plain_sqlite(results: int) -> sqlite3.Connection:
    """The same results in an ordinary table, for comparison."""
    connection = sqlite3.connect(Path(FOLDER.name) / "plain.sqlite3")
    names = ["run_id", "provider_id", "suite_id", "category_id", "difficulty_id", "outcome", "duration_ns"]
    connection.execute(
        f"CREATE TABLE IF NOT EXISTS result (id INTEGER PRIMARY KEY, {' INTEGER, '.join(names)} INTEGER)"
    )
    generator = np.random.default_rng(1)
    for first in range(0, results, CHUNK):
        values = result_columns(1, first, min(CHUNK, results - first), generator)
        rows = zip(*(values[name].tolist() for name in ["result_id", *names]), strict=True)
        connection.executemany("INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    connection.commit()
    return connection


def show(label: str, took: Took, target: int = 0) -> None:
    """Print one figure beside its target in ms of time on the clock."""
    aim = f"≤ {target}" if target else ""
    is_met = ("yes" if took.wall <= target else "NO") if target else ""
    print(f"  {label:58} {took.wall:8.1f} {took.processor:8.1f}   {aim:6} {is_met}", flush=True)


def report(title: str) -> None:
    """Print the medians of every question beside their targets."""
    listed = manifest.current()
    print(f"\n{title}: {'a base' if listed.base else 'no base'} and {len(listed.deltas)} deltas")
    print(f"  {'median in ms':58} {'clock':>8} {'CPU':>8}   {'target':6} met")
    visible = visible_evaluations()
    for label, chosen in FILTERS.items():
        show(f"six facets, {label}", median(partial(facets, visible, chosen, SIX_FACETS)), 60)
        show(f"page and ten facets in one, {label}", median(partial(explore, visible, chosen, "-duration")))
        show(f"top 50 by -duration, {label}", median(partial(result_page, visible, chosen, "-duration")), 60)
    for sort in SORTS:
        for sign in ("", "-"):
            show(f"top 50 by {sign}{sort}", median(partial(result_page, visible, ResultFilter(), sign + sort)), 20)
    show("page 500 by -duration", median(partial(result_page, visible, ResultFilter(), "-duration", 500)))
    for names in (("run",), ("provider", "run"), ("suite", "difficulty"), ("tag",)):
        took = median(partial(summary, visible, ResultFilter(), names, ("duration",)))
        show(f"counts, rates, p50 and p95 by {', '.join(names)}", took, 80 if names == ("run",) else 0)
    show("counts and rates by run", median(partial(summary, visible, ResultFilter(), ("run",), ())))
    show("all measures by run", median(partial(summary, visible, ResultFilter(), ("run",))))


def all_rows(connection: sqlite3.Connection, sql: str) -> list[Any]:
    """Run a query of plain SQLite."""
    return connection.execute(sql).fetchall()


def main() -> None:
    """Build, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=int, default=1_000_000)
    results = parser.parse_args().results
    call_command("migrate", verbosity=0)
    make_dimensions()
    seconds = import_evaluation(results)
    per_part = seconds / results * 100_000
    print(f"writing {results:,} results: {per_part:.2f} s per 100,000, with 150,000 calls and uses (≤ 0.5)")
    began = time.perf_counter()
    compacted = compact_if_needed()
    print(f"compaction: {compacted}, {time.perf_counter() - began:.1f} s")
    report(f"{results:,} results after 1 import")
    Evaluation.objects.update(state=EvaluationState.DELETING)
    for pk in Evaluation.objects.values_list("pk", flat=True):
        manifest.forget(pk)
    slowest, writing = 0.0, []
    for _ in range(300):
        writing.append(import_evaluation(results // 300))
        began = time.perf_counter()
        compact_if_needed()
        slowest = max(slowest, time.perf_counter() - began)
    one = 1000 * statistics.median(writing)
    print(f"\none of 300 imports: {one:.0f} ms in the writer; slowest compaction: {slowest:.1f} s")
    report(f"{results:,} results after 300 imports")
    connection = plain_sqlite(results)
    print("\nplain SQLite, one table, no index:")
    for name in ("run_id", "suite_id"):
        sql = f"SELECT {name}, outcome, count(*), sum(duration_ns) FROM result GROUP BY 1, 2"
        show(f"GROUP BY {name}, outcome", median(partial(all_rows, connection, sql)))


if __name__ == "__main__":
    main()
