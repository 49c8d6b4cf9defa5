"""The pages about tools."""

from html import escape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.documents import result
from tests.frontend.factories import an_evaluation

pytestmark = pytest.mark.django_db
HOSTILE = "<b>x</b>\u202e"
MS = 10**6


def used(number: int, *statuses: str, tool: str = "python", **fields: Any) -> dict[str, Any]:
    """A result with calls of a tool and its total."""
    calls = [{"Tool": tool, "CallID": "c", "Status": status, "WallTimeNS": 5 * MS} for status in statuses]
    details = {"Answer": {"ToolCalls": calls, "ToolUsage": {tool: {"CallCount": len(calls)}}}}
    return result(number, **({"Details": details} | fields))


def details_without_total(tool: str) -> dict[str, Any]:
    """What a result says of one successful call of a tool whose total is not recorded."""
    return {"Answer": {"ToolCalls": [{"Tool": tool, "CallID": "c", "Status": "success"}]}}


def text_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def tool_address(client: Client, name: str = "python") -> str:
    page = client.get(reverse("tools-list")).context["page"]
    return reverse("tool-show", args=[next(line.line.id for line in page.numbers.lines if line.name == name)])


def test_nothing_stored_leads_to_the_import(client: Client) -> None:
    assert f'href="{reverse("import")}"' in text_of(client, reverse("tools-list")).partition("<main")[2]


def test_no_tools_at_all_is_said(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, result(1))
    assert "No tools at all" in text_of(client, reverse("tools-list"))


def test_totals_without_calls_are_said(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, used(1))
    text = text_of(client, reverse("tools-list"))
    assert "No calls recorded one by one" in text
    assert "only totals are recorded" in text


def test_numbers_stand_on_the_page_without_script(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, used(1, "success", "timeout"), used(2, "success"))
    page = client.get(reverse("tools-list")).context["page"]
    assert page.numbers.charts[0].rows == (("python", "3", "0", "0", "1", "0", "0"),)
    assert page.numbers.charts[1].rows[0][:3] == ("python", "100.0\u00a0%, n 1", "100.0\u00a0%, n 1")


def test_a_chart_leads_to_the_results_with_a_failed_call(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, used(1, "success", "timeout"), used(2, "success"))
    page = client.get(reverse("tools-list")).context["page"]
    found = client.get(page.numbers.charts[0].links[0]).context["page"]
    assert found.table.total == 1


def test_every_count_of_results_leads_to_exactly_them(client: Client, tmp_path: Path) -> None:
    an_evaluation(
        tmp_path,
        used(1, "success", "success"),
        used(2, "success", "timeout", Kind="Failed"),
        used(3, "surprise"),
        used(4),
        used(5, "success", Kind="Skipped"),
        used(6, "nonzero_exit", tool="sql"),
        used(7, "success", Details=details_without_total("python")),
        result(8),
    )
    page = client.get(reverse("tools-list")).context["page"]
    for line in (*page.numbers.lines, *page.runs, *client.get(tool_address(client)).context["page"].numbers.lines):
        joined, links, figures = line.line.joined, line.links, line.figures
        counts = {
            links.good: joined.good.counted,
            links.failed: joined.failed.counted,
            links.any_failed: joined.failed.total,
            links.unclear: joined.unclear,
            links.silent: joined.without_calls,
            links.calls: joined.with_calls,
        }
        gaps = {links.without_calls: line.line.without_calls, links.without_usage: line.line.without_usage}
        counts |= {href: gap.results for href, gap in gaps.items() if href}
        assert {href: client.get(href).context["page"].table.total for href in counts} == counts, line.name
        assert figures is not None
    python = next(line for line in page.numbers.lines if line.name == "python")
    assert (python.line.joined.good.counted, python.line.joined.failed.counted) == (2, 1)
    assert (python.line.joined.unclear, python.line.joined.without_calls) == (1, 1)
    assert python.line.without_usage.results == 1
    assert page.numbers.use.without_calls.results == 0  # a total of 0 calls agrees with no calls
    assert client.get(page.numbers.using_href).context["page"].table.total == page.numbers.use.using


def test_a_tool_has_a_page_by_run(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, used(1, "success", Run="a"), used(2, "timeout", Run="b"), used(3, "success", tool="sql"))
    page = client.get(tool_address(client)).context["page"]
    assert [line.name for line in page.numbers.lines] == ["a", "b"]


def test_a_tool_that_nobody_knows_is_not_found(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, used(1, "success"))
    assert client.get(reverse("tool-show", args=[2**31 - 1])).status_code == 404


@pytest.mark.parametrize("sort", ["name", "-name", "calls", "-success", "wall_p95", "-own", "timeout", "nonsense"])
def test_the_list_comes_in_any_order(client: Client, tmp_path: Path, sort: str) -> None:
    an_evaluation(tmp_path, used(1, "success"), used(2, tool="sql"), used(3, "timeout", "success", tool="shell"))
    page = client.get(reverse("tools-list"), {"sort": sort}).context["page"]
    assert {line.name for line in page.numbers.lines} == {"python", "sql", "shell"}


def test_a_filter_that_nothing_meets_is_named(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, used(1, "success"))
    assert "Nothing matches" in text_of(client, f"{reverse('tools-list')}?run=nobody")


def test_hostile_names_stay_text(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, used(1, "success", tool=HOSTILE, Run=HOSTILE, Task=HOSTILE))
    for address in (reverse("tools-list"), tool_address(client, HOSTILE)):
        text = text_of(client, address)
        assert "<b>x" not in text
        assert "\u202e" not in text
        assert escape("<b>x</b>") in text
