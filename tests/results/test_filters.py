"""The one filter: what a query string means, and how it is written back."""

from urllib.parse import quote, urlencode

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from results.filters import CHOICES, SPANS, WORDS, Choice, ResultFilter
from results.spans import LARGEST, Span


def parsed(query: str) -> ResultFilter:
    return ResultFilter.parse(QueryDict(query))


def test_an_empty_query_is_no_filter() -> None:
    assert not parsed("")
    assert parsed("page=3&sort=-task") == ResultFilter()


def test_repeated_keys_are_alternatives() -> None:
    assert parsed("suite=core&suite=edge").suite == Choice(("core", "edge"))


def test_a_minus_excludes() -> None:
    assert parsed("suite=-core&suite=edge").suite == Choice(("edge",), ("core",))


def test_a_backslash_takes_the_rest_literally() -> None:
    assert parsed("task=%5C-x&task=%5C%5Cy&task=%5C(unspecified)").task == Choice(("-x", "\\y", "(unspecified)"))


def test_unspecified_is_a_missing_value() -> None:
    assert parsed("suite=(unspecified)&tag=-(unspecified)") == ResultFilter(
        suite=Choice((None,)), tag=Choice((), (None,))
    )


def test_an_empty_value_asks_for_nothing() -> None:
    assert parsed("suite=&duration=&q=") == ResultFilter()


def test_a_lone_minus_is_a_name() -> None:
    assert parsed("task=-").task == Choice(("-",))


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("1s..2s", Span(10**9, 2 * 10**9)),
        ("1.5s..", Span(1_500_000_000)),
        ("..250ms", Span(None, 250_000_000)),
        ("2m", Span(120 * 10**9, 120 * 10**9)),
        ("3", Span(3 * 10**9, 3 * 10**9)),
        ("7ns..9us", Span(7, 9000)),
    ],
)
def test_a_duration_has_a_unit(text: str, span: Span) -> None:
    assert parsed(f"duration={text}").duration == span


def test_a_day_is_meant_from_its_first_to_its_last_microsecond() -> None:
    assert parsed("started=1970-01-02..1970-01-02").started == Span(86_400_000_000, 172_799_999_999)


def test_a_time_without_a_zone_is_utc() -> None:
    assert parsed("started=1970-01-01T02:00:00%2B02:00..1970-01-01T00:00:01").started == Span(0, 1_000_000)


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("duration=5s..1s", "duration=5s..1s was left out: 5s to 1s is empty: the first is larger."),
        ("tool_calls=3..2", "tool_calls=3..2 was left out: 3 to 2 is empty: the first is larger."),
        (
            "started=2025-02-01..2025-01-31",
            "started=2025-02-01..2025-01-31 was left out: 2025-02-01 to 2025-01-31 is empty: the first is larger.",
        ),
    ],
)
def test_a_range_the_wrong_way_round_is_a_problem(query: str, problem: str) -> None:
    assert parsed(query).problems == (problem,)


@pytest.mark.parametrize("query", ["duration=fast", "tool_calls=1..x", "started=soon", "outcome=won", "evaluation=one"])
def test_what_cannot_be_read_is_left_out_and_said(query: str) -> None:
    found = parsed(query)
    assert found == ResultFilter()
    assert query.split("=", maxsplit=1)[0] in found.problems[0]


def test_numbers_too_large_to_exist_are_the_largest() -> None:
    assert parsed("input_tokens=1..99999999999999999999").input_tokens == Span(1, LARGEST)


def test_every_tag_can_be_asked_for() -> None:
    assert parsed("tag=a&tag=b&tags=all").is_every_tag


def test_ticking_a_value_twice_changes_nothing() -> None:
    start = parsed("suite=core")
    assert start.toggled("suite", "edge").toggled("suite", "edge") == start


def test_ticking_an_excluded_value_asks_for_it() -> None:
    assert parsed("suite=-core").toggled("suite", "core").suite == Choice(("core",))


@pytest.mark.parametrize(
    ("key", "left"), [("suite", "tags=all&q=x"), ("tags", "suite=a&q=x"), ("text", "suite=a&tags=all")]
)
def test_a_key_can_be_taken_away(key: str, left: str) -> None:
    assert parsed("suite=a&tags=all&q=x").without(key) == parsed(left)


