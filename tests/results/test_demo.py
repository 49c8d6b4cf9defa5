"""The demo: what its documents hold, and that it is loaded once."""

import hashlib
import json
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from results.demo.files import demo_files
from results.demo.loading import load_demo
from results.demo.tasks.catalogue import TASKS
from results.models.evaluations import Evaluation, EvaluationState
from results.models.sprints import Iteration

BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
# Changes with the demo's content only; a new Python or a new day must give the same bytes.
DIGEST = "1c7bf24ed633200de8bce95065ec012312b6c9c08b99b58ed8dffb2a5be04047"


@cache
def bodies() -> dict[str, bytes]:
    return {file.file_name: file.body for file in demo_files()}


@cache
def documents() -> dict[str, Any]:
    parsed = {name: json.loads(body) for name, body in bodies().items()}
    return {name: document for name, document in parsed.items() if "Results" in document}


def results(name: str | None = None) -> list[dict[str, Any]]:
    chosen = documents().values() if name is None else [documents()[name]]
    return [result for document in chosen for group in document["Results"].values() for result in group]


def pass_rate(name: str, run: str, suite_or_tag: str = "") -> float:
    kinds = Counter(
        result["Kind"]
        for result in results(name)
        if result["Run"] == run
        and (not suite_or_tag or suite_or_tag in [result["TaskMetadata"]["Suite"], *result["TaskMetadata"]["Tags"]])
    )
    return kinds["Passed"] / (kinds["Passed"] + kinds["Failed"] + kinds["Error"])


def test_the_same_bytes_are_made_everywhere() -> None:
    digest = hashlib.sha256(b"".join(name.encode() + body for name, body in bodies().items())).hexdigest()
    assert digest == DIGEST


def test_there_are_eight_evaluations_over_six_weeks() -> None:
    assert (len(documents()), min(documents()), max(documents())) == (
        8,
        "smoke-repeats-2026-10-21.json",
        "weekly-2026-11-23.json",
    )


def test_four_providers_have_seven_runs() -> None:
    runs = {(result["Provider"], result["Run"]) for result in results()}
    assert (len({provider for provider, _ in runs}), len(runs)) == (4, 7)


def test_every_trace_id_is_distinct() -> None:
    traces = [result["TraceID"] for result in results()]
    assert len(set(traces)) == len(traces)


def test_a_trace_id_holds_the_time_of_its_day() -> None:
    first = results("weekly-2026-10-12.json")[0]["TraceID"]
    milliseconds = 0
    for sign in first[:10]:
        milliseconds = milliseconds * 32 + BASE32.index(sign)
    assert (len(first), milliseconds) == (26, 1_791_786_600_000)  # 2026-10-12 06:30:00 UTC


@pytest.mark.parametrize("kind", ["Passed", "Failed", "Error", "Skipped"])
def test_every_outcome_occurs(kind: str) -> None:
    assert kind in {result["Kind"] for result in results()}


def test_every_status_of_a_tool_call_occurs() -> None:
    sections = [section for result in results() for section in result["Details"].values()]
    statuses = {call["Status"] for section in sections for call in section.get("ToolCalls", [])}
    assert len(statuses) == 6


def test_errors_are_transient_permanent_and_unknown() -> None:
    errors = [result["Details"]["Error"] for result in results() if result["Kind"] == "Error"]
    assert {error.get("Transient") for error in errors} == {True, False, None}


def test_one_evaluation_has_three_repeats_of_everything() -> None:
    pairs = Counter((result["Run"], result["Task"]) for result in results("smoke-repeats-2026-10-21.json"))
    assert set(pairs.values()) == {3}


def test_one_accepted_answer_changes_and_no_other() -> None:
    wants = defaultdict(set)
    for result in results():
        if result["Want"] is not None:
            wants[result["Task"]].add(json.dumps(result["Want"]))
    assert [task for task, texts in wants.items() if len(texts) > 1] == ["Weekday of 1 March 2028"]


def test_one_run_becomes_worse_with_tools() -> None:
    before = pass_rate("weekly-2026-11-02.json", "Cinder Large", "tool-use")
    assert pass_rate("weekly-2026-11-09.json", "Cinder Large", "tool-use") < before


def test_one_run_becomes_better_at_reasoning() -> None:
    before = pass_rate("weekly-2026-11-09.json", "Boreal 3 (thinking)", "reasoning")
    assert pass_rate("weekly-2026-11-16.json", "Boreal 3 (thinking)", "reasoning") > before


def test_judged_tasks_have_usage_of_the_judge() -> None:
    judged = [task.name for task in TASKS if task.is_judged]
    validated = [result for result in results() if result["Task"] in judged and "Validation" in result["Details"]]
    assert all("InputTokens" in result["Details"]["Validation"]["Usage"] for result in validated)


def test_every_wrong_reply_is_wrong() -> None:
    assert [task.name for task in TASKS for reply in task.wrong if reply.answer in task.accepted] == []


@pytest.mark.django_db
def test_loading_makes_everything_visible() -> None:
    load_demo()
    states = Evaluation.objects.filter(project__slug="demo").values_list("state", "results")
    assert (Counter(state for state, _ in states), sum(count for _, count in states), Iteration.objects.count()) == (
        {EvaluationState.READY: 8},
        1489,
        2,
    )


@pytest.mark.django_db
def test_loading_twice_does_nothing_the_second_time() -> None:
    load_demo()
    assert load_demo() == []


@pytest.mark.django_db
def test_a_deleted_demo_stays_deleted() -> None:
    load_demo()
    Evaluation.objects.all().delete()
    assert load_demo() == []


@pytest.mark.django_db
def test_a_demo_loaded_from_elsewhere_is_left_alone(var_dir: Path) -> None:
    load_demo()
    (var_dir / "demo").unlink()
    assert load_demo() == []


@pytest.mark.django_db
def test_an_interrupted_load_goes_on(var_dir: Path) -> None:
    load_demo()
    (var_dir / "demo").write_text("loading")
    assert {report.state for report in load_demo()} == {"unchanged"}


@pytest.mark.django_db
def test_the_command_says_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("load_demo")
    assert capsys.readouterr().out == "Demo loaded: 10 files, 1,489 results.\n"
