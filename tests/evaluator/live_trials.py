"""Small live trials for tests: two files, models that answer at once, and the work done in this process."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from evaluator import live
from evaluator.engine.trials.configuration import FileText
from evaluator.engine.trials.definitions import ProviderDefinition, RunDefinition, TaskDefinition
from evaluator.engine.trials.interfaces import Answer, Asker, Toolbox
from evaluator.live_services import Services
from evaluator.live_work import TrialStep, run_trial
from results.filters import ResultFilter
from results.models.results import Result
from results.queries.summary import summary
from results.queries.visibility import visible_evaluations
from tests.evaluator.trials.doubles import FakeAsker, FakeAskers, FakeValidators, always, an_answer

KEY = "sk-a-literal-key-of-ours"
CONFIG = f"""\
config:
  providers:
    - name: openai
      client-config: {{api-key: {KEY}}}
      runs:
        - {{name: quick, model: gpt-6-mini}}
        - {{name: off, model: gpt-6, disabled: true}}
        - {{name: slow, model: gpt-6}}
    - name: anthropic
      client-config: {{api-key: "${{ANTHROPIC_API_KEY}}"}}
      runs: [{{name: opus, model: claude-opus-5}}]
    - name: openai
      client-config: {{api-key: {KEY}}}
      runs: [{{name: quick, model: gpt-6-mini}}]
"""
TASKS = """\
task-config:
  tasks:
    - {name: sum, prompt: 2 + 2?, response-result-format: a number, expected-result: "4", suite: math}
    - {name: hidden, prompt: x, response-result-format: x, expected-result: x, disabled: true}
    - {name: wrong, prompt: 2 + 3?, response-result-format: a number, expected-result: "5"}
    - {name: last, prompt: 3 + 1?, response-result-format: a number, expected-result: "4"}
"""
ENVIRONMENT = {"ANTHROPIC_API_KEY": "sk-from-the-environment"}
KEYS = {"EVALBOARD_KEY_OPENAI": "sk-the-same-key-again"}  # for a resume


def order(**fields: object) -> live.TrialOrder:
    given: dict[str, object] = {
        "config": FileText("config.yaml", CONFIG),
        "tasks": FileText("tasks.yaml", TASKS),
        "folder": Path("/nowhere"),
        "environment": ENVIRONMENT,
        **fields,
    }
    return live.TrialOrder(**given)  # type: ignore[arg-type] # fields of it, by name


def services(askers: FakeAskers | None = None) -> Services:
    return Services(askers or FakeAskers(), lambda _definition: FakeValidators())


def run(queued: live.QueuedTrial, askers: FakeAskers | None = None) -> None:
    for job_id in queued.job_ids:
        run_trial(job_id, environment=ENVIRONMENT, services=services(askers))


class DiedError(BaseException):
    """The process is gone."""


def names_and_repeats(trial_id: int) -> list[tuple[str, str, int]]:
    found = Result.objects.filter(evaluation_id=trial_id).order_by("pk")
    return sorted(found.values_list("run_version__run__name", "task_version__task__name", "repeat"))


class SlowingAsker(FakeAsker):
    """Answers some tasks; the others take a minute, so that the trial is under way when it is stopped."""

    quick_ones = 1

    async def ask(self, task: TaskDefinition, toolbox: Toolbox | None) -> Answer:
        if len(self.asked) >= self.quick_ones:
            await asyncio.sleep(60)
        return await super().ask(task, toolbox)


class SlowingAskers(FakeAskers):
    def __call__(self, provider: ProviderDefinition, run: RunDefinition) -> Asker:
        del provider
        self.made[run.name] = SlowingAsker(always(an_answer()))
        return self.made[run.name]


def run_until_first(queued: live.QueuedTrial, end: Callable[[], object]) -> None:
    """Run the first job; once it has stored a result, do `end`."""

    def watch(step: TrialStep) -> None:
        if step.done:
            end()

    run_trial(queued.job_ids[0], watch, environment=ENVIRONMENT, services=services(SlowingAskers()))


def die() -> None:
    raise DiedError


def counted() -> dict[str | None, tuple[int, int]]:
    groups = summary(visible_evaluations(), ResultFilter(), ["run"], ())
    return {group.key[0]: (group.outcomes.passed, group.outcomes.failed) for group in groups}
