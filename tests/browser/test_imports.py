"""The import page and the jobs in a real browser: files dropped, progress, undo, cancel, dialogs, selection."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from evaluator import jobs
from results import intake
from results.models.evaluations import Evaluation
from results.store import removals
from tests.browser.conftest import Visit
from tests.documents import document, result, write

pytestmark = pytest.mark.browser


class Workers:
    """Does what is sent to the queue, each job in a thread of its own; a thread, as Django refuses the browser's."""

    def __init__(self) -> None:
        self.threads: list[threading.Thread] = []
        self.may_work = threading.Event()
        self.may_work.set()

    def run_import(self, job_id: int) -> None:
        self._start(intake.run_import, job_id)

    def remove(self, job_id: int) -> None:
        self._start(removals.run_removal, job_id)

    def join(self) -> None:
        self.may_work.set()
        for thread in self.threads:
            thread.join(30)

    def _start(self, work: Any, job_id: int) -> None:
        def body() -> None:
            try:
                if self.may_work.wait(30):
                    work(job_id)
            finally:
                connection.close()

        self.threads.append(threading.Thread(target=body))
        self.threads[-1].start()


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch, visit: Visit) -> Iterator[Workers]:
    """Workers behind the queue of the test's server."""
    found = Workers()
    monkeypatch.setattr(jobs.run_import, "delay", found.run_import)
    monkeypatch.setattr(jobs.remove_evaluations, "delay", found.remove)
    yield found
    found.join()


def drop(page: Any, *paths: Path) -> None:
    """Drop files and folders of this machine on the page as a user does."""
    page.locator("[data-drop]").wait_for()
    session = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, "x": 400, "y": 300, "data": data})


def a_folder(place: Path) -> Path:
    """A folder with two documents, one of them deeper, and a hidden file."""
    folder = place / "weekly"
    (folder / "deep").mkdir(parents=True)
    write(folder, "one.json", document(result(101)))
    write(folder / "deep", "two.json", document(result(102), result(103)))
    write(folder, ".hidden.json", document(result(104)))
    return folder


def test_a_dropped_folder_is_imported_file_by_file(visit: Visit, workers: Workers, tmp_path: Path) -> None:
    page = visit.page()
    page.goto("/import/")
    drop(page, a_folder(tmp_path))
    page.wait_for_url("**/jobs/?batch=*")
    page.locator("#jobs-live:not([data-poll])").wait_for()
    titles = page.locator("tbody th").all_inner_texts()
    assert sorted(titles) == ["one.json", "two.json\nin deep/"]  # below the folder that the head names
    assert page.locator("tbody .outcome").all_inner_texts() == ["Stored", "Stored"]
    assert visit.complaints == []


def test_a_dropped_file_shows_its_progress_and_leads_to_its_job(visit: Visit, workers: Workers, tmp_path: Path) -> None:
    page = visit.page()
    page.goto("/import/")
    page.evaluate(
        """() => new MutationObserver(() => {
          const row = document.querySelector(".upload rect");
          if (row) window.name = Math.max(Number(window.name), parseFloat(row.getAttribute("width")));
        }).observe(document.querySelector("[data-uploads]"), { subtree: true, attributes: true, childList: true })"""
    )
    drop(page, write(tmp_path, "big.json", document(*(result(200 + n, Got="x" * 20_000) for n in range(100)))))
    page.wait_for_url(re.compile(r"/jobs/\d+/$"))
    assert page.evaluate("Number(window.name)") == 100
    page.locator("#job-live:not([data-poll])").wait_for()
    assert page.locator(".stat-note").first.inner_text() == "100\N{NO-BREAK SPACE}results"
    assert visit.complaints == []


def test_a_wrong_project_is_told_once_before_any_file_is_sent(visit: Visit, workers: Workers, tmp_path: Path) -> None:
    page = visit.page()
    page.goto("/import/")
    page.get_by_label("Project", exact=True).select_option("")
    page.get_by_label("Name of the new project").fill("My Project")
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    drop(page, *(write(tmp_path, f"{number}.json", document(result(300 + number))) for number in range(3)))
    page.get_by_text("my-project").wait_for()
    assert page.get_by_text("my-project").count() == 1
    assert page.evaluate("document.activeElement.id") == "new-project"
    assert page.locator("[data-uploads-count]").inner_text().startswith("3 files wait: nothing was sent.")
    assert len(posts) == 1
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("my-project")
    page.keyboard.press("Enter")
    page.wait_for_url("**/jobs/?batch=*")
    page.locator("#jobs-live:not([data-poll])").wait_for()
    assert page.locator(".page-meta").inner_text().count("project my-project") == 1
    assert [line for line in visit.complaints if "422" not in line] == []


