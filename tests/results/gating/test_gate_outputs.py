"""What a gate says: exit codes, JSON, the comment of a pull request, JUnit XML."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from defusedxml.ElementTree import parse
from django.core.management import CommandError, call_command

from results.gating.markdown import as_markdown
from results.models.evaluations import Evaluation
from tests.results.facts.evaluations import row, stored
from tests.results.gating.gates import judged, results

pytestmark = pytest.mark.django_db
HOSTILE = "a|b`c\\|<b>@team #12 [x](http://evil.example)\x1b\u202e"


def run(*arguments: object) -> tuple[str, int]:
    """Run `gate` and give what it printed and its exit code."""
    output = io.StringIO()
    try:
        call_command("gate", *map(str, arguments), stdout=output)
    except SystemExit as end:
        return output.getvalue(), int(str(end.code))
    return output.getvalue(), 0


@pytest.fixture
def pair(tmp_path: Path) -> tuple[int, int]:
    """A baseline of four tasks, and a candidate where one regressed."""
    baseline = stored(tmp_path, "a", *results("a", "pppf"))
    return baseline, stored(tmp_path, "b", *results("a", "ppfp"))


def test_the_exit_code_says_passed_failed_or_not_judged(pair: tuple[int, int]) -> None:
    rules = (("--min-pass-rate", 0.75), ("--min-pass-rate", 0.76), ("--min-results", 5, "--min-pass-rate", 0.1))
    assert [run("--candidate", pair[1], *rule)[1] for rule in rules] == [0, 1, 2]


@pytest.mark.parametrize(
    "options",
    [
        ("--min-pass-rate", "90"),
        ("--filter", "outcome=passed"),
        ("--filter", "cost=cheap"),
        ("--markdown", "/nowhere/at/all.md"),
    ],
)
def test_a_mistake_in_the_options_is_neither_a_pass_nor_a_failed_rule(
    pair: tuple[int, int], options: tuple[str, str]
) -> None:
    with pytest.raises(CommandError) as caught:
        run("--candidate", pair[1], *options)
    assert caught.value.returncode == 2


def test_text_names_the_tasks_that_regressed(pair: tuple[int, int]) -> None:
    output, code = run("--candidate", pair[1], "--baseline", pair[0])
    assert code == 1
    assert "failed    regressions: 1 of 4 pairs regressed; allowed: at most 0." in output
    assert "task 2: passed → failed" in output


def test_json_is_what_the_documentation_says(pair: tuple[int, int]) -> None:
    baseline, candidate = pair
    found: dict[str, Any] = json.loads(run("--candidate", candidate, "--baseline", baseline, "--json")[0])
    assert (found["state"], found["exit_code"], found["counts"]) == (
        "failed",
        1,
        {"passed": 1, "failed": 1, "unjudged": 0},
    )
    (_, check), (line,) = found["checks"], found["runs"]
    assert [check[name] for name in ("rule", "state", "provider", "run", "figure", "threshold")] == [
        "max_regressions",
        "failed",
        "openai",
        "a",
        1,
        0,
    ]
    assert check["counts"] == {"regressed": 1, "uncertain": 0, "pairs": 4}
    columns = [f"{line[side]['evaluation_id']}:{line[side]['run_id']}" for side in ("baseline", "candidate")]
    assert check["address"] == f"/compare/?column={columns[0]}&column={columns[1]}&show=regressed"
    (regression,) = line["compared"]["regressions"]
    assert [regression[name] for name in ("task", "repeat", "before", "after")] == ["task 2", 1, "passed", "failed"]


def test_a_comment_folds_what_passed_and_the_tasks(pair: tuple[int, int]) -> None:
    baseline, candidate = pair
    text = as_markdown(judged(candidate, baseline, min_pass_rate="0.5", max_regressions="0"), "https://evals.example")
    assert text.startswith("### Gate failed\n")
    assert "| `openai / a` | [regressions](https://evals.example/compare/" in text
    assert "<details><summary>2 passed</summary>" in text
    assert "- `task 2` passed → failed" in text


def test_a_name_in_a_comment_is_no_markup(tmp_path: Path) -> None:
    baseline = stored(tmp_path, "a", row(0, task=HOSTILE, run=HOSTILE))
    candidate = stored(tmp_path, "b", row(1, task=HOSTILE, run=HOSTILE, kind="Failed"))
    Evaluation.objects.filter(pk=candidate).update(name=HOSTILE)
    text = as_markdown(judged(candidate, baseline), "")
    shown = r"``a\|b`c\\\|<b>@team #12 [x](http://evil.example)\x1b\u202e``"
    assert f"{shown} (evaluation {candidate})" in text
    assert f"- {shown} passed → failed" in text
    assert "<code>openai / a|b`c\\|&lt;b&gt;@team" in text


def test_a_comment_is_never_longer_than_github_takes(tmp_path: Path) -> None:
    name = "`|&" * 400
    runs = [f"{number}{name}" for number in range(40)]
    tasks = [(run, f"{task}{name}") for run in runs for task in range(2)]
    baseline = stored(tmp_path, "a", *(row(place, run=run, task=task) for place, (run, task) in enumerate(tasks)))
    lines = (row(place, run=run, task=task, kind="Failed") for place, (run, task) in enumerate(tasks, 200))
    text = as_markdown(judged(stored(tmp_path, "b", *lines), baseline, max_regressions="0", min_pass_rate="1"), "")
    assert len(text) < 65_536
    assert "and 50 more" in text  # 80 checks failed, 30 are listed


def test_junit_has_failures_and_errors(pair: tuple[int, int], tmp_path: Path) -> None:
    path = tmp_path / "gate.xml"
    run("--candidate", pair[1], "--baseline", pair[0], "--max-regressions", 0, "--max-cost", 1, "--junit", path)
    root = parse(path).getroot()
    assert {name: root.attrib[name] for name in ("tests", "failures", "errors")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
    }
    (suite,) = root
    assert (suite.tag, suite.attrib["name"]) == ("testsuite", "openai / a")
    assert [(case.attrib["name"], [inner.tag for inner in case]) for case in suite] == [
        ("every task", []),
        ("regressions", ["failure"]),
        ("cost", ["error"]),
    ]
    assert "task 2: passed → failed" in (suite[1][0].text or "")


def test_junit_holds_no_character_that_xml_refuses(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", row(0, run=HOSTILE + "\uffff"))
    path = tmp_path / "gate.xml"
    run("--candidate", evaluation, "--min-pass-rate", 1, "--junit", path)
    assert r"\x1b\u202e" in parse(path).getroot()[0].attrib["name"]
