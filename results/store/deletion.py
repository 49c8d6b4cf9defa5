"""Deleting an evaluation: hidden at once, then removed in short transactions with everything it brought."""

from collections.abc import Callable, Sequence

from django.db import models, transaction

from results.facts import manifest
from results.models.dimensions import Provider, Run, RunVersion, TagSet, Task, TaskVersion, Term
from results.models.evaluations import (
    CALLS_PER_EVALUATION,
    RESULTS_PER_EVALUATION,
    Evaluation,
    EvaluationRun,
    EvaluationState,
    EvaluationTask,
    EvaluationTerm,
)
from results.models.results import Result, ResultDocument, Score, ToolCall, ToolUse
from results.store.dimensions import lock_dimensions
from results.store.upsert import SQL_VALUES
from results.text import index

IDS_PER_STEP = 5_000  # ids removed in one transaction: about 50 ms on SQLite, so other writers wait no longer

TABLES: tuple[tuple[type[models.Model], int], ...] = (
    (ToolCall, CALLS_PER_EVALUATION),
    (ToolUse, CALLS_PER_EVALUATION),
    (Score, CALLS_PER_EVALUATION),
    (ResultDocument, RESULTS_PER_EVALUATION),
    (Result, RESULTS_PER_EVALUATION),
)


def hide(evaluation_id: int) -> bool:
    """Take an evaluation out of sight at once; `remove` does the rest, now or after a crash.

    Returns:
        False when there is no such evaluation.
    """
    hidden = Evaluation.objects.filter(pk=evaluation_id).update(state=EvaluationState.DELETING, is_baseline=False)
    return hidden == 1


def nothing() -> None:
    """Do nothing between steps."""


def remove(evaluation_id: int, between_steps: Callable[[], None] = nothing) -> None:
    """Remove a hidden evaluation and everything it brought; safe to interrupt, to repeat and to run twice at once.

    Args:
        evaluation_id: hidden before.
        between_steps: called after each transaction, so that a job can hold its lease.
    """
    manifest.forget(evaluation_id)
    for model, ids_per_evaluation in TABLES:
        low, high = evaluation_id * ids_per_evaluation, (evaluation_id + 1) * ids_per_evaluation
        _remove_range(model, low, high, between_steps)
    while _unlink_tasks(evaluation_id) or _unlink_runs(evaluation_id) or _unlink_terms(evaluation_id):
        pass
    Evaluation.objects.filter(pk=evaluation_id, state=EvaluationState.DELETING).delete()
    index.forget(evaluation_id)


def _remove_range(model: type[models.Model], low: int, high: int, between_steps: Callable[[], None]) -> None:
    rows = model._default_manager.filter(pk__gte=low, pk__lt=high)
    while (first := rows.order_by("pk").values_list("pk", flat=True).first()) is not None:
        rows.filter(pk__lt=first + IDS_PER_STEP).delete()
        between_steps()


def _take_links(model: type[models.Model], column: str, evaluation_id: int) -> list[int]:
    """Remove some of the evaluation's links and return the ids they led to."""
    links = dict(model._default_manager.filter(evaluation_id=evaluation_id).values_list("pk", column)[:SQL_VALUES])
    model._default_manager.filter(pk__in=list(links)).delete()
    return list(links.values())


def _delete_unused(
    model: type[models.Model], ids: Sequence[int], users: Sequence[tuple[type[models.Model], str]]
) -> None:
    """Delete the rows among `ids` that no row of the using tables points to."""
    unused = model._default_manager.filter(pk__in=list(ids))
    for user, column in users:
        unused = unused.exclude(models.Exists(user._default_manager.filter(**{column: models.OuterRef("pk")})))
    unused.delete()


def _unlink_tasks(evaluation_id: int) -> bool:
    with transaction.atomic():
        lock_dimensions(alone=True)
        versions = _take_links(EvaluationTask, "task_version_id", evaluation_id)
        described = list(TaskVersion.objects.filter(pk__in=versions).values_list("task_id", "tag_set_id"))
        _delete_unused(TaskVersion, versions, [(EvaluationTask, "task_version_id")])
        _delete_unused(Task, [task for task, _ in described], [(TaskVersion, "task_id")])
        tag_sets = [tag_set for _, tag_set in described if tag_set is not None]
        _delete_unused(TagSet, tag_sets, [(TaskVersion, "tag_set_id")])
    return bool(versions)


def _unlink_runs(evaluation_id: int) -> bool:
    with transaction.atomic():
        lock_dimensions(alone=True)
        versions = _take_links(EvaluationRun, "run_version_id", evaluation_id)
        runs = dict(RunVersion.objects.filter(pk__in=versions).values_list("run_id", "run__provider_id"))
        _delete_unused(RunVersion, versions, [(EvaluationRun, "run_version_id")])
        _delete_unused(Run, list(runs), [(RunVersion, "run_id")])
        _delete_unused(Provider, list(runs.values()), [(Run, "provider_id")])
    return bool(versions)


def _unlink_terms(evaluation_id: int) -> bool:
    with transaction.atomic():
        lock_dimensions(alone=True)
        terms = _take_links(EvaluationTerm, "term_id", evaluation_id)
        _delete_unused(Term, terms, [(EvaluationTerm, "term_id")])
    return bool(terms)
