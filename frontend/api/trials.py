"""Live trials: begun from two files, listed, read, cancelled, resumed, and run again in part."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated

from django.conf import settings
from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import Field

from evaluator import live
from evaluator.engine.trials.configuration import FileText, understand
from evaluator.engine.trials.configuration_keys import take_out_keys
from evaluator.engine.trials.configuration_nodes import ConfigurationError
from evaluator.engine.trials.preflight import PreflightError
from evaluator.engine.trials.task_files import Folders
from evaluator.jobs import send
from evaluator.management.trial_choice import NoMatchError, chosen_runs, chosen_tasks
from frontend.api.answers import ApiError, ErrorAnswer, not_found
from frontend.api.asking import USUAL_ROWS, Body, Cursor, Id, Json, Limit, next_cursor, page_at, visible
from frontend.api.jobs import ACCEPTED, ProjectSlug
from results.archives import place_below
from results.importers.source import ImportRefused
from results.names import storable
from results.queries.trial_list import TrialRow, is_trial, trial_page
from results.queries.trials import RerunKind, places_to_rerun, trial_progress
from results.statistics import OutcomeCounts

MOST_CHARACTERS = 1_000_000  # of a file
MOST_PATTERNS = 1_000
OUTCOMES = ("passed", "failed", "error", "skipped")
UNPROCESSABLE, CONFLICT = 422, 409
NO_FILES = "no-files"  # below var/trials, and never there: what tasks name is then missing

Text = Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS)]
Name = Annotated[str, Field(min_length=1, max_length=1_000)]
Patterns = Annotated[list[str], Field(max_length=MOST_PATTERNS, description="with `*` and `?`; none = all enabled")]
Keys = Annotated[
    dict[str, Annotated[str, Field(max_length=10_000)]],
    Field(max_length=100, description="API keys by the names that stand for them in the file as `${NAME}`"),
]


class TrialRequest(Body):
    """MindTrial's two files as text, and what of them is run. A key that stands in the file is taken out first."""

    config: Text
    tasks: Text
    config_name: Name = "config.yaml"
    tasks_name: Name = "tasks.yaml"
    folder: str = Field(default="", max_length=4_000, description="of the server, where the tasks' files start")
    project: ProjectSlug = "default"
    name: str = Field(default="", max_length=10_000, description="of the evaluation; empty = the file's name")
    runs: Patterns = []
    task_names: Patterns = []
    parallel: int = Field(default=1, ge=1, le=live.MOST_PARALLEL, description="tasks of one run at a time")
    keep_keys: bool = Field(default=False, description="keys are kept after the end, for a resume")
    keys: Keys = {}


class ResumeRequest(Body):
    """Keys that nobody knows any more."""

    keys: Keys = {}


class RerunRequest(Body):
    """Which results are made again."""

    kind: RerunKind = Field(strict=False)
    keys: Keys = {}


class TrialAnswer(Schema):
    """One trial; its id is that of its evaluation. `done` of `total` results are there, `not_run` are not."""

    id: int
    name: str
    project: str
    state: str
    reason: str
    is_waiting: bool
    done: int
    total: int
    not_run: int
    passed: int
    failed: int
    error: int
    skipped: int
    started_at: datetime | None
    ended_at: datetime | None


class TrialRunAnswer(Schema):
    """One run of a trial."""

    provider: str
    run: str
    model: str
    done: int
    total: int
    passed: int
    failed: int
    error: int
    skipped: int


class TrialDetail(TrialAnswer):
    """One trial with its runs; null = nobody knows. `keys_asked` are names that a resume has to bring keys for."""

    is_cancel_requested: bool
    seconds_left: float | None
    rerun_of: int | None
    reruns: list[int]
    jobs: list[int]
    config_name: str
    tasks_name: str
    keys_asked: list[str]
    runs: list[TrialRunAnswer]


class TrialList(Schema):
    """One page of trials, the newest first."""

    items: list[TrialAnswer]
    count: int
    next: str | None


router = Router(tags=["trials"])
MISSING = {404: ErrorAnswer, 422: ErrorAnswer}
CHANGED = {202: TrialDetail, 400: ErrorAnswer, 409: ErrorAnswer, 413: ErrorAnswer, **MISSING}


