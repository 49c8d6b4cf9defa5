"""The page of one iteration."""

import json
import re
from html import unescape

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from results.models.sprints import Iteration, Sprint
from tests.fixtures.agent_bober.documents import document, fixture_bytes
from tests.fixtures.agent_bober.imports import contract, evaluation, import_bodies, import_one

pytestmark = pytest.mark.django_db

QUERIES = 3  # the jobs; the iteration with its sprint; the sprint's iterations; one more where there is one before
SECTIONS = ("strategyResults", "criteriaResults", "regressions", "generatorFeedback")


def page_of(client: Client, files: dict[str, bytes]) -> str:
    (iteration_id,) = import_one(files).iterations
    return page_text(client, iteration_id)


def page_text(client: Client, iteration_id: int) -> str:
    response = client.get(f"/iterations/{iteration_id}/")
    assert response.status_code == 200
    return response.content.decode().replace("\N{NO-BREAK SPACE}", " ")


def tile(text: str, label: str) -> str:
    """The value of a tile, without markup."""
    found = re.search(rf"<dt>{label}</dt>\s*<dd[^>]*>(.*?)</dd>", text, re.DOTALL)
    assert found is not None
    return re.sub(r"<[^>]*>", "", found[1]).strip()


def test_everything_that_is_recorded_is_there(client: Client) -> None:
    text = page_of(client, evaluation())
    for fact in (
        "The kiln heats up.",
        "900 °C after 40 min",
        "Change the lamp.",
        "unused name",
        "The bell is silent.",
        "src/bell.ts",
        "src/lamp.ts:42",
        "It glows.",
        "Passed with a dark lamp.",
        "eval-sprint-kiln-1-1",
    ):
        assert fact in text


def test_the_tiles_count_the_parts(client: Client) -> None:
    text = page_of(client, evaluation())
    labels = ("Recorded verdict", "Our verdict", "Criteria", "Required criteria", "Regressions", "Feedback")
    assert [tile(text, label) for label in labels] == ["Passed", "Passed", "2 of 3 passed", "2 of 2 passed", "1", "1"]


@pytest.mark.parametrize(("value", "word"), [(None, "not recorded"), ([], "none")])
def test_an_absent_section_is_not_an_empty_one(client: Client, value: list[object] | None, word: str) -> None:
    text = page_of(client, evaluation(**dict.fromkeys(SECTIONS, value)))
    assert text.count(f'<p class="missing">{word}</p>') == len(SECTIONS)


def test_a_verdict_that_disagrees_stands_beside_the_recorded_one(client: Client) -> None:
    criteria = document()["criteriaResults"]
    criteria[0]["result"] = "fail"
    text = page_of(client, evaluation(criteriaResults=criteria))
    assert "The file says passed, we say failed." in text
    assert "required and failed: sc-1-1" in text
    assert (tile(text, "Recorded verdict"), tile(text, "Our verdict")) == ("Passed", "Failed")


def test_a_verdict_that_cannot_be_worked_out_is_unknown(client: Client) -> None:
    text = page_of(client, evaluation(criteriaResults=None, strategyResults=None, score=None))
    assert tile(text, "Our verdict") == "unknown"
    assert "we say" not in text


def test_feedback_comes_most_urgent_first(client: Client) -> None:
    items = [
        {"priority": word, "description": f"About {word}."} for word in ("low", "odd", "critical", "high", "medium")
    ]
    text = page_of(client, evaluation(generatorFeedback=items))
    words = re.findall(r"(?<!&quot;)About (\w+)\.", text.partition("<h2>Feedback</h2>")[2].partition("<aside")[0])
    assert words == ["critical", "high", "medium", "low", "odd"]
    assert "1 critical · 1 high · 1 medium · 1 low · 1 other" in text


def test_keys_that_nobody_knows_are_kept_as_notes(client: Client) -> None:
    criteria = [{**document()["criteriaResults"][0], "amendedDisposition": "agreed by mail"}]
    text = page_of(client, evaluation(criteriaResults=criteria, qualityNote="Fine work.", verdicts={"safe": True}))
    for fact in ("qualityNote", "Fine work.", "verdicts", "criteriaResults[0].amendedDisposition", "agreed by mail"):
        assert fact in text.partition("<h2>Other notes</h2>")[2]


def test_words_as_written_stand_beside_what_they_mean(client: Client) -> None:
    criteria = [{**document()["criteriaResults"][0], "result": "pass-AMENDED"}]
    text = page_of(client, evaluation(criteriaResults=criteria))
    assert 'amended</span> <span class="sub">pass-AMENDED</span>' in text


@pytest.mark.parametrize("shape", ["engine", "hybrid"])
def test_every_shape_has_a_page(client: Client, shape: str) -> None:
    text = page_of(client, {f"{shape}.json": fixture_bytes(f"{shape}.json")})
    assert f"<dd>{shape}</dd>" in text


def test_what_the_engine_says_of_a_check_is_shown(client: Client) -> None:
    text = page_of(client, {"engine.json": fixture_bytes("engine.json")})
    for fact in ("never ran", "TypeScript Check", "a.ts", "wrong type", "Fix them.", "score 85"):
        assert fact in text


def test_a_description_of_the_contract_is_marked_as_such(client: Client) -> None:
    import_one(contract())
    text = page_of(client, evaluation(criteriaResults=[{"criterionId": "sc-1-2", "result": "pass", "evidence": "x"}]))
    assert '<span class="muted">The door stays shut.</span>' in text
    assert 'no <span class="sub">contract</span>' in text


def test_warnings_of_the_import_are_listed(client: Client) -> None:
    assert "the time is not recorded" in page_of(client, evaluation(timestamp=None))


