"""Merging: what stays, what is counted, and the document that comes of it."""

import json
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from results.exports.documents import export_document
from results.facts.engine import answer
from results.intake import ImportOptions, import_file
from results.jobs import request_cancel
from results.merge_sources import MergeRefused, check_sources
from results.merging import merge, queue_merge, run_merge
from results.models.evaluations import Evaluation, EvaluationState
from results.models.jobs import Job, JobState
from results.models.merges import MergeSource
from results.models.results import Result
from results.queries.copies import copied_ids
from results.queries.merge_plan import OutcomeChange, merge_plan
from results.queries.visibility import visible_evaluations
from results.store.removals import request_removal, run_removal
from tests.documents import document, trace_id, write
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db


def two_sources(folder: Path) -> tuple[int, int]:
    """The second replaces two tasks of the run `gpt`, adds one, and brings another provider."""
    first = stored(
        folder,
        "first",
        row(1, task="a", kind="Passed"),
        row(2, task="b", kind="Failed"),
        row(3, task="c", kind="Passed"),
        row(4, task="a", run="mini", kind="Failed"),
    )
    second = stored(
        folder,
        "second",
        row(11, task="c", kind="Error", error={"Title": "Timeout", "Message": "late"}),
        row(12, task="d", kind="Passed"),
        row(13, task="b", kind="Passed"),
        row(14, task="a", provider="anthropic", run="claude", kind="Passed"),
    )
    return first, second


def exported(evaluation_id: int) -> bytes:
    return b"".join(export_document(Evaluation.objects.get(pk=evaluation_id)))


def listed(document: bytes) -> list[tuple[str, str, str, str]]:
    found: dict[str, list[dict[str, Any]]] = json.loads(document)["Results"]
    return [(name, entry["Run"], entry["Task"], entry["Kind"]) for name, rows in found.items() for entry in rows]


def test_the_last_one_wins_and_keeps_the_place_of_the_first(tmp_path: Path) -> None:
    merged = merge(two_sources(tmp_path), "both")
    assert listed(exported(merged.evaluation_id)) == [
        ("anthropic", "claude", "a", "Passed"),
        ("openai", "gpt", "a", "Passed"),
        ("openai", "gpt", "b", "Passed"),
        ("openai", "gpt", "c", "Error"),
        ("openai", "gpt", "d", "Passed"),
        ("openai", "mini", "a", "Failed"),
    ]


def test_evaluations_without_results_make_an_empty_one(tmp_path: Path) -> None:
    ids = []
    for name in ("a", "b"):
        path = write(tmp_path, f"{name}.json", document(AppName=name))
        (report,) = import_file(path, ImportOptions()).files
        ids.append(report.evaluation or 0)
    merged = merge(ids)
    assert (Evaluation.objects.get(pk=merged.evaluation_id).results, merged.stats.runs) == (0, {})


def test_statistics_count_results_and_distinct_tasks_that_were_replaced(tmp_path: Path) -> None:
    stats = merge(two_sources(tmp_path)).stats.runs
    counts = {(name, run): (found.total, found.updated) for name, runs in stats.items() for run, found in runs.items()}
    assert counts == {("anthropic", "claude"): (1, 0), ("openai", "gpt"): (4, 2), ("openai", "mini"): (1, 0)}


def test_a_task_that_is_replaced_twice_counts_once(tmp_path: Path) -> None:
    ids = [stored(tmp_path, f"s{number}", row(number, task="a")) for number in range(3)]
    plan = merge_plan(ids)
    assert (plan.stats.runs["openai"]["gpt"].total, plan.stats.runs["openai"]["gpt"].updated) == (1, 1)
    assert plan.left_out == 2
    assert [replaced.results for replaced in plan.replacements] == [2]


def test_of_repeats_in_one_evaluation_the_last_one_stays(tmp_path: Path) -> None:
    only = stored(tmp_path, "repeats", row(1, task="a", kind="Failed"), row(2, task="a", kind="Passed"))
    plan = merge_plan([only])
    assert plan.repeats == 1
    assert plan.replacements[0].is_within_one
    assert plan.result_ids.tolist() == [Evaluation.objects.get(pk=only).result_id(1)]


