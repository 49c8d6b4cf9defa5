"""The settings as a whole: safe defaults, and refusals that name the variable."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from csp.middleware import CSPMiddleware
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

PROJECT = Path(__file__).resolve().parents[2]


def settings_error(**environment: str) -> str:
    """What a process says that reads the settings with these variables; empty when they are fine."""
    base = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "CELERY_BROKER_URL"}}
    command = [sys.executable, "-c", "import evaluator.settings"]
    done = subprocess.run(
        command, cwd=PROJECT, env={**base, **environment}, capture_output=True, text=True, check=False
    )
    return done.stderr.strip().rpartition("\n")[2]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("EVALBOARD_DEBUG", "maybe"),
        ("EVALBOARD_PORT", "99999"),
        ("EVALBOARD_MAX_UPLOAD", "plenty"),
        ("EVALBOARD_LOG_LEVEL", "loud"),
        ("DATABASE_URL", "oracle://x"),
        ("CELERY_BROKER_URL", "carrier-pigeon://x"),
        ("SECRET_KEY", "short"),
        ("EVALBOARD_VAR", "/dev/null/var"),
    ],
)
def test_a_bad_value_is_refused_by_the_name_of_its_variable(name: str, value: str) -> None:
    assert f"ImproperlyConfigured: {name} is " in settings_error(**{name: value})


def test_a_refused_secret_is_not_shown() -> None:
    assert "short!" not in settings_error(SECRET_KEY="short!")


def test_a_refused_broker_is_not_shown_for_it_may_hold_a_password() -> None:
    assert "hunter2" not in settings_error(CELERY_BROKER_URL="http://x:hunter2@h")


def test_without_variables_the_defaults_are_fine(tmp_path: Path) -> None:
    assert settings_error(EVALBOARD_VAR=str(tmp_path)) == ""


def test_a_new_state_folder_holds_only_folders_and_the_secret(tmp_path: Path) -> None:
    settings_error(EVALBOARD_VAR=str(tmp_path))
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["secret_key"]


def test_debug_is_off_by_default() -> None:
    assert settings.DEBUG is False


def test_a_transaction_is_never_opened_for_a_whole_request() -> None:
    assert connection.settings_dict["ATOMIC_REQUESTS"] is False


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("pragma", "value"),
    [("journal_mode", "wal"), ("synchronous", 1), ("secure_delete", 0), ("cache_size", -32000), ("foreign_keys", 1)],
)
def test_sqlite_runs_with_the_chosen_options(pragma: str, value: object) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("this is about SQLite")
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {pragma}")
        assert cursor.fetchone()[0] == value


def policy(*, reads_nonce: bool) -> dict[str, str]:
    """The content security policy of a response, by directive."""

    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse(str(request.csp_nonce) if reads_nonce else "")  # type: ignore[attr-defined]

    response = CSPMiddleware(view)(RequestFactory().get("/"))
    assert isinstance(response, HttpResponse)
    words = [directive.strip().partition(" ") for directive in response["Content-Security-Policy"].split(";")]
    return {name: value for name, _, value in words}


def test_the_content_security_policy_lets_nothing_in_from_elsewhere() -> None:
    assert policy(reads_nonce=False) == {
        "default-src": "'self'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data: blob:",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }


@pytest.mark.parametrize("directive", ["script-src", "style-src"])
def test_a_page_that_reads_the_nonce_may_use_it(directive: str) -> None:
    assert policy(reads_nonce=True)[directive].startswith("'self' 'nonce-")
