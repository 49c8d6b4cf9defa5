"""Everything that is wrong with the two files is told at once: file, line, key, what is wrong and what to write."""

from pathlib import Path

import pytest

from evaluator.engine.trials.configuration import FileText, load, understand
from evaluator.engine.trials.configuration_nodes import ConfigurationError, Problem
from evaluator.engine.trials.task_files import Folders

CONFIG = """\
config:
  task-source: tasks.yaml
  providers:
    - name: PROVIDER
      client-config: {api-key: sk-secret-in-the-file}
      runs:
        - name: one
          model: m
          model-parameters: PARAMETERS
"""
TASKS = """\
task-config:
  tasks:
    - name: t
      prompt: p
      response-result-format: FORMAT
      expected-result: EXPECTED
"""


def problems_of(config: str, tasks: str = "", folder: Path = Path()) -> list[Problem]:
    tasks = tasks or TASKS.replace("FORMAT", "words").replace("EXPECTED", '"a"')
    try:
        understand(FileText("config.yaml", config), FileText("tasks.yaml", tasks), {}, Folders(folder))
    except ConfigurationError as error:
        return list(error.problems)
    return []


def config(provider: str = "openai", parameters: str = "{}") -> str:
    return CONFIG.replace("PROVIDER", provider).replace("PARAMETERS", parameters)


def tasks(answer_format: str = "words", expected: str = '"a"', more: str = "") -> str:
    return TASKS.replace("FORMAT", answer_format).replace("EXPECTED", expected) + more


def test_a_problem_names_file_line_key_and_remedy() -> None:
    (problem,) = problems_of(config(parameters="{temprature: 1}"))

    assert str(problem) == (
        "config.yaml:9:30: config.providers[0].runs[0].model-parameters.temprature: "
        "this key is not known here; did you mean `temperature`?"
    )


def test_all_problems_of_both_files_are_told_together() -> None:
    wrong_config = config(parameters="{temperature: 3, verbosity: loud}").replace("model: m", "modell: m")
    wrong_tasks = tasks(more="      max-turns: -1\n      sytem-prompt: {}\n")

    found = problems_of(wrong_config, wrong_tasks)

    assert [(problem.file, problem.line, problem.path.rpartition(".")[2], problem.wrong) for problem in found] == [
        ("config.yaml", 8, "modell", "this key is not known here"),
        ("config.yaml", 7, "model", "it is missing"),
        ("config.yaml", 9, "temperature", "`3` is not allowed"),
        ("config.yaml", 9, "verbosity", "`loud` is not one of its words"),
        ("tasks.yaml", 8, "sytem-prompt", "this key is not known here"),
        ("tasks.yaml", 7, "max-turns", "`-1` is not allowed"),
    ]
    assert found[2].remedy == "write a number from 0 to 2"
    assert found[3].remedy == "write one of low, medium, high"
    assert found[5].remedy == "write a whole number of at least 0"


@pytest.mark.parametrize(
    ("provider", "parameters", "key"),
    [
        ("openai", "{temperature: 2.1}", "temperature"),
        ("openai", "{reasoning-mode: fast}", "reasoning-mode"),
        ("openai", "{max-tokens: 5}", "max-tokens"),
        ("openai", "{max-completion-tokens: 0}", "max-completion-tokens"),
        ("openai", '{top-p: "0.5"}', "top-p"),
        ("openai", "{text-response-format: maybe}", "text-response-format"),
        ("openrouter", "{max-tokens: 1, max-completion-tokens: 1}", "max-completion-tokens"),
        ("openrouter", "{repetition-penalty: 2.5}", "repetition-penalty"),
        ("openrouter", "{server-tools: [{parameters: {}}]}", "type"),
        ("google", "{thinking-level: max}", "thinking-level"),
        ("google", "{seed: 2147483648}", "seed"),
        ("anthropic", "{temperature: 1.1}", "temperature"),
        ("anthropic", "{thinking-budget-tokens: 1000}", "thinking-budget-tokens"),
        ("anthropic", "{thinking-budget-tokens: 2048, max-tokens: 2048}", "thinking-budget-tokens"),
        ("anthropic", "{thinking-budget-tokens: 40000}", "thinking-budget-tokens"),  # of 32768 by default
        ("anthropic", "{thinking: disabled, effort: max}", "effort"),
        ("anthropic", "{prompt-cache-ttl: 2h}", "prompt-cache-ttl"),
        ("deepseek", "{thinking: perhaps}", "thinking"),
        ("mistralai", "{temperature: 1.6}", "temperature"),
        ("mistralai", "{reasoning-effort: max}", "reasoning-effort"),
        ("xai", "{reasoning-effort: none}", "reasoning-effort"),
        ("alibaba", "{thinking-budget: 5, reasoning-effort: low}", "reasoning-effort"),
        ("alibaba", "{response-format: text, text-response-format: true}", "text-response-format"),
        ("alibaba", "{response-format: text, disable-legacy-json-mode: true}", "disable-legacy-json-mode"),
        ("moonshotai", "{temperature: 1.5}", "temperature"),
        ("moonshotai", "{preserve-thinking: some}", "preserve-thinking"),
    ],
)
def test_parameters_are_checked_by_provider(provider: str, parameters: str, key: str) -> None:
    assert [problem.path.rpartition(".")[2] for problem in problems_of(config(provider, parameters))] == [key]


