"""MindTrial's two files come to a trial with every default filled in and everything inherited as MindTrial does it."""

from dataclasses import replace
from pathlib import Path

import pytest

from evaluator.engine.trials.configuration import Configuration, RunChoice, load
from evaluator.engine.trials.configuration_nodes import ConfigurationError
from evaluator.engine.trials.definitions import (
    EnableFor,
    ImageDetail,
    RetryPolicy,
    RunDefinition,
    SystemPrompt,
    TaskFile,
    ToolLimits,
    TrialDefinition,
)

FILES = Path(__file__).parent / "files"
ENVIRONMENT = {
    "OPENAI_API_KEY": "sk-openai",
    "ROUTER_KEY": "sk-router",
    "EVALBOARD_ENDPOINT_ROUTER": "127.0.0.1",
    "ANTHROPIC_API_KEY": "sk-anthropic",
    "JUDGE_KEY": "sk-judge",
}


@pytest.fixture(scope="module")
def whole() -> Configuration:
    return load(FILES / "config.yaml", None, ENVIRONMENT)


@pytest.fixture(scope="module")
def trial(whole: Configuration) -> TrialDefinition:
    return whole.picked()


def test_runs_inherit_the_retry_policy_as_a_whole_and_the_switch(trial: TrialDefinition) -> None:
    openai, router, _ = trial.providers

    assert openai.runs == (
        RunDefinition(
            provider="openai",
            name="inherits",
            model="gpt-5-mini",
            max_requests_per_minute=20,
            parameters={
                "reasoning-effort": "high",
                "verbosity": "low",
                "temperature": 1,
                "max-completion-tokens": 4096,
            },
            retry=RetryPolicy(5, 30.0),
        ),
        RunDefinition(
            provider="openai",
            name="own policy",
            model="4.5",
            is_text_only=True,
            is_structured=False,
            retry=RetryPolicy(1, 0.0),
        ),
    )
    assert [run.name for run in router.runs] == ["switched on"]


def test_extra_parameters_are_kept_where_the_service_takes_any(trial: TrialDefinition) -> None:
    router = trial.providers[1]

    assert router.runs[0].parameters == {
        "response-format": "json-object",
        "min-p": 0.05,
        "max-tokens": 100,
        "server-tools": [{"type": "openrouter:fusion", "parameters": {"depth": 2}}],
        "reasoning_effort": "xhigh",
        "provider": {"order": ["a", "b"], "allow_fallbacks": "no"},
    }
    assert router.max_parallel_requests_per_minute == 60


def test_keys_come_from_the_environment_and_never_show(trial: TrialDefinition) -> None:
    clients = [provider.client for provider in (*trial.providers, trial.judges[0].provider)]

    assert [(client.api_key.value, str(client.api_key)) for client in clients] == [
        ("sk-openai", "${OPENAI_API_KEY}"),
        ("sk-router", "${ROUTER_KEY}"),
        ("sk-anthropic", "${ANTHROPIC_API_KEY}"),
        ("sk-judge", "${JUDGE_KEY}"),
    ]
    assert "sk-" not in repr(trial)


def test_a_client_has_an_endpoint_and_a_time_limit(trial: TrialDefinition) -> None:
    openai, router, anthropic = (provider.client for provider in trial.providers)

    assert (openai.endpoint, openai.request_timeout_seconds) == (None, None)
    assert (router.endpoint, router.request_timeout_seconds) == ("http://127.0.0.1:8080/v1", 90.0)
    assert anthropic.request_timeout_seconds == 900.0


def test_a_judge_keeps_its_enabled_variants_and_merges_by_anchor(trial: TrialDefinition) -> None:
    (judge,) = trial.judges

    assert [(run.name, run.retry) for run in judge.provider.runs] == [("fast", RetryPolicy(2, 30.0))]
    assert judge.provider.runs[0].parameters == {"temperature": 0.2, "random-seed": 847629}


def test_a_tool_has_its_schema_and_its_container(trial: TrialDefinition) -> None:
    (tool,) = trial.tools

    assert tool.parameters["required"] == ["code"]
    assert (tool.command, tool.environment) == (("python", "/app/main.py"), {"PYTHONHASHSEED": "847629"})
    assert (tool.parameter_files, tool.auxiliary_dir, tool.shared_dir) == (
        {"code": "/app/main.py"},
        "/app/data",
        "/app/shared",
    )