def test_midnight_is_a_day_only(client: Client) -> None:
    text = page_of(client, evaluation(timestamp="2026-03-04T00:00:00Z"))
    assert '4 Mar 2026</time> <span class="sub muted">date only</span>' in text


def test_both_revisions_have_a_page_and_the_old_one_says_so(client: Client) -> None:
    old = import_one(evaluation(summary="Old words.")).iterations[0]
    new = page_of(client, evaluation(summary="New words."))
    assert f'href="/iterations/{old}/"' in new
    assert "replaced revision" not in new
    text = page_text(client, old)
    assert "replaced revision" in text
    assert "Old words." in text


def test_neighbours_are_linked_and_results_before_stand_beside(client: Client) -> None:
    first = import_one(evaluation(1, criteriaResults=[{"criterionId": "sc-1-1", "result": "fail", "evidence": "x"}]))
    text = page_of(client, evaluation(2))
    assert f'href="/iterations/{first.iterations[0]}/" rel="prev"' in text
    assert '<th scope="col">Before</th>' in text
    assert 'aria-label="No iteration after"' in text


def test_text_of_a_file_is_never_markup(client: Client) -> None:
    hostile = "<script>alert(1)</script>\u202e"
    parts = document()
    feedback = [
        dict.fromkeys(("priority", "category", "description", "file", "line", "expected", "criterion"), hostile)
    ]
    strategies = [{"strategy": hostile, "result": hostile, "output": hostile, "details": hostile}]
    criteria = [{**parts["criteriaResults"][0], "criterionId": hostile, "description": hostile, "evidence": hostile}]
    regressions = [{"description": hostile, "severity": hostile, "affectedFiles": [hostile]}]
    text = page_of(
        client,
        evaluation(
            summary=hostile,
            evaluator=hostile,
            generatorFeedback=feedback,
            strategyResults=strategies,
            criteriaResults=criteria,
            regressions=regressions,
            note={hostile: hostile},
        ),
    )
    assert "<script>alert" not in text
    assert "\u202e" not in text


def test_the_page_asks_few_questions(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    import_bodies(evaluation(1) | evaluation(2))
    first, second = Iteration.objects.order_by("iteration").values_list("pk", flat=True)
    with django_assert_num_queries(QUERIES + 1):
        client.get(f"/iterations/{second}/")
    with django_assert_num_queries(QUERIES):
        client.get(f"/iterations/{first}/")


def test_feedback_can_be_copied_as_the_documents_json(client: Client) -> None:
    items = [{"priority": "low", "line": "3-5", "zone": 7}, {"priority": "high", "description": "It is cold."}]
    text = unescape(page_of(client, evaluation(generatorFeedback=items)))
    block = text.partition('aria-label="All feedback as JSON"')[2].partition(">")[2].partition("</pre>")[0]
    assert json.loads(block) == list(reversed(items))


def test_feedback_that_stood_before_is_marked_as_repeated(client: Client) -> None:
    import_one(evaluation(1, generatorFeedback=[{"description": "It is cold."}]))
    text = page_of(client, evaluation(2, generatorFeedback=[{"description": "It is cold."}, {"description": "Smoke."}]))
    assert re.findall(r">(repeated|new)</span>", text) == ["repeated", "new"]


def test_feedback_after_an_iteration_that_records_none_is_neither_new_nor_repeated(client: Client) -> None:
    import_one(evaluation(1, generatorFeedback=None))
    text = page_of(client, evaluation(2, generatorFeedback=[{"description": "Smoke."}]))
    assert re.findall(r">(repeated|new)</span>", text) == []


def test_what_could_not_be_judged_is_an_error_with_its_reason(client: Client) -> None:
    ours = {"state": "error", "reason": "timed out", "durationMs": 1500}
    strategies = [
        {"strategy": "build", "required": True, "result": "fail", "evalboard": ours},
        {"strategy": "lint", "required": True, "result": "pass", "evalboard": "another writer's"},
    ]
    text = page_of(client, evaluation(strategyResults=strategies)).partition("<caption>Strategies")[2]
    build, lint = text.partition("</table>")[0].split("<tr>")[2:]
    assert 'data-outcome="error">Error</span> <span class="tag" data-kind="warning">timed out</span>' in build
    assert "1.5 s" in build
    assert ("Passed" in lint, lint.count("not recorded")) == (True, 4)


def test_what_could_not_be_judged_is_no_fail_of_the_code(client: Client) -> None:
    build = {
        "strategy": "build",
        "required": True,
        "result": "fail",
        "evalboard": {"state": "error", "reason": "timed out", "durationMs": 1000},
    }
    text = page_of(
        client,
        evaluation(
            evaluator="evalboard", overallResult="fail", strategyResults=[build], criteriaResults=None, score=None
        ),
    )
    assert (tile(text, "Recorded verdict"), tile(text, "Our verdict")) == ("Could not be evaluated", "unknown")
    assert "required, and could not be judged: build (timed out)" in text
    assert "strategyResults[0].evalboard" not in text
    sprints = client.get("/sprints/").content.decode()
    assert tile(sprints, "Failed") == "0"
    assert 'Could not be evaluated <span class="count">1</span>' in sprints
    charts = re.sub(r"<[^>]*>", " ", client.get("/sprints/charts/").content.decode())
    assert "build 0 0 1 0 0" in " ".join(charts.split())
    sides = client.get(f"/sprints/{Sprint.objects.get().pk}/").content.decode()
    assert 'data-outcome="error">Error</span>' in sides.partition('id="side-by-side"')[2]