@router.get("", response={200: TrialList, 422: ErrorAnswer})
def list_trials(request: HttpRequest, cursor: Cursor = "", limit: Limit = USUAL_ROWS) -> Json:
    """The trials, the newest first."""
    page = page_at(cursor, limit)
    found = trial_page(visible(request), page, limit)
    pages = -(-found.total // limit)
    items = [_item(row) for row in found.rows] if page <= max(pages, 1) else []
    return {"items": items, "count": found.total, "next": next_cursor(page, pages, limit)}


@router.post("", response={202: TrialDetail, 400: ErrorAnswer, 413: ErrorAnswer, 422: ErrorAnswer})
def begin_trial(request: HttpRequest, asked: TrialRequest) -> Status[Json]:
    """Begin a trial; nothing is kept when something is wrong with its files."""
    return _begun(request, lambda: live.queue_trial(_order(asked)), UNPROCESSABLE)


@router.get("/{trial_id}", response={200: TrialDetail, **MISSING})
def show_trial(request: HttpRequest, trial_id: Id) -> Json:
    """One trial: how far it is, run by run."""
    return _detail(request, trial_id)


@router.post("/{trial_id}/cancel", response={202: TrialDetail, 409: ErrorAnswer, **MISSING})
def cancel_trial(request: HttpRequest, trial_id: Id) -> Status[Json]:
    """Ask a trial to stop: what is finished stays, what is under way or not begun counts as not run."""
    _check(request, trial_id)
    if not live.cancel_trial(trial_id):
        raise ApiError(409, "ended", f"Trial {trial_id} had ended already.", "path.trial_id")
    return Status(ACCEPTED, _detail(request, trial_id))


@router.post("/{trial_id}/resume", response=CHANGED)
def resume_trial(request: HttpRequest, trial_id: Id, asked: ResumeRequest) -> Status[Json]:
    """Let a cancelled trial go on with what it is not done with."""
    _check(request, trial_id)
    return _begun(request, lambda: live.resume_trial(trial_id, asked.keys), CONFLICT)


@router.post("/{trial_id}/rerun", response=CHANGED)
def rerun_trial(request: HttpRequest, trial_id: Id, asked: RerunRequest) -> Status[Json]:
    """Make some results again in a trial of their own, which is the answer; merging the two replaces the old ones."""
    _check(request, trial_id)
    places = places_to_rerun(trial_id, asked.kind)
    return _begun(request, lambda: live.queue_trial(live.rerun_order(trial_id, places, asked.keys)), CONFLICT)


def _order(asked: TrialRequest) -> live.TrialOrder:
    folder = _folder(asked.folder)
    keyed = take_out_keys(storable(asked.config_name), asked.config)
    keys = {**asked.keys, **keyed.secrets}
    config, tasks = FileText(storable(asked.config_name), keyed.text), FileText(storable(asked.tasks_name), asked.tasks)
    whole = understand(config, tasks, {**live.open_environment(), **keys}, Folders(folder))
    return live.TrialOrder(
        config=config,
        tasks=tasks,
        folder=folder,
        project=asked.project,
        name=asked.name,
        runs=chosen_runs(whole, asked.runs),
        task_names=chosen_tasks(whole, asked.task_names),
        parallel_per_run=asked.parallel,
        keeps_keys=asked.keep_keys,
        keys=keys,
    )


def _folder(path: str) -> Path:
    """A folder that the operator allows; where none is named, one that is not there."""
    if not path:
        return Path(settings.VAR_DIR) / "trials" / NO_FILES
    try:
        found = place_below(Path(path), settings.IMPORT_ROOTS)
        wrong = "" if found.is_dir() else f"There is no folder {path} on the server."
    except (ImportRefused, OSError, ValueError) as error:
        wrong = str(error)
    if wrong:
        raise ApiError(422, "invalid", wrong, "body.folder")
    return found


def _begun(request: HttpRequest, begin: Callable[[], live.QueuedTrial], refused: int) -> Status[Json]:
    try:
        queued = begin()
    except NoMatchError as error:
        raise ApiError(422, "invalid", str(error), "body") from error
    except live.TrialRefused as error:
        raise ApiError(
            refused, "refused", str(error), "body" if refused == UNPROCESSABLE else "path.trial_id"
        ) from error
    except (ConfigurationError, PreflightError) as error:
        raise ApiError(422, "invalid_files", str(error), "body") from error
    for job_id in queued.job_ids:
        send(job_id)
    return Status(ACCEPTED, _detail(request, queued.trial_id))


def _check(request: HttpRequest, trial_id: int) -> None:
    if not is_trial(visible(request), trial_id):
        raise not_found("trial", trial_id)


def _detail(request: HttpRequest, trial_id: int) -> Json:
    found = trial_progress(trial_id) if is_trial(visible(request), trial_id) else None
    if found is None:
        raise not_found("trial", trial_id)
    runs = [
        {
            "provider": line.run.provider,
            "run": line.run.run,
            "model": line.run.model,
            "done": line.done,
            "total": line.total,
            **_outcome_counts(line.outcomes),
        }
        for line in found.runs
    ]
    return {
        **{name: getattr(found, name) for name in TrialAnswer.model_fields if name not in OUTCOMES},
        **{name: sum(run[name] for run in runs) for name in OUTCOMES},
        "is_cancel_requested": found.is_cancel_requested,
        "seconds_left": found.seconds_left,
        "rerun_of": found.rerun_of,
        "reruns": found.reruns,
        "jobs": found.job_ids,
        "config_name": found.config_name,
        "tasks_name": found.tasks_name,
        "keys_asked": live.asked_keys(trial_id),
        "runs": runs,
    }


def _item(row: TrialRow) -> Json:
    return {
        **{name: getattr(row, name) for name in ("id", "name", "project", "state", "reason", "is_waiting", "total")},
        **_outcome_counts(row.outcomes),
        "done": row.outcomes.total,
        "not_run": row.not_run,
        "started_at": row.began_at,
        "ended_at": row.ended_at,
    }


def _outcome_counts(outcomes: OutcomeCounts) -> dict[str, int]:
    counts = (outcomes.passed, outcomes.failed, outcomes.errors, outcomes.skipped)
    return dict(zip(OUTCOMES, counts, strict=True))
