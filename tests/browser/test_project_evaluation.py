"""*Evaluate a project* in a real browser: a folder chosen, what was found, the run, its iteration."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import connection

from evaluator import jobs
from evaluator.strategy_jobs import run_strategy_job
from tests.browser.conftest import Visit
from tests.evaluator.strategies.projects import PYTHON, write

pytestmark = pytest.mark.browser


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch, visit: Visit) -> Iterator[None]:
    """Does what is sent to the queue, in threads, as Django refuses the browser's."""
    threads: list[threading.Thread] = []

    def work(job_id: int) -> None:
        def body() -> None:
            try:
                run_strategy_job(job_id)
            finally:
                connection.close()

        threads.append(threading.Thread(target=body))
        threads[-1].start()

    monkeypatch.setattr(jobs.run_strategies, "delay", work)
    yield
    for thread in threads:
        thread.join(30)


@pytest.mark.usefixtures("worker")
def test_a_project_is_chosen_run_and_its_iteration_opened(visit: Visit, tmp_path: Path, settings: LazySettings) -> None:
    settings.PROJECT_ROOTS = [str(tmp_path / "projects")]
    check = {"type": "custom", "label": "bricks", "required": True, "command": f"{PYTHON} -c print('baked')"}
    document = {"project": {"mode": "brownfield"}, "evaluator": {"strategies": [check]}}
    write(tmp_path / "projects" / "kiln", {"bober.config.json": json.dumps(document)})
    page = visit.page()

    page.goto("/sprints/evaluate/")
    page.get_by_label("Folders").get_by_role("link", name="kiln").click()
    page.get_by_role("table", name="Strategies that would run").get_by_text("print('baked')").wait_for()
    page.get_by_role("button", name="Run the strategies").click()
    page.wait_for_url("**/jobs/*/")
    page.locator("#job-live:not([data-poll])").wait_for()
    page.locator("#job-live a[href*='/iterations/']").first.click()

    page.get_by_role("heading", level=1).wait_for()
    assert "/iterations/" in page.url
    assert page.get_by_text("bricks").count() > 0
    assert len(list((tmp_path / "projects/kiln/.bober/eval-results").iterdir())) == 1
    assert visit.complaints == []