def test_the_plan_says_how_outcomes_change(tmp_path: Path) -> None:
    plan = merge_plan(two_sources(tmp_path))
    assert plan.changes == (OutcomeChange("passed", "error", 1), OutcomeChange("failed", "passed", 1))
    assert [(found.task, found.before_outcome, found.after_outcome) for found in plan.replacements] == [
        ("b", "failed", "passed"),
        ("c", "passed", "error"),
    ]


def test_the_order_of_the_sources_decides(tmp_path: Path) -> None:
    first, second = two_sources(tmp_path)
    merged = merge([second, first])
    assert ("openai", "gpt", "b", "Failed") in listed(exported(merged.evaluation_id))


def test_results_of_other_runs_in_between_do_not_tear_a_run_apart(tmp_path: Path) -> None:
    mixed = stored(
        tmp_path,
        "mixed",
        row(1, task="a"),
        row(2, task="a", run="mini"),
        row(3, task="b"),
        row(4, task="b", run="mini"),
    )
    merged = merge([mixed])
    assert [entry[1:3] for entry in listed(exported(merged.evaluation_id))] == [
        ("gpt", "a"),
        ("gpt", "b"),
        ("mini", "a"),
        ("mini", "b"),
    ]


def test_every_result_keeps_its_own_bytes(tmp_path: Path) -> None:
    odd = row(1, task="a", Extra={"kept": [1.50, "é"]}, Got=12345678901234567890)
    merged = merge([stored(tmp_path, "odd", odd)])
    found = json.loads(exported(merged.evaluation_id))["Results"]["openai"][0]
    assert found == json.loads(json.dumps(odd))


def test_the_merged_document_is_read_back_and_recognised(tmp_path: Path) -> None:
    merged = merge(two_sources(tmp_path))
    document = exported(merged.evaluation_id)
    evaluation = Evaluation.objects.get(pk=merged.evaluation_id)
    assert (evaluation.digest, evaluation.size_bytes) == (sha256(document).hexdigest(), len(document))
    same = import_file(write(tmp_path, "again.json", document), ImportOptions(project="default")).files[0]
    other = import_file(write(tmp_path, "again.json", document), ImportOptions(project="other")).files[0]
    assert (same.state, other.state, other.results, other.warnings) == ("unchanged", "stored", 6, [])


def test_figures_of_the_new_evaluation_are_those_of_its_results(tmp_path: Path) -> None:
    merged = Evaluation.objects.get(pk=merge(two_sources(tmp_path), "  both \n of them ").evaluation_id)
    assert merged.name == "both of them"
    assert (merged.results, merged.passed, merged.failed, merged.errors, merged.runs) == (6, 4, 1, 1, 3)
    assert (merged.app_name, merged.format, merged.state) == ("Evalboard", "mindtrial", EvaluationState.READY)
    assert Result.objects.get(pk=merged.result_id(1)).trace_id == trace_id(1)


