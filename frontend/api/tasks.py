"""Tasks: the list by difficulty, and one task through time."""

from django.http import HttpRequest
from ninja import Query, Router, Schema

from frontend.api.answers import ErrorAnswer, not_found
from frontend.api.asking import (
    USUAL_ROWS,
    Cursor,
    Exact,
    FilterQuery,
    Id,
    Json,
    Limit,
    asked_filter,
    known_word,
    next_cursor,
    page_at,
    visible,
)
from frontend.api.money import Costs, costs_of
from results.queries.task_history import task_history
from results.queries.task_lines import TaskLine
from results.queries.task_list import HARDEST, TASK_SORTS, task_page
from results.queries.task_strips import TaskRun

router = Router(tags=["tasks"])


class TaskAnswer(Schema):
    """One task with its counted results; copies of a result in other evaluations count once, in the oldest."""

    id: int
    name: str
    project: str
    suite: str | None
    category: str | None
    difficulty: str | None
    n: int
    passed: int
    failed: int
    error: int
    skipped: int
    pass_rate: float | None
    runs: int
    evaluations: int
    flips: int
    flip_steps: int
    median_duration_ns: Exact | None
    costs: Costs


class TaskList(Schema):
    """One page of tasks."""

    items: list[TaskAnswer]
    count: int
    next: str | None


class TaskMarkAnswer(Schema):
    """One result of a task."""

    result_id: int
    evaluation_id: int
    outcome: str
    repeat: int


class TaskRunAnswer(Schema):
    """One run at a task, its results the earliest evaluation first."""

    id: int
    provider: str
    run: str
    n: int
    passed: int
    pass_rate: float | None
    flips: int
    flip_steps: int
    results: list[TaskMarkAnswer]


class TaskHistoryAnswer(Schema):
    """A task through time."""

    id: int
    name: str
    project: str
    n: int
    passed: int
    pass_rate: float | None
    copies_left_out: int
    runs: list[TaskRunAnswer]


@router.get("", response={200: TaskList, 422: ErrorAnswer})
def list_tasks(
    request: HttpRequest,
    filters: Query[FilterQuery],  # type: ignore[valid-type]  # noqa: ARG001
    sort: str = HARDEST,
    cursor: Cursor = "",
    limit: Limit = USUAL_ROWS,
) -> Json:
    """The tasks that the filter's results are about, the hardest first."""
    asked = asked_filter(request, "sort", "cursor", "limit")
    known_word(sort.removeprefix("-"), TASK_SORTS, "query.sort")
    found = task_page(visible(request), asked, sort, page_at(cursor, limit), limit)
    items = [_task(line) for line in found.rows]
    return {"items": items, "count": found.total, "next": next_cursor(found.page, found.pages, limit)}


@router.get("/{task_id}/history", response={200: TaskHistoryAnswer, 404: ErrorAnswer, 422: ErrorAnswer})
def show_history(request: HttpRequest, task_id: Id, filters: Query[FilterQuery]) -> Json:  # type: ignore[valid-type]  # noqa: ARG001
    """One task through time, of the results that the filter lets through."""
    found = task_history(visible(request), task_id, asked_filter(request))
    if found is None:
        raise not_found("task", task_id)
    return {
        "id": found.id,
        "name": found.name,
        "project": found.project,
        "n": found.outcomes.counted,
        "passed": found.outcomes.passed,
        "pass_rate": found.outcomes.pass_rate.value,
        "copies_left_out": found.copies,
        "runs": [_run(run) for run in found.runs],
    }


def _task(line: TaskLine) -> dict[str, Json]:
    outcomes = line.outcomes
    return {
        **{name: getattr(line, name) for name in ("id", "name", "project", "suite", "category", "difficulty")},
        "n": outcomes.counted,
        "passed": outcomes.passed,
        "failed": outcomes.failed,
        "error": outcomes.errors,
        "skipped": outcomes.skipped,
        "pass_rate": outcomes.pass_rate.value,
        "runs": line.runs,
        "evaluations": line.evaluations,
        "flips": line.flips.count,
        "flip_steps": line.flips.steps,
        "median_duration_ns": line.median_ns,
        "costs": costs_of(line.costs),
    }


def _run(run: TaskRun) -> dict[str, Json]:
    return {
        "id": run.id,
        "provider": run.provider,
        "run": run.run,
        "n": run.outcomes.counted,
        "passed": run.outcomes.passed,
        "pass_rate": run.outcomes.pass_rate.value,
        "flips": run.flips.count,
        "flip_steps": run.flips.steps,
        "results": [
            {"result_id": mark.id, "evaluation_id": cell.evaluation_id, "outcome": mark.outcome, "repeat": mark.repeat}
            for cell in run.cells
            for mark in cell.marks
        ],
    }
