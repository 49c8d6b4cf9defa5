"""Figures of filtered results: a summary by group, and the tasks × runs matrix of an evaluation."""

from django.http import HttpRequest
from ninja import Query, Router, Schema

from frontend.api.answers import ApiError, ErrorAnswer, not_found
from frontend.api.asking import Exact, FilterQuery, Json, asked_filter, listed, require_known, visible
from results.models.results import Outcome
from results.queries.group_figures import MEASURES, GroupFigures, group_figures
from results.queries.grouping import GROUPS
from results.queries.outcome_grid import OutcomeGrid, outcome_grid
from results.queries.summary import Measure
from results.queries.visibility import VisibleSet

UNITS = {"duration": "duration_ns"}  # measures whose name does not say the unit
MOST_CELLS = 1_000_000  # of a matrix in one answer

summary_router = Router(tags=["figures"])
matrix_router = Router(tags=["figures"])


class MeasureAnswer(Schema):
    """One quantity over the counted results of a group; all but the counts are null where nothing is known."""

    sum: int | None
    median: Exact | None
    p95: Exact | None
    stdev: float | None
    known: int
    unknown: int


class AmountAnswer(Schema):
    """What the priced results of one currency cost; null = the currency is not said."""

    currency: str | None
    sum: Exact
    priced: int
    per_pass: Exact | None


class GroupAnswer(Schema):
    """One group. `n` leaves skipped results out; rates lie in [0, 1] and are null without a denominator."""

    key: dict[str, str | None]
    n: int
    passed: int
    failed: int
    error: int
    skipped: int
    pass_rate: float | None
    pass_rate_interval: list[float] | None
    accuracy: float | None
    error_rate: float | None
    duration_ns: MeasureAnswer
    input_tokens: MeasureAnswer
    output_tokens: MeasureAnswer
    judge_input_tokens: MeasureAnswer
    judge_output_tokens: MeasureAnswer
    cache_read_tokens: MeasureAnswer
    cache_write_tokens: MeasureAnswer
    reasoning_tokens: MeasureAnswer
    tool_calls: MeasureAnswer
    costs: list[AmountAnswer]
    unpriced: int


class Summary(Schema):
    """The groups, in order of their keys."""

    groups: list[GroupAnswer]


class MatrixRun(Schema):
    """A column of a matrix."""

    id: int
    provider: str
    name: str


class MatrixTask(Schema):
    """A row of a matrix."""

    id: int
    name: str


class MatrixCell(Schema):
    """One result; `task` and `run` are places in the lists, from 0."""

    task: int
    run: int
    result_id: int
    outcome: str
    repeat: int


class Matrix(Schema):
    """The results of one evaluation, a cell each."""

    runs: list[MatrixRun]
    tasks: list[MatrixTask]
    cells: list[MatrixCell]


@summary_router.get("", response={200: Summary, 422: ErrorAnswer})
def summarize(
    request: HttpRequest,
    filters: Query[FilterQuery],  # type: ignore[valid-type]  # noqa: ARG001
    group_by: str = "provider,run",
) -> Json:
    """Counts, rates, model time, tokens, tool calls and costs of what the filter lets through, by group."""
    asked = asked_filter(request, "group_by")
    names = require_known(listed(group_by), GROUPS, "query.group_by")
    (level,) = group_figures(visible(request), asked, [names])
    return {"groups": [_group(names, group) for group in level.selected]}


@matrix_router.get("", response={200: Matrix, 404: ErrorAnswer, 422: ErrorAnswer})
def show_matrix(request: HttpRequest, filters: Query[FilterQuery]) -> Json:  # type: ignore[valid-type]  # noqa: ARG001
    """The tasks × runs matrix of one evaluation, named by `evaluation`, of the results that the filter lets through."""
    asked = asked_filter(request)
    named = asked.evaluation.included
    if len(named) != 1 or asked.evaluation.excluded:
        raise ApiError(422, "invalid", "A matrix is of one evaluation: evaluation=ID.", "query.evaluation")
    evaluation_id = int(named[0] or 0)
    if evaluation_id not in visible(request).evaluation_ids:
        raise not_found("evaluation", evaluation_id)
    grid = outcome_grid(VisibleSet.of(frozenset({evaluation_id})), asked)
    if len(grid.task) > MOST_CELLS:
        message = f"The matrix has {len(grid.task)} cells; narrow the filter to {MOST_CELLS}."
        raise ApiError(422, "too_large", message, "query")
    return {"runs": grid.runs, "tasks": grid.tasks, "cells": _cells(grid)}


def _cells(grid: OutcomeGrid) -> list[dict[str, Json]]:
    columns = (grid.task, grid.run, grid.result_id, grid.outcome, grid.repeat)
    return [
        {"task": task, "run": run, "result_id": pk, "outcome": str(Outcome(outcome).label), "repeat": repeat}
        for task, run, pk, outcome, repeat in zip(*(column.tolist() for column in columns), strict=True)
    ]


def _group(names: tuple[str, ...], group: GroupFigures) -> dict[str, Json]:
    outcomes, costs, rate = group.outcomes, group.costs, group.outcomes.pass_rate
    return {
        "key": dict(zip(names, group.key, strict=True)),
        "n": outcomes.counted,
        "passed": outcomes.passed,
        "failed": outcomes.failed,
        "error": outcomes.errors,
        "skipped": outcomes.skipped,
        "pass_rate": rate.value,
        "pass_rate_interval": None if rate.low is None else [rate.low, rate.high],
        "accuracy": outcomes.accuracy.value,
        "error_rate": outcomes.error_rate.value,
        **{UNITS.get(name, name): _measure(group.measure(name)) for name in MEASURES},
        "costs": [
            {"currency": amount.currency, "sum": amount.total, "priced": amount.priced, "per_pass": amount.per_pass}
            for amount in (() if costs is None else costs.amounts)
        ],
        "unpriced": 0 if costs is None else costs.unpriced,
    }


def _measure(measure: Measure | None) -> dict[str, Json]:
    if measure is None:
        raise KeyError("every measure was asked for")
    return {
        "sum": measure.total,
        "median": measure.median,
        "p95": measure.p95,
        "stdev": measure.deviation if measure.known > 1 else None,
        "known": measure.known,
        "unknown": measure.unknown,
    }