def test_files_of_one_drop_are_taken_in_by_name(visit: Visit, workers: Workers, tmp_path: Path) -> None:
    page = visit.page()
    page.goto("/import/")
    names = ["week-10.json", "week-2.json", "week-1.json"]
    drop(page, *(write(tmp_path, name, document(result(310 + place))) for place, name in enumerate(names)))
    page.wait_for_url("**/jobs/?batch=*")
    assert page.locator("tbody th a").all_inner_texts() == ["week-1.json", "week-2.json", "week-10.json"]


def test_an_import_is_undone_in_a_dialog(visit: Visit, workers: Workers, tmp_path: Path) -> None:
    page = visit.page()
    page.goto("/import/")
    drop(page, write(tmp_path, "gone.json", document(result(400), result(401))))
    page.locator("#job-undo").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("Delete 2.results")).click()
    page.get_by_text("deleted since").wait_for()
    page.get_by_text("The import was undone.").wait_for()
    page.locator(".jobs-link").wait_for(state="detached")
    page.get_by_role("link", name="Close this message").click()
    page.locator(".toast").wait_for(state="detached")
    page.goto("/evaluations/?q=gone")
    page.get_by_text("Nothing matches").wait_for()
    assert visit.complaints == []


def test_a_waiting_import_is_cancelled(visit: Visit, workers: Workers, tmp_path: Path) -> None:
    workers.may_work.clear()
    page = visit.page()
    page.goto("/import/")
    drop(page, write(tmp_path, "late.json", document(result(500))))
    page.locator("#job-cancel").click()
    page.locator(".panel .outcome").get_by_text("Cancelled").wait_for()
    assert page.locator("[data-poll]").count() == 0
    assert visit.complaints == []


def test_the_page_of_a_job_follows_it_to_its_end(visit: Visit, workers: Workers, tmp_path: Path) -> None:
    workers.may_work.clear()
    page = visit.page()
    page.goto("/import/")
    drop(page, write(tmp_path, "slow.json", document(result(600))))
    page.locator("[data-poll]").get_by_text("waiting for a worker").wait_for()
    page.locator(".jobs-link").wait_for()
    workers.may_work.set()
    page.locator("#job-live:not([data-poll])").wait_for()
    page.locator(".jobs-link").wait_for(state="detached")
    assert "ended" in page.locator("[role=status]").inner_text()
    assert visit.complaints == []


def test_files_are_imported_without_scripts(visit: Visit, workers: Workers, tmp_path: Path) -> None:
    page = visit.page(has_scripts=False)
    page.goto("/import/")
    page.locator("input[name=files]").set_input_files(write(tmp_path, "plain.json", document(result(700))))
    page.get_by_role("button", name="Import the chosen files").click()
    page.wait_for_url("**/jobs/*/")
    workers.join()
    page.reload()
    assert page.locator("tbody .outcome").inner_text() == "Stored"


def test_selected_evaluations_are_counted_and_deleted(visit: Visit, workers: Workers, evaluation: Evaluation) -> None:
    page = visit.page()
    page.goto("/evaluations/")
    assert page.get_by_role("button", name="Delete…").is_disabled()
    page.locator("tbody input[type=checkbox]").check()
    page.get_by_text("1 selected").wait_for()
    assert page.locator("tbody tr").get_attribute("aria-selected") == "true"
    page.get_by_role("button", name="Delete…").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("Delete 59.results")).click()
    page.get_by_text("No evaluations yet").wait_for()
    assert visit.complaints == []


def test_a_dialog_closes_without_doing_anything(visit: Visit, evaluation: Evaluation) -> None:
    page = visit.page()
    page.goto(f"/evaluations/{evaluation.pk}/")
    page.get_by_role("link", name="Name, note, labels…").first.click()
    page.get_by_role("dialog").get_by_label("Name", exact=True).fill("something else")
    page.get_by_role("dialog").get_by_role("link", name="Cancel").click()
    page.get_by_role("dialog").wait_for(state="detached")
    page.reload()
    assert "something else" not in page.locator("h1").inner_text()
    assert visit.complaints == []


def test_an_evaluation_is_renamed_in_a_dialog(visit: Visit, evaluation: Evaluation) -> None:
    page = visit.page()
    page.goto("/evaluations/")
    page.get_by_label(re.compile("^Actions for")).click()
    page.get_by_role("link", name="Name, note, labels…").click()
    page.get_by_role("dialog").get_by_label("Name", exact=True).fill("renamed")
    page.get_by_role("dialog").get_by_label("Add labels").fill("nightly")
    page.get_by_role("button", name="Save").click()
    page.locator("tbody .tag").get_by_text("nightly").wait_for()
    assert page.locator("tbody th a").inner_text() == "renamed"
    assert visit.complaints == []
