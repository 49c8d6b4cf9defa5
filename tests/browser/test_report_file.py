"""A report file in a real browser, opened from the disk: whole, inert, sortable, and readable without scripts."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from playwright import sync_api

from tests.browser.conftest import ARGUMENTS, browser_path
from tests.results.facts.evaluations import row, stored

pytestmark = [pytest.mark.browser, pytest.mark.django_db]
TEXTS = (
    "</script><script>document.title = 'broken'</script>",
    "<img src=http://192.0.2.1/x onerror=\"document.title = 'broken'\">",
    "<!--<script>",
    '=HYPERLINK("http://x","y")\t\'&amp;',
    "bell \x07 esc \x1b[31m override \u202egnp.exe\u2028 end",
    "lines\nstay\n  as they are",
)
SHOWN = tuple(text.replace("\x07", "\\x07").replace("\x1b", "\\x1b") for text in TEXTS)
WANTED = [text.replace("\u202e", "\\u202e").replace("\u2028", "\\u2028") for text in SHOWN]
CELLS = """() => [...document.querySelectorAll("[data-rows] tbody tr")].map((row) =>
    [...row.cells].map((cell) => cell.textContent))"""
Open = Callable[..., Any]


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """A report of more rows than stand in its table, the hostile texts among the first and the last."""
    late = [row(1000 + number, got=text, task=f"late {number}") for number, text in enumerate(TEXTS)]
    early = [row(number, got=text, task=text, run=text) for number, text in enumerate(TEXTS)]
    filling = [row(10 + number, got="x", duration=number * 10**9) for number in range(994)]
    stored(tmp_path, "a", *early, *filling, *late)
    path = tmp_path / "report.html"
    call_command("export_results", "--format=html", "--filter=cols=task,run,outcome,answer,duration", f"-o{path}")
    return path


@pytest.fixture
def opened(report: Path) -> Iterator[Open]:
    executable = browser_path()
    if executable is None:
        pytest.skip("no Chromium on this machine: install one, or set EVALBOARD_CHROMIUM to its path")
    complaints: list[str] = []
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)

        def open_report(*, has_scripts: bool = True) -> Any:
            page = browser.new_context(java_script_enabled=has_scripts).new_page()
            page.set_default_timeout(20_000)
            page.on("console", lambda message: complaints.append(message.text))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("request", lambda request: complaints.extend([request.url] * (not request.url.startswith("file:"))))
            page.goto(report.as_uri())
            return page

        yield open_report
        browser.close()
    assert complaints == []


def test_every_cell_reads_back_as_it_was_written(opened: Open) -> None:
    page = opened()
    assert page.title() == "Results · Evalboard"
    first = page.evaluate(CELLS)
    assert len(first) == 200
    assert [cells[1:5] for cells in first[: len(TEXTS)]] == [[text, text, "passed", text] for text in WANTED]
    page.get_by_role("searchbox").fill("late")
    last = page.evaluate(CELLS)
    assert [(cells[1], cells[4]) for cells in last] == [(f"late {place}", text) for place, text in enumerate(WANTED)]
    assert page.evaluate("document.querySelectorAll('script:not(:last-of-type), img').length") == 0


def test_rows_are_sorted_searched_and_paged(opened: Open) -> None:
    page = opened()
    assert page.get_by_role("status").inner_text() == "1–200 of 1,006 rows"
    page.get_by_role("button", name="Next").click()
    assert page.get_by_role("status").inner_text() == "201–400 of 1,006 rows"
    heading = page.get_by_role("button", name="Model time, s")
    heading.click()
    heading.click()
    assert [cells[5] for cells in page.evaluate(CELLS)[:3]] == ["993", "992", "991"]
    page.get_by_role("searchbox").fill("task 12")
    assert page.get_by_role("status").inner_text().endswith("(of 1,006)")


def test_the_first_rows_are_there_without_scripts(opened: Open) -> None:
    page = opened(has_scripts=False)
    assert page.locator("[data-rows] tbody tr").count() == 1000
    assert "only the first 1000 of 1006 rows" in page.inner_text("[data-rows]")
