"""Measures questions about 1,000,000 results: facts beside a plain SQLite GROUP BY, after 1 import and after 300.

Run it with `make bench` or `python benchmarks/facts.py [--results N]`; everything lies in a temporary folder.
"""

import argparse
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

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

from results.facts import engine, manifest
from results.facts.columns import CALL_COLUMNS, RESULT_COLUMNS, USE_COLUMNS, Column, Row
from results.facts.rebuild import compact_if_needed
from results.facts.writer import FactsWriter
from results.filters import Choice, ResultFilter
from results.models.dimensions import Provider, Run, TagSet, TagSetMember, Task, Term
from results.models.evaluations import Evaluation, EvaluationState
from results.models.projects import Project
from results.queries.facets import facets
from results.queries.results import result_page
from results.queries.sorting import SORTS
from results.queries.summary import summary
from results.queries.visibility import visible_evaluations

CHUNK = 5_000
RUNS, PROVIDERS, TASKS, TAG_SETS = 30, 9, 3_334, 300
SIX_FACETS = ("provider", "run", "suite", "category", "difficulty", "outcome")
REPEATS = 15


def make_dimensions() -> None:
    """The words that the synthetic results point to; ids count from 1 in this order."""
    words = [f"suite {n}" for n in range(8)] + [f"category {n}" for n in range(4)] + [f"level {n}" for n in range(4)]
    words += [f"tag {n}" for n in range(25)] + [f"model {n}" for n in range(RUNS)]
    words += [f"tool {n}" for n in range(6)] + [f"error title {n}" for n in range(5)] + ["USD"]
    Term.objects.bulk_create(Term(digest=word, text=word) for word in words)
    Provider.objects.bulk_create(Provider(digest=str(n), name=f"provider {n}") for n in range(PROVIDERS))
    Run.objects.bulk_create(
        Run(provider_id=n % PROVIDERS + 1, digest=str(n), name=f"run {n * 7 % RUNS}") for n in range(RUNS)
    )
    project = Project.objects.create(slug="bench", name="bench")
    Task.objects.bulk_create(
        Task(project=project, digest=str(n), name=f"task {n * 7919 % TASKS:05d}") for n in range(TASKS)
    )
    TagSet.objects.bulk_create(TagSet(digest=str(n)) for n in range(TAG_SETS))
    TagSetMember.objects.bulk_create(
        TagSetMember(tag_set_id=n + 1, position=place, term_id=17 + (n * (place + 3) + place * 7) % 25)
        for n in range(TAG_SETS)
        for place in range(1 + n % 4)
    )


