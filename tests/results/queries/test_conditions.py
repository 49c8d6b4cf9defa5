"""The filter's further keys show exactly what they mean, in lists and in facets."""

from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict

from results.facts import compaction, engine, files
from results.facts.reading import Reading
from results.filters import CHOICES, ResultFilter
from results.pricing import Reason
from results.queries import conditions, filter_columns, matches
from results.queries.conditions import Conditions
from results.queries.costs import Amount, GroupCosts, costs
from results.queries.explorer import explore
from results.queries.facets import facets
from results.queries.results import result_page
from results.queries.sorting import SORTS
from results.queries.summary import summary
from results.queries.visibility import visible_evaluations
from results.store import deletion
from tests.documents import trace_id
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db


def asked(query: str) -> ResultFilter:
    return ResultFilter.parse(QueryDict(query))


def shown(query: str, sort: str = "") -> str:
    return " ".join(found.task for found in result_page(visible_evaluations(), asked(query), sort).rows)


def counted(name: str, query: str = "") -> dict[str | None, int]:
    (facet,) = facets(visible_evaluations(), asked(query), (name,))
    return {option.value: option.count for option in facet.options}


def priced(currency: str = "USD", rate: float | None = 2.5, tokens: int = 1_000_000, **fields: Any) -> dict[str, Any]:
    pricing = {"Currency": currency} | ({"InputPerMillion": rate} if rate is not None else {})
    return {"RunConfig": {"Model": "m", "Pricing": pricing}, "usage": {"InputTokens": tokens}, **fields}


@pytest.fixture
def six(tmp_path: Path) -> None:
    """Six results in two projects."""
    judged = {"Title": "Semantic Assessment", "Usage": {"InputTokens": 4}}
    stored(
        tmp_path,
        "first",
        row(0, task="a", tool_calls=[("bash", "success"), ("sed", "timeout")], **priced()),
        row(1, task="b", tool_calls=[("bash", "timeout"), ("bash", "nonzero_exit")], **priced("EUR", 1)),
        row(2, task="c", kind="Error", error={"Title": "x", "Transient": True, "ResponseParsing": False}),
        row(3, task="d", kind="Failed", validation=judged, Got=7, Want="7", **priced(rate=None)),
    )
    repeat = {"task": "e", "run": "again and again", "kind": "Failed", "Want": "red"}
    stored(
        tmp_path,
        "second",
        row(4, **repeat, tools={"bash": 1}, **priced(tokens=0)),
        row(5, **{**repeat, "kind": "Passed"}, tool_calls=[("awk", "surprise")], **priced(rate=0.25)),
        project="other",
    )


@pytest.mark.parametrize(
    ("query", "tasks"),
    [
        ("project=default", "a b c d"),
        ("project=-default", "e e"),
        ("project=nowhere", ""),
        ("call_status=timeout", "a b"),
        ("call_status=success&call_status=nonzero_exit", "a b"),
        ("call_status=-timeout", "c d e e"),
        ("call_status=other", "e"),
        ("call_status=(unspecified)", "c d e"),
        ("call_status=-(unspecified)", "a b e"),
        ("tool=bash", "a b e"),
        ("tool=bash&call_status=timeout", "b"),
        ("tool=bash&tool=sed&call_status=timeout", "a b"),
        ("tool=bash&call_status=-timeout", "a e"),
        ("tool=-sed&call_status=timeout", "b"),
        ("transient=yes", "c"),
        ("transient=no", ""),
        ("transient=unknown", "a b d e e"),
        ("transient=-unknown", "c"),
        ("parsing=no", "c"),
        ("judge=yes", "d"),
        ("judge=no", "a b c e e"),
        ("mismatch=yes", "d"),
        ("mismatch=unknown", "c"),
        ("repeats=yes", "e e"),
        ("repeats=no", "a b c d"),
        ("repeats=yes&outcome=failed", "e"),
        ("repeat=2", "e"),
        ("currency=EUR", "b"),
        ("currency=(unspecified)", "c"),
        ("tool=bash&call_status=(unspecified)", "e"),
        ("tool=sed&tool=bash&call_status=(unspecified)", "e"),
        ("tool=bash&call_status=-(unspecified)", "a b"),
        ("priced=priced", "a b e"),
        ("priced=unpriced", "c d"),
        ("priced=unused", "e"),
        ("cost=1..", "a b"),
        ("cost=0.25..1", "b e"),
        ("cost=..0.2499", ""),
        ("q=again", "e e"),
        ("q=AGAIN+gpt", ""),
        ("q=-again", "a b c d"),
        (f"q={trace_id(3)}", "d"),
        (f"q={trace_id(3)[4:]}", "d"),
        (f"q={trace_id(3).lower()}", "d"),
    ],
)
def test_a_filter_shows_exactly_what_it_means(six: None, query: str, tasks: str) -> None:
    assert shown(query) == tasks


