"""Every page in a real browser: silent, never wider than the window, in both themes, with and without scripts."""

from typing import Literal

import pytest

from results.models.evaluations import Evaluation
from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser

DARK_PAGE = "rgb(16, 18, 22)"
LIGHT_PAGE = "rgb(255, 255, 255)"
UNFOLDED = """
    document.querySelectorAll("details:not(.menu)").forEach((fold) => (fold.open = true));
    document.querySelector(".facet-toggle")?.click();
"""
GROUND = "getComputedStyle(document.body).backgroundColor"


def addresses(evaluation: Evaluation) -> list[str]:
    """One address of every kind of page."""
    last = evaluation.result_id(58)
    results = [
        "/results/",
        "/results/?outcome=passed&tag=none",
        f"/results/{evaluation.result_id(0)}/",
        f"/results/{last}/",
    ]
    one = f"/evaluations/{evaluation.pk}/"
    jobs = ["/import/", "/jobs/", f"/jobs/{evaluation.job_id}/", f"/jobs/undo/?job={evaluation.job_id}"]
    reports = ["/reports/", f"/reports/new/?evaluation={evaluation.pk}&baseline={evaluation.pk}"]
    return ["/evaluations/", "/evaluations/?q=nothing", one, f"{one}edit/", f"{one}delete/", *jobs, *results, *reports]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_say_nothing_in_the_console(
    visit: Visit, evaluation: Evaluation, scheme: Literal["light", "dark"]
) -> None:
    page = visit.page(scheme=scheme)
    for address in addresses(evaluation):
        page.goto(address)
    assert visit.complaints == []


@pytest.mark.parametrize("width", [390, 768])
def test_no_page_scrolls_sideways(visit: Visit, evaluation: Evaluation, width: int) -> None:
    page = visit.page(width)
    too_wide = []
    for address in addresses(evaluation):
        page.goto(address)
        page.evaluate(UNFOLDED)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            too_wide.append(address)
    assert too_wide == []


def test_the_system_chooses_the_theme(visit: Visit) -> None:
    page = visit.page(scheme="dark")
    page.goto("/evaluations/")
    assert page.evaluate(GROUND) == DARK_PAGE


def test_a_theme_is_switched_at_once_and_kept(visit: Visit) -> None:
    page = visit.page()
    page.goto("/evaluations/")
    page.get_by_label("Theme").click()
    with page.expect_response("**/theme/"):
        page.get_by_role("button", name="Dark").click()
    assert page.evaluate(GROUND) == DARK_PAGE
    page.reload()
    assert page.evaluate(GROUND) == DARK_PAGE
    assert visit.complaints == []


def test_a_theme_is_switched_without_scripts(visit: Visit) -> None:
    page = visit.page(scheme="dark", has_scripts=False)
    page.goto("/results/?outcome=failed")
    page.get_by_label("Theme").click()
    page.get_by_role("button", name="Light").click()
    page.wait_for_url("**/results/?outcome=failed")
    assert page.locator("html").get_attribute("data-theme") == "light"


def test_sorting_swaps_the_table_and_keeps_the_focus(visit: Visit, evaluation: Evaluation) -> None:
    page = visit.page()
    page.goto(f"/evaluations/{evaluation.pk}/")
    page.evaluate("window.isSamePage = true")
    page.locator("#sort-duration").click()
    page.wait_for_url("**/?sort=-duration")
    page.locator("#results-table th[aria-sort=descending]").wait_for()
    assert page.locator("#results-table tbody th").first.inner_text() == "task 57"
    assert page.evaluate("window.isSamePage && document.activeElement.id") == "sort-duration"
    assert visit.complaints == []


def test_going_back_after_sorting_shows_the_old_order(visit: Visit, evaluation: Evaluation) -> None:
    page = visit.page()
    page.goto(f"/evaluations/{evaluation.pk}/")
    page.locator("#sort-duration").click()
    page.locator("#results-table th[aria-sort=descending]").wait_for()
    page.go_back()
    page.locator("#results-table th[aria-sort]").wait_for(state="detached")
    assert page.locator("#results-table tbody th").first.inner_text() == "task 0"


def test_sorting_and_paging_work_without_scripts(visit: Visit, evaluation: Evaluation) -> None:
    page = visit.page(has_scripts=False)
    page.goto(f"/evaluations/{evaluation.pk}/")
    page.locator("#sort-duration").click()
    assert page.locator("#results-table tbody th").first.inner_text() == "task 57"
    page.get_by_role("link", name="Next").click()
    page.get_by_text("51–59 of 59").wait_for()
    assert page.locator("#results-table tbody th").count() == 9


def test_a_menu_closes_on_escape_and_gives_the_focus_back(visit: Visit) -> None:
    page = visit.page()
    page.goto("/evaluations/")
    page.get_by_label("Theme").click()
    page.keyboard.press("Escape")
    assert page.locator("details.menu[open]").count() == 0
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Theme"


def test_hostile_text_does_not_run(visit: Visit, evaluation: Evaluation) -> None:
    page = visit.page()
    page.on("dialog", lambda dialog: visit.complaints.append(dialog.message))
    page.goto(f"/results/{evaluation.result_id(58)}/")
    assert page.locator("main img").count() == 0
    assert "U+202E" in page.locator("h1").inner_text()
    assert visit.complaints == []
