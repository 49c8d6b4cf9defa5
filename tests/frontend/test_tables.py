"""Headers and pagers keep the whole state of a page in its address."""

import pytest
from django.http import QueryDict

from frontend.contexts.columns import Column, changed, headers, order_of
from frontend.contexts.pager import Pager, page_of

COLUMNS = (
    Column("task", "Task"),
    Column("tokens", "Tokens", starts_descending=True),
    Column("bar", "Bar", is_sortable=False),
)


def test_a_click_on_the_sorted_column_turns_it_round() -> None:
    header = headers(COLUMNS, "task", QueryDict("sort=task&q=a"))[0]
    assert (header.aria_sort, header.href) == ("ascending", "?q=a&sort=-task")


def test_numbers_start_with_the_largest() -> None:
    header = headers(COLUMNS, "task", QueryDict())[1]
    assert (header.aria_sort, header.href) == ("", "?sort=-tokens")


def test_sorting_goes_back_to_the_first_page() -> None:
    assert headers(COLUMNS, "", QueryDict("page=7"))[0].href == "?sort=task"


def test_a_column_without_an_order_has_no_link() -> None:
    assert headers(COLUMNS, "", QueryDict())[2].href == ""


@pytest.mark.parametrize(
    ("query", "order"), [("", "-tokens"), ("sort=task", "task"), ("sort=-task", "-task"), ("sort=bar", "-tokens")]
)
def test_an_order_that_no_column_has_is_the_default(query: str, order: str) -> None:
    assert order_of(COLUMNS, QueryDict(query), "-tokens") == order


def test_names_from_files_survive_in_addresses() -> None:
    assert changed(QueryDict(), run="a/b?c#d%&e=..") == "?run=a%2Fb%3Fc%23d%25%26e%3D.."


def test_repeated_keys_survive_a_change_of_page() -> None:
    assert changed(QueryDict("tag=a&tag=b"), page="2") == "?tag=a&tag=b&page=2"


def test_a_pager_leaves_gaps() -> None:
    pager = Pager.build(10, 50, 1000, QueryDict())
    assert [link.number for link in pager.links] == [1, None, 8, 9, 10, 11, 12, None, 20]


def test_a_page_beyond_the_end_is_the_last() -> None:
    pager = Pager.build(99, 50, 120, QueryDict())
    assert (pager.first, pager.last, pager.next_href, pager.previous_href) == (101, 120, "", "?page=2")


def test_an_empty_table_has_no_rows_and_no_pages() -> None:
    pager = Pager.build(1, 50, 0, QueryDict())
    assert (pager.first, pager.last, pager.links) == (0, 0, ())


def test_one_page_needs_no_links() -> None:
    assert Pager.build(1, 50, 50, QueryDict()).links == ()


@pytest.mark.parametrize("text", ["", "0", "-1", "x", "1e9", "9" * 40, "²"])
def test_a_page_number_without_sense_is_the_first(text: str) -> None:
    assert page_of(QueryDict(f"page={text}")) == 1
