"""The command line: what it prints, what it exits with, and that a document comes out as it went in."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.management import CommandError, call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from results.importing import Progress
from results.management.progress import ProgressBar, progress_line
from results.models.evaluations import Evaluation
from results.models.projects import Project
from tests.documents import document, result, write

pytestmark = pytest.mark.django_db

PLANS = Path(__file__).resolve().parents[1] / "fixtures" / "agent_bober"


def run(*arguments: str) -> tuple[str, int]:
    """Run `import_results` and give what it printed and its exit code."""
    output = io.StringIO()
    try:
        call_command("import_results", *arguments, stdout=output)
    except SystemExit as end:
        return output.getvalue(), int(end.code or 0)
    return output.getvalue(), 0


def exported(evaluation: int, path: Path) -> bytes:
    call_command("export_results", evaluation=evaluation, output=str(path))
    return path.read_bytes()


def compact(body: bytes) -> bytes:
    return msgspec.json.format(body, indent=-1)


def test_the_json_report_has_every_file_and_the_totals(tmp_path: Path) -> None:
    good = write(tmp_path, "good.json", document(result(1)))
    bad = write(tmp_path, "bad.json", b"{}")
    output, _ = run(str(good), str(bad), "--json")
    report = json.loads(output)
    evaluation = Evaluation.objects.get().pk
    assert report["files"][0] == {
        "path": str(good),
        "format": "mindtrial",
        "state": "stored",
        "evaluation": evaluation,
        "iterations": [],
        "contracts": [],
        "specs": [],
        "results": 1,
        "warnings": [],
        "error": None,
    }
    assert report["totals"] == {
        "files": 2,
        "stored": 1,
        "unchanged": 0,
        "rejected": 1,
        "results": 1,
        "iterations": 0,
        "contracts": 0,
        "specs": 0,
        "warnings": 0,
    }


def test_it_exits_with_1_when_anything_was_rejected(tmp_path: Path) -> None:
    write(tmp_path, "1.json", document(result(1)))
    write(tmp_path, "2.json", b"")
    assert run(str(tmp_path))[1] == 1


def test_it_exits_with_0_when_everything_was_stored_or_unchanged(tmp_path: Path) -> None:
    path = str(write(tmp_path, "1.json", document(result(1))))
    assert [run(path)[1], run(path)[1]] == [0, 0]


def test_a_person_reads_what_became_of_each_file(tmp_path: Path) -> None:
    path = write(tmp_path, "nightly.json", document(result(1), result(2)))
    output, _ = run(str(path))
    evaluation = Evaluation.objects.get().pk
    assert output.splitlines() == [
        f"stored    {path}  2 results, evaluation {evaluation}",
        "1 file: 1 stored, 0 unchanged, 0 rejected; 2 results, 0 iterations new",
    ]


def test_contracts_and_specs_are_counted_where_there_are_any() -> None:
    output, _ = run(str(PLANS / "contract.json"), str(PLANS / "spec.json"))
    assert output.splitlines()[-1] == (
        "2 files: 2 stored, 0 unchanged, 0 rejected; 0 results, 0 iterations, 1 contract, 1 spec new"
    )


def test_a_file_of_no_known_format_says_how_to_name_it(tmp_path: Path) -> None:
    output, _ = run(str(write(tmp_path, "a.txt", b'{"hello": 1}')))
    known = "agent-bober, agent-bober-contract, agent-bober-spec, mindtrial"
    assert f"Not a format known here. Name it with --format: {known}.\n" in output


def test_a_path_that_does_not_exist_is_rejected_with_the_reason(tmp_path: Path) -> None:
    output, code = run(str(tmp_path / "nowhere.json"), "--json")
    (file,) = json.loads(output)["files"]
    assert (code, file["state"], file["error"]) == (1, "rejected", "There is no such file; check the path.")


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(document(result(1)))))
    assert (run("-")[1], Evaluation.objects.get().results) == (0, 1)


def test_the_project_is_made_on_first_use(tmp_path: Path) -> None:
    run(str(write(tmp_path, "a.json", document(result(1)))), "--project", "frontier")
    assert Project.objects.get(slug="frontier").name == "frontier"


def test_a_bad_project_name_stops_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot name a project"):
        run(str(tmp_path), "--project", "no/slug")


def test_a_bad_project_name_is_a_json_object_too(tmp_path: Path) -> None:
    output = io.StringIO()
    with pytest.raises(CommandError):
        call_command("import_results", str(tmp_path), "--project", "no/slug", "--json", stdout=output)
    assert "'no/slug' cannot name a project" in json.loads(output.getvalue())["error"]


def test_an_empty_folder_is_said(tmp_path: Path) -> None:
    assert "No files there" in run(str(tmp_path))[0]


def test_a_document_comes_out_as_it_went_in(tmp_path: Path) -> None:
    rows = [result(1, Extra={"b": 1, "a": -0.0}), result(2, Provider="xai"), result(3, Got=1e21)]
    body = document(*rows, Later=[1, {"z": None}]).replace(b"1e+21", b"123456789012345678901234567890.50")
    run(str(write(tmp_path, "a.json", body)))
    assert exported(Evaluation.objects.get().pk, tmp_path / "out.json") == compact(body) + b"\n"


NUMBERS = st.sampled_from(["-0", "-0.0", "1e21", "1E+5", "12345678901234567890123456789", "0.10", "5e-324", "1.0"])
VALUES = st.recursive(
    st.none().map(lambda _: "null") | st.booleans().map(json.dumps) | NUMBERS | st.text(max_size=6).map(json.dumps),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{','.join(items)}]")
        | st.lists(st.tuples(st.sampled_from(["a", "A", "b"]), inner), max_size=3).map(
            lambda pairs: "{" + ",".join(f'"{key}": {value}' for key, value in pairs) + "}"
        )
    ),
    max_leaves=6,
)


@given(got=VALUES, want=VALUES, extra=VALUES, outside=VALUES, key=st.sampled_from(["Task", "task", "TASK"]))
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_token_of_any_document_survives(
    tmp_path: Path, got: str, want: str, extra: str, outside: str, key: str
) -> None:
    row = (
        f'{{"TraceID":"t","Kind":"Passed","{key}":"x","Provider":"p","Run":"r","Got":{got},"Want":{want},'
        f'"Details":{{}},"DurationNS":1,"Extra":{extra},"Run":"r"}}'
    )
    body = f'{{"FormatVersion":1,"x":{outside},"Results":{{"p":[{row}, {row}],"empty":[ ],"q":null}},"x":{outside}}}'
    Evaluation.objects.update(digest="")  # the same document may come twice
    run(str(write(tmp_path, "a.json", body.encode())))
    newest = Evaluation.objects.latest("pk").pk
    assert exported(newest, tmp_path / "out.json") == compact(body.encode()) + b"\n"


def test_every_real_document_comes_out_as_it_went_in(shared_folder: Path, tmp_path: Path) -> None:
    paths = [path for path in sorted((shared_folder / "samples/mindtrial").glob("*.json")) if "schema" not in path.name]
    assert len(paths) >= 7
    for path in paths:
        output, _ = run(str(path), "--json")
        evaluation: Any = json.loads(output)["files"][0]["evaluation"]
        assert exported(evaluation, tmp_path / "out.json") == compact(path.read_bytes()) + b"\n"


def test_an_export_of_nothing_is_an_error_and_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no evaluation 99"):
        exported(99, tmp_path / "out.json")
    assert list(tmp_path.glob("*.json")) == []


def test_an_export_to_a_folder_that_is_missing_says_so(tmp_path: Path) -> None:
    run(str(write(tmp_path, "a.json", document(result(1)))))
    with pytest.raises(CommandError, match="No such file or directory"):
        exported(Evaluation.objects.get().pk, tmp_path / "nowhere" / "out.json")


def test_deleting_what_does_not_exist_deletes_nothing(tmp_path: Path) -> None:
    run(str(write(tmp_path, "a.json", document(result(1)))))
    with pytest.raises(CommandError, match=r"There is no evaluation 99\. Nothing was deleted"):
        call_command("delete_evaluation", Evaluation.objects.get().pk, 99)
    assert Evaluation.objects.count() == 1


def test_deleting_says_what_is_gone(tmp_path: Path) -> None:
    run(str(write(tmp_path, "a.json", document(result(1)))))
    output, evaluation = io.StringIO(), Evaluation.objects.get().pk
    call_command("delete_evaluation", evaluation, stdout=output)
    assert output.getvalue() == f"deleted evaluation {evaluation}, a: 1 result\n"


def test_a_progress_line_tells_share_results_rate_and_time_left() -> None:
    line = progress_line(Progress("a.json", 25, 100, 5_000), 2.0)
    assert line == f"a.json {'█' * 6}{'░' * 18}  25% · 5,000 results · 2,500/s · 6 s left"


def test_no_progress_is_drawn_where_nobody_looks() -> None:
    stream = io.StringIO()
    ProgressBar(stream).show(Progress("a.json", 1, 2, 1))
    assert stream.getvalue() == ""
