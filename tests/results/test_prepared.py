"""Commands on a database that was not prepared say so in a sentence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        (None, "CommandError: The database is empty: "),
        (
            "sqlite:////nowhere/at/all.sqlite3",
            "CommandError: The database cannot be reached (unable to open database file).",
        ),
    ],
)
def test_a_command_says_what_to_do(url: str | None, sentence: str, tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")}
    environment = {**kept, "EVALBOARD_VAR": str(tmp_path / "var"), **({"DATABASE_URL": url} if url else {})}
    command = [sys.executable, "manage.py", "stats"]
    ended = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith(sentence)
    assert ended.stderr.count("\n") == 1
