"""The second page of a new trial: runs and tasks are picked, and it says what they come to before anything is asked."""

from dataclasses import dataclass
from pathlib import Path

from django.http import QueryDict

from evaluator.engine.trials.configuration import Configuration, FileText
from evaluator.engine.trials.configuration_nodes import ConfigurationError
from evaluator.engine.trials.preflight import PreflightError
from evaluator.engine.trials.task_files import ListedTask
from evaluator.live import MOST_PARALLEL, TrialOrder
from evaluator.trial_drafts import Draft, check_picks
from frontend.contexts.shell import Shell
from frontend.contexts.trial_picks import Picks, Work, work_of
from frontend.contexts.trial_problems import ProblemLine, problem_lines
from frontend.contexts.trial_services import JudgeLine, ServiceLine, ToolLine, judge_lines, service_lines, tool_lines
from frontend.contexts.trial_tasks import TaskFilters
from results.queries.projects import project_slugs, usual_project
from results.queries.trial_estimate import Estimate, estimate
from results.queries.visibility import VisibleSet

MOST_TASKS = 200  # shown; the others are picked all the same
NOT_KEPT = ("csrfmiddlewaretoken", "do")  # what a form sends beside its fields


@dataclass(frozen=True)
class TaskLine:
    """A task that the filters let through.

    Attributes:
        is_run: it is picked; is_off: the file disables it.
        problem: what is in its way; empty = nothing.
    """

    place: int
    name: str
    suite: str
    category: str
    difficulty: str
    tags: tuple[str, ...]
    files: int
    is_judged: bool
    tools: tuple[str, ...]
    is_ticked: bool
    is_run: bool
    is_off: bool
    problem: str


@dataclass(frozen=True)
class StartFields:
    """What is asked for beside the picks, as it was filled in."""

    name: str
    parallel: str
    keeps_keys: bool

    @classmethod
    def read(cls, params: QueryDict) -> "StartFields":
        """The fields of a query or form."""
        return cls(params.get("name", "").strip(), params.get("parallel", "1")[:4], "keep_keys" in params)


@dataclass(frozen=True)
class TrialPickPage:
    """What `trial_pick.html` reads.

    Attributes:
        token: of the draft.
        asked_keys: names that stand for keys which have to be typed in.
        has_keys: keys stood in the file, or were typed in, so that it is asked whether they are kept.
        more: tasks that match and are not shown.
        hidden_ticks: ticks of tasks that are not shown, for the form to carry along.
        obstacles: what is in the way of the picks; refusals: why the trial was not started.
    """

    shell: Shell
    token: str
    config_name: str
    tasks_name: str
    services: tuple[ServiceLine, ...]
    asked_keys: tuple[str, ...]
    has_keys: bool
    filters: TaskFilters
    tasks: tuple[TaskLine, ...]
    of_tasks: int
    matching: int
    more: int
    hidden_ticks: tuple[int, ...]
    is_ticked_only: bool
    projects: tuple[str, ...]
    project: str
    work: Work
    estimate: Estimate
    judges: tuple[JudgeLine, ...]
    tools: tuple[ToolLine, ...]
    start: StartFields
    most_parallel: int
    obstacles: tuple[ProblemLine, ...]
    refusals: tuple[ProblemLine, ...]

    @classmethod
    def build(
        cls,
        shell: Shell,
        visible: VisibleSet,
        draft: Draft,
        params: QueryDict,
        refusals: tuple[ProblemLine, ...] = (),
    ) -> "TrialPickPage":
        """The page of a draft for a query with picks and filters.

        Args:
            shell: of the page.
            visible: evaluations whose results may be counted on.
            draft: the files.
            params: the page's query, or the form that could not start.
            refusals: why not.

        Raises:
            ConfigurationError: the files cannot be used any more.
        """
        params = state_of(params)
        whole = draft.understood()
        picks = Picks.read(whole, params)
        work, project = work_of(whole, picks), _project(params)
        picked = [task.definition for task in picks.tasks.values()]
        shown = dict(list(picks.shown.items())[:MOST_TASKS])
        return cls(
            shell=shell,
            token=draft.token,
            config_name=draft.config_name,
            tasks_name=draft.tasks_name,
            services=service_lines(whole, picks.runs),
            asked_keys=tuple(draft.asked_keys()),
            has_keys=bool(draft.keys),
            filters=TaskFilters.build([task.definition for task in whole.tasks], params),
            tasks=_task_lines(picks, shown),
            of_tasks=len(whole.tasks),
            matching=len(picks.shown),
            more=len(picks.shown) - len(shown),
            hidden_ticks=tuple(sorted(picks.ticks.difference(shown))),
            is_ticked_only=picks.is_ticked_only,
            projects=project_slugs(),
            project=project,
            work=work,
            estimate=estimate(visible, project, work.pairs),
            judges=judge_lines(whole, picked),
            tools=tool_lines(whole, picked),
            start=StartFields.read(params),
            most_parallel=MOST_PARALLEL,
            obstacles=_obstacles(whole, picks, work),
            refusals=refusals,
        )


def order_of(draft: Draft, form: QueryDict) -> TrialOrder:
    """What a form that starts asks for.

    Raises:
        ConfigurationError: the files cannot be used any more.
    """
    params, start = state_of(form), StartFields.read(form)
    whole = draft.understood()
    picks = Picks.read(whole, params)
    return TrialOrder(
        config=FileText(draft.config_name, draft.config_text),
        tasks=FileText(draft.tasks_name, draft.tasks_text),
        folder=Path(draft.folder),
        project=_project(params),
        name=start.name,
        runs=picks.run_choices(whole),
        task_names=picks.task_names(),
        parallel_per_run=int(start.parallel) if start.parallel.isascii() and start.parallel.isdigit() else 0,
        keeps_keys=start.keeps_keys,
        keys=draft.keys,
    )


def state_of(form: QueryDict) -> QueryDict:
    """What a form says, as the query of its page."""
    params = form.copy()
    for name in NOT_KEPT:
        params.pop(name, None)
    return params


def _project(params: QueryDict) -> str:
    return params.get("project", "").strip() or usual_project()


def _obstacles(whole: Configuration, picks: Picks, work: Work) -> tuple[ProblemLine, ...]:
    if not work.total:
        return ()
    try:
        check_picks(whole, picks.run_choices(whole), picks.task_names())
    except (ConfigurationError, PreflightError) as error:
        return problem_lines(error)
    return ()


def _task_lines(picks: Picks, shown: dict[int, ListedTask]) -> tuple[TaskLine, ...]:
    return tuple(
        TaskLine(
            place=place,
            name=task.definition.name,
            suite=task.definition.suite,
            category=task.definition.category,
            difficulty=task.definition.difficulty,
            tags=task.definition.tags,
            files=len(task.definition.files),
            is_judged=task.definition.rules.judge is not None,
            tools=tuple(limits.name for limits in task.definition.tools),
            is_ticked=place in picks.ticks,
            is_run=place in picks.tasks,
            is_off=task.is_disabled,
            problem="; ".join(problem.wrong for problem in task.problems),
        )
        for place, task in shown.items()
    )
