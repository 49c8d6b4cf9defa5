"""`manage.py doctor`: each fault has a name and a remedy, and none of them is a traceback."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from evaluator.doctor import machine
from evaluator.doctor.copies import check_facts, check_text_index
from evaluator.doctor.database import check_database_health
from evaluator.doctor.examination import examine
from evaluator.doctor.machine import check_disk, check_rights, check_settings, check_versions
from evaluator.doctor.workers import check_uploads, check_workers
from evaluator.findings import Finding, Level
from evaluator.readiness import sweep_stamp
from results.models.jobs import Job, JobKind, JobState, Upload
from tests.documents import result
from tests.frontend.factories import an_evaluation

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _loopback_only(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]  # without the name that tests ask for


def told(findings: Iterable[Finding]) -> list[tuple[str, str]]:
    return [(finding.about, finding.level.value) for finding in findings]


@pytest.mark.django_db
def test_a_sound_installation_has_no_problems(tmp_path: Path) -> None:
    an_evaluation(tmp_path, result(1))
    sweep_stamp().touch()
    out = StringIO()

    call_command("doctor", as_json=True, stdout=out)

    answer = json.loads(out.getvalue())
    assert answer["problems"] == 0
    assert {one["about"] for one in answer["findings"]} >= {
        *("Python", "packages", "settings", "secrets", "state folder", "disk", "facts folder", "broker", "database"),
        *("tables", "writing", "housekeeping", "jobs", "uploads", "facts", "text index"),
    }
    assert all(one["remedy"] for one in answer["findings"] if one["level"] != "ok")


@pytest.mark.django_db
def test_a_lost_facts_file_is_a_warning_that_says_what_makes_it_again(tmp_path: Path, var_dir: Path) -> None:
    an_evaluation(tmp_path, result(1))
    for path in (var_dir / "facts").glob("*.parquet"):
        path.unlink()

    (finding,) = check_facts()

    assert finding.level is Level.WARNING
    assert finding.text.startswith("1 of 1 file sets are missing or damaged here")
    assert "rebuild_facts" in finding.remedy


@pytest.mark.django_db
def test_a_text_index_that_is_behind_is_a_warning(tmp_path: Path, var_dir: Path) -> None:
    an_evaluation(tmp_path, result(1))
    assert told(check_text_index()) == [("text index", "ok")]
    shutil.rmtree(var_dir / "text")

    assert told(check_text_index()) == [("text index", "warning")]


@pytest.mark.django_db
def test_workers_that_have_not_swept_for_long_are_missed() -> None:
    assert told(check_workers())[0] == ("housekeeping", "warning")
    sweep_stamp().touch()
    assert told(check_workers()) == [("housekeeping", "ok"), ("jobs", "ok")]

    long_ago = time.time() - 3600
    os.utime(sweep_stamp(), (long_ago, long_ago))

    assert next(iter(check_workers())).text == "The last sweep was 60 minutes ago."


@pytest.mark.django_db
def test_jobs_that_nobody_takes_are_a_problem() -> None:
    sweep_stamp().touch()
    job = Job.objects.create(kind=JobKind.IMPORT)
    Job.objects.update(created_at=timezone.now() - timedelta(minutes=6))
    assert told(check_workers())[1:] == [("jobs", "problem")]

    Job.objects.create(
        kind=JobKind.IMPORT, state=JobState.RUNNING, lease_until=timezone.now() + timedelta(minutes=1)
    )  # somebody works, the other one waits its turn
    assert told(check_workers())[1:] == [("jobs", "ok")]

    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING, lease_until=timezone.now() - timedelta(minutes=5))
    assert told(check_workers())[1:] == [("jobs", "problem")]


@pytest.mark.django_db
def test_an_upload_that_this_host_does_not_see_is_a_problem() -> None:
    upload = Upload.objects.create(file_name="a.json", stored_name="elsewhere", digest="0", size_bytes=1)
    job = Job.objects.create(kind=JobKind.IMPORT, upload=upload)

    (finding,) = check_uploads()

    assert finding.level is Level.PROBLEM
    assert finding.text.startswith(f"The file of job {job.pk} is not below ")


@pytest.mark.django_db(transaction=True)
def test_the_database_is_written_to_and_nothing_stays() -> None:
    expected = [("writing", "ok"), ("journal", "ok"), ("integrity", "ok")]
    if connection.vendor == "postgresql":
        expected = [("writing", "ok"), ("encoding", "ok")]

    assert told(check_database_health()) == expected
    assert "evalboard_doctor" not in connection.introspection.table_names()


def test_secrets_that_others_may_read_are_a_problem(var_dir: Path) -> None:
    key = var_dir / "secrets" / "secret_key"
    key.write_text("x")
    key.chmod(0o644)
    var_dir.chmod(0o777)

    assert told(check_rights()) == [("secrets", "problem"), ("state folder", "problem")]

    key.chmod(0o600)
    var_dir.chmod(0o755)
    assert told(check_rights()) == [("secrets", "ok"), ("state folder", "ok")]


@pytest.mark.parametrize(("free", "level"), [(10**8, "problem"), (10**9, "warning"), (10**10, "ok")])
def test_little_room_on_the_disk_is_told(monkeypatch: pytest.MonkeyPatch, free: int, level: str) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: shutil._ntuple_diskusage(10**12, 0, free))

    assert told(check_disk()) == [("disk", level)]


def test_packages_that_are_not_the_pinned_ones_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "pins", lambda: [("django", "1.0"), ("no-such-package", "2")])

    finding = list(check_versions())[1]

    assert finding.level is Level.WARNING
    assert "django is " in finding.text
    assert "not 1.0; no-such-package is missing" in finding.text


def test_unsafe_settings_are_told(settings: Settings) -> None:
    assert told(check_settings()) == [("settings", "ok")]
    settings.DEBUG, settings.ALLOWED_HOSTS = True, ["localhost", "[::1]", "evals.example.org"]

    assert [finding.text for finding in check_settings()] == [
        "EVALBOARD_DEBUG is 1: errors show code and values in the browser.",
        "Browsers may ask for evals.example.org, and nobody has to log in.",
    ]

    settings.DEBUG, settings.ACCOUNTS = False, True
    assert told(check_settings()) == [("settings", "warning")] * 2


@pytest.mark.django_db
def test_a_check_that_fails_itself_is_a_problem_and_the_others_go_on(var_dir: Path) -> None:
    shutil.rmtree(var_dir / "secrets")

    found = {finding.about: finding for finding in examine()}

    assert found["rights"].text.startswith("It could not be looked at (FileNotFoundError: ")
    assert "text index" in found


def test_a_database_that_is_gone_is_told_without_a_traceback(var_dir: Path) -> None:
    url = f"postgres://me:hush@/name?host={var_dir}"  # no server has its socket there
    environment = {**os.environ, "DATABASE_URL": url, "EVALBOARD_VAR": str(var_dir)}
    environment["DJANGO_SETTINGS_MODULE"] = "evaluator.settings"

    done = subprocess.run(
        [sys.executable, "manage.py", "doctor"],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (1, "")
    assert "problem  database: It cannot be reached" in done.stdout
    assert "Start it, or correct DATABASE_URL" in done.stdout
    assert "hush" not in done.stdout
