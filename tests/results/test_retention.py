"""Old evaluations: what a rule means, what stays all the same, and how they go."""

import io
import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from evaluator.jobs import sweep
from results.merging import merge
from results.models.evaluations import Evaluation, EvaluationLabel, EvaluationState
from results.models.jobs import Job, JobKind
from results.models.reports import Report
from results.retention import RetentionRule, carry_out, plan_retention
from results.store.removals import run_removal
from tests.frontend.factories import an_evaluation
from tests.results.facts.evaluations import row

pytestmark = pytest.mark.django_db


def stored(folder: Path, *days: int) -> list[int]:
    """Evaluations that were stored so many days ago."""
    ids = []
    for number, age in enumerate(days):
        evaluation = an_evaluation(folder, row(100 + number, task=f"t{number}"), name=f"{number}.json")
        moment = timezone.now() - timedelta(days=age)
        Evaluation.objects.filter(pk=evaluation.pk).update(imported_at=moment, started_at=moment)
        ids.append(evaluation.pk)
    return ids


def going(rule: RetentionRule) -> list[int]:
    return [line.id for line in plan_retention(rule).going]


def test_age_number_and_both(tmp_path: Path) -> None:
    old, middle, new = stored(tmp_path, 30, 20, 1)
    assert going(RetentionRule(days=25)) == [old]
    assert going(RetentionRule(keep=1)) == [old, middle]
    assert going(RetentionRule(days=10, keep=2)) == [old]
    assert going(RetentionRule(days=10, projects=("other",))) == []
    assert going(RetentionRule()) == []
    assert going(RetentionRule(days=0)) == [old, middle, new]


def test_the_newest_are_kept_per_project(tmp_path: Path) -> None:
    stored(tmp_path, 3)
    call_command("import_results", str(tmp_path / "0.json"), project="other", stdout=io.StringIO())
    assert going(RetentionRule(keep=1)) == []


def test_what_is_needed_stays_and_says_why(tmp_path: Path) -> None:
    baseline, pinned, running, first, second, last = stored(tmp_path, 9, 8, 7, 6, 5, 4)
    merged = merge([first, second], "both").evaluation_id
    Evaluation.objects.filter(pk=baseline).update(is_baseline=True)
    EvaluationLabel.objects.create(evaluation_id=pinned, text="Pinned")
    Evaluation.objects.filter(pk=running).update(state=EvaluationState.RUNNING)
    plan = plan_retention(RetentionRule(days=3))
    assert [line.id for line in plan.going] == [last]
    assert {line.id: line.reason for line in plan.staying} == {
        baseline: "it is the baseline",
        pinned: "it is labelled pinned",
        running: "it is still running",
        first: "it is a source of the merge both",
        second: "it is a source of the merge both",
    }
    Evaluation.objects.filter(pk=merged).update(imported_at=timezone.now() - timedelta(days=9))
    assert going(RetentionRule(days=3)) == [merged, first, second, last]  # the merge goes, and so may they


def test_what_a_report_is_made_of_stays(tmp_path: Path) -> None:
    picked, baseline, other = stored(tmp_path, 9, 8, 7)
    report = Report.objects.create(title="Release", baseline_id=baseline)
    report.picks.create(position=1, evaluation_id=picked, name="x")
    plan = plan_retention(RetentionRule(days=1))
    assert [line.id for line in plan.going] == [other]
    assert {line.reason for line in plan.staying} == {"a report is made of it"}


def test_what_became_needed_after_the_preview_stays(tmp_path: Path) -> None:
    first, second = stored(tmp_path, 9, 8)
    Evaluation.objects.filter(pk=first).update(is_baseline=True)
    job = carry_out(RetentionRule(days=1), [first, second])
    assert job is not None
    assert job.arguments == {"evaluations": [second]}
    assert job.messages.get(text__startswith=f"{second}, ").text.endswith(": 1 results")
    run_removal(job.pk)
    assert list(Evaluation.objects.values_list("pk", flat=True)) == [first]


def test_the_command_looks_first_and_needs_a_yes(tmp_path: Path) -> None:
    old, _ = stored(tmp_path, 9, 1)
    output = io.StringIO()
    call_command("delete_old", older_than=5, dry_run=True, stdout=output)
    assert "Would delete 1 evaluation with 1 result." in output.getvalue()
    with pytest.raises(CommandError, match="--yes"):
        call_command("delete_old", older_than=5, stdout=io.StringIO())
    with pytest.raises(CommandError, match="Say what is old"):
        call_command("delete_old", yes=True)
    assert Evaluation.objects.count() == 2
    output = io.StringIO()
    call_command("delete_old", older_than=5, yes=True, json=True, stdout=output)
    told = json.loads(output.getvalue())
    assert ([line["id"] for line in told["going"]], told["deleted"]) == ([old], True)
    assert Evaluation.objects.count() == 1


def test_the_page_previews_and_its_button_deletes(client: Client, tmp_path: Path) -> None:
    old, new = stored(tmp_path, 9, 1)
    page = client.get("/evaluations/old/?days=5").content.decode().replace("\N{NO-BREAK SPACE}", " ")
    assert "Delete 1 evaluation with 1 result" in page
    assert f'name="evaluation" value="{old}"' in page
    assert not Job.objects.filter(kind=JobKind.DELETE).exists()
    client.post("/evaluations/old/?days=5&keep=&project=", {"evaluation": f"{old},{new}"})
    states = dict(Evaluation.objects.values_list("pk", "state"))
    assert states == {old: EvaluationState.DELETING, new: EvaluationState.READY}
    assert "no whole number" in client.get("/evaluations/old/?days=-1").content.decode()


def test_the_sweep_deletes_by_the_settings_and_is_off_by_default(tmp_path: Path, settings: Settings) -> None:
    old, new = stored(tmp_path, 9, 1)
    settings.CELERY_TASK_ALWAYS_EAGER = True
    sweep()
    assert Evaluation.objects.count() == 2
    settings.KEEP_DAYS = 5
    sweep()
    assert Evaluation.objects.get(state=EvaluationState.READY).pk == new
    assert Job.objects.get(kind=JobKind.DELETE).arguments == {"evaluations": [old]}
