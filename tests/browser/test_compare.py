"""Evaluations and runs are compared in a real browser."""

import re
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from results.models.evaluations import Evaluation
from tests.browser.conftest import Visit
from tests.documents import result, trace_id
from tests.frontend.factories import an_evaluation

pytestmark = pytest.mark.browser


@pytest.fixture
def evaluation(live_server: LiveServer, tmp_path: Path) -> Evaluation:
    """Three runs at the same tasks, one of which has a name from nowhere."""
    runs = ("first", "second", "</title><img src=x onerror=alert(1)>\u202e" + "long" * 40)
    rows = [
        result(
            number,
            TraceID=trace_id(100 * place + number),
            Run=run,
            Kind="Passed" if (number + place) % 3 else "Failed",
            Got="w" * 500,
        )
        for place, run in enumerate(runs)
        for number in range(12)
    ]
    return an_evaluation(tmp_path, *rows)


def test_picked_evaluations_lead_to_their_comparison_and_not_to_a_dialog(visit: Visit, evaluation: Evaluation) -> None:
    page = visit.page()
    page.goto("/evaluations/", timeout=30_000)
    page.locator("tbody input").first.check()
    page.get_by_role("button", name="Compare", exact=True).click()
    page.wait_for_url(re.compile(rf"/compare/\?order=age&evaluation={evaluation.pk}$"), wait_until="commit")
    assert page.locator("h1").inner_text() == "Compare 3\N{NO-BREAK SPACE}runs"
    assert visit.complaints == []


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_a_comparison_stays_within_the_window_and_draws_its_chart(
    visit: Visit, evaluation: Evaluation, width: int, scheme: str
) -> None:
    page = visit.page(width, scheme="dark" if scheme == "dark" else "light")
    page.goto(f"/compare/?evaluation={evaluation.pk}&show=all", timeout=30_000)  # with a chart's library
    page.locator("tbody th a[href*=answers]").first.click()
    page.wait_for_url(re.compile("#answers$"), wait_until="commit")
    page.locator("[data-chart] .main-svg").first.wait_for(state="attached")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert visit.complaints == []