def result_columns(evaluation_id: int, first: int, count: int, generator: np.random.Generator) -> dict[str, Any]:
    """The values of some results, by column; a column that is not named is unknown."""
    ordinal = np.arange(first, first + count)
    run = ordinal % RUNS
    task = (ordinal // RUNS + evaluation_id * 111) % TASKS
    outcome = generator.choice(4, count, p=(0.6, 0.28, 0.07, 0.05))
    return {
        "result_id": evaluation_id * 2**24 + ordinal,
        "evaluation_id": np.full(count, evaluation_id),
        "provider_id": run % PROVIDERS + 1,
        "run_id": run + 1,
        "run_version_id": run + 1,
        "model_id": run + 42,
        "task_id": task + 1,
        "task_version_id": task + 1,
        "suite_id": task % 8 + 1,
        "category_id": task % 4 + 9,
        "difficulty_id": np.where(task % 11 == 0, -1, task // 8 % 4 + 13),
        "tag_set_id": np.where(task % 13 == 0, -1, task % TAG_SETS + 1),
        "repeat": np.ones(count, dtype=int),
        "started_at_us": 1_700_000_000_000_000 + evaluation_id * 86_400_000_000 + ordinal * 1000,
        "started_at_source": np.ones(count, dtype=int),
        "trace_hash": generator.integers(-(2**62), 2**62, count),
        "error_title_id": np.where(outcome >= 2, generator.integers(78, 83, count), -1),
        "currency_id": np.where(run % 5 == 0, -1, 83),
        "outcome": outcome,
        "duration_ns": generator.lognormal(22, 1, count).astype(np.int64),
        "is_transient": np.where(outcome == 2, generator.integers(0, 2, count), -1),
        "has_validation": (outcome < 2).astype(int),
        "has_judge": (task % 3 == 0).astype(int),
        "is_error_usage_judge": np.zeros(count, dtype=int),
        "document_bytes": generator.integers(1500, 4000, count),
        "answer_input_tokens": np.where(outcome < 2, generator.integers(100, 20_000, count), -1),
        "answer_output_tokens": np.where(outcome < 2, generator.integers(10, 4_000, count), -1),
        "answer_cache_read_tokens": np.where(run % 3 == 0, generator.integers(0, 9_000, count), -1),
        "answer_input_accounting": np.where(run % 3 == 0, 1, 2),
        "error_input_tokens": np.where(outcome == 2, generator.integers(100, 9_000, count), -1),
        "validation_input_tokens": np.where(task % 3 == 0, generator.integers(100, 900, count), -1),
        "calls": np.where(task % 2 == 0, 3, 0),
        "calls_failed": np.where(task % 2 == 0, ordinal % 2, 0),
        "tool_calls": np.where(task % 2 == 0, 3, -1),
        "tool_set": np.where(task % 2 == 0, (task + 1) % 6 * 2 + (ordinal % 7 == 0), -1),
        "call_statuses": np.where(task % 2 == 0, np.where(ordinal % 7 == 0, 4, 2), 0),
        "cost_nano": np.where(run % 5 == 0, -1, generator.integers(10**5, 10**9, count)),
        "cost_reason": np.where(run % 5 == 0, 3, 1),
        "tool_duration_ns": np.where(task % 2 == 0, generator.integers(10**7, 10**9, count), -1),
    }


def rows_of(columns: tuple[Column, ...], values: dict[str, Any], count: int, nullable: bool = True) -> list[Row]:
    """Columns as tuples; -1 and columns that are not named become None, flags become true and false."""
    nothing = [None] * count
    lists = []
    for column in columns:
        if column.name not in values:
            lists.append(nothing)
            continue
        listed = values[column.name].tolist()
        has_gaps = nullable and column.name != "trace_hash" and bool((values[column.name] == -1).any())
        lists.append([None if value == -1 else value for value in listed] if has_gaps else listed)
    return list(zip(*lists, strict=True))


def tool_columns(evaluation_id: int, results: dict[str, Any], first_call: int, per_result: int) -> dict[str, Any]:
    """Calls of the results that have some: three each, of one to three tools."""
    with_tools = results["task_id"] % 2 == 1
    picked = {name: np.repeat(values[with_tools], per_result) for name, values in results.items()}
    count = len(picked["result_id"])
    place = np.arange(count) % per_result
    return {
        "result_id": picked["result_id"],
        "evaluation_id": picked["evaluation_id"],
        "call_id": evaluation_id * 2**32 + first_call + np.arange(count),
        "provider_id": picked["provider_id"],
        "run_id": picked["run_id"],
        "task_id": picked["task_id"],
        "outcome": picked["outcome"],
        "section": np.ones(count, dtype=int),
        "position": place,
        "tool_id": 72 + (picked["task_id"] + place) % 6,
        "status": np.where(picked["result_id"] % 2**24 % 7 == 0, 2, 1),
        "turn": place + 1,
        "duration_ns": picked["document_bytes"] * 1000,
        "wall_time_ns": picked["document_bytes"] * 1100,
        "is_timed_out": np.zeros(count, dtype=int),
        "calls": np.ones(count, dtype=int),
    }


def chunks(evaluation_id: int, results: int) -> Iterator[tuple[list[Row], list[Row], list[Row]]]:
    """The rows of one evaluation as a store would hand them over."""
    generator = np.random.default_rng(evaluation_id)
    made_calls = 0
    for first in range(0, results, CHUNK):
        count = min(CHUNK, results - first)
        values = result_columns(evaluation_id, first, count, generator)
        calls = tool_columns(evaluation_id, values, made_calls, 3)
        total = len(calls["result_id"])
        made_calls += total
        yield (
            rows_of(RESULT_COLUMNS, values, count),
            rows_of(CALL_COLUMNS, calls, total, nullable=False),
            rows_of(USE_COLUMNS, calls, total, nullable=False),
        )


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


def median_ms(work: Callable[[], object]) -> float:
    """The median of warm runs, with no answer remembered."""
    times = []
    for _ in range(REPEATS + 2):
        engine.forget_answers()
        began = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times[2:])


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


def show(label: str, milliseconds: float, target: str = "") -> None:
    """Print one figure."""
    print(f"  {label:44} {milliseconds:7.1f} ms {target}")


def report(title: str) -> None:
    """Print the medians of every question beside their targets."""
    listed = manifest.current()
    print(f"\n{title}: {'a base' if listed.base else 'no base'} and {len(listed.deltas)} deltas")
    visible = visible_evaluations()
    everything, one_suite = ResultFilter(), ResultFilter(suite=Choice(("suite 1",)))
    narrow = ResultFilter(suite=Choice(("suite 1", "suite 2")), run=Choice(("run 1", "run 2", "run 3")))
    for label, chosen in (("no filter", everything), ("one suite", one_suite), ("two suites, three runs", narrow)):
        show(f"six facets, {label}", median_ms(partial(facets, visible, chosen, SIX_FACETS)), "(≤ 60)")
        show(f"all facets, {label}", median_ms(partial(facets, visible, chosen)))
    sorts = [sign + name for name in SORTS for sign in ("", "-")]
    tops = {sort: median_ms(partial(result_page, visible, everything, sort)) for sort in sorts}
    print("  top 50 by " + ", ".join(f"{sort} {took:.1f}" for sort, took in tops.items()))
    slowest = max(tops, key=lambda sort: tops[sort])
    show(f"top 50 by any column, the slowest: {slowest}", tops[slowest], "(≤ 20)")
    show("top 50 by -duration, one suite", median_ms(partial(result_page, visible, one_suite, "-duration")), "(≤ 20)")
    show("page 500 by -duration", median_ms(partial(result_page, visible, everything, "-duration", 500)))
    for names in (("run",), ("provider", "run"), ("suite", "difficulty"), ("tag",)):
        took = median_ms(partial(summary, visible, everything, names, ("duration",)))
        show(f"counts, rates, p50 and p95 by {', '.join(names)}", took, "(≤ 80)" if names == ("run",) else "")
    show("all measures by run", median_ms(partial(summary, visible, everything, ("run",))))


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
    slowest = 0.0
    for _ in range(300):
        import_evaluation(results // 300)
        began = time.perf_counter()
        compact_if_needed()
        slowest = max(slowest, time.perf_counter() - began)
    print(f"\nslowest compaction of 300 imports: {slowest:.1f} s")
    report(f"{results:,} results after 300 imports")
    connection = plain_sqlite(results)
    print("\nplain SQLite, one table, no index:")
    for name in ("run_id", "suite_id"):
        sql = f"SELECT {name}, outcome, count(*), sum(duration_ns) FROM result GROUP BY 1, 2"
        show(f"GROUP BY {name}, outcome", median_ms(partial(all_rows, connection, sql)))


if __name__ == "__main__":
    main()
