"""Iterations as files: the document as it came, and a report in Markdown."""

import io
from pathlib import Path
from zipfile import ZipFile

import msgspec
import pytest
from django.core.management import call_command
from django.test import Client

from results.models.sprints import Iteration, Sprint
from tests.fixtures.agent_bober.documents import fixture_bytes
from tests.fixtures.agent_bober.imports import evaluation, import_bodies, import_one

pytestmark = pytest.mark.django_db


def report(path: Path, **options: object) -> str:
    call_command("export_results", format="evalresult-markdown", output=str(path), **options)
    return path.read_text()


def test_the_document_comes_out_with_every_token(client: Client) -> None:
    (iteration_id,) = import_one({"eval-sprint-kiln-1-1.json": fixture_bytes("documented.json")}).iterations
    response = client.get(f"/iterations/{iteration_id}/export.evalresult")
    assert response["Content-Disposition"] == 'attachment; filename="eval-sprint-kiln-1-1.json"'
    assert response.content == msgspec.json.format(fixture_bytes("documented.json"), indent=-1) + b"\n"


def test_a_report_has_its_parts_in_tables_and_what_failed(tmp_path: Path) -> None:
    (iteration_id,) = import_one({"eval-sprint-kiln-1-1.json": fixture_bytes("documented.json")}).iterations
    text = report(tmp_path / "a.md", iteration=iteration_id)
    titles = [line for line in text.splitlines() if line.startswith("#")]
    assert titles == [
        "# sprint-kiln-1, iteration 1: PASS",
        *(f"## {name}" for name in ("Strategies", "Criteria", "Failures", "Regressions", "Feedback", "Summary")),
    ]
    assert "| Criterion | Description | Required | Result | Evidence |" in text
    assert "  - Where: src/lamp.ts:42\n" in text


def test_what_was_not_recorded_says_so_and_markup_is_text(tmp_path: Path) -> None:
    files = evaluation(summary="# big\n<img src=x> [a](javascript:x)", strategyResults=None, regressions=[])
    (iteration_id,) = import_one(files).iterations
    text = report(tmp_path / "a.md", iteration=iteration_id)
    assert "## Strategies\n\nNot recorded.\n" in text
    assert "## Regressions\n\nNone.\n" in text
    assert "> \\# big\n> \\<img src=x\\> \\[a\\](javascript:x)\n" in text


def test_a_sprint_is_an_archive_that_can_be_imported_again(client: Client, tmp_path: Path) -> None:
    import_bodies({**evaluation(1), **evaluation(2)})
    before = {row.iteration: bytes(row.body) for row in Iteration.objects.all()}
    sprint = Sprint.objects.get()
    response = client.get(f"/sprints/{sprint.pk}/export.evalresult")
    names = ZipFile(io.BytesIO(response.content)).namelist()
    assert names == [f".bober/eval-results/eval-sprint-kiln-1-{number}.json" for number in (1, 2)]
    (tmp_path / "sprint.zip").write_bytes(response.content)
    Iteration.objects.all().delete()
    call_command("import_results", str(tmp_path / "sprint.zip"), stdout=io.StringIO())
    assert {row.iteration: bytes(row.body) for row in Iteration.objects.all()} == before
    both = client.get(f"/sprints/{sprint.pk}/export.evalresult-markdown").content.decode()
    assert [line for line in both.splitlines() if line.startswith("# ")] == [
        f"# sprint-kiln-1, iteration {number}: PASS" for number in (1, 2)
    ]
    assert f"/sprints/{sprint.pk}/export.evalresult" in client.get(f"/sprints/{sprint.pk}/").content.decode()
