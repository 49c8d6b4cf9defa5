"""Small live trials for tests: two files, models that answer at once, and the work done in this process."""

from pathlib import Path

from evaluator import live
from evaluator.engine.trials.configuration import FileText
from evaluator.live_services import Services
from evaluator.live_work import run_trial
from tests.evaluator.trials.doubles import FakeAskers, FakeValidators

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
