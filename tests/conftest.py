"""What every test has: its own state folder, and the shared samples where they exist."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from hypothesis import settings as hypothesis_settings
from pytest_django.fixtures import Settings

from evaluator.database_url import as_url
from evaluator.state_folder import make_state_folder
from results.facts import engine as facts_engine

PROJECT = Path(__file__).resolve().parent.parent
DATABASE_FIXTURES = {
    "db",
    "transactional_db",
    "django_db_reset_sequences",
    "django_db_serialized_rollback",
    "live_server",
}

hypothesis_settings.register_profile("local", deadline=None)
hypothesis_settings.register_profile("ci", deadline=None, derandomize=True)
hypothesis_settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what uses the database, so that `-m database` runs exactly that on PostgreSQL."""
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if item.get_closest_marker("django_db") or fixtures & DATABASE_FIXTURES:
            item.add_marker("database")


@pytest.fixture(autouse=True)
def var_dir(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    """Give each test a state folder of its own (`settings.VAR_DIR`), apart from the database."""
    folder = tmp_path / "var"
    make_state_folder(folder)
    settings.VAR_DIR = folder
    facts_engine.reset()
    yield folder
    facts_engine.reset()  # it holds files of this folder open


@pytest.fixture
def child_environment(var_dir: Path, transactional_db: None) -> dict[str, str]:
    """The environment with which a child process sees this test's database and state folder.

    Committed rows only: hence a test that asks for it runs without an enclosing transaction.
    """
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "evaluator.settings",
        "EVALBOARD_VAR": str(var_dir),
        "DATABASE_URL": as_url(connection.settings_dict),
    }


@pytest.fixture(scope="session")
def shared_folder() -> Path:
    """The folder of real samples beside the checkout; tests that read it are skipped where it is absent."""
    folder = Path(os.environ.get("EVALBOARD_SHARED", PROJECT.parent / "shared"))
    if not (folder / "samples").is_dir():
        pytest.skip(f"no samples at {folder}: set EVALBOARD_SHARED to the folder that holds `samples/`")
    return folder
