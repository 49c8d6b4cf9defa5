"""Rows are picked out in a real browser, with and without scripts."""

import re

import pytest
from playwright import sync_api
from playwright.sync_api import Page

from results.models.evaluations import Evaluation
from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser
CLIPBOARD = ["clipboard-read", "clipboard-write"]


def explorer(visit: Visit, address: str = "/results/?size=25", width: int = 1440, *, has_scripts: bool = True) -> Page:
    page = visit.page(width, has_scripts=has_scripts)
    page.context.grant_permissions(CLIPBOARD)
    page.goto(address)
    return page


def boxes(page: Page) -> list[bool]:
    """Whether each row is picked."""
    found: list[bool] = page.locator("tbody input").evaluate_all("boxes => boxes.map((box) => box.checked)")
    return found


def test_picked_rows_are_counted_and_opened_alone(visit: Visit) -> None:
    page = explorer(visit)
    assert not page.get_by_role("button", name="Open selected").is_visible()
    page.get_by_label("Select task 0,").check()
    page.get_by_label("Select task 2,").check()
    assert page.locator("[data-selected]").inner_text() == "2 selected"
    assert page.locator("tr[aria-selected=true]").count() == 2
    page.get_by_role("button", name="Open selected").click()
    page.wait_for_url(re.compile(r"/results/\?size=25&result=\d+&result=\d+$"))
    assert page.locator("tbody th").all_inner_texts() == ["task 0", "task 2"]
    assert visit.complaints == []


def test_a_stretch_a_page_and_nothing_are_selected(visit: Visit) -> None:
    page = explorer(visit)
    page.locator("tbody input").nth(1).click()
    page.locator("tbody input").nth(4).click(modifiers=["Shift"])
    assert boxes(page)[:6] == [False, True, True, True, True, False]
    page.get_by_label("Select all on this page").check()
    assert boxes(page) == [True] * 25
    page.get_by_role("button", name="Clear").click()
    page.locator("form[data-selection][data-empty]").wait_for(state="attached")
    assert boxes(page) == [False] * 25
    assert visit.complaints == []


def test_ids_of_picked_rows_and_of_all_that_match_are_copied(visit: Visit, evaluation: Evaluation) -> None:
    page = explorer(visit)
    page.get_by_label("Select task 0,").check()
    page.get_by_role("button", name="Copy ids").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == f"{evaluation.result_id(0)}\n"
    page.get_by_label("All 59 that match").check()
    page.get_by_role("button", name="Copy ids").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert len(page.evaluate("navigator.clipboard.readText()").split()) == 59
    assert visit.complaints == []


def test_a_selection_ends_with_the_list_it_was_made_in(visit: Visit) -> None:
    page = explorer(visit)
    page.get_by_label("Select task 0,").check()
    page.get_by_role("checkbox", name="Failed").check()
    page.locator("tbody th", has_text="task 0").wait_for(state="detached")
    assert boxes(page) == [False] * 15
    assert not page.get_by_role("button", name="Open selected").is_visible()


def test_picks_are_kept_on_other_pages_of_the_list(visit: Visit) -> None:
    page = explorer(visit)
    page.get_by_label("Select task 0,").check()
    page.get_by_role("link", name="Next").click()
    page.locator("tbody th", has_text="task 30").first.wait_for()
    page.get_by_label("Select task 30,").check()
    assert page.locator("[data-selected]").inner_text() == "2 selected, 1 on other pages"
    page.get_by_role("link", name="Previous").click()
    page.get_by_label("Select task 0,").wait_for()
    sync_api.expect(page.get_by_label("Select task 0,")).to_be_checked()
    page.reload()
    sync_api.expect(page.locator("[data-selected]")).to_have_text("2 selected, 1 on other pages")
    page.get_by_role("button", name="Open selected").click()
    page.wait_for_url(re.compile(r"/results/\?size=25&result=\d+&result=\d+$"))
    assert page.locator("tbody th").all_inner_texts() == ["task 0", "task 30"]
    assert visit.complaints == []


def test_clear_forgets_the_picks_of_all_pages(visit: Visit) -> None:
    page = explorer(visit)
    page.get_by_label("Select task 0,").check()
    page.get_by_role("link", name="Next").click()
    page.locator("tbody th", has_text="task 30").first.wait_for()
    page.get_by_role("button", name="Clear").click()
    page.locator("form[data-selection][data-empty]").wait_for(state="attached")
    page.get_by_role("link", name="Previous").click()
    page.get_by_label("Select task 0,").wait_for()
    assert boxes(page) == [False] * 25


def test_a_choice_of_all_says_why_rows_cannot_be_opened(visit: Visit) -> None:
    page = explorer(visit)
    page.get_by_label("Select task 0,").check()
    page.get_by_label("All 59 that match").check()
    assert page.get_by_role("button", name="Open selected").is_disabled()
    assert page.get_by_text("This list already shows all that match.").is_visible()


def test_rows_are_picked_without_scripts(visit: Visit, evaluation: Evaluation) -> None:
    page = explorer(visit, has_scripts=False)
    page.get_by_label("Select task 1,").check()
    page.get_by_role("button", name="Open selected").click()
    page.wait_for_url(f"**/results/?size=25&result={evaluation.result_id(1)}")
    assert page.locator("tbody th").all_inner_texts() == ["task 1"]
    page.get_by_label("Select task 1,").check()
    page.get_by_role("button", name="Copy ids").click()
    page.wait_for_url("**/results/ids.txt?**")
    assert page.locator("body").inner_text().strip() == str(evaluation.result_id(1))


def test_a_phone_shows_the_tools_of_a_selection(visit: Visit) -> None:
    page = explorer(visit, width=390)
    page.get_by_label("Select task 0,").check()
    assert page.get_by_role("button", name="Open selected").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
