"""A real Chromium, where there is one."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from pytest_django.live_server_helper import LiveServer

from results.models.evaluations import Evaluation
from tests.documents import result
from tests.frontend.factories import an_evaluation

pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
from playwright import sync_api

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome")


def browser_path() -> str | None:
    """The browser of the machine, or the one that `EVALBOARD_CHROMIUM` names; None = there is none."""
    named = os.environ.get("EVALBOARD_CHROMIUM")
    if named:
        return named if Path(named).exists() else None
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Visit:
    """A browser window that remembers everything its console said."""

    def __init__(self, browser: sync_api.Browser, address: str) -> None:
        self.browser = browser
        self.address = address
        self.complaints: list[str] = []

    def page(
        self, width: int = 1440, *, scheme: Literal["light", "dark"] = "light", has_scripts: bool = True
    ) -> sync_api.Page:
        """Open a window of this width in which the system prefers this colour scheme."""
        context = self.browser.new_context(
            base_url=self.address,
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            java_script_enabled=has_scripts,
        )
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        return page


@pytest.fixture
def evaluation(live_server: LiveServer, tmp_path: Path) -> Evaluation:
    """An evaluation with every outcome, long names and hostile texts, more than one page of it."""
    kinds = ("Passed", "Failed", "Error", "Skipped")
    rows = [
        result(
            number, Kind=kinds[number % 4], Run=f"run {number % 3} with a rather long name", DurationNS=number * 10**9
        )
        for number in range(58)
    ]
    call = {"Tool": "python", "CallID": "c1", "Status": "nonzero_exit", "ErrorMessage": "x" * 500, "ExitCode": 1}
    answer = {"Explanation": ["long " * 200], "ToolCalls": [call], "ToolUsage": {"python": {"CallCount": 1}}}
    rows.append(
        result(58, Task="</title><img src=x onerror=alert(1)>\u202e", Got="w" * 3000, Details={"Answer": answer})
    )
    return an_evaluation(tmp_path, *rows, name="a-rather-long-file-name-without-any-space-in-it-2026-08-24.json")


@pytest.fixture
def visit(evaluation: Evaluation, live_server: LiveServer) -> Iterator[Visit]:
    """A browser on the test's server. It starts after the data is in: Django refuses queries beside its event loop."""
    path = browser_path()
    if path is None:
        pytest.skip("no Chromium on this machine: install one, or set EVALBOARD_CHROMIUM to its path")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield Visit(browser, live_server.url)
        browser.close()
