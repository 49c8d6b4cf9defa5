"""`bober.config.json`: what it may hold, and errors that name the wrong key."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaluator.engine.strategies.configuration import (
    Configuration,
    find_configuration,
    read_configuration,
)
from evaluator.engine.strategies.configuration_problems import ConfigurationError
from evaluator.engine.strategies.options import (
    ApiOptions,
    BuildOptions,
    CustomOptions,
    Endpoint,
    LintOptions,
    PlaywrightOptions,
    TestOptions,
    TypecheckOptions,
    WebServer,
)
from tests.evaluator.strategies.projects import write

PROJECT = {"name": "kiln", "mode": "greenfield"}


def read(folder: Path, **sections: Any) -> Configuration:
    document = {"project": PROJECT, **sections}
    return read_configuration(write(folder, {"bober.config.json": json.dumps(document)}) / "bober.config.json")


def strategies(*items: dict[str, Any]) -> dict[str, Any]:
    return {"strategies": list(items)}


def refusal(folder: Path, **sections: Any) -> str:
    with pytest.raises(ConfigurationError) as error:
        read(folder, **sections)
    return str(error.value)


SERVER = {"command": "npm run dev", "port": 3000, "reuseExistingServer": True, "timeout": 30000}
ENDPOINT = {"method": "POST", "path": "/api", "body": {"a": 1}, "expectedStatus": 201, "expectedBodyKeys": ["id"]}
API = {
    "baseUrl": "http://localhost:3000",
    "startServer": True,
    "serverCommand": "npm run dev",
    "serverReadyPattern": "listening on port",
    "serverTimeout": 15000,
    "endpoints": [ENDPOINT],
}
TESTS = {"coverage": False, "coverageThreshold": 80, "testMatch": "**/*.test.{ts,tsx}", "timeout": 30000}
CUSTOM = {"command": "node x.js", "maxSizeKb": 500, "parseOutput": "json", "passCondition": "output.passed === true"}
PLAYWRIGHT = {"project": "chromium", "retries": 1, "timeout": 60000, "webServer": SERVER}
EXAMPLES: dict[str, dict[str, Any]] = {  # as the document shows them
    "typecheck": {"tsconfig": "tsconfig.json", "strict": True},
    "lint": {"fix": False, "maxWarnings": -1},
    "unit-test": TESTS,
    "playwright": PLAYWRIGHT,
    "api-check": API,
    "build": {"outputDir": "dist", "verifyOutput": True},
    "custom": CUSTOM,
}


def test_the_documented_example_of_each_strategy_is_read(tmp_path: Path) -> None:
    listed = [{"type": kind, "required": True, "config": config} for kind, config in EXAMPLES.items()]
    found = read(tmp_path, evaluator=strategies(*listed))
    by_type = {choice.type: choice.options for choice in found.strategies}
    assert list(by_type) == ["build", "typecheck", "lint", "unit-test", "api-check", "playwright", "custom"]
    assert by_type == {
        "build": BuildOptions(output_dir="dist", verify_output=True),
        "typecheck": TypecheckOptions(tsconfig="tsconfig.json", strict=True),
        "lint": LintOptions(fix=False, max_warnings=-1),
        "unit-test": TestOptions(coverage_threshold=80, test_match="**/*.test.{ts,tsx}", timeout=30000),
        "api-check": ApiOptions(
            base_url="http://localhost:3000",
            start_server=True,
            server_command="npm run dev",
            server_ready_pattern="listening on port",
            server_timeout=15000,
            endpoints=(
                Endpoint(method="POST", path="/api", body={"a": 1}, expected_status=201, expected_body_keys=("id",)),
            ),
        ),
        "playwright": PlaywrightOptions(
            project="chromium",
            retries=1,
            timeout=60000,
            web_server=WebServer(command="npm run dev", port=3000, reuse_existing_server=True, timeout=30000),
        ),
        "custom": CustomOptions(command="node x.js", parse_output="json", pass_condition="output.passed === true"),
    }


def test_a_plugin_is_called_by_its_name_and_keeps_its_own_keys(tmp_path: Path) -> None:
    plugin = {"type": "custom", "required": False, "plugin": "check-bundle-size", "config": CUSTOM}
    (choice,) = read(tmp_path, evaluator=strategies(plugin)).strategies
    assert (choice.label, choice.own_command, choice.given) == ("check-bundle-size", "node x.js", CUSTOM)


@pytest.mark.parametrize(
    ("evaluator", "said"),
    [
        (
            strategies({"type": "lint", "required": True, "config": {"maxWarning": 0}}),
            "evaluator.strategies[0].config.maxWarning is not a key that is known here. Did you mean 'maxWarnings'?",
        ),
        (strategies({"type": "lint"}), "evaluator.strategies[0]: Object missing required field `required`"),
        (
            strategies({"type": "lint", "required": "yes"}),
            "evaluator.strategies[0].required: Expected `bool`, got `str`",
        ),
        (
            strategies({"type": "typechek", "required": True}),
            "evaluator.strategies[0].type is 'typechek', which is none of ",
        ),
        (
            strategies(
                {"type": "api-check", "required": True, "config": {"endpoints": [{"path": "/", "expectStatus": 1}]}}
            ),
            "evaluator.strategies[0].config.endpoints[0].expectStatus is not a key that is known here. Did",
        ),
        (strategies({"type": "custom", "required": True}), "evaluator.strategies[0].config.command is missing"),
        (
            strategies({"type": "unit-test", "required": True, "config": {"timeout": 0}}),
            "evaluator.strategies[0].config.timeout: Expected `int` >= 1",
        ),
        ({"strategy": []}, "evaluator.strategy is not a key that is known here. Did you mean 'strategies'?"),
    ],
)
def test_a_wrong_key_or_value_is_named(tmp_path: Path, evaluator: dict[str, Any], said: str) -> None:
    assert refusal(tmp_path, evaluator=evaluator).startswith(f"bober.config.json: {said}")


def test_a_wrong_command_and_a_wrong_section_are_named(tmp_path: Path) -> None:
    assert "commands.tests is not a key that is known here. Did you mean 'test'?" in refusal(
        tmp_path, commands={"tests": "x"}
    )
    assert "comands is not a key that is known here. Did you mean 'commands'?" in refusal(tmp_path, comands={})


def test_sections_of_agent_bober_that_are_not_ours_are_left_alone(tmp_path: Path) -> None:
    assert read(tmp_path, planner={"model": "x"}, pipeline={"anything": 1}).preset is None


@pytest.mark.parametrize(
    ("project", "expected"),
    [
        ({"mode": "greenfield", "preset": "nextjs"}, "build typecheck lint playwright?"),
        ({"mode": "brownfield"}, "typecheck lint unit-test"),
        ({"mode": "greenfield"}, "build lint?"),
        ({"type": "react-fullstack"}, "build typecheck lint playwright?"),
        ({"mode": "greenfield", "preset": "python"}, "typecheck? lint unit-test"),
        ({"mode": "greenfield", "preset": "go"}, "build typecheck lint? unit-test"),
        ({"mode": "greenfield", "preset": "rust"}, "build typecheck lint? unit-test"),
    ],
)
def test_without_strategies_those_of_the_preset_run(tmp_path: Path, project: dict[str, Any], expected: str) -> None:
    found = read(tmp_path, project=project)
    shown = [choice.type + ("" if choice.required else "?") for choice in found.strategies]
    assert " ".join(shown) == expected


def test_a_list_of_strategies_replaces_those_of_the_preset(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        project={"mode": "greenfield", "preset": "nextjs"},
        evaluator=strategies({"type": "lint", "required": False}),
    )
    assert [choice.type for choice in found.strategies] == ["lint"]


def test_a_check_of_its_own_has_any_name_and_a_command(tmp_path: Path) -> None:
    found = read(tmp_path, evaluator=strategies({"type": "slither", "command": "slither .", "required": True}))
    (choice,) = found.strategies
    assert (choice.type, choice.kind, choice.own_command) == ("slither", "custom", "slither .")


def test_everything_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    told = refusal(
        tmp_path,
        project={"mode": "blue", "nmae": "kiln"},
        comands={},
        commands={"test": 1, "biuld": "make"},
        evaluator=strategies(
            {"type": "lint", "required": True, "config": {"fix": "yes", "maxWarning": 0, "timeout": 0}},
            {"type": "build"},
            {"type": "slither", "required": True},
        ),
    )
    heads = [line.split(" is not a key")[0].split(", which is none of")[0] for line in told.splitlines()]
    prefix = "bober.config.json: "
    assert sorted(heads) == sorted(
        prefix + head
        for head in [
            "comands",
            "commands.test: Expected `str | null`, got `int`. Correct it.",
            "commands.biuld",
            "project.mode: Invalid enum value 'blue'. Correct it.",
            "project.nmae",
            "evaluator.strategies[0].config.fix: Expected `bool`, got `str`. Correct it.",
            "evaluator.strategies[0].config.maxWarning",
            "evaluator.strategies[0].config.timeout: Expected `int` >= 1. Correct it.",
            "evaluator.strategies[1]: Object missing required field `required`. Correct it.",
            "evaluator.strategies[2].type is 'slither'",
        ]
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a JSON object"),
        ("{}", "project is missing"),
        ('{"project": {}}', "project.mode is missing. Write greenfield or brownfield."),
        ('{"project": {"mode": "blue"}}', "project.mode: Invalid enum value 'blue'"),
        ('{"project": {"type": "x"}}', "project.type is 'x'"),
        ('{"project": {"mode": "greenfield", "preset": "x"}}', "project.preset is 'x'"),
    ],
)
def test_a_damaged_file_says_what_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    write(tmp_path, {"bober.config.json": text})
    with pytest.raises(ConfigurationError, match=said.replace(".", r"\.")):
        read_configuration(tmp_path / "bober.config.json")


def test_the_file_is_looked_for_in_both_places(tmp_path: Path) -> None:
    assert find_configuration(tmp_path) is None
    write(tmp_path, {".bober/config.json": "{}"})
    assert find_configuration(tmp_path) == tmp_path / ".bober/config.json"
    write(tmp_path, {"bober.config.json": "{}"})
    assert find_configuration(tmp_path) == tmp_path / "bober.config.json"