@pytest.mark.parametrize(
    ("name", "query", "expected"),
    [
        ("project", "", {"default": 4, "other": 2}),
        ("project", "project=other", {"default": 4, "other": 2}),
        ("task", "judge=no", {"e": 2, "a": 1, "b": 1, "c": 1}),
        ("call_status", "", {None: 3, "timeout": 2, "success": 1, "nonzero_exit": 1, "other": 1}),
        ("call_status", "tool=sed", {"timeout": 1}),
        ("call_status", "tool=bash", {"success": 1, "timeout": 1, "nonzero_exit": 1, None: 1}),
        ("tool", "", {"bash": 3, None: 2, "awk": 1, "sed": 1}),
        ("tool", "call_status=timeout", {"bash": 1, "sed": 1}),
        ("tool", "call_status=timeout&tool=bash", {"bash": 1, "sed": 1}),
        ("error", "", {None: 5, "x": 1}),
        ("transient", "", {"unknown": 5, "yes": 1}),
        ("parsing", "outcome=error", {"no": 1}),
        ("judge", "", {"no": 5, "yes": 1}),
        ("mismatch", "", {"no": 4, "unknown": 1, "yes": 1}),
        ("repeats", "outcome=failed", {"no": 1, "yes": 1}),
        ("currency", "", {"USD": 4, "EUR": 1, None: 1}),
        ("priced", "", {"priced": 3, "unpriced": 2, "unused": 1}),
    ],
)
def test_every_key_can_be_counted(six: None, name: str, query: str, expected: dict[str | None, int]) -> None:
    assert counted(name, query) == expected


@pytest.mark.parametrize("name", [name for name in CHOICES if name != "evaluation"])
def test_a_count_is_how_many_results_its_value_shows(six: None, name: str) -> None:
    for value, count in counted(name).items():
        chosen = ResultFilter().toggled(name, value)
        assert result_page(visible_evaluations(), chosen).total == count, value


@pytest.mark.parametrize(("sort", "tasks"), [("cost", "e b a c d e"), ("-cost", "a b e c d e")])
def test_unpriced_results_come_last_in_an_order_by_cost(six: None, sort: str, tasks: str) -> None:
    assert shown("", sort) == tasks


def test_a_row_says_what_it_cost(six: None) -> None:
    found = result_page(visible_evaluations(), asked("task=a")).rows[0]
    assert (found.cost, found.currency, found.cost_reason) == (Decimal("2.5"), "USD", Reason.PRICED)


def test_costs_are_summed_by_currency_and_the_unpriced_counted(six: None) -> None:
    amounts = (Amount("EUR", Decimal(1), 1, 1), Amount("USD", Decimal("2.75"), 2, 2))
    assert costs(visible_evaluations(), ResultFilter()) == [
        GroupCosts((), amounts, unpriced=2, inconsistent=0, unused=1)
    ]


def test_costs_can_be_grouped(six: None) -> None:
    found = costs(visible_evaluations(), asked("currency=USD"), ("run",))
    assert [(group.key, [amount.total for amount in group.amounts]) for group in found] == [
        (("again and again",), [Decimal("0.25")]),
        (("gpt",), [Decimal("2.5")]),
    ]


def test_an_exploration_is_the_page_and_the_facets(six: None) -> None:
    visible, chosen = visible_evaluations(), asked("tool=bash")
    found = explore(visible, chosen, "-task", 1, 2, ("run", "tool"))
    assert found.page == result_page(visible, chosen, "-task", 1, 2)
    assert list(found.facets) == facets(visible, chosen, ("run", "tool"))
    assert found.total_of == 6


def test_an_unknown_facet_is_an_error() -> None:
    with pytest.raises(KeyError, match="colour"):
        facets(visible_evaluations(), ResultFilter(), ("colour",))


HELD_OR_NOT = [
    "q=blue",
    "q=blue&repeats=yes",
    "q=again&outcome=failed",
    "q=blue+-again",
    f"q={trace_id(3)}&tool=bash",
    "outcome=passed",
    "outcome=passed&suite=core",
    "outcome=passed&outcome=failed&suite=-core&provider=openai",
    "tool=bash",
    "tool=bash&call_status=success",
    "tool=-bash&call_status=success&outcome=passed",
    "tool=bash&call_status=timeout&run=again",
    "tool=nosuch&call_status=timeout&outcome=passed",
    "tool=nosuch&tool=bash&tool=-sed&call_status=timeout",
    "tag=x&tag=y&tags=all",
    "tag=x&tag=(unspecified)&tags=all",
    "tag=x&outcome=-passed&duration=..2s",
    "repeats=yes&tag=-x",
    "currency=USD&project=default&error=oops",
]


@pytest.mark.parametrize("sort", ["", "-duration", "task", "-tags"])
@pytest.mark.parametrize("query", HELD_OR_NOT)
def test_a_filter_finds_the_same_whether_its_results_are_held_apart_or_not(
    six: None, monkeypatch: pytest.MonkeyPatch, query: str, sort: str
) -> None:
    found = []
    for is_held, common in ((False, 1), (True, 1), (False, -1)):  # the last: as if every search found many results
        monkeypatch.setattr(Conditions, "is_slow", is_held)
        monkeypatch.setattr(matches, "COMMON", common)
        engine.forget_answers()
        found.append(explore(visible_evaluations(), asked(query), sort, names=tuple(CHOICES)))
    assert found[0] == found[1] == found[2]
    groups = summary(visible_evaluations(), asked(query))
    assert found[0].page.total == sum(group.outcomes.total for group in groups)


