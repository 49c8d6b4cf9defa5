"""Charts in a real browser: drawn under the content security policy, in both themes, and leading somewhere."""

from typing import Literal

import pytest
from playwright import sync_api

from tests.browser.conftest import Visit

DRAWN = "[data-chart][data-state=drawn] .plot-canvas svg.main-svg"


def colour_of(page: sync_api.Page) -> str:
    """The colour of the words in the first plot."""
    return str(page.locator("#failures .ytick text").first.evaluate("text => getComputedStyle(text).fill"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_charts_are_drawn_without_a_complaint(visit: Visit, scheme: Literal["light", "dark"], width: int) -> None:
    page = visit.page(width, scheme=scheme)
    page.goto("/tools/")
    page.locator(DRAWN).first.wait_for()
    sync_api.expect(page.locator("[data-chart]:not([data-state=drawn])")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert visit.complaints == []


def test_a_plot_follows_the_theme(visit: Visit) -> None:
    page = visit.page()
    page.goto("/tools/")
    page.locator(DRAWN).first.wait_for()
    light = colour_of(page)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_function(
        "light => getComputedStyle(document.querySelector('#failures .ytick text')).fill !== light", arg=light
    )
    assert visit.complaints == []


def test_a_click_on_a_bar_goes_to_its_results(visit: Visit) -> None:
    page = visit.page()
    page.goto("/tools/")
    page.locator(DRAWN).first.wait_for()
    box = page.locator("#failures .bars .point path").first.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url("**/results/?*tool=python*")


def test_the_numbers_can_be_read_without_scripts(visit: Visit) -> None:
    page = visit.page(has_scripts=False)
    page.goto("/tools/")
    sync_api.expect(page.locator("[data-chart]").first).to_be_hidden()
    sync_api.expect(page.locator("#failures tbody th")).to_be_visible()
    sync_api.expect(page.locator("#failures tbody th")).to_have_text("python")


def test_the_script_folds_the_table_away_below_a_drawn_plot(visit: Visit) -> None:
    page = visit.page()
    page.goto("/tools/")
    page.locator(DRAWN).first.wait_for()
    sync_api.expect(page.locator("#failures tbody th")).to_be_hidden()
    page.locator("#failures summary").click()
    sync_api.expect(page.locator("#failures tbody th")).to_be_visible()
