"""A report made, read and shared in a real browser, on a window as narrow as a phone."""

import pytest

from results.models.evaluations import Evaluation
from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser
WIDTH = 390
SCROLLED = "document.documentElement.scrollWidth"


def test_a_report_is_made_and_shared_without_an_account(visit: Visit, evaluation: Evaluation) -> None:
    page = visit.page(WIDTH, scheme="dark")
    page.goto(f"/reports/new/?evaluation={evaluation.pk}&baseline={evaluation.pk}")
    page.get_by_label("Title").fill("Review </title>")
    page.get_by_label("Notes").fill("<img src=x> what we found")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("heading", name="Review </title>").wait_for()
    assert page.evaluate(SCROLLED) == WIDTH
    page.get_by_role("button", name="Make a link").click()
    address = page.get_by_label("The new link").input_value()
    stranger = visit.page(WIDTH)
    stranger.goto(address)
    assert stranger.get_by_text("<img src=x> what we found").count() == 1
    assert stranger.get_by_role("navigation").count() == 0
    assert stranger.get_by_role("status").inner_text() == "1–59 of 59 rows"
    assert stranger.evaluate(SCROLLED) == WIDTH
    page.get_by_role("button", name="Revoke").click()
    page.get_by_text("The link opens nothing any more.").wait_for()
    gone = stranger.goto(address)
    assert gone is not None
    assert gone.status == 410
    assert [text for text in visit.complaints if "410" not in text] == []