def test_many_ids_are_met_as_few_are(six: None, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["run=again+and+again&run=gpt", "task=a&task=e&task=d", "tag=x", "q=again", "error=-x"]
    queries = [
        *names,
        "tool=bash",
        "tool=-sed&call_status=timeout",
        "tool=bash&call_status=-timeout",
        "tool=(unspecified)",
    ]
    few = [(shown(query), counted("tool", query), counted("call_status", query)) for query in queries]
    for module in (filter_columns, conditions):
        monkeypatch.setattr(module, "MAX_LISTED", -1)
    engine.forget_answers()
    assert [(shown(query), counted("tool", query), counted("call_status", query)) for query in queries] == few


def test_pages_far_down_follow_those_before_them(six: None, monkeypatch: pytest.MonkeyPatch) -> None:
    visible, names = visible_evaluations(), [sign + name for name in SORTS for sign in ("", "-")]
    near = {sort: [row.id for row in result_page(visible, ResultFilter(), sort, 1, 6).rows] for sort in names}
    monkeypatch.setattr("results.queries.sorting.DEEP", 0)
    for kept in (6, 5):
        monkeypatch.setattr("results.facts.reading.MOST_RESULTS", kept)
        engine.forget_answers()
        pages = {
            sort: [result_page(visible, ResultFilter(), sort, page, 2).rows for page in (1, 2, 3)] for sort in names
        }
        assert {sort: [row.id for rows in listed for row in rows] for sort, listed in pages.items()} == near


@pytest.mark.parametrize(
    "query",
    [
        "call_status=-timeout",
        "call_status=success&call_status=(unspecified)",
        "call_status=(unspecified)",
        "call_status=-(unspecified)",
        "call_status=success&call_status=-timeout",
        "tool=sed&call_status=-nonzero_exit&outcome=passed",
    ],
)
def test_a_tools_count_is_what_choosing_it_shows_whatever_the_statuses(six: None, query: str) -> None:
    without_tool = query.replace("tool=sed&", "")
    for tool, count in counted("tool", query).items():
        chosen = asked(without_tool).toggled("tool", tool)
        assert result_page(visible_evaluations(), chosen).total == count, tool


def test_a_total_of_a_tool_without_a_call_of_it_is_found_beside_calls_of_others(tmp_path: Path) -> None:
    stored(
        tmp_path,
        "mixed",
        row(0, task="a", tools={"sql": 1, "sh": 1}, tool_calls=[("sh", "success")]),
        row(1, task="b", tools={"sql": 1}, tool_calls=[("sql", "timeout")]),
    )
    assert shown("tool=sql&call_status=(unspecified)") == "a"
    assert shown("tool=sh&call_status=(unspecified)") == ""
    assert shown("tool=(unspecified)&tool=sql&call_status=(unspecified)") == "a"
    assert shown("call_status=(unspecified)") == ""
    assert counted("call_status", "tool=sql") == {None: 1, "timeout": 1}
    assert counted("tool", "call_status=(unspecified)") == {"sql": 1}


def test_a_trace_id_is_found_although_a_name_holds_the_same_text(tmp_path: Path) -> None:
    stored(
        tmp_path,
        "traces",
        row(0, TraceID="abc123-1", task="a", run="abc123-run"),
        row(1, TraceID="abc123-2", task="b", run="other"),
    )
    assert (shown("q=abc123"), shown("q=abc123-2")) == ("a b", "b")


def test_a_tool_that_was_deleted_and_came_again_is_counted_under_its_new_id(tmp_path: Path) -> None:
    first = stored(tmp_path, "first", row(0, task="a", tool_calls=[("grep", "success")]))
    stored(tmp_path, "second", row(1, task="b", tool_calls=[("ls", "success")]))
    with files.exclusive():
        assert compaction.compact()
    deletion.hide(first)
    deletion.remove(first)
    stored(tmp_path, "third", row(2, task="c", tool_calls=[("grep", "success")]))
    assert counted("tool") == {"grep": 1, "ls": 1}
    assert shown("tool=grep&call_status=success") == "c"


def test_a_page_that_is_read_while_an_evaluation_goes_shows_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    going = stored(tmp_path, "going", row(0, task="a", provider="p", run="r"))
    stored(tmp_path, "staying", row(1, task="b", provider="q", run="s"))
    visible, names = visible_evaluations(), Reading.names

    def delete_first(reading: Reading, table: str, ids: Iterable[int | None]) -> dict[int | None, Any]:
        monkeypatch.setattr(Reading, "names", names)
        deletion.hide(going)
        deletion.remove(going)
        result_page(visible_evaluations(), ResultFilter(), "task")  # another page, which reads the names anew
        return names(reading, table, ids)

    monkeypatch.setattr(Reading, "names", delete_first)
    assert [found.task for found in result_page(visible, ResultFilter()).rows] == ["b"]
