"""How a search is understood."""

import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from results.text.index_file import COLUMNS
from results.text.query import ExactText, Term, TextQuery, parse


@pytest.fixture(scope="module")
def table() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE VIRTUAL TABLE result_text USING fts5({', '.join(COLUMNS)}, content='', columnsize=0)")
    yield connection
    connection.close()


def ask(table: sqlite3.Connection, query: TextQuery) -> list[int]:
    included, excluded = query.expression(is_excluded=False), query.expression(is_excluded=True)
    found: list[int] = []
    for expression in (included, excluded, f"{included} NOT {excluded}" if included and excluded else ""):
        if expression:
            found += table.execute("SELECT rowid FROM result_text WHERE result_text MATCH ?", (expression,)).fetchall()
    return found


def test_words_are_terms_of_their_own() -> None:
    assert parse("red  green").terms == (Term("red"), Term("green"))


def test_quotes_make_a_phrase() -> None:
    assert parse('"red green" blue').terms == (Term("red green"), Term("blue"))


def test_a_star_at_the_end_makes_a_beginning() -> None:
    assert parse("gre*").terms == (Term("gre", is_prefix=True),)


def test_a_minus_before_a_word_or_phrase_excludes_it() -> None:
    assert parse('-red -"dark green"').terms == (Term("red", is_excluded=True), Term("dark green", is_excluded=True))


def test_a_minus_inside_a_word_is_part_of_it() -> None:
    assert parse("well-known").terms == (Term("well-known"),)


def test_in_names_the_columns_to_look_in() -> None:
    assert parse("timeout in:error in:answer").columns == ("answer", "error")


def test_an_unknown_column_is_a_word() -> None:
    assert parse("in:title").terms == (Term("in:title"),)


def test_exact_keeps_case_and_punctuation() -> None:
    assert parse('exact:"a + B" -exact:"; "').exact == (ExactText("a + B"), ExactText("; ", is_excluded=True))


@pytest.mark.parametrize("source", ["", "  ", '""', 'exact:""', "*", '"', '-""', "in:answer"])
def test_a_search_without_content_is_empty(source: str) -> None:
    assert parse(source).is_empty


@pytest.mark.parametrize(
    ("source", "expression"),
    [
        ("AND OR NOT", '("AND" "OR" "NOT")'),
        ("NEAR(a b)", '("NEAR(a" "b)")'),
        ("answer:x ^y", '("answer:x" "^y")'),
        ('say"so', '("say""so")'),
        ("a in:error", '{error} : ("a")'),
    ],
)
def test_operators_of_the_index_are_quoted(source: str, expression: str) -> None:
    assert parse(source).expression(is_excluded=False) == expression


def test_a_missing_closing_quote_leaves_words() -> None:
    assert parse('"red green').terms == (Term("red"), Term("green"))


def test_terms_without_letters_are_named_as_unknowable() -> None:
    assert parse("++ sum 🎉").unknowable == ("++", "🎉")


@pytest.mark.parametrize(("source", "is_plain"), [("red green", True), ("re*", False), ("-x", False), ('"a b"', False)])
def test_only_words_are_plain(source: str, is_plain: bool) -> None:
    assert parse(source).is_plain is is_plain


SIGNS = ['"', "*", "-", "in:answer", 'exact:"', "AND", "NOT", "NEAR", "(", ")", "^", ":", "{", "}", "+"]
QUERY_PIECES = st.sampled_from([*SIGNS, "\x00", "\ud800", "東京", "🎉", "a", " "])


@given(st.text() | st.lists(QUERY_PIECES).map("".join))
def test_no_text_is_an_error(table: sqlite3.Connection, source: str) -> None:
    assert ask(table, parse(source)) == []


@pytest.mark.parametrize("piece", ["a{} ", "-a{} ", '"a{} b" ', "({} "])
def test_a_very_long_search_is_not_an_error(table: sqlite3.Connection, piece: str) -> None:
    assert ask(table, parse("".join(piece.format(number) for number in range(5_000)))) == []
