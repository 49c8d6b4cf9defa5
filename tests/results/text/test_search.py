"""Which results a search finds."""

import numpy as np
import pytest

from results.models.evaluations import Evaluation
from results.text import search
from results.text.index import index_pending
from results.text.query import parse
from results.text.search import TooManyToScanError, matching_ids
from tests.results.text.factories import add_results, answered, document, make_evaluation

pytestmark = pytest.mark.django_db

TIMEOUT = document(Kind="Error", Got="deadline", Details={"Error": {"Title": "Execution Error", "Message": "deadline"}})


@pytest.fixture
def evaluation() -> Evaluation:
    evaluation = make_evaluation()
    add_results(
        evaluation,
        answered("The red fox", "It jumps over a café"),
        answered("A green fox", "Red is another colour"),
        TIMEOUT,
        answered("東京タワー", "C++ & x_y = 3.5%"),
    )
    index_pending()
    return evaluation


@pytest.mark.parametrize(
    ("source", "ordinals"),
    [
        ("fox", [0, 1]),
        ("FOX red", [0, 1]),
        ("red fox", [0, 1]),
        ('"red fox"', [0]),
        ('"fox red"', []),
        ("in:answer red", [0]),
        ("in:explanation red", [1]),
        ("in:answer in:explanation red", [0, 1]),
        ("col*", [1]),
        ("co", []),
        ("fox -green", [0]),
        ('fox -"green fox"', [0]),
        ("-fox", [2, 3]),
        ("-in:answer -fox in:answer", [2, 3]),
        ("cafe", [0]),
        ("CAFÉ", [0]),
        ("in:error deadline", [2]),
        ("in:answer deadline", []),
        ("execution", [2]),
        ("京タ", [3]),
        ("京東", []),
        ("fox ++", [0, 1]),
        ("🎉", []),
        ("fox AND green", []),
        ("x_y", [3]),
        ("", [0, 1, 2, 3]),
        ('exact:"C++ &"', [3]),
        ('exact:"c++"', []),
        ('exact:"Kind"', []),
        ('exact:"t-1"', [0, 1, 2, 3]),
        ('fox -exact:"café"', [1]),
        ('exact:"fox" in:explanation', []),
        ('exact:"é" in:explanation', [0]),
        ('exact:"タワ" in:answer', [3]),
    ],
)
def test_a_search_finds(evaluation: Evaluation, source: str, ordinals: list[int]) -> None:
    expected = [evaluation.result_id(ordinal) for ordinal in ordinals]
    assert matching_ids(parse(source), [evaluation.pk]).tolist() == expected


def test_only_results_of_the_given_evaluations_are_found(evaluation: Evaluation) -> None:
    between, last = make_evaluation(), make_evaluation()
    add_results(between, answered("fox"))
    ids = add_results(last, answered("fox"))
    index_pending()
    first = [evaluation.result_id(0), evaluation.result_id(1)]
    assert matching_ids(parse("fox"), [last.pk, evaluation.pk]).tolist() == first + ids


def test_no_evaluation_means_no_result(evaluation: Evaluation) -> None:
    assert matching_ids(parse("fox"), []).tolist() == []


@pytest.mark.parametrize("source", ["fox", "-green", 'exact:"fox"', ""])
def test_only_candidates_are_found(evaluation: Evaluation, source: str) -> None:
    candidates = np.array([evaluation.result_id(0)], np.int64)
    assert matching_ids(parse(source), [evaluation.pk], candidates).tolist() == candidates.tolist()


def test_ids_are_64_bit_numbers(evaluation: Evaluation) -> None:
    assert matching_ids(parse("fox")).dtype == np.int64


def test_an_exact_text_is_refused_when_too_many_results_are_left(
    evaluation: Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "MAX_SCANNED", 3)
    with pytest.raises(TooManyToScanError, match="4 results are left to read; at most 3 can be"):
        matching_ids(parse('exact:"fox"'))


def test_words_and_candidates_make_an_exact_text_affordable(
    evaluation: Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "MAX_SCANNED", 2)
    assert matching_ids(parse('fox exact:"red"')).tolist() == [evaluation.result_id(0)]


def test_an_exact_text_is_found_however_the_document_escapes_it() -> None:
    evaluation = make_evaluation()
    ids = add_results(evaluation, answered('say "é" <b>\n'))
    index_pending()
    assert matching_ids(parse('exact:"é"'), [evaluation.pk]).tolist() == ids


def test_a_large_index_is_searched_in_halves_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [add_results(make_evaluation(), answered("red"), answered("blue"), answered("red"))[::2] for _ in range(5)]
    index_pending()
    whole = matching_ids(parse("red")).tolist()
    monkeypatch.setattr(search, "HALVED_FROM", 1)
    search.forget_matches()
    assert matching_ids(parse("red")).tolist() == whole == [pk for listed in ids for pk in listed]


def test_a_search_is_remembered_until_the_index_holds_more() -> None:
    first = add_results(make_evaluation(), answered("red"))
    index_pending()
    assert matching_ids(parse("red")).tolist() == first
    second = add_results(make_evaluation(), answered("red"))
    index_pending()
    assert matching_ids(parse("red")).tolist() == first + second
