"""A state folder with many imported results: generated documents, imported as the command does, text index complete.

Documents share tasks and runs; their trials differ, so that outcomes, tokens and times vary.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path

import psycopg

from benchmarks.corpus import RUN_COUNT
from benchmarks.generate import START, generate_results, write_document

PROJECT = Path(__file__).resolve().parent.parent
MARK = "complete.json"  # lies in a state folder that holds everything
SHAPES_PROJECT = "shapes"
SHAPES = {"evaluation": 1_000, "compare": 5_000}  # further evaluations: tasks of each run, of which there are 30
SHAPES_TRIALS = {"evaluation": -7, "compare": -14}  # apart, or one would hold copies of the other's results


@dataclass(frozen=True, slots=True)
class Size:
    """How many documents of how many results, and how many empty evaluations beside them where a list is measured."""

    documents: int
    results: int

    @property
    def total(self) -> int:
        """Results of all documents."""
        return self.documents * self.results


@dataclass(frozen=True, slots=True)
class State:
    """A state folder and the database that belongs to it; an empty URL = the SQLite file in the folder."""

    folder: Path
    database_url: str = ""

    @property
    def environment(self) -> dict[str, str]:
        """The environment of a process that uses this state."""
        kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        named = {"DATABASE_URL": self.database_url} if self.database_url else {}
        return kept | named | {"EVALBOARD_VAR": str(self.folder), "DJANGO_SETTINGS_MODULE": "evaluator.settings"}

    def manage(self, *words: str) -> None:
        """Run a management command on this state."""
        command = [sys.executable, "manage.py", *words]
        subprocess.run(command, cwd=PROJECT, env=self.environment, check=True, stdout=subprocess.DEVNULL)


def prepared(folder: Path, size: Size, database_url: str = "") -> State:
    """Give a state that holds what is measured; what the folder has of it already is used again.

    Args:
        folder: where states and documents lie.
        size: of what is imported.
        database_url: of an empty PostgreSQL database, or one that an earlier call filled; empty = SQLite.

    Raises:
        subprocess.CalledProcessError: an import failed.
    """
    name = f"{'postgresql' if database_url else 'sqlite'}-{size.documents}x{size.results}"
    state = State(folder / name, database_url)
    mark = state.folder / MARK
    wanted = json.dumps({**asdict(size), "database": database_url, "shapes": SHAPES})
    if mark.exists() and mark.read_text(encoding="utf-8") == wanted:
        return state
    state.folder.mkdir(parents=True, exist_ok=True)
    state.manage("migrate", "--verbosity", "0", "--skip-checks")
    for path in documents(folder, size):
        print(f"  importing {path.name}", flush=True)
        state.manage("import_results", str(path))
    for name in SHAPES:
        print(f"  importing {shape_file(name)}", flush=True)
        state.manage("import_results", str(shape(folder, name)), "--project", SHAPES_PROJECT)
    if database_url:
        with psycopg.connect(database_url, autocommit=True) as connection:
            connection.execute("ANALYZE")  # a private server does not do that by itself
    mark.write_text(wanted, encoding="utf-8")
    return state


def documents(folder: Path, size: Size) -> Iterator[Path]:
    """The documents, each written when it is asked for, unless the folder has it."""
    for trial in range(size.documents):
        yield _written(folder / f"trial-{trial:02d}-{size.results}.json", size.results, trial)


def shape(folder: Path, name: str) -> Path:
    """The document of one of `SHAPES`, written unless the folder has it."""
    return _written(folder / shape_file(name), SHAPES[name] * RUN_COUNT, SHAPES_TRIALS[name])


def shape_file(name: str) -> str:
    """What the document of one of `SHAPES` is called."""
    return f"shape-{name}-{SHAPES[name]}.json"


def _written(path: Path, results: int, trial: int) -> Path:
    if not path.exists():
        unfinished = path.with_suffix(".part")
        with unfinished.open("wb", buffering=2**20) as out:
            write_document(out, generate_results(results, trial=trial), START + timedelta(days=trial))
        unfinished.rename(path)
    return path
