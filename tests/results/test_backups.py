"""Backup and restore, on the database at hand and across databases, while other processes read and write."""

import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from results.backups.container import read_manifest
from results.backups.saving import save
from results.exports.documents import export_document
from results.jobs import LeaseLostError, claim, create_job, renew
from results.models.evaluations import Evaluation, EvaluationState
from results.models.jobs import Job, JobKind, JobState
from results.models.results import Result
from results.models.sprints import Iteration
from results.sweeper import sweep
from tests.documents import document, result, write
from tests.fixtures.agent_bober.imports import contract, evaluation, import_bodies

pytestmark = pytest.mark.django_db(transaction=True)

PROJECT = Path(__file__).resolve().parents[2]


def manage(environment: dict[str, str], *arguments: str) -> str:
    """Run a command in a process of its own and give what it printed."""
    command = [sys.executable, "manage.py", *arguments]
    ended = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def imported(folder: Path, name: str, *results: dict[str, object]) -> int:
    output = io.StringIO()
    path = write(folder, f"{name}.json", document(*results, AppName=name))
    call_command("import_results", str(path), json=True, stdout=output)
    evaluation_id: int = json.loads(output.getvalue())["files"][0]["evaluation"]
    return evaluation_id


def restored(path: Path, *, replace: bool = True) -> str:
    output = io.StringIO()
    call_command("restore", str(path), replace=replace, stdout=output)
    return output.getvalue()


def everything() -> dict[str, object]:
    return {
        "documents": {row.pk: b"".join(export_document(row)) for row in Evaluation.objects.all()},
        "iterations": sorted(map(bytes, Iteration.objects.values_list("body", flat=True))),
        "rows": list(Result.objects.order_by("pk").values_list()),
        "warnings": list(Evaluation.objects.order_by("pk").values_list("warnings", "imported_at", "note")),
    }


def elsewhere(folder: Path) -> dict[str, str]:
    """The environment of another installation, with SQLite."""
    kept = {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")}
    return {**kept, "EVALBOARD_VAR": str(folder / "elsewhere")}


def test_everything_comes_back_and_what_was_there_is_kept(tmp_path: Path, client: Client) -> None:
    imported(tmp_path, "first", result(1), result(2, Kind="Failed", Got=1.50))
    import_bodies({**evaluation(), **contract()})
    before = everything()
    backup = tmp_path / "a.backup"
    call_command("backup", str(backup), stdout=io.StringIO())
    later = imported(tmp_path, "second", result(3))
    assert client.get(f"/results/?evaluation={later}").status_code == 200
    told = restored(backup)
    assert everything() == before
    assert client.get(f"/evaluations/{later}/").status_code == 404
    assert "2 results" in client.get("/results/").content.decode().replace("\N{NO-BREAK SPACE}", " ")
    assert client.get("/results/?q=blue").status_code == 200
    safety = Path(told.rpartition("before: ")[2].strip())
    assert read_manifest(safety).tables["results_result"] == 3
    assert backup.stat().st_mode & 0o777 == 0o600
    assert imported(tmp_path, "third", result(4)) > later  # an id never means two evaluations


def test_a_backup_goes_into_another_database(tmp_path: Path) -> None:
    first = imported(tmp_path, "first", result(1), result(2))
    backup, out = tmp_path / "a.backup", tmp_path / "out.json"
    save(backup)
    there = elsewhere(tmp_path)
    manage(there, "restore", str(backup))
    manage(there, "export_results", "--evaluation", str(first), "-o", str(out))
    assert out.read_bytes() == b"".join(export_document(Evaluation.objects.get(pk=first))) + b"\n"


def test_a_backup_of_sqlite_is_restored_here_before_the_eyes_of_a_server(
    tmp_path: Path, child_environment: dict[str, str], client: Client
) -> None:
    imported(tmp_path, "old", result(7))
    assert "task 7" in client.get("/results/").content.decode()  # the facts are open in this process
    there, backup = elsewhere(tmp_path), tmp_path / "a.backup"
    manage(there, "migrate", "-v0")
    manage(there, "import_results", str(write(tmp_path, "b.json", document(result(1), result(2)))))
    manage(there, "backup", str(backup))
    manage(child_environment, "restore", str(backup), "--replace")
    page = client.get("/results/").content.decode()
    assert "task 1" in page
    assert "task 7" not in page


def test_a_backup_is_of_one_instant_while_another_process_imports(
    tmp_path: Path, child_environment: dict[str, str]
) -> None:
    rows = [result(number, Task=f"t{number % 500}", Run=f"r{number % 7}") for number in range(9_000)]
    path = write(tmp_path, "large.json", document(*rows))
    command = [sys.executable, "manage.py", "import_results", str(path)]
    backup, seen = tmp_path / "a.backup", 0
    with subprocess.Popen(command, cwd=PROJECT, env=child_environment, stdout=subprocess.DEVNULL) as child:
        while child.poll() is None:
            if Result.objects.exists() and not seen:
                seen = save(backup).manifest.tables["results_result"]
        assert child.returncode == 0
    assert 0 < seen <= 9_000
    restored(backup)
    states = set(Evaluation.objects.values_list("state", "results"))
    assert states <= {(EvaluationState.IMPORTING, 0), (EvaluationState.READY, 9_000)}
    assert Result.objects.count() == seen
    sweep()  # what was half done is removed, as after a crash
    assert Result.objects.count() in (0, 9_000)


def test_a_job_that_runs_loses_its_lease(tmp_path: Path) -> None:
    job = create_job(JobKind.IMPORT)
    lease = claim(job.pk)
    assert lease is not None
    save(tmp_path / "a.backup")
    restored(tmp_path / "a.backup")
    with pytest.raises(LeaseLostError):
        renew(lease, done=1)
    row = Job.objects.get(pk=job.pk)
    assert row.state == JobState.FAILED
    assert "when the backup was made" in row.error


def flipped(body: bytes) -> bytes:
    middle = len(body) // 2
    return body[:middle] + bytes([body[middle] ^ 1]) + body[middle + 1 :]


def told(change: Callable[[dict[str, Any]], object]) -> Callable[[bytes], bytes]:
    """The same backup with another manifest."""

    def changed(body: bytes) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(body)) as old, zipfile.ZipFile(out, "w") as new:
            manifest = json.loads(old.read("manifest.json"))
            change(manifest)
            new.writestr("database.sqlite3.zst", old.read("database.sqlite3.zst"))
            new.writestr("manifest.json", json.dumps(manifest))
        return out.getvalue()

    return changed


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda body: body[: len(body) - 100], "cut off"),
        (lambda _: b"not a backup", "no backup"),
        (flipped, "damaged"),
        (told(lambda manifest: manifest.update(format=2)), "newer release"),
        (told(lambda manifest: manifest.update(migrations=["results.0999_later"])), "does not know its tables"),
        (told(lambda manifest: manifest.update(digest="0" * 64)), "digest"),
        (told(lambda manifest: manifest["tables"].update(results_result=5)), "1 rows in results_result, but says 5"),
        (None, "--replace"),
    ],
)
def test_what_cannot_be_restored_changes_nothing(
    tmp_path: Path, damage: Callable[[bytes], bytes] | None, reason: str
) -> None:
    imported(tmp_path, "first", result(1))
    backup = tmp_path / "a.backup"
    save(backup)
    if damage is not None:
        backup.write_bytes(damage(backup.read_bytes()))
    before = everything()
    with pytest.raises(CommandError, match=reason):
        restored(backup, replace=damage is not None)
    assert everything() == before


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"No backup was made: .*nowhere"):
        call_command("backup", str(tmp_path / "nowhere" / "a.backup"))
