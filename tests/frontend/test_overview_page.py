"""The overview as a reader meets it: first visit, news, numbers with their pages, filters, and nothing at all."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from frontend.visits import COOKIE
from results.jobs import create_job
from results.models.dimensions import Run
from results.models.evaluations import Evaluation
from results.models.jobs import JobKind
from results.store.describing import set_baseline
from results.text.index import index_pending
from tests.documents import START_MS, trace_id
from tests.fixtures.agent_bober.imports import evaluation, import_one
from tests.frontend.factories import an_evaluation
from tests.results.facts.evaluations import row

pytestmark = pytest.mark.django_db

DAY_MS = 86_400_000


def day(folder: Path, number: int, *rows: dict[str, Any], project: str = "default") -> Evaluation:
    """An evaluation of day `number`, whose trace ids are its own."""
    placed = [
        each | {"TraceID": trace_id(1000 * number + place, START_MS + number * DAY_MS)}
        for place, each in enumerate(rows)
    ]
    return an_evaluation(folder, *placed, name=f"day {number}.json", project=project)


def two_days(folder: Path) -> tuple[Evaluation, Evaluation]:
    first = day(folder, 1, row(1, task="a"), row(2, task="b", kind="Failed"), row(3, task="c"))
    second = day(
        folder,
        2,
        row(1, task="a", kind="Failed", category="maths"),
        row(2, task="b"),
        row(3, task="c", tool_calls=[("python", "timeout")]),
    )
    return first, second


def text_of(client: Client, address: str = "/") -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_a_new_user_is_told_what_to_do_first(client: Client) -> None:
    page = text_of(client)
    assert "Nothing is here yet" in page
    assert f'href="{reverse("import")}"' in page
    assert "manage.py load_demo" in page


def test_sprints_alone_lead_to_their_page(client: Client) -> None:
    import_one(evaluation())
    page = text_of(client)
    assert "No evaluations yet" in page
    assert f'href="{reverse("sprints-list")}"' in page


def test_the_latest_evaluation_is_told_in_numbers_that_lead_to_its_results(client: Client, tmp_path: Path) -> None:
    _, second = two_days(tmp_path)
    page = text_of(client)
    counted = f"/results/?evaluation={second.pk}&amp;outcome=-skipped"
    assert f'<a href="{counted}">66.7 %</a>'.replace(" %", "\N{NO-BREAK SPACE}%") in page
    assert '<a href="#regressed">1</a> <small>regressed</small>' in page
    assert f'href="/results/?category=maths&amp;evaluation={second.pk}"' in page or (
        f'href="/results/?evaluation={second.pk}&amp;category=maths"' in page
    )
    assert f"/results/?{urlencode({'result': second.result_id(0)})}" in page


def test_the_chart_has_its_numbers_in_a_table(client: Client, tmp_path: Path) -> None:
    first, second = two_days(tmp_path)
    page = text_of(client)
    assert "2 evaluations, 6 results" in page.replace("\N{NO-BREAK SPACE}", " ")
    table = page[page.index("Show as a table") :]
    assert f"{Evaluation.objects.get(pk=first.pk).name}</th>" in table
    assert "66.7 % (20.8–93.9 %), n 3" in table.replace("\N{NO-BREAK SPACE}", " ")
    assert f'href="/results/?{urlencode({"provider": "openai", "run": "gpt"}).replace("&", "&amp;")}"' in table
    assert f"run=gpt\\u0026evaluation={second.pk}" in page


def test_the_first_visit_has_no_news_and_sets_the_mark(client: Client, tmp_path: Path) -> None:
    two_days(tmp_path)
    assert "your next visit shows what came since this one" in text_of(client)
    assert client.cookies[COOKIE]["httponly"]


def test_news_are_what_was_imported_since_the_last_visit(client: Client, tmp_path: Path) -> None:
    first, second = two_days(tmp_path)
    Evaluation.objects.filter(pk=first.pk).update(imported_at=timezone.now() - timedelta(days=3))
    last = datetime.now(UTC) - timedelta(days=1)
    client.cookies[COOKIE] = f".{int(last.timestamp())}"
    page = text_of(client)
    assert "New since your last visit" in page
    news = page[page.index('id="news"') :][:900]
    assert f'href="/evaluations/{second.pk}/"' in news
    assert f'href="/evaluations/{first.pk}/"' not in news


def test_a_page_that_is_read_again_keeps_its_news(client: Client, tmp_path: Path) -> None:
    two_days(tmp_path)
    client.cookies[COOKIE] = f".{int((datetime.now(UTC) - timedelta(days=1)).timestamp())}"
    text_of(client)
    assert "New since your last visit" in text_of(client)


@pytest.mark.parametrize("value", ["", "x", "1.x", "5.99999999999999999999", "-1.-1", "1.٣".encode().decode("latin-1")])
def test_a_cookie_that_makes_no_sense_counts_as_none(client: Client, tmp_path: Path, value: str) -> None:
    two_days(tmp_path)
    client.cookies[COOKIE] = value
    assert "your next visit shows" in text_of(client)


def test_the_baseline_is_named(client: Client, tmp_path: Path) -> None:
    first, _ = two_days(tmp_path)
    set_baseline(first.pk, is_baseline=True)
    page = text_of(client)
    assert "Against the baseline" in page
    assert re.search(rf'baseline: <a href="/evaluations/{first.pk}/"', page)


def test_a_run_that_changed_leads_to_its_comparison(client: Client, tmp_path: Path) -> None:
    first, second = two_days(tmp_path)
    page = text_of(client)
    columns = re.findall(r"column=(\d+)%3A(\d+)", page)
    assert {int(pk) for pk, _ in columns} == {first.pk, second.pk}


def test_one_evaluation_alone_is_compared_with_nothing(client: Client, tmp_path: Path) -> None:
    day(tmp_path, 1, row(1))
    assert "nothing earlier has a run in common" in text_of(client)


def test_an_evaluation_in_which_everything_was_skipped_has_no_rate(client: Client, tmp_path: Path) -> None:
    day(tmp_path, 1, row(1, kind="Skipped"))
    page = text_of(client)
    assert '<span class="missing">n/a</span>' in page
    assert "Every result was skipped" in page
    assert "No tool call is recorded" in page


def test_a_project_and_a_range_of_days_are_filters(client: Client, tmp_path: Path) -> None:
    two_days(tmp_path)
    other = day(tmp_path, 3, row(9, task="z"), project="other")
    page = text_of(client, "/?project=other")
    assert f'latest: <a href="/evaluations/{other.pk}/"' in page
    assert 'aria-label="Remove filter project"' in page
    assert "No result matches" in text_of(client, "/?started=2030-01-01..")


def test_what_cannot_be_read_in_the_address_is_said(client: Client, tmp_path: Path) -> None:
    two_days(tmp_path)
    assert "started=yesterday was left out" in text_of(client, "/?started=yesterday")


def test_names_are_text(client: Client, tmp_path: Path) -> None:
    hostile = "<img src=x onerror=1>\u202e"
    day(tmp_path, 1, row(1, task=hostile, run=hostile, provider=hostile, category=hostile))
    day(tmp_path, 2, row(1, task=hostile, run=hostile, provider=hostile, category=hostile, kind="Failed"))
    page = text_of(client)
    assert "<img src=x" not in page
    assert "U+202E" in page


def test_unfinished_jobs_are_shown_with_their_progress(client: Client) -> None:
    create_job(JobKind.IMPORT, title="big.json", total=10_000_000)
    page = text_of(client)
    assert "big.json" in page
    assert "waiting for a worker" in page


def test_the_overview_asks_a_fixed_number_of_queries(
    client: Client, tmp_path: Path, django_assert_max_num_queries: Any
) -> None:
    two_days(tmp_path)
    text_of(client)
    with django_assert_max_num_queries(14):  # three more where there are sprints
        text_of(client)


def test_the_latest_sprints_are_shown_with_verdict_and_open_feedback(client: Client, tmp_path: Path) -> None:
    two_days(tmp_path)
    for number, contract in ((1, "sprint-old"), (1, "sprint-new"), (2, "sprint-new")):
        import_one(evaluation(number, contract))
    panel = client.get("/").context["page"].sprints
    told = [(line.row.contract_id, len(line.row.iterations), line.row.verdict) for line in panel.lines]
    assert told == [("sprint-new", 2, "pass"), ("sprint-old", 1, "pass")]
    page = text_of(client)
    part = page[page.index('id="sprints"') :]
    assert "open feedback" in part
    assert f'href="{reverse("sprints-list")}"' in part


def test_sprints_of_other_projects_are_left_out(client: Client, tmp_path: Path) -> None:
    two_days(tmp_path)
    import_one(evaluation(1, "sprint-here"))
    import_one(evaluation(1, "sprint-there"), project="other")
    panel = client.get("/", {"project": "other"}).context["page"].sprints
    assert ([line.row.contract_id for line in panel.lines], panel.total) == (["sprint-there"], 1)
    assert panel.href == f"{reverse('sprints-list')}?project=other"


def test_counts_of_the_panels_lead_to_exactly_what_they_count(client: Client, tmp_path: Path) -> None:
    calls = [("python", "timeout"), ("python", "success")]
    day(tmp_path, 1, *(row(number, task=f"t{number}") for number in range(4)), row(5, task="t5", kind="Failed"))
    rows = [
        row(0, task="t0", kind="Failed", category="maths", tool_calls=calls),
        row(1, task="t1", category="maths"),
        row(2, task="t2", kind="Skipped", category="maths"),
        row(5, task="t5"),
    ]
    day(tmp_path, 2, *rows)
    latest = client.get("/").context["page"].latest

    def total(href: str) -> int:
        found: int = client.get(href).context["page"].table.total
        return found

    maths = next(line for line in latest.categories if line.name == "maths")
    assert (maths.rate.n, total(maths.counted_href)) == (2, 2)
    assert (latest.tiles.rate.n, total(latest.tiles.rate_href)) == (3, 3)
    (tool,) = latest.tools
    assert [total(href) for href in (tool.calls_href, tool.failed_href)] == [1, 1]
    (change,) = latest.run_changes
    assert (change.regressed, total(change.regressed_href)) == (1, 1)
    assert (change.improved, total(change.improved_href)) == (1, 1)


def test_nothing_to_compare_with_says_what_helps(client: Client, tmp_path: Path) -> None:
    day(tmp_path, 1, row(1, task="a"))
    page = text_of(client)
    assert "Nothing earlier in this project has a run in common" in page
    assert "No tool call is recorded in this evaluation." in page


def test_every_place_is_in_the_navigation(client: Client) -> None:
    page = text_of(client)
    found = re.findall(r'<a href="(/[a-z]*/?)"[^>]*>(\w+)</a>', page[page.index('class="topnav"') :][:1500])
    assert [label for _, label in found][:10] == [
        "Overview",
        "Evaluations",
        "Results",
        "Compare",
        "Tasks",
        "Runs",
        "Tools",
        "Costs",
        "Errors",
        "Sprints",
    ]


def test_an_evaluation_of_long_ago_is_left_of_the_axis_and_led_to(client: Client, tmp_path: Path) -> None:
    long_ago = trace_id(1, START_MS - 2000 * DAY_MS)
    old = an_evaluation(tmp_path, row(1, task="a") | {"TraceID": long_ago}, name="old.json")
    for number in (1, 8, 15):
        day(tmp_path, number, row(1, task="a"))
    chart = client.get("/").context["page"].trend
    assert [len(trace["x"]) for trace in chart.figure["data"]] == [3, 3, 3]
    assert len(chart.columns) == 5  # the table has all four evaluations
    assert "Left of the axis, but in the table: 1\u00a0evaluation of" in chart.note
    assert f"evaluation={old.pk}" in chart.note_href
    assert client.get(chart.note_href).context["page"].table.total == 1


def test_cancelled_work_is_neither_transient_nor_permanent(client: Client, tmp_path: Path) -> None:
    def error(number: int, message: str, *, is_transient: bool) -> dict[str, Any]:
        return row(number, kind="Error", error={"Title": "Error", "Message": message, "Transient": is_transient})

    day(
        tmp_path,
        1,
        error(1, "context canceled", is_transient=True),
        error(2, "busy", is_transient=True),
        error(3, "no", is_transient=False),
    )
    index_pending()
    parts = client.get("/").context["page"].latest.tiles.error_parts
    told = {part.text: client.get(part.href).context["page"].table.total for part in parts}
    assert told == {"1 transient": 1, "1 permanent": 1, "1 cancelled": 1}


def test_named_lines_of_two_providers_with_one_colour_look_different(client: Client, tmp_path: Path) -> None:
    runs = [{"provider": name, "run": name} for name in ("cinder", "東京")]  # both have the fifth colour
    runs.append({"provider": "cinder", "run": "second"})
    for number in (1, 2):
        day(tmp_path, number, *(row(1, **run) for run in runs))
    traces = client.get("/").context["page"].trend.figure["data"]
    lines = [trace for trace in traces if trace["mode"] == "lines+markers"]
    looks = {(line["line"]["color"], line["marker"]["symbol"], line["line"]["dash"]) for line in lines}
    assert len(lines) == len(looks) == 3
    assert len({look[:2] for look in looks}) == 2  # one colour and shape a provider


def test_a_sum_says_how_many_results_are_at_table_prices(client: Client, tmp_path: Path) -> None:
    usage = {"InputTokens": 10**6, "OutputTokens": 0}
    own = {"Pricing": {"Currency": "USD", "InputPerMillion": 1, "OutputPerMillion": 1}}
    day(tmp_path, 1, row(1, usage=usage, RunConfig=own), row(2, usage=usage, RunConfig={"Model": "gpt-5.2"}))
    number = Evaluation.objects.get().pk
    for address in ("/", "/runs/", f"/runs/{Run.objects.get().pk}/", f"/evaluations/{number}/", "/tasks/"):
        assert "1 at table prices" in text_of(client, address), address