def test_a_task_that_says_little_inherits_the_rest(trial: TrialDefinition) -> None:
    task = trial.tasks[0]

    assert (task.answer_format.instruction, task.answer_format.schema, task.accepted) == ("a number", None, ("4",))
    assert (task.rules.is_case_sensitive, task.rules.ignores_whitespace, task.rules.judge) == (True, False, None)
    assert task.system_prompt == SystemPrompt("Format: {{.ResponseResultFormat}}", EnableFor.TEXT)
    assert (task.tools, task.max_turns, task.files) == ((), 100, ())
    assert (task.suite, task.category, task.difficulty, task.tags) == ("counting", "math", "easy", ("small", "2024"))


def test_what_a_task_says_stands_over_what_all_share_leaf_by_leaf(trial: TrialDefinition) -> None:
    task = trial.tasks[1]

    assert task.accepted == ("yes", "2024-01-02")
    assert (task.rules.is_case_sensitive, task.rules.trims_lines) == (False, True)
    judge = task.rules.judge
    assert judge is not None
    assert (judge.name, judge.variant) == ("default", "fast")
    assert judge.prompt is not None
    assert judge.prompt.passing_verdicts == ({"correct": True},)
    assert task.system_prompt == SystemPrompt("Format: {{.ResponseResultFormat}}", EnableFor.ALL)
    assert task.tools == (ToolLimits("python", 10, 90.0, 512, 25),)  # `other` inherits the selector's switch
    assert task.max_turns == 0
    assert task.files == (
        TaskFile("points.csv", str(FILES / "data/points.csv"), "text/csv", ImageDetail.LOW),
        TaskFile("picture", "https://example.com/picture.png", None, ImageDetail.ORIGINAL),
    )


def test_a_list_of_lists_is_a_list_of_accepted_lists(trial: TrialDefinition) -> None:
    assert trial.tasks[2].accepted == ([1, 16, 15], [1000])


def test_disabled_ones_are_listed_and_may_be_picked(whole: Configuration) -> None:
    chosen = whole.picked([RunChoice(1, "inherits the switch"), RunChoice(0, "switched off")], ["structured"])

    assert [(provider.name, [run.name for run in provider.runs]) for provider in chosen.providers] == [
        ("openai", ["switched off"]),
        ("openrouter", ["inherits the switch"]),
    ]
    assert [task.name for task in chosen.tasks] == ["structured"]
    assert [provider.disabled_runs for provider in whole.providers] == [
        {"switched off"},
        {"inherits the switch"},
        set(),
    ]
    assert [task.is_disabled for task in whole.tasks] == [False, False, False, True]


def test_only_what_is_picked_needs_its_keys_and_files() -> None:
    whole = load(FILES / "config.yaml", FILES / "tasks.yaml", {"OPENAI_API_KEY": "k"})

    assert whole.picked([RunChoice(0, "inherits")], ["structured"]).tasks
    with pytest.raises(ConfigurationError) as caught:
        whole.picked([RunChoice(1, "switched on")], ["says it all itself", "switched off"])

    assert [(problem.line, problem.wrong) for problem in caught.value.problems] == [
        (37, "the environment variable EVALBOARD_ENDPOINT_ROUTER is not set"),
        (36, "the key of openrouter is missing: ${ROUTER_KEY} is not set"),
        (65, "the key of mistralai is missing: ${JUDGE_KEY} is not set"),
        (86, f"the file {FILES / 'lost.png'} does not exist"),
    ]


def test_a_task_that_never_asks_for_a_system_prompt_says_so_without_a_template(tmp_path: Path) -> None:
    text = (FILES / "tasks.yaml").read_text().replace('    template: "Format: {{.ResponseResultFormat}}"\n', "    {}\n")
    (tmp_path / "tasks.yaml").write_text(text)

    tasks = load(FILES / "config.yaml", tmp_path / "tasks.yaml", ENVIRONMENT).tasks

    prompts = [task.definition.system_prompt for task in tasks]
    assert prompts[:2] == [None, None]  # the default one
    assert prompts[2] == replace(prompts[2] or SystemPrompt(""), enable_for=EnableFor.NONE)
