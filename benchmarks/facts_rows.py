"""Results made up for the benchmark of facts: rows as a store hands them over, and the words that they point to."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from results.facts.columns import CALL_COLUMNS, RESULT_COLUMNS, USE_COLUMNS, Column, Row
from results.models.dimensions import Provider, Run, RunVersion, TagSet, TagSetMember, Task, TaskVersion, Term
from results.models.projects import Project

CHUNK = 5_000
RUNS, PROVIDERS, TASKS, TAG_SETS = 30, 9, 3_334, 300


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
    RunVersion.objects.bulk_create(RunVersion(run_id=n + 1, digest=str(n), model_id=n + 42) for n in range(RUNS))
    TaskVersion.objects.bulk_create(
        TaskVersion(
            task_id=n + 1,
            digest=str(n),
            suite_id=n % 8 + 1,
            category_id=n % 4 + 9,
            difficulty_id=None if n % 11 == 0 else n // 8 % 4 + 13,
            tag_set_id=None if n % 13 == 0 else n % TAG_SETS + 1,
        )
        for n in range(TASKS)
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