@pytest.mark.parametrize(
    ("old", "new", "line", "wrong"),
    [
        ("name: openai", "name: opnai", 4, "'opnai' is not a provider that we know"),
        ("api-key: sk-secret-in-the-file", "api-kee: x", 5, "this key is not known here"),
        ("api-key: sk-secret-in-the-file", "endpoint: ftp://x", 5, "it is no address"),
        ("api-key: sk-secret-in-the-file", "endpoint: https://u:p@x/", 5, "it holds a user's name or password"),
        ("api-key: sk-secret-in-the-file", "request-timeout: 90", 5, "`90` is no time"),
        ("api-key: sk-secret-in-the-file", "request-timeout: -1s", 5, "`-1s` is no time"),
        ("api-key: sk-secret-in-the-file", "api-key: [sk-1]", 5, "it is a list or a mapping"),
        ("model: m", "model: ' '", 8, "it is blank"),
        ("model: m", "model: m\n          disabled: 1", 9, "`1` is no switch"),
        ("model: m", "model: m\n          model: n", 9, "`model` is given twice, first in line 8"),
        ("model: m", "model: m\n          retry-policy: {max-retry-attempts: 1.5}", 9, "`1.5` is not allowed"),
        ("model: m", "model: m\n        - {name: one, model: n}", 9, "there are two runs of this entry named 'one'"),
        ("providers:", "provider:", 3, "this key is not known here"),
        ("  task-source: tasks.yaml", "  extra: {}", 2, "this key is not known here"),
    ],
)
def test_configurations_are_strict(old: str, new: str, line: int, wrong: str) -> None:
    assert old in config()

    found = problems_of(config().replace("\n          model-parameters: {}", "").replace(old, new))

    assert any(problem.line == line and problem.wrong.startswith(wrong) for problem in found), found
    assert "sk-secret" not in str(found)


def test_judges_and_tools_are_strict_too() -> None:
    more = """\
  judges:
    - name: j
      provider:
        name: openai
        client-config: {}
        runs: [{name: v, model: m, disable-structured-output: true, colour: red}]
    - {name: j, provider: {name: openai, client-config: {}, runs: []}}
  tools:
    - {name: t, image: i, description: d, parameters: {type: nothing}}
    - {name: t, image: i, description: d, parameters: []}
"""

    assert [problem.wrong.split(":")[0] for problem in problems_of(config() + more)] == [
        "this key is not known here",
        "a judge must give its verdict in a structure",
        "there are two judges named 'j', the first in line 11",
        "it is no JSON schema",
        "there are two tools named 't', the first in line 18",
        "it is no mapping",
    ]


@pytest.mark.parametrize(
    ("text", "line", "wrong"),
    [
        (tasks("words", "42"), 6, "`42` is no text"),
        (tasks("words", '["a", true]'), 6, "`true` is no text"),
        (tasks("words", "{a: 1}"), 6, "a mapping is no text"),
        (tasks("words", ""), 3, "it is missing"),
        (tasks("words", "[]"), 6, "there is no value"),
        (tasks("[a]"), 5, "it is a list or a mapping"),
        (tasks("{type: nothing}"), 5, "it is no JSON schema: 'nothing' is not valid"),
        (tasks("{type: integer}", "[1, x]"), 6, "it does not conform to the schema: 'x' is not of type 'integer'"),
        (tasks("{type: array}", "[1, 2]"), 6, "it does not conform to the schema: 1 is not of type 'array'"),
        (tasks("{$ref: 'https://example.com/s'}", "1"), 6, "it does not conform to the schema: the schema refers to"),
        (tasks("{$ref: '#'}", "1"), 6, "it does not conform to the schema: the schema refers to itself"),
        (tasks("{type: number}", ".inf"), 6, "it is not a number that JSON knows"),
        (
            tasks("{}", "1", "      validation-rules: {judge: {enabled: true, name: j, variant: v}}\n"),
            5,
            "a judge reads texts, no structures",
        ),
        (tasks(more="      validation-rules: {judge: {enabled: true}}\n"), 7, "its judge has no `name`"),
        (
            tasks(
                more="      validation-rules:\n"
                "        judge: {enabled: true, name: j, variant: v, prompt: {template: x, passing-verdicts: y}}\n"
            ),
            8,
            "the judge's prompt has no `verdict-format`",
        ),
        (tasks(more="      system-prompt: {template: '{{.Response}}'}\n"), 7, "line 1 of it: `.Response` is not"),
        (tasks(more="      system-prompt: {enable-for: some}\n"), 7, "`some` is not one of its words"),
        (tasks(more="    - {name: t}\n"), 7, "there are two tasks named 't', the first in line 3"),
        (tasks(more="      tool-selector: {tools: [{name: a}, {name: a}]}\n"), 7, "there are two tools named 'a'"),
        (tasks(more="      tool-selector: {tools: [{name: a, cpu-percent: 101}]}\n"), 7, "`101` is not allowed"),
        (tasks(more="      tool-selector: {tools: [{name: a, max-calls: 0}]}\n"), 7, "`0` is not allowed"),
        (tasks(more="      files: [{name: a/b, uri: 'http://x/y'}]\n"), 7, "'a/b' is no name of a file"),
        (tasks(more="      files: [{name: a, uri: 'ftp://x/y'}]\n"), 7, "ftp:// cannot be read"),
        (tasks(more="      tags: [[a]]\n"), 7, "it is not a text"),
        ("task-config: {tasks: 5}", 1, "it is no list"),
        ("- 1", 1, "it is no mapping"),
        ("", 0, "the file is empty"),
        ("a: [1", 2, "this is no YAML: did not find expected ',' or ']'"),
        ("task-config: {disabled: !!python/name:os.system x}", 1, "`x` is no switch"),
    ],
)
def test_task_files_are_strict(text: str, line: int, wrong: str) -> None:
    found = problems_of(config(), text or " ")

    assert any(problem.line == line and problem.wrong.startswith(wrong) for problem in found), found


