"""How long after a click rows are visible in Chromium, on a real `manage.py serve`."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from statistics import median

from benchmarks.page_figures import Seen
from benchmarks.page_state import PROJECT, State

HAS_PLAYWRIGHT = find_spec("playwright") is not None
if HAS_PLAYWRIGHT:
    from playwright import sync_api

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
SECONDS_TO_WAIT = 60
# The moment of a click outlives the page in the session's storage; after it, each frame looks for a row that was not on
# the page clicked on. A frame's callback runs before it is painted, so the time is taken in the one after.
WATCH = """
(() => {
  const seen = () => [...document.querySelectorAll("main tbody tr, main .panel")].some(
    (row) => !row.hasAttribute("data-before") && row.getBoundingClientRect().height > 0);
  const look = () => {
    if (!seen()) return requestAnimationFrame(look);
    requestAnimationFrame(() => {
      const ms = performance.timeOrigin + performance.now() - Number(sessionStorage.getItem("clicked"));
      document.documentElement.setAttribute("data-rows-after", String(ms));
    });
  };
  if (sessionStorage.getItem("clicked")) requestAnimationFrame(look);
  window.addEventListener("click", () => {
    document.documentElement.removeAttribute("data-rows-after");
    sessionStorage.setItem("clicked", String(performance.timeOrigin + performance.now()));
    document.querySelectorAll("main tbody tr, main .panel").forEach((row) => row.setAttribute("data-before", ""));
    requestAnimationFrame(look);
  }, { capture: true });
})();
"""


@dataclass(frozen=True, slots=True)
class Click:
    """What is clicked on, and where: `{}` in the address is another number each time, so that no answer is known."""

    name: str
    address: str
    selector: str


CLICKS = (
    Click("evaluations", "/results/?duration=1s..{}s", "header nav a[href='/evaluations/']"),
    Click("explorer, unfiltered", "/evaluations/", "header nav a[href='/results/']"),
    Click("a facet's value", "/results/?duration=1s..{}s", ".facets input[name=outcome][value=failed]"),
    Click("a sorted column", "/results/?duration=1s..{}s", "#sort-output_tokens"),
    Click("next page", "/results/?duration=1s..{}s&sort=task", ".pager a[rel=next]"),
    Click("a result", "/results/?duration=1s..{}s&sort=-output_tokens", "main tbody tr:nth-child(7) th a"),
)


def why_not() -> str:
    """Why nothing can be seen on this machine; empty when it can."""
    if not HAS_PLAYWRIGHT:
        return "playwright is not installed: pip install -r requirements/dev.txt"
    return "" if _browser() else "there is no Chromium: install one, or set EVALBOARD_CHROMIUM to its path"


def measure(state: State, rounds: int) -> list[Seen]:
    """Click on everything in `CLICKS`, some times each, and see when rows are there."""
    with serving(state) as address, sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_browser(), args=ARGUMENTS)
        context = browser.new_context(base_url=address, viewport={"width": 1440, "height": 900})
        page = context.new_page()
        page.add_init_script(WATCH)
        page.set_default_timeout(SECONDS_TO_WAIT * 1000)
        found = [_seen(page, click, rounds) for click in CLICKS]
        browser.close()
    return found


def _seen(page: "sync_api.Page", click: Click, rounds: int) -> Seen:
    times = []
    for number in range(rounds + 1):  # the first fills the browser's cache
        page.goto(click.address.format(30 + number), wait_until="load")
        page.wait_for_timeout(100)
        page.locator(click.selector).first.click(no_wait_after=True)
        times.append(float(page.locator("html[data-rows-after]").get_attribute("data-rows-after") or 0))
    return Seen(click.name, median(times[1:]), max(times[1:]))


@contextmanager
def serving(state: State) -> Iterator[str]:
    """Run the server with its workers on a free port; gives its address.

    Raises:
        SystemExit: it does not come up.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with subprocess.Popen(command, cwd=PROJECT, env=state.environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            if server.stdout is None or not any("is ready" in line for line in server.stdout):
                raise SystemExit("the server did not come up")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(SECONDS_TO_WAIT)


def _browser() -> str | None:
    named = os.environ.get("EVALBOARD_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)
