"""The way to a new trial: files, picks with what they come to, start."""

import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from evaluator import jobs
from results.models.trials import Trial
from results.queries.trials import trial_progress
from results.trial_plan import plan_from
from tests.documents import result
from tests.evaluator.live_trials import CONFIG, TASKS
from tests.frontend.factories import an_evaluation
from tests.frontend.trial_forms import a_draft, a_file, page_text, send_files, start, text_of

pytestmark = pytest.mark.django_db

PICK_QUERIES = 7  # jobs for the top bar; the visible set; the usual project; the projects; three of the estimate
WITH_FILE = """\
task-config:
  tasks:
    - name: look
      prompt: What is it?
      response-result-format: a word
      expected-result: dot
      files: [{name: dot, uri: pictures/dot.png}]
"""
MANY = "task-config:\n  tasks:\n" + "".join(
    f"    - {{name: {category} {number}, prompt: x, response-result-format: x, expected-result: x, "
    f"category: {category}, tags: [all, t{number}], suite: s{number % 2}}}\n"
    for number, category in enumerate(["math", "logic", "math", "art"])
)


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of the jobs that were sent to a worker."""
    ids: list[int] = []
    monkeypatch.setattr(jobs.run_trial, "delay", ids.append)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-from-the-environment")
    return ids


def planned(trial: Trial) -> tuple[list[str], list[str]]:
    plan = plan_from(trial.plan)
    return [run.run for run in plan.runs], [task.task for task in plan.tasks]


def estimated(text: str) -> list[str]:
    """The values of the tiles."""
    found = re.findall(r'<dd class="stat-value">(.*?)</dd>', text, re.DOTALL)
    return [re.sub(r"<[^>]*>", "", value).strip() for value in found]


def test_two_files_lead_to_a_trial_of_what_they_do_not_disable(client: Client, sent: list[int]) -> None:
    trial = start(client, a_draft(client), name="Nightly", parallel="3")

    assert planned(trial) == (["quick", "slow", "opus", "quick"], ["sum", "wrong", "last"])
    assert (trial.evaluation.name, trial.evaluation.project.slug, trial.parallel_per_run) == ("Nightly", "default", 3)
    assert sent == list(trial.shares.values_list("job_id", flat=True))


def test_only_what_is_picked_is_run(client: Client) -> None:
    trial = start(client, a_draft(client), chosen="yes", pick=["0:1", "1:0"], tick="2", project="mine")

    assert planned(trial) == (["off", "opus"], ["sum", "last"])
    assert trial.evaluation.project.slug == "mine"


def test_in_the_other_mode_only_what_is_ticked_is_run(client: Client) -> None:
    trial = start(client, a_draft(client), mode="ticked", tick=["1", "3"])

    assert planned(trial)[1] == ["hidden", "last"]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("category=math", ["math 0", "math 2"]),
        ("category=-math", ["logic 1", "art 3"]),
        ("suite=s0&q=MATH", ["math 0", "math 2"]),
        ("tag=all&tag=t1", ["math 0", "logic 1", "math 2", "art 3"]),
        ("tag=all&tag=t1&tags=all", ["logic 1"]),
        ("difficulty=(unspecified)&q=art", ["art 3"]),
    ],
)
def test_tasks_are_filtered_as_results_are(client: Client, query: str, names: list[str]) -> None:
    text = page_text(client, f"{a_draft(client, tasks=MANY)}?{query}")

    assert re.findall(r'<bdi title="(.*?)">', text) == names


def test_a_value_is_counted_under_the_other_filters(client: Client) -> None:
    text = page_text(client, f"{a_draft(client, tasks=MANY)}?category=math&open=suite")

    shown = re.findall(r'name="(category|suite)" value="(\w+)".*?facet-count">(\d+)<', text)
    assert shown == [
        ("category", "math", "2"),
        ("category", "art", "1"),
        ("category", "logic", "1"),
        ("suite", "s0", "2"),
    ]


def test_what_it_comes_to_is_unknown_without_earlier_results(client: Client) -> None:
    text = page_text(client, a_draft(client))

    assert estimated(text) == ["4 × 3", "12", "unknown", "unknown", "unknown", "0"]
    assert "Start: 12 results" in text


def test_earlier_results_of_the_same_runs_and_tasks_tell_what_it_may_use(client: Client, tmp_path: Path) -> None:
    def earlier(number: int, task: str, tokens: int) -> dict[str, Any]:
        pricing = {"Currency": "USD", "InputPerMillion": 1000, "OutputPerMillion": 1000}
        usage = {"InputTokens": tokens, "OutputTokens": 10}
        return result(
            number,
            Task=task,
            Provider="openai",
            Run="quick",
            RunConfig={"Model": "gpt-6-mini", "Pricing": pricing},
            Details={"Answer": {"Usage": usage}},
        )

    an_evaluation(tmp_path, earlier(0, "sum", 100), earlier(1, "sum", 200), earlier(2, "last", 50), name="a.json")

    text = page_text(client, a_draft(client))

    # `quick` is listed twice: 2 × (150 + 50) in, 2 × (10 + 10) out; 440 tokens at 0.001 dollars; 4 of 12 pairs.
    assert estimated(text) == ["4 × 3", "12", "400", "40", "$0.44", "6"]
    assert "known of 4 of 12" in text


def test_what_a_run_cannot_do_is_told_before(client: Client) -> None:
    config = CONFIG.replace("model: gpt-6-mini}", "model: gpt-6-mini, text-only: true}", 1)

    text = page_text(client, a_draft(client, config, WITH_FILE, task_files=a_file(b"\x89PNG", "dot.png")))

    assert "4 results, 1 of them skipped" in text
    assert estimated(text)[1] == "3"


def test_an_uploaded_file_is_put_where_its_task_looks_for_it(client: Client) -> None:
    address = a_draft(client, tasks=WITH_FILE, task_files=[a_file(b"\x89PNG", "dot.png"), a_file(b"", "other.png")])

    trial = start(client, address)

    assert (Path(trial.folder) / "pictures" / "dot.png").read_bytes() == b"\x89PNG"
    assert len(list(Path(trial.folder).rglob("*.png"))) == 1


def test_files_of_one_name_in_two_folders_are_told_apart_by_their_paths(client: Client) -> None:
    tasks = WITH_FILE.replace("[{", "[{name: other, uri: more/dot.png}, {")
    files: dict[str, Any] = {"task_files": [a_file(b"one", "dot.png"), a_file(b"two", "dot.png")]}
    same: dict[str, Any] = {"task_files": [a_file(b"one", "dot.png"), a_file(b"two", "dot.png")]}

    address = a_draft(client, tasks=tasks, **files, task_paths=["set/pictures/dot.png", "set/more/dot.png"])
    refused = send_files(client, tasks=tasks, **same)

    folder = Path(start(client, address).folder)
    assert [(folder / path).read_bytes() for path in ("pictures/dot.png", "more/dot.png")] == [b"one", b"two"]
    assert refused.status_code == 422
    assert "2 paths of the tasks end in dot.png" in text_of(refused)


def test_the_way_back_keeps_what_was_given(client: Client) -> None:
    address = a_draft(client, tasks=WITH_FILE, task_files=a_file(b"one", "dot.png"))

    back = client.post(address, {"do": "back", "name": "evening", "project": "web", "chosen": "yes"})["Location"]
    page = page_text(client, back)
    fields = dict(re.findall(r'<input type="hidden" name="(draft|name|project)" value="([^"]*)">', page))
    again = client.post("/trials/new/", {**fields, "tasks": a_file(WITH_FILE.replace("look", "see"), "new.yaml")})

    trial = start(client, again["Location"].partition("?")[0], name="evening", project="web")
    assert "Given before" in page
    assert again["Location"].endswith("?name=evening&project=web")
    assert planned(trial)[1] == ["see"]
    assert (Path(trial.folder) / "pictures" / "dot.png").read_bytes() == b"one"


def test_a_file_that_is_missing_is_in_the_way_and_named(client: Client) -> None:
    address = a_draft(client, tasks=WITH_FILE)

    text = page_text(client, address)
    refused = client.post(address, {"do": "start"})

    assert "In the way of these picks" in text
    assert "task-config.tasks[0].files[0].uri" in text
    assert refused.status_code == 422
    assert "The trial was not started" in text_of(refused)
    assert Trial.objects.count() == 0


def test_a_folder_of_the_server_must_be_one_that_the_operator_allows(
    client: Client, settings: Settings, tmp_path: Path
) -> None:
    allowed = tmp_path / "allowed"
    (allowed / "pictures").mkdir(parents=True)
    (allowed / "pictures" / "dot.png").write_bytes(b"\x89PNG")
    settings.IMPORT_ROOTS = [str(allowed)]

    refused = send_files(client, tasks=WITH_FILE, folder=str(tmp_path))
    trial = start(client, a_draft(client, tasks=WITH_FILE, folder=str(allowed)))

    assert refused.status_code == 422
    assert "is not below a folder that may be imported" in text_of(refused)
    assert trial.folder == str(allowed)


def test_a_task_file_cannot_reach_out_of_its_folder(client: Client) -> None:
    text = page_text(client, a_draft(client, tasks=WITH_FILE.replace("pictures/dot.png", "/etc/passwd")))

    assert "/etc/passwd lies outside the folder of the task file" in text


def test_every_problem_of_both_files_is_listed_with_file_line_and_key(client: Client, var_dir: Path) -> None:
    config = CONFIG.replace("model: gpt-6-mini", "modle: gpt-6-mini", 1)

    response = send_files(client, config, TASKS.replace("name: wrong, ", ""))

    text = text_of(response)
    assert response.status_code == 422
    rows = re.findall(r'<th scope="row"><span class="mono">(.*?)</span></th>\s*<td class="num">(\d+)</td>', text)
    assert {("config.yaml", "6"), ("tasks.yaml", "5")} <= set(rows)
    assert "config.providers[0].runs[0].modle" in text
    assert not (var_dir / "trials").exists()


def test_a_file_that_is_no_yaml_does_not_hide_the_problems_of_the_other(client: Client) -> None:
    text = text_of(send_files(client, "config: [", TASKS.replace("name: wrong, ", "")))

    assert "this is no YAML" in text
    assert "task-config.tasks[2].name" in text


def test_missing_files_are_told(client: Client) -> None:
    text = text_of(client.post("/trials/new/", {}))

    assert text.count("it is missing or empty") == 2


def test_the_files_of_an_earlier_trial_can_be_chosen_again(client: Client) -> None:
    earlier = start(client, a_draft(client), keep_keys="yes")
    assert f'<option value="{earlier.pk}">' in page_text(client, "/trials/new/")

    response = client.post("/trials/new/", {"config_of": earlier.pk, "tasks_of": earlier.pk})
    again = start(client, response.headers["Location"], chosen="yes", pick="0:0")

    assert planned(again) == (["quick"], ["sum", "wrong", "last"])
    assert again.config_text == earlier.config_text


def test_start_pressed_twice_begins_once(client: Client) -> None:
    address = a_draft(client)
    trial = start(client, address)

    assert start(client, address) == trial
    assert client.get(address).headers["Location"] == f"/trials/{trial.pk}/"
    assert Trial.objects.count() == 1


def test_nothing_picked_starts_nothing_and_the_draft_stays(client: Client) -> None:
    address = a_draft(client)

    refused = client.post(address, {"do": "start", "chosen": "yes"})

    assert refused.status_code == 422
    assert "Nothing is picked" in text_of(refused)
    assert trial_progress(start(client, address).pk) is not None


def test_without_scripts_a_form_leads_to_the_address_of_what_was_picked(client: Client) -> None:
    address = a_draft(client)

    response = client.post(address, {"csrfmiddlewaretoken": "x", "chosen": "yes", "pick": "0:0", "tick": "0"})

    assert response.headers["Location"] == f"{address}?chosen=yes&pick=0%3A0&tick=0"
    assert "Start: 2 results" in page_text(client, response.headers["Location"])


def test_the_part_that_is_swapped_is_no_page(client: Client) -> None:
    text = page_text(client, a_draft(client), **{"HX-Request": "true"})

    assert text.lstrip().startswith('<div class="stack" id="trial-pick"')


def test_judges_and_tools_that_picked_tasks_use_are_named(client: Client) -> None:
    config = CONFIG + (
        "  judges: [{name: j, provider: {name: xai, client-config: {api-key: ''}, runs: [{name: v, model: grok}]}}]\n"
        "  tools: [{name: python, image: 'python:3', description: Runs it, parameters: {type: object}}]\n"
    )
    tasks = TASKS.replace(
        "suite: math",
        "tool-selector: {tools: [{name: python}]}, validation-rules: {judge: {enabled: true, name: j, variant: v}}",
    )

    text = page_text(client, a_draft(client, config, tasks))

    assert "python:3</code> · 1 task" in text
    assert "${XAI_API_KEY} is not set" in text
    assert "and up to 4 of judges" in text


class _Images(BaseHTTPRequestHandler):
    """A Docker engine that has the image `python:3` and no other."""

    def do_GET(self) -> None:
        is_there = "/images/" not in self.path or "python:3" in self.path
        body = b'{"ApiVersion": "1.44", "Id": "x", "message": "no such image"}'
        self.send_response(200 if is_there else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


def test_an_image_that_docker_does_not_have_is_told_and_not_in_the_way(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = "".join(
        f"    - {{name: {name}, image: '{name}:3', description: Runs, parameters: {{type: object}}}}\n"
        for name in ("python", "perl")
    )
    tasks = TASKS.replace("suite: math", "tool-selector: {tools: [{name: python}, {name: perl}]}")
    with ThreadingHTTPServer(("127.0.0.1", 0), _Images) as engine:
        Thread(target=engine.serve_forever, daemon=True).start()
        monkeypatch.setenv("DOCKER_HOST", f"tcp://127.0.0.1:{engine.server_port}")
        text = page_text(client, a_draft(client, CONFIG + "  tools:\n" + tools, tasks))
        engine.shutdown()

    line = text[text.index("perl:3</code>") :].partition("</li>")[0]
    assert "the image is not on this machine: build or pull it" in line
    assert text.count("not on this machine") == 1
    assert "In the way of these picks" not in text


def test_the_page_of_picks_asks_few_questions(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, tmp_path: Path
) -> None:
    an_evaluation(tmp_path, result(0), result(1))
    address = a_draft(client, tasks=MANY)
    client.get(f"{address}?chosen=yes&pick=0:0")  # another question, which opens the facts

    with django_assert_num_queries(PICK_QUERIES):
        client.get(address)


def test_an_unknown_draft_is_not_found(client: Client) -> None:
    assert client.get("/trials/new/nothing/").status_code == 404
    assert client.post("/trials/new/" + "0" * 32 + "/keys/").status_code == 404


def test_a_service_that_takes_no_files_is_not_asked_about_tasks_with_files(client: Client) -> None:
    config = CONFIG.replace("name: anthropic", "name: deepseek").replace("claude-opus-5", "deepseek-chat")
    config = config.replace("ANTHROPIC_API_KEY", "DEEPSEEK_API_KEY")

    text = page_text(client, a_draft(client, config, WITH_FILE, task_files=a_file(b"\x89PNG", "dot.png")))

    assert "4 results, 1 of them skipped" in text
    assert estimated(text)[1] == "3"
