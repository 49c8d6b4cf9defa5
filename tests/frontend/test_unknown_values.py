"""Values in an address that a page does not know are told, on every page of the history."""

from html import unescape
from pathlib import Path

import pytest
from django.http import QueryDict
from django.test import Client

from frontend.contexts.columns import Column
from frontend.contexts.unknown_values import unknown_values
from results.models.dimensions import Run, Task
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db
SAID = "was left out"


def said(query: str) -> tuple[str, ...]:
    columns = (Column("name", "Name"), Column("bar", "Bar", is_sortable=False))
    return unknown_values(QueryDict(query), {"by": ("run", "tag"), "show": ("a", "b")}, {"sort": columns}, ("show",))


def test_a_value_that_is_not_known_is_named_with_those_that_are() -> None:
    assert said("by=banana") == ("by=banana was left out: there is no such value. Known: run, tag.",)
    assert said("show=a,c&show=b") == ("show=c was left out: there is no such value. Known: a, b.",)
    order = "was left out: there is no such order. Orders: name; - before one turns it round."
    assert said("sort=-bar") == (f"sort=-bar {order}",)
    assert [said(f"page={text}") for text in ("0", "x", "-1")] == [
        (f"page={text} was left out: pages are numbers from 1.",) for text in ("0", "x", "-1")
    ]


@pytest.mark.parametrize("query", ["", "by=run&show=a,b&sort=-name&page=2", "by=&sort=", "other=1"])
def test_known_and_empty_values_need_no_words(query: str) -> None:
    assert said(query) == ()


def test_every_page_tells_of_each_of_its_keys(client: Client, tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "one", row(1, run="a"), row(1, run="b", kind="Failed"))
    one, task, run = f"/evaluations/{evaluation}/", Task.objects.get().pk, Run.objects.get(name="a").pk
    other = Run.objects.get(name="b").pk
    columns = f"column={evaluation}:{run}&column={evaluation}:{other}"
    addresses = {
        "/costs/": ("by",),
        "/runs/": ("sort", "page"),
        f"/runs/{run}/": ("by",),
        "/tasks/": ("sort", "latest", "size", "page"),
        f"/tasks/{task}/": ("columns",),
        "/errors/": ("sort",),
        "/tools/": ("sort",),
        "/results/": ("sort", "size", "page"),
        "/evaluations/": ("sort", "days"),
        one: ("by", "rank", "show", "syntax", "sort"),
        f"{one}grid/": ("only", "rank", "first", "second", "size", "syntax"),
        f"{one}charts/": ("syntax",),
        f"{one}categories/": ("by",),
        f"{one}agreement/": ("measure",),
        f"/compare/?{columns}": (
            "show",
            "view",
            "sort",
            "of",
            "task",
            "order",
            "with",
            "evaluation",
            "result",
            "column",
        ),
    }
    silent = [
        f"{address} {key}"
        for address, keys in addresses.items()
        for key in keys
        if f"{key}=banana"
        not in unescape(client.get(f"{address}{'&' if '?' in address else '?'}{key}=banana").content.decode())
    ]
    assert silent == []


def test_a_run_that_a_grid_does_not_have_is_told(client: Client, tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "one", row(1, run="a"))
    run = Run.objects.get().pk
    text = client.get(f"/evaluations/{evaluation}/grid/?first={run}&second=9999").content.decode()
    assert "second=9999 was left out: no run of that number has results here" in text


def test_the_known_values_of_every_page_are_not_told(client: Client, tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "one", row(1, run="a"), row(1, run="b"))
    one, first, second = f"/evaluations/{evaluation}/", *Run.objects.order_by("name").values_list("pk", flat=True)
    for address in (
        "/costs/?by=tag",
        "/runs/?sort=-cost&page=1",
        "/tasks/?latest=20&size=100&sort=task",
        f"{one}?by=provider,run&rank=-cost&show=cost&sort=task&syntax=regexp",
        f"{one}?rank=name&sort=-started",
        f"{one}grid/?only=disagree&first={first}&second={second}&is=same&rank=-passed&size=25",
        f"{one}agreement/?measure=same",
        f"{one}categories/?by=suite",
        f"/compare/?column={evaluation}:{first}&column={evaluation}:{second}&show=all&view=side&sort=-task",
    ):
        assert SAID not in client.get(address).content.decode(), address
