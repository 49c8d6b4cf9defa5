"""The explorer in a real browser: filters, chips, order, pages and columns change a part, and the address with it."""

import re

import pytest
from playwright.sync_api import Page

from results.models.evaluations import Evaluation
from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser

SAME_PAGE = "window.isSamePage = true"
FOCUSED = "window.isSamePage && document.activeElement.id"


def explorer(visit: Visit, address: str = "/results/", width: int = 1440, *, has_scripts: bool = True) -> Page:
    """The explorer, with a mark that a new page would not have."""
    page = visit.page(width, has_scripts=has_scripts)
    page.goto(address)
    if has_scripts:
        page.evaluate(SAME_PAGE)
    return page


def count_is(page: Page, words: str) -> None:
    """Wait until the page counts these results."""
    page.locator(".explorer .table-tools strong", has_text=re.compile(f"^{words}$")).wait_for()


def test_a_ticked_value_filters_at_once_and_keeps_the_focus(visit: Visit) -> None:
    page = explorer(visit)
    page.get_by_role("checkbox", name="Failed").check()
    count_is(page, "15.results")
    assert page.url.endswith("/results/?outcome=failed")
    assert page.evaluate(FOCUSED) == "facet-outcome-2"
    assert page.locator("[data-results-said]").inner_text().split() == ["15", "results"]
    page.get_by_role("checkbox", name="Failed").uncheck()
    count_is(page, "59.results")
    assert page.url.endswith("/results/")
    assert visit.complaints == []


def test_a_chip_is_negated_and_removed(visit: Visit) -> None:
    page = explorer(visit, "/results/?outcome=failed")
    page.get_by_role("link", name="Leave these out instead: outcome").click()
    count_is(page, "44.results")
    assert page.get_by_text("not failed", exact=True).is_visible()
    page.get_by_role("link", name="Remove filter outcome").click()
    count_is(page, "59.results")
    assert page.evaluate(FOCUSED) == "results-rows"
    assert visit.complaints == []


def test_a_range_is_asked_for_in_its_fields(visit: Visit) -> None:
    page = explorer(visit)
    page.get_by_label("Model time from, seconds").fill("10")
    page.get_by_label("Model time to, seconds").fill("19")
    page.get_by_label("Model time to, seconds").press("Enter")
    page.wait_for_url("**/results/?duration=10s..19s")
    count_is(page, "10.results")
    assert visit.complaints == []


def test_a_range_that_enter_asks_for_is_asked_for_once(visit: Visit) -> None:
    page = explorer(visit)
    entries = page.evaluate("history.length")
    page.get_by_text("Input tokens", exact=True).click()
    field = page.get_by_label("Input tokens from", exact=True)
    field.fill("1000")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    field.press("Enter")
    count_is(page, "0.results")
    page.wait_for_timeout(300)  # a second request would follow the swap at once
    assert page.evaluate(FOCUSED) == "from-input_tokens"
    assert page.evaluate("history.length") == entries + 1
    assert len([url for url in requests if "/results/?" in url]) == 1
    page.keyboard.press("Shift+Tab")
    page.wait_for_timeout(300)
    assert len([url for url in requests if "/results/?" in url]) == 1
    assert visit.complaints == []


def test_a_chip_that_is_turned_round_keeps_the_focus(visit: Visit) -> None:
    page = explorer(visit, "/results/?outcome=failed")
    page.get_by_role("link", name="Leave these out instead: outcome").press("Enter")
    count_is(page, "44.results")
    assert page.evaluate(FOCUSED) == "chip-flip-outcome-not"
    page.keyboard.press("Enter")
    count_is(page, "15.results")
    assert page.evaluate(FOCUSED) == "chip-flip-outcome"


def test_more_values_of_a_facet_lead_to_the_first_new_one_and_back(visit: Visit) -> None:
    page = explorer(visit, "/results/?open=task")
    page.get_by_role("link", name="51 more").press("Enter")
    page.locator("#fewer-task").wait_for()
    assert page.evaluate(FOCUSED) == "facet-task-9"
    page.locator("#fewer-task").press("Enter")
    page.locator("#fewer-task").wait_for(state="detached")
    assert page.evaluate(FOCUSED) == "more-task"


def test_a_text_is_searched_with_the_filters_kept(visit: Visit) -> None:
    page = explorer(visit, "/results/?outcome=passed")
    page.get_by_label("Search text").fill("blue")
    page.get_by_role("button", name="Search", exact=True).click()
    page.wait_for_url(lambda url: "q=blue" in url and "outcome=passed" in url)
    count_is(page, "15.results")