def test_sources_stay_and_copies_count_once_in_history(tmp_path: Path) -> None:
    first, second = two_sources(tmp_path)
    merged = merge([first, second])
    visible = visible_evaluations()
    assert visible.evaluation_ids == {first, second, merged.evaluation_id}
    assert (copied_ids(visible) // 2**24).tolist() == [merged.evaluation_id] * 6


def test_a_merge_is_linked_to_its_sources_also_after_one_is_deleted(tmp_path: Path) -> None:
    first, second = two_sources(tmp_path)
    merged = merge([first, second]).evaluation_id
    job = request_removal([first], "Delete")
    assert job is not None
    run_removal(job.pk)
    sources = MergeSource.objects.filter(merge=merged).order_by("position").values_list("source", "name")
    assert list(sources) == [(None, "first"), (second, "second")]


def test_deleting_a_merge_takes_its_links_away(tmp_path: Path) -> None:
    merged = merge(two_sources(tmp_path)).evaluation_id
    job = request_removal([merged], "Delete")
    assert job is not None
    run_removal(job.pk)
    assert not MergeSource.objects.exists()


def test_a_queued_merge_tells_the_job_what_came_of_it(tmp_path: Path) -> None:
    job = queue_merge(two_sources(tmp_path), "both")
    run_merge(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, job.total, job.unit) == (JobState.SUCCEEDED, 0, 6, "results")
    assert job.report["merge"]["Runs"]["openai"]["gpt"] == {"Total": 4, "Updated": 2}
    assert Evaluation.objects.get(pk=job.report["files"][0]["evaluation"]).name == "both"


def test_a_merge_that_is_run_again_after_its_end_was_lost_makes_no_second_evaluation(tmp_path: Path) -> None:
    job = queue_merge(two_sources(tmp_path))
    run_merge(job.pk)
    Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED)
    run_merge(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.SUCCEEDED
    assert Evaluation.objects.filter(job=job).count() == 1


def test_a_source_that_is_deleted_before_the_job_begins_fails_it_in_words(tmp_path: Path) -> None:
    first, second = two_sources(tmp_path)
    job = queue_merge([first, second])
    request_removal([first], "Delete")
    run_merge(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == (
        JobState.FAILED,
        f"There is no evaluation {first}. The evaluations page lists the ids.",
    )


def test_a_cancelled_merge_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = two_sources(tmp_path)
    job = queue_merge(ids)
    monkeypatch.setattr("results.store.chunks.CHUNK_RESULTS", 2)
    real = merge_plan

    def cancelling(evaluation_ids: list[int]) -> Any:
        request_cancel(job.pk)
        return real(evaluation_ids)

    monkeypatch.setattr("results.merging.merge_plan", cancelling)
    run_merge(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert set(Evaluation.objects.values_list("pk", flat=True)) == {*ids}


@pytest.mark.parametrize(("ids", "words"), [([], "Nothing to merge"), ([99], "There is no evaluation 99")])
def test_what_cannot_be_merged_is_said(ids: list[int], words: str) -> None:
    with pytest.raises(MergeRefused, match=words):
        check_sources(ids)


def test_evaluations_of_two_projects_are_not_merged(tmp_path: Path) -> None:
    ids = [stored(tmp_path, "a", row(1), project="one"), stored(tmp_path, "b", row(2), project="two")]
    with pytest.raises(MergeRefused, match=r"several projects \(one, two\)"):
        check_sources(ids)


def test_the_command_prints_what_mindtrial_prints(tmp_path: Path) -> None:
    out = StringIO()
    call_command("merge_results", *map(str, two_sources(tmp_path)), name="both", stdout=out)
    merged = Evaluation.objects.get(name="both")
    assert out.getvalue().splitlines() == [
        "anthropic",
        "  claude: 1 total, 0 updated",
        "openai",
        "  gpt: 4 total, 2 updated",
        "  mini: 1 total, 0 updated",
        f"'both' stored as evaluation {merged.pk}: 6 results, 2 updated",
    ]


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    out = StringIO()
    call_command("merge_results", *map(str, two_sources(tmp_path)), dry_run=True, json=True, stdout=out)
    told = json.loads(out.getvalue())
    assert (told["evaluation"], told["Runs"]["openai"]["gpt"]) == (None, {"Total": 4, "Updated": 2})
    assert Evaluation.objects.count() == 2


def test_the_command_refuses_an_unknown_id() -> None:
    with pytest.raises(CommandError, match="There is no evaluation 7"):
        call_command("merge_results", "7")


def test_facts_of_a_merge_hold_its_results(tmp_path: Path) -> None:
    merged = merge(two_sources(tmp_path)).evaluation_id
    visible = visible_evaluations()
    sql = f"WHERE evaluation_id = {merged}"
    counted = answer(
        visible.evaluation_ids,
        visible.key,
        None,
        lambda reading: reading.rows(f"SELECT count(*) FROM {reading.table('results', 'outcome evaluation_id')} {sql}"),
    )
    assert counted == [(6,)]
