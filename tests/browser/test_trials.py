"""A live trial in a real browser, against models that speak over HTTP: files, picks, results as they come, cancel."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from evaluator import jobs
from evaluator.live_work import run_trial
from tests.browser.conftest import Visit
from tests.evaluator.trials.fake_models.replies import Asked, Reply, wrapped
from tests.evaluator.trials.fake_models.server import FakeModels

pytestmark = pytest.mark.browser

CONFIG = """\
config:
  providers:
    - name: openai
      client-config: {api-key: sk-openai-0123456789, endpoint: URL/v1}
      runs:
        - {name: quick, model: gpt-4o}
        - {name: slow, model: gpt-4o-mini}
"""
TASKS = "task-config:\n  tasks:\n" + "".join(
    f"    - {{name: task {number}, prompt: x, response-result-format: a number, expected-result: '4', "
    f"category: {'even' if number % 2 == 0 else 'odd'}}}\n"
    for number in range(40)
)
WIDTH = "document.documentElement.scrollWidth"


@pytest.fixture
def models() -> Iterator[FakeModels]:
    def answer(_asked: Asked) -> Reply:
        return Reply(wrapped("4"), delay_seconds=0.3)

    with FakeModels(answer=answer) as served:
        yield served


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch, visit: Visit) -> Iterator[list[threading.Thread]]:
    """Does what is sent to the queue, in threads, as Django refuses the browser's."""
    threads: list[threading.Thread] = []

    def work(job_id: int) -> None:
        def body() -> None:
            try:
                run_trial(job_id)
            finally:
                connection.close()

        threads.append(threading.Thread(target=body))
        threads[-1].start()

    monkeypatch.setattr(jobs.run_trial, "delay", work)
    yield threads
    for thread in threads:
        thread.join(30)


def test_a_trial_is_put_together_watched_and_cancelled(
    visit: Visit, worker: list[threading.Thread], models: FakeModels, tmp_path: Path
) -> None:
    (tmp_path / "config.yaml").write_text(CONFIG.replace("URL", models.url))
    (tmp_path / "tasks.yaml").write_text(TASKS)
    page = visit.page()
    page.goto("/trials/new/")
    page.set_input_files("#config", tmp_path / "config.yaml")
    page.set_input_files("#tasks", tmp_path / "tasks.yaml")
    page.get_by_role("button", name="Next").click()

    page.get_by_role("button", name="Start: 80").wait_for()
    page.locator("#pick-0\\:1").uncheck()
    page.get_by_role("button", name="Start: 40").wait_for()
    page.locator(".facet-option", has_text="even").click()
    page.get_by_role("button", name="Start: 20").wait_for()
    page.locator("#tick-0").check()
    page.get_by_role("button", name="Start: 19").wait_for()
    assert "category=even" in page.url
    assert "csrf" not in page.url
    page.get_by_role("button", name="Start").click()

    page.wait_for_url("**/trials/*/")
    page.get_by_role("table", name="Latest results").get_by_text("Passed").first.wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.locator("#trial-live:not([data-poll])").wait_for()
    assert page.locator(".outcome", has_text="Cancelled").count() == 1
    assert page.get_by_role("button", name="Resume").is_visible()
    assert 0 < len(models.asked) < 19
    assert visit.complaints == []


def test_no_page_of_the_way_scrolls_sideways_on_a_phone(
    visit: Visit, worker: list[threading.Thread], models: FakeModels, tmp_path: Path
) -> None:
    (tmp_path / "config.yaml").write_text(CONFIG.replace("URL", models.url))
    (tmp_path / "tasks.yaml").write_text(TASKS)
    page, widths = visit.page(390), list[int]()
    page.goto("/trials/new/")
    page.set_input_files("#config", tmp_path / "config.yaml")
    page.set_input_files("#tasks", tmp_path / "tasks.yaml")
    widths.append(page.evaluate(WIDTH))
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Start: 80").wait_for()
    page.locator(".facet-toggle").click()
    widths.append(page.evaluate(WIDTH))
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Resume").wait_for()
    widths.append(page.evaluate(WIDTH))
    page.goto("/trials/")
    widths.append(page.evaluate(WIDTH))
    assert widths == [390] * 4
    assert visit.complaints == []


def test_a_folder_of_files_tells_two_of_one_name_apart(visit: Visit, tmp_path: Path) -> None:
    files = "files: [{name: a, uri: a/dot.png}, {name: b, uri: b/dot.png}]"
    (tmp_path / "config.yaml").write_text(CONFIG.replace("URL", "http://127.0.0.1:9"))
    (tmp_path / "tasks.yaml").write_text(TASKS.replace("category: even", files, 1))
    for name in ("a", "b"):
        (tmp_path / "set" / name).mkdir(parents=True)
        (tmp_path / "set" / name / "dot.png").write_text(name)
    page = visit.page()
    page.goto("/trials/new/")
    page.set_input_files("#config", tmp_path / "config.yaml")
    page.set_input_files("#tasks", tmp_path / "tasks.yaml")
    page.set_input_files("#task-folder", tmp_path / "set")
    page.get_by_role("button", name="Next").click()

    page.get_by_role("button", name="Start: 80").wait_for()
    assert page.get_by_text("In the way of these picks").count() == 0
    page.locator("#name").fill("evening")
    page.get_by_role("button", name="Back to the files").click()
    page.get_by_text("2 files of tasks").wait_for()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Start: 80").wait_for()
    assert page.locator("#name").input_value() == "evening"
    assert visit.complaints == []