def test_a_judge_s_passing_verdicts_conform_to_its_format() -> None:
    prompt = "{template: x, verdict-format: {type: boolean}, passing-verdicts: maybe}"
    judge = f"      validation-rules: {{judge: {{enabled: true, name: j, variant: v, prompt: {prompt}}}}}\n"

    (problem,) = problems_of(config(), tasks(more=judge))

    assert (
        problem.wrong
        == "a passing verdict of its judge does not fit the `verdict-format`: 'maybe' is not of type 'boolean'"
    )


def test_files_outside_of_the_folder_are_refused_unless_allowed(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside, outside):
        folder.mkdir()
    (outside / "secret.txt").write_text("x")
    (inside / "link.txt").symlink_to(outside / "secret.txt")
    config_file, tasks_file = inside / "config.yaml", inside / "tasks.yaml"
    config_file.write_text(config())
    tasks_file.write_text(
        tasks(more="      files: [{name: a, uri: ../out/secret.txt}, {name: b, uri: link.txt}, {name: c, uri: '.'}]\n")
    )

    with pytest.raises(ConfigurationError) as caught:
        load(config_file, None, {}).picked()

    assert [problem.wrong for problem in caught.value.problems] == [
        f"{inside}/../out/secret.txt lies outside the folder of the task file",
        f"{inside}/link.txt lies outside the folder of the task file",
        f"the file {inside} does not exist",
    ]
    with pytest.raises(ConfigurationError) as caught:
        load(config_file, None, {}, allowed=[outside]).picked()
    assert len(caught.value.problems) == 1


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (
            "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
            + "".join(
                f"{name}: &{name} [{','.join(['*' + before] * 10)}]\n"
                for before, name in zip("abcdef", "bcdefg", strict=True)
            ),
            "with its aliases the file has more than 500,000 values",
        ),
        ("a: &a [*a]", "an alias stands inside its own anchor"),
        ("[" * 200 + "]" * 200, "it nests deeper than 100 levels"),
        ("a: &a0 [x]\n" + "".join(f"k{n}: &a{n + 1} [*a{n}]\n" for n in range(150)), "it nests deeper than 100 levels"),
        ("[" * 2000, "this is no YAML: exceeded maximum nesting depth"),
        ("a: *nowhere", "this is no YAML: found undefined alias"),
        ("a: \x00", "the file has characters that YAML does not allow"),
        ("a: 1\n---\nb: 2", "this is no YAML: "),
    ],
)
def test_files_that_would_take_long_or_forever_are_refused(text: str, wrong: str) -> None:
    found = problems_of(text)

    assert [problem.wrong.startswith(wrong) for problem in found] == [True], found


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes("config: \xe9".encode("latin-1"))

    for name, wrong in (
        ("none.yaml", "the file cannot be read: No such file"),
        ("latin.yaml", "the file is not in UTF-8"),
    ):
        with pytest.raises(ConfigurationError, match=f"{name}: {wrong}"):
            load(tmp_path / name, None, {})


def test_more_runs_than_anybody_would_pick_from_are_refused_at_once() -> None:
    runs = "[" + ", ".join(f"{{name: r{number}, model: m}}" for number in range(2_001)) + "]"
    written = f"config: {{task-source: t, providers: [{{name: openai, client-config: {{}}, runs: {runs}}}]}}"
    assert "there are 2,001 runs" in str(problems_of(written)[0])


def test_a_name_that_no_page_can_show_is_refused() -> None:
    (problem,) = problems_of(config(), tasks().replace("name: t", f"name: {'t' * 501}"))
    assert (problem.wrong, problem.remedy) == ("the name has 501 characters", "shorten it to 500 at most")
