"""What lies in a project's folder that tells which tools it uses; read once, never trusted to be well-formed."""

import configparser
import json
import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from evaluator.engine.regular_files import read_regular

MOST_BYTES = 2_000_000  # of one of these files
REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
PYTHON_FOLDERS = (".venv", "venv")
MYPY_TARGETS = frozenset({"files", "packages", "modules"})


@dataclass(frozen=True)
class ProjectFiles:
    """A project's folder; a file that is missing or damaged reads as empty."""

    folder: Path

    def has(self, *names: str) -> str | None:
        """The first of these names or globs that is there."""
        for name in names:
            found = next(iter(sorted(self.folder.glob(name))), None) if "*" in name else self.folder / name
            if found is not None and found.exists():
                return found.relative_to(self.folder).as_posix()
        return None

    def text(self, name: str) -> str:
        """A file's text; empty if it is missing, unreadable or too large."""
        try:
            return read_regular(self.folder / name, MOST_BYTES).decode(errors="replace")
        except OSError:
            return ""

    @cached_property
    def package(self) -> dict[str, Any]:
        """`package.json`."""
        return _object(_json(self.text("package.json")))

    @cached_property
    def scripts(self) -> dict[str, str]:
        """The scripts of `package.json`."""
        return {name: text for name, text in _object(self.package.get("scripts")).items() if isinstance(text, str)}

    @cached_property
    def node_packages(self) -> frozenset[str]:
        """What `package.json` lists as a dependency of any kind."""
        kinds = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
        return frozenset(name for kind in kinds for name in _object(self.package.get(kind)))

    @cached_property
    def python(self) -> dict[str, Any]:
        """`pyproject.toml`."""
        try:
            return tomllib.loads(self.text("pyproject.toml"))
        except (tomllib.TOMLDecodeError, RecursionError):
            return {}

    @cached_property
    def python_tools(self) -> dict[str, Any]:
        """The `[tool.…]` tables of `pyproject.toml`."""
        return _object(self.python.get("tool"))

    @cached_property
    def setup_sections(self) -> frozenset[str]:
        """The sections of `setup.cfg` and `tox.ini`."""
        found: set[str] = set()
        for name in ("setup.cfg", "tox.ini"):
            parser = configparser.ConfigParser(interpolation=None, strict=False)
            try:
                parser.read_string(self.text(name))
            except configparser.Error:
                continue
            found |= set(parser.sections())
        return frozenset(found)

    @cached_property
    def names_code_for_mypy(self) -> bool:
        """Whether the configuration that mypy reads says which code is checked."""
        for name in ("mypy.ini", ".mypy.ini"):
            if self.has(name):
                return bool(MYPY_TARGETS & self._options(name, "mypy"))
        own = _object(self.python_tools.get("mypy")) or self._options("setup.cfg", "mypy")
        return bool(MYPY_TARGETS & set(own))

    @cached_property
    def configures_coverage(self) -> bool:
        """Whether it says itself what coverage.py measures."""
        return bool(
            self.has(".coveragerc")
            or "coverage" in self.python_tools
            or any(name.startswith("coverage:") for name in self.setup_sections)
        )

    def _options(self, name: str, section: str) -> frozenset[str]:
        """The options of a section of an INI file."""
        parser = configparser.ConfigParser(interpolation=None, strict=False)
        try:
            parser.read_string(self.text(name))
        except configparser.Error:
            return frozenset()
        return frozenset(parser.options(section)) if parser.has_section(section) else frozenset()

    @cached_property
    def python_packages(self) -> frozenset[str]:
        """What `pyproject.toml` and requirements files list, in small letters."""
        project = _object(self.python.get("project"))
        lines = [*_list(project.get("dependencies"))]
        for group in (_object(project.get("optional-dependencies")), _object(self.python.get("dependency-groups"))):
            lines += [line for items in group.values() for line in _list(items)]
        poetry = _object(self.python_tools.get("poetry"))
        lines += [*_object(poetry.get("dependencies")), *_object(poetry.get("dev-dependencies"))]
        for group in _object(poetry.get("group")).values():
            lines += _object(_object(group).get("dependencies"))
        for path in sorted([*self.folder.glob("requirements*.txt"), *self.folder.glob("requirements/*.txt")]):
            lines += self.text(path.relative_to(self.folder).as_posix()).splitlines()
        names = [REQUIREMENT.match(line) for line in lines if isinstance(line, str)]
        return frozenset(name[1].lower() for name in names if name)

    @cached_property
    def python_program(self) -> str:
        """The Python of the project's own environment, else the one in the path."""
        folder = next((name for name in PYTHON_FOLDERS if (self.folder / name / "bin" / "python").exists()), None)
        return f"{folder}/bin/python" if folder else "python3"

    def installed_program(self, name: str) -> Path | None:
        """Where npx finds a program: in `node_modules/.bin` here or above."""
        for folder in (self.folder, *self.folder.parents):
            found = folder / "node_modules" / ".bin" / name
            if found.exists():
                return found
        return None


def _json(text: str) -> object:
    try:
        value: object = json.loads(text) if text.strip() else None
    except (ValueError, RecursionError):
        return None
    return value


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
