"""The settings of the tests: the real ones, with all state in a folder that goes away with the run."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

STATE = Path(tempfile.mkdtemp(prefix="evalboard-tests-"))
OWNER = os.getpid()


def remove_state() -> None:
    """Remove the folder, unless this is a forked child of the process that made it."""
    if os.getpid() == OWNER:
        shutil.rmtree(STATE, ignore_errors=True)


atexit.register(remove_state)
for variable in [name for name in os.environ if name.startswith("EVALBOARD_")]:
    if variable not in {"EVALBOARD_SHARED", "EVALBOARD_TEST_DATABASE_URL", "EVALBOARD_FUZZ_EXAMPLES"}:
        del os.environ[variable]
os.environ.pop("SECRET_KEY", None)
os.environ["EVALBOARD_VAR"] = str(STATE)
os.environ["CELERY_BROKER_URL"] = "memory://"
os.environ["DATABASE_URL"] = os.environ.get("EVALBOARD_TEST_DATABASE_URL") or f"sqlite:///{STATE}/evalboard.sqlite3"

from evaluator.settings import *  # noqa: E402

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, as in real life: an in-memory database has neither WAL nor other processes.
    DATABASES["default"]["TEST"] = {"NAME": str(STATE / "test.sqlite3")}
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