def test_going_back_undoes_the_last_filter(visit: Visit) -> None:
    page = explorer(visit)
    page.get_by_role("checkbox", name="Failed").check()
    count_is(page, "15.results")
    page.go_back()
    count_is(page, "59.results")
    assert not page.get_by_role("checkbox", name="Failed").is_checked()
    assert visit.complaints == []


def test_pages_are_turned_and_sized(visit: Visit) -> None:
    page = explorer(visit, "/results/?sort=-duration")
    page.get_by_role("link", name="Next").click()
    page.get_by_text("51–59 of 59").wait_for()
    page.get_by_role("link", name="100 per page").click()
    page.locator(".pager", has_text=re.compile(r"^\s*1–59 of 59")).wait_for()
    assert page.url.endswith("/results/?sort=-duration&size=100")
    assert page.evaluate(FOCUSED) == "size-100"


def test_columns_are_chosen_and_moved_while_the_menu_stays_open(visit: Visit) -> None:
    page = explorer(visit)
    page.get_by_text("Columns").click()
    page.get_by_role("checkbox", name="Suite").check()
    page.locator("#sort-suite").wait_for()
    page.get_by_role("link", name="Move Suite up").click()
    page.locator("th:has(#sort-suite) + th:has(#sort-started)").wait_for()
    assert page.evaluate(FOCUSED) == "up-suite"
    page.get_by_role("checkbox", name="Provider").uncheck()
    page.locator("#sort-provider").wait_for(state="detached")
    assert page.locator("#columns[open]").count() == 1
    assert visit.complaints == []


def test_a_facet_opens_and_folds(visit: Visit) -> None:
    page = explorer(visit)
    page.locator("#fold-task").click()
    page.get_by_role("link", name="51 more").click()
    page.get_by_label("Search task", exact=True).fill("task 5")
    page.get_by_label("Search task", exact=True).press("Enter")
    page.locator("[data-facet=task] .facet-option").nth(9).wait_for(state="detached")
    assert page.locator("[data-facet=task] .facet-option").count() == 9  # task 5, task 50 to 57
    page.locator("#fold-task").click()
    page.locator("[data-facet=task]").wait_for(state="detached")
    assert visit.complaints == []


def test_an_evaluations_page_filters_its_own_results(visit: Visit, evaluation: Evaluation) -> None:
    page = explorer(visit, f"/evaluations/{evaluation.pk}/")
    page.locator("[data-facet=run]").get_by_role("checkbox", name="run 1 with a rather long name").check()
    count_is(page, "19.results")
    assert page.evaluate("window.isSamePage")
    assert visit.complaints == []


def test_a_row_leads_through_the_filtered_list(visit: Visit) -> None:
    page = explorer(visit, "/results/?outcome=failed&sort=-duration")
    page.locator("tbody th a").first.click()
    page.get_by_role("link", name="Next").first.click()
    page.wait_for_url(re.compile(r"/results/\d+/\?outcome=failed&sort=-duration$"))


def test_on_a_phone_the_filters_wait_behind_a_button(visit: Visit) -> None:
    page = explorer(visit, width=390)
    box = page.get_by_role("checkbox", name="Failed")
    assert not box.is_visible()
    page.get_by_text("Filters", exact=True).click()
    box.check()
    count_is(page, "15.results")
    assert box.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert visit.complaints == []


def test_everything_works_without_scripts(visit: Visit) -> None:
    page = explorer(visit, has_scripts=False)
    page.get_by_role("checkbox", name="Failed").check()
    page.get_by_label("Model time from, seconds").fill("5")
    page.get_by_role("button", name="Apply filters").click()
    page.wait_for_url("**/results/?outcome=failed&duration=5s..")
    count_is(page, "14.results")
    page.get_by_role("link", name="Leave these out instead: outcome").click()
    count_is(page, "39.results")
    page.get_by_text("Columns").click()
    page.get_by_role("checkbox", name="Suite").check()
    page.get_by_role("button", name="Apply", exact=True).click()
    page.locator("#sort-suite").wait_for()
    assert "outcome=-failed" in page.url
    page.get_by_label("Search text").fill("blue")
    page.get_by_label("Search text").press("Enter")
    page.wait_for_url(lambda url: "q=blue" in url and "outcome=-failed" in url)
