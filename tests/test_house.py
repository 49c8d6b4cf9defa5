"""The house itself: pins, verbs, versions and the words on the door agree with each other."""

import re
import subprocess
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands

PROJECT = Path(__file__).resolve().parent.parent
VERBS = ["serve", "test", "check", "lint", "fix", "bench"]
PIN = re.compile(r"([a-z0-9.-]+)(\[[a-z,]+\])?==([^;\s]+)")


def requirement_lines(name: str) -> list[str]:
    """The requirements of a file without comments and includes."""
    text = (PROJECT / "requirements" / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith(("#", "-r "))]


def variables_read() -> list[str]:
    """The environment variables that the settings read."""
    source = (PROJECT / "evaluator" / "settings.py").read_text(encoding="utf-8")
    return sorted(set(re.findall(r'environment\.\w+\(\s*"([A-Z_]+)"', source)))


ALL_LINES = [line for name in ("base.txt", "live.txt", "dev.txt") for line in requirement_lines(name)]


@pytest.mark.parametrize("line", ALL_LINES)
def test_a_requirement_is_pinned_exactly_to_what_is_installed(line: str) -> None:
    pinned = PIN.fullmatch(line)
    assert pinned is not None
    assert version(pinned[1]) == pinned[3]


def test_no_package_is_pinned_twice() -> None:
    names = [line.partition("=")[0] for line in ALL_LINES]
    assert len(names) == len(set(names))


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == settings.VERSION


def test_the_changelog_tells_about_this_version() -> None:
    assert f"## {settings.VERSION}" in (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("verb", VERBS)
def test_make_lists_its_verbs(verb: str) -> None:
    listing = subprocess.run(["make"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    assert f"  make {verb} " in listing


@pytest.mark.parametrize("variable", variables_read())
def test_a_variable_is_explained_in_the_readme(variable: str) -> None:
    assert f"`{variable}`" in (PROJECT / "README.md").read_text(encoding="utf-8")


def test_every_command_is_described() -> None:
    ours = {name for name, app in get_commands().items() if app in {"results", "evaluator"}}
    described = re.findall(r"^## `(\w+)", (PROJECT / "docs" / "cli.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(described) == sorted(ours)
