"""The page that evaluates a code project: which folder, what was found in it, and what shall run."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from django.conf import settings
from django.http import QueryDict

from evaluator.engine.strategies.configuration_problems import ConfigurationError
from evaluator.engine.strategies.runner import Watcher, expected_command
from evaluator.project_folders import FolderRefusedError, place_project
from evaluator.sprint_files import SprintFileError
from evaluator.strategy_jobs import queue_strategies
from evaluator.strategy_runs import PreparedRun, RunRequest, prepare
from frontend.contexts.shell import Shell
from results.importers.source import ImportRefused
from results.intake import check_project
from results.models.jobs import Job
from results.queries.projects import project_slugs, usual_project

MOST_FOLDERS = 200  # listed of one folder; any other may be typed
MOST_CONTRACTS = 500
MOST_ITERATIONS = 2**31 - 1
CONTRACTS = ".bober/contracts"
LEFT_OUT = frozenset({"node_modules", "__pycache__", "venv", "target", "dist"})


class ProjectRefusedError(ValueError):
    """What was asked for cannot be evaluated; the text says why, and what to do."""


@dataclass(frozen=True)
class FolderLink:
    """A folder that can be opened."""

    name: str
    href: str


@dataclass(frozen=True)
class CheckLine:
    """A strategy that will run; an empty command means that there is nothing to run, for which `reason` tells why."""

    name: str
    is_required: bool
    command: str
    reason: str


@dataclass(frozen=True)
class Finding:
    """What was found in a project's folder.

    Attributes:
        source: the configuration file; empty where the folder itself decides.
        notes: what was found, and why.
        contract_id: of the sprint that would be evaluated, in the iteration with this number.
        is_replacing: that iteration was evaluated before.
    """

    source: str
    notes: tuple[str, ...]
    checks: tuple[CheckLine, ...]
    contract_id: str
    iteration: int
    is_replacing: bool

    @classmethod
    def build(cls, prepared: PreparedRun) -> "Finding":
        """What a run would do."""
        plan = prepared.plan
        configuration = plan.configuration
        checks = []
        for choice in configuration.strategies:
            found = expected_command(choice, configuration, plan.project)
            checks.append(CheckLine(choice.label or choice.type, choice.required, found.command, found.reason))
        return cls(
            source=_relative(configuration.file, plan.project.folder),
            notes=configuration.notes,
            checks=tuple(checks),
            contract_id=plan.contract.contract_id,
            iteration=prepared.occasion.iteration,
            is_replacing=prepared.is_replacing,
        )


@dataclass(frozen=True)
class EvaluateProjectPage:
    """What `project_evaluate.html` reads.

    Attributes:
        roots: folders below which projects may be evaluated; none = nothing can be.
        folder: as chosen; empty = none as yet.
        up: the folder above; empty at a root.
        folders: that lie in it, or the roots.
        contracts: names of the contracts in the folder; `contract` is the chosen one.
        finding: None without a folder, and where it cannot be evaluated: then `problem` says why.
    """

    shell: Shell
    roots: tuple[str, ...]
    folder: str
    up: str
    folders: tuple[FolderLink, ...]
    contracts: tuple[str, ...]
    contract: str
    iteration: str
    project: str
    projects: tuple[str, ...]
    finding: Finding | None
    problem: str

    @classmethod
    def build(cls, shell: Shell, params: QueryDict, problem: str = "") -> "EvaluateProjectPage":
        """The page for a query with `folder`, `contract`, `iteration` and `project`; `problem` is of a form."""
        roots = tuple(settings.PROJECT_ROOTS)
        folder, finding = None, None
        asked = params.get("folder", "").strip() or (roots[0] if len(roots) == 1 else "")
        if asked and roots:
            try:
                folder = place_project(asked, roots, by_hand=False)
                finding = Finding.build(prepare(request_of(folder, params), Watcher()))
            except (FolderRefusedError, ConfigurationError, SprintFileError, ProjectRefusedError) as error:
                problem = problem or str(error)
        return cls(
            shell=shell,
            roots=roots,
            folder=str(folder) if folder else asked,
            up=_up(folder, params),
            folders=_folders(folder, roots, params),
            contracts=contract_names(folder) if folder else (),
            contract=params.get("contract", ""),
            iteration=params.get("iteration", "").strip(),
            project=params.get("project", "").strip() or usual_project(),
            projects=project_slugs(),
            finding=finding,
            problem=problem,
        )


def submit(form: QueryDict) -> Job:
    """Queue what a form asks for.

    Raises:
        ProjectRefusedError: it cannot be evaluated.
    """
    try:
        folder = place_project(form.get("folder", "").strip(), settings.PROJECT_ROOTS, by_hand=False)
        request, project = request_of(folder, form), form.get("project", "").strip()
        check_project(project)
        prepare(request, Watcher())
    except (FolderRefusedError, ConfigurationError, SprintFileError, ImportRefused) as error:
        raise ProjectRefusedError(str(error)) from error
    return queue_strategies(request, project)


def request_of(folder: Path, form: QueryDict) -> RunRequest:
    """What a form asks for.

    Raises:
        ProjectRefusedError: its contract is none of the folder's, or its iteration no number.
    """
    name, number = form.get("contract", ""), form.get("iteration", "").strip()
    if name and name not in contract_names(folder):
        raise ProjectRefusedError(f"{CONTRACTS}/{name} is no contract of this project. Choose one of the list.")
    if number and not (number.isascii() and number.isdigit() and 1 <= int(number[:11]) <= MOST_ITERATIONS):
        raise ProjectRefusedError(f"Iteration {number!r} is no whole number from 1. Correct it, or leave it empty.")
    return RunRequest(
        folder=folder,
        contract=folder / CONTRACTS / name if name else None,
        iteration=int(number) if number else None,
        store_in=form.get("project", "").strip(),
    )


def contract_names(folder: Path) -> tuple[str, ...]:
    """The contracts that really lie in a project's folder."""
    names = [
        path.name
        for path in sorted((folder / CONTRACTS).glob("*.json"))
        if _is_readable(path.name) and path.is_file() and path.resolve().is_relative_to(folder)
    ]
    return tuple(names[:MOST_CONTRACTS])


def _up(folder: Path | None, params: QueryDict) -> str:
    if folder is None:
        return ""
    try:
        return _address(place_project(str(folder.parent), settings.PROJECT_ROOTS, by_hand=False), params)
    except FolderRefusedError:
        return ""


def _folders(folder: Path | None, roots: tuple[str, ...], params: QueryDict) -> tuple[FolderLink, ...]:
    if folder is None:
        return tuple(FolderLink(root, _address(Path(root), params)) for root in roots)
    names = sorted(_subfolders(folder))[:MOST_FOLDERS]
    return tuple(FolderLink(name, _address(folder / name, params)) for name in names)


def _subfolders(folder: Path) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                is_shown = not entry.name.startswith(".") and entry.name not in LEFT_OUT and _is_readable(entry.name)
                if is_shown and entry.is_dir(follow_symlinks=False):
                    yield entry.name
    except OSError:
        return


def _is_readable(name: str) -> bool:
    """Whether a file's name is text at all, so that an address can carry it."""
    return name.isprintable()


def _address(folder: Path, params: QueryDict) -> str:
    project = params.get("project", "").strip()
    return "?" + urlencode({"folder": str(folder)} | ({"project": project} if project else {}))


def _relative(file: str | None, folder: Path) -> str:
    path = Path(file) if file else None
    if path is None:
        return ""
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else str(path)
