"""Small projects for the tests, and one strategy run in one of them."""

import shlex
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import msgspec

from evaluator.engine.strategies.configuration import Commands, Configuration, StrategyChoice
from evaluator.engine.strategies.contracts import Criterion, SprintContract
from evaluator.engine.strategies.options import OPTIONS
from evaluator.engine.strategies.project_files import ProjectFiles
from evaluator.engine.strategies.runner import Plan, Watcher, run_strategy
from evaluator.engine.strategies.states import Outcome

PYTHON = sys.executable
CONTRACT = SprintContract(contract_id="sprint-kiln-1", spec_id="kiln", number=1)


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files into a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def choice(kind: str, *, required: bool = True, command: str | None = None, **config: Any) -> StrategyChoice:
    """A strategy with options as they stand in a configuration."""
    options = msgspec.convert(config, OPTIONS[kind])
    return StrategyChoice(kind, kind, required, options, command=command, given=config)


def run(
    folder: Path,
    chosen: StrategyChoice,
    *,
    commands: Commands | None = None,
    criteria: tuple[Criterion, ...] = (),
    cancel: Event | None = None,
    watcher: Watcher | None = None,
) -> Outcome:
    """Run one strategy in a folder."""
    plan = Plan(
        ProjectFiles(folder),
        Configuration((chosen,), commands or Commands()),
        replace(CONTRACT, criteria=criteria),
        watcher or Watcher(),
        cancel or Event(),
    )
    return run_strategy(chosen, plan)


def python(code: str) -> str:
    """A command that runs some lines of Python."""
    return shlex.join([PYTHON, "-c", code])
