"""The Node tools that a test asks for: installed once into a folder that later sessions use again."""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.evaluator.strategies.projects import write

PACKAGES = {
    "@playwright/test": "1.65.1",
    "@vitest/coverage-v8": "4.1.10",
    "eslint": "10.15.0",
    "mocha": "12.0.3",
    "typescript": "7.0.2",
    "vitest": "4.1.10",
}
MANIFEST = json.dumps({"private": True, "dependencies": PACKAGES})
OLDEST_NODE = (20, 19)
INSTALL_SECONDS = 600
NPM = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]

MakeProject = Callable[[dict[str, str]], Path]


@pytest.fixture(scope="session")
def node_modules() -> Path:
    """The folder `node_modules` with the tools; tests that need it are skipped where npm or the network is missing."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("Node is not installed: apt-get install nodejs npm")
    version = subprocess.run(["node", "--version"], check=True, capture_output=True, text=True).stdout
    if tuple(map(int, version.strip("v\n").split(".")[:2])) < OLDEST_NODE:
        pytest.skip(f"Node {version.strip()} is too old for the tools; they need {OLDEST_NODE[0]}.{OLDEST_NODE[1]}")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "evalboard-tests"
    folder = home / f"node-{hashlib.sha256(MANIFEST.encode()).hexdigest()[:12]}"
    home.mkdir(parents=True, exist_ok=True)
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several workers of a test run may ask at the same time
        if not (folder / "complete").exists():
            _install(folder)
    return folder / "node_modules"


@pytest.fixture
def node_project(node_modules: Path, tmp_path: Path) -> MakeProject:
    """Makes a project in which the tools are installed."""

    def make(files: dict[str, str]) -> Path:
        folder = tmp_path / "project"
        folder.mkdir()
        (folder / "node_modules").symlink_to(node_modules)
        return write(folder, {"package.json": '{"name": "kiln", "type": "module"}', **files})

    return make


def _install(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "package.json").write_text(MANIFEST)
    try:
        subprocess.run(NPM, cwd=folder, check=True, capture_output=True, timeout=INSTALL_SECONDS, text=True)
    except (subprocess.SubprocessError, OSError) as error:
        said = getattr(error, "stderr", None) or str(error)
        pytest.skip(f"the Node tools cannot be installed: {str(said).strip()[-300:]}")
    (folder / "complete").touch()
