"""The page of errors."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from results.text.index import index_pending
from tests.results.facts.evaluations import row, stored
from tests.results.queries.histories import on_day

pytestmark = pytest.mark.django_db
HOSTILE = '<script>alert("x")</script>\u202e'


def failed(title: str = "Execution Error", message: str = "boom", **more: Any) -> dict[str, Any]:
    return {"kind": "Error", "Got": message, "error": {"Title": title, "Message": message} | more}


def keep(folder: Path, *values: dict[str, Any]) -> int:
    found = stored(folder, "one", *(row(number, TraceID=on_day(1, number), **one) for number, one in enumerate(values)))
    index_pending()
    return found


def body(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return response.content.decode()


def words(text: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


def test_no_data_says_how_to_begin(client: Client) -> None:
    assert "Import files" in body(client, "/errors/")


def test_results_without_an_error_say_so(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, {}, {})
    assert "None of 2 results is an error" in words(body(client, "/errors/"))


def test_a_title_leads_to_its_messages_and_its_results(client: Client, tmp_path: Path) -> None:
    evaluation = keep(tmp_path, {}, failed(message="no file /a/b 1"), failed(message="no file /a/c 2"))
    text = body(client, "/errors/")
    assert "/results/?outcome=error&amp;error=Execution+Error&amp;sort=-started" in text
    messages = body(client, "/errors/?error=Execution+Error&outcome=error")
    assert "no file <path> <n>" in words(messages)
    assert f'href="/results/{evaluation * 2**24 + 2}/"' in messages
    assert f"/results/?result={evaluation * 2**24 + 1}&amp;result={evaluation * 2**24 + 2}&amp;" in messages


def test_choosing_a_title_leaves_the_totals_as_they_are(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, {}, {}, failed(), failed("Other"))
    for address in ("/errors/", "/errors/?error=Other"):
        assert "2 of 4" in words(body(client, address))


def test_cancelled_work_is_set_apart_with_the_rate_without_it(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, {}, failed(), failed(message="context canceled"), failed(message="context canceled"))
    text = words(body(client, "/errors/"))
    assert "Cancelled work 2 the message says so; error rate without it 50.0 %" in text


def numbers_and_links(text: str) -> list[tuple[str, str]]:
    """Every count on a page that leads to the explorer, and where."""
    return [
        (number, unescape(href))
        for href, number in re.findall(r'<a href="(/results/\?[^"]*)"[^>]*>(\d+)</a>', text.partition("<dl")[2])
    ]


def test_every_number_leads_to_exactly_the_results_that_it_counts(client: Client, tmp_path: Path) -> None:
    keep(
        tmp_path,
        {},
        failed(),
        failed(Transient=True),
        failed(message="context canceled"),
        failed(message="context canceled", Transient=False),
        failed("Configuration Error", Transient=False),
        {"kind": "Skipped", "error": {"Title": "Execution Error", "Message": "switched off"}},
    )
    found = numbers_and_links(body(client, "/errors/"))
    shown = [(number, str(client.get(href).context["page"].table.total)) for number, href in found]
    # Tiles 1 1 1 2; by title 1+1 = 2, 1 = 1, cancelled 1+1 = 2, skipped 1 = 1; messages boom 2, canceled 2, other 1.
    assert len(shown) == 4 + (3 + 2 + 3 + 2) + (3 + 3 + 2)
    assert [pair for pair in shown if pair[0] != pair[1]] == []


def test_a_title_and_its_cancelled_part_lead_to_different_results(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, failed(), failed(message="context canceled"))
    page = client.get("/errors/").context["page"]
    assert ["cancelled=no" in row.results_href for row in page.rows] == [True, False]
    assert "cancelled=yes" in page.rows[1].results_href
    chips = client.get(page.rows[1].results_href).content.decode()
    assert "Remove filter cancelled work" in chips


def test_only_transient_errors_can_be_listed(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, failed("Rate", Transient=True), failed("Broken", Transient=False), failed("Odd"))
    titles = [
        re.findall(r'messages" title="(\w+)"', body(client, f"/errors/?transient={word}"))
        for word in ("yes", "no", "unknown")
    ]
    assert titles == [["Rate"], ["Broken"], ["Odd"]]


def test_an_error_without_a_title_can_be_chosen(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, {"kind": "Error", "Got": "bang"})
    assert "no title" in words(body(client, "/errors/"))
    assert "bang" in body(client, "/errors/?outcome=error&error=%28unspecified%29")


def test_titles_and_messages_are_text(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, failed(HOSTILE, f"it {HOSTILE}"))
    for address in ("/errors/", "/errors/?outcome=error&error=%3Cscript%3Ealert%28%22x%22%29%3C%2Fscript%3E%E2%80%AE"):
        text = body(client, address)
        assert "<script>alert" not in text
        assert "\u202e" not in re.sub(r' value="[^"]*"', "", text)  # a form has to send it back


def test_a_filter_that_lets_nothing_through_says_so(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, failed())
    assert "Nothing matches" in body(client, "/errors/?suite=none")


@pytest.mark.parametrize("sort", ["title", "-title", "transient", "-runs", "first", "-last"])
def test_every_order_works(client: Client, tmp_path: Path, sort: str) -> None:
    keep(tmp_path, failed("a"), failed("b"), {"kind": "Error", "Got": "x"})
    assert "3 errors" in words(body(client, f"/errors/?sort={sort}"))
