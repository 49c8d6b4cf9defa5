"""The real Playwright with the system's Chromium, against a server that the strategy starts."""

import shutil
import socket
from pathlib import Path

import pytest

from evaluator.engine.strategies.states import Outcome, Reason, State
from tests.evaluator.strategies.conftest import MakeProject
from tests.evaluator.strategies.projects import PYTHON, choice, run, write

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
CONFIG = """
export default {{
  testDir: 'e2e', workers: 1, timeout: 60000,
  projects: [{{ name: 'chromium' }}, {{ name: 'other' }}],
  use: {{ launchOptions: {{ executablePath: {path!r}, args: {flags!r} }} }},
}};
"""
SPECS = """
import { expect, test } from '@playwright/test';
test('shows the page', async ({ page }) => {
  await page.goto('/index.html');
  await expect(page.locator('h1')).toHaveText('Kiln', { timeout: 20000 });
});
test('is hot', async () => { expect('cold').toBe('hot'); });
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def chromium() -> str:
    """The system's browser."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("no Chromium: apt-get install chromium")
    return path


def test_tests_run_in_a_browser_against_the_server_that_is_started(node_project: MakeProject, chromium: str) -> None:
    folder = node_project(
        {
            "playwright.config.js": CONFIG.format(path=chromium, flags=FLAGS),
            "e2e/a.spec.js": SPECS,
            "index.html": "<h1>Kiln</h1>",
        }
    )
    port = free_port()
    server = {"command": f"{PYTHON} -m http.server {port} --bind 127.0.0.1", "url": f"http://127.0.0.1:{port}"}
    outcome = run(folder, choice("playwright", project="chromium", retries=0, webServer=server))
    assert outcome.details == "2 tests: 1 passed, 1 failed.", outcome
    assert (outcome.state, outcome.error_count) == (State.FAIL, 1)
    (problem,) = outcome.problems
    assert (problem.file, problem.line, problem.test) == ("e2e/a.spec.js", 7, "[chromium] is hot")
    assert problem.expected == '"hot"'
    assert outcome.command == "npx playwright test --project chromium --retries 0"
    assert outcome.notes[1].startswith("web server: started with")


def not_installed(folder: Path, *, required: bool) -> Outcome:
    return run(write(folder, {"package.json": "{}"}), choice("playwright", required=required))


@pytest.mark.parametrize("required", [True, False])
def test_playwright_that_is_not_installed_is_skipped_and_flagged(tmp_path: Path, required: bool) -> None:
    outcome = not_installed(tmp_path, required=required)
    assert (outcome.state, outcome.reason, outcome.is_configuration_issue) == (
        State.SKIPPED,
        Reason.NOT_INSTALLED,
        True,
    )


def test_a_web_server_that_does_not_come_up_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, {"package.json": '{"devDependencies": {"@playwright/test": "1"}}'})
    server = {"command": f"{PYTHON} -c 'raise SystemExit(3)'", "port": free_port(), "timeout": 5000}
    outcome = run(tmp_path, choice("playwright", webServer=server))
    assert (outcome.state, outcome.reason) == (State.ERROR, Reason.SERVER)
    assert "ended with exit code 3" in outcome.details