def test_a_filter_can_be_a_key() -> None:
    assert len({parsed("suite=a"), parsed("suite=a"), parsed("suite=b")}) == 2


names = st.one_of(st.none(), st.text(st.characters(exclude_categories=["Cs"]), max_size=8))
ids = st.integers(1, 10**9).map(str)
numbers = st.one_of(st.none(), st.integers(-(10**15), 10**15))


@given(st.data())
def test_a_filter_is_read_back_as_it_was_written(data: st.DataObject) -> None:
    values: dict[str, object] = {}
    for name in CHOICES:
        lists = st.lists(
            st.sampled_from(WORDS[name]) if name in WORDS else ids if name == "evaluation" else names,
            max_size=3,
            unique=True,
        ).map(tuple)
        values[name] = Choice(data.draw(lists), data.draw(lists))
    for name in SPANS:
        low, high = data.draw(numbers), data.draw(numbers)
        is_reversed = low is not None and high is not None and low > high
        values[name] = Span(high, low) if is_reversed else Span(low, high)
    written = ResultFilter(**values, is_every_tag=data.draw(st.booleans()))  # type: ignore[arg-type]  # by name
    assert ResultFilter.parse(QueryDict(written.to_query())) == written


texts = st.text(st.sampled_from("-\\\\().aä1s ") | st.characters(exclude_categories=["Cs"]), max_size=10)


@given(st.lists(st.tuples(st.sampled_from([*CHOICES, *SPANS, "tags", "q"]), texts | st.sampled_from(["yes", "1..2"]))))
def test_whatever_an_address_says_is_read_and_has_one_way_to_be_written(pairs: list[tuple[str, str]]) -> None:
    written = parsed(urlencode(pairs)).to_query()
    assert parsed(written).to_query() == written


@pytest.mark.parametrize(
    "query", ["cost=1e999999999", "duration=1e999999999..", "cost=-1e99..1e-99", "input_tokens=9e9"]
)
def test_numbers_of_any_size_are_no_error(query: str) -> None:
    assert parsed(parsed(query).to_query()) == parsed(query)


@pytest.mark.parametrize("query", ["cost=NaN", "cost=inf..", "cost=1,5", "transient=maybe", "judge=(unspecified)"])
def test_words_and_amounts_that_do_not_exist_are_left_out_and_said(query: str) -> None:
    assert (parsed(query), len(parsed(query).problems)) == (ResultFilter(), 1)


@pytest.mark.parametrize("text", ["9999-12-31T23:59:59-12:00..", "..0001-01-01T00:00:00+12:00"])
def test_a_moment_outside_the_calendar_is_left_out_and_said(text: str) -> None:
    found = parsed(f"started={quote(text)}")
    assert (found, len(found.problems)) == (ResultFilter(), 1)


@pytest.mark.parametrize(
    ("text", "span", "written"),
    [
        ("0.5..2", Span(500_000_000, 2_000_000_000), "0.5..2"),
        ("..0.0000000019", Span(None, 1), "..0.000000001"),
        ("-0.25", Span(-250_000_000, -250_000_000), "-0.25..-0.25"),
    ],
)
def test_an_amount_is_written_in_units_of_the_currency(text: str, span: Span, written: str) -> None:
    found = parsed(f"cost={text}")
    assert (found.cost, dict(found.pairs())["cost"]) == (span, written)


def test_a_value_can_be_negated_and_back() -> None:
    start = parsed("suite=core&suite=edge")
    assert start.negated("suite", "core") == parsed("suite=edge&suite=-core")
    assert start.negated("suite", "core").negated("suite", "core") == parsed("suite=edge&suite=core")


def test_a_value_can_be_taken_away_whether_asked_for_or_excluded() -> None:
    assert parsed("suite=a&suite=-b").without_value("suite", "b").without_value("suite", "a") == ResultFilter()


def test_a_lone_surrogate_is_no_error() -> None:
    parameters = QueryDict(mutable=True)
    parameters.setlist("task", ["\ud800"])
    assert ResultFilter.parse(parameters).to_query() == "task=%3F"
