"""Keys lead through a list of results."""

import pytest

from results.models.evaluations import Evaluation
from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser


def test_brackets_go_to_the_next_and_the_previous_result(visit: Visit, evaluation: Evaluation) -> None:
    page = visit.page()
    page.goto(f"/results/{evaluation.result_id(1)}/?outcome=failed&sort=id")
    page.keyboard.press("]")
    page.wait_for_url(f"**/results/{evaluation.result_id(5)}/?outcome=failed&sort=id")
    page.keyboard.press("[")
    page.wait_for_url(f"**/results/{evaluation.result_id(1)}/?outcome=failed&sort=id")
    assert visit.complaints == []


def test_at_the_end_of_the_list_a_key_does_nothing(visit: Visit, evaluation: Evaluation) -> None:
    page = visit.page()
    page.goto(f"/results/{evaluation.result_id(1)}/?outcome=failed&sort=id")
    page.evaluate("window.isSamePage = true")
    page.keyboard.press("[")
    assert page.evaluate("window.isSamePage")
    assert visit.complaints == []
