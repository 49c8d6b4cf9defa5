"""Words that many results hold are known without a search, and say the same as one."""

import pytest

from results.models.evaluations import Evaluation
from results.text import common, index, search
from results.text.index import index_pending
from results.text.index_file import opened
from results.text.query import parse
from results.text.search import forget_matches, matching_ids
from tests.results.text.factories import add_results, answered, make_evaluation

pytestmark = pytest.mark.django_db

TEXTS = ("the red fox", "The FOX", "a blue fox", "the café", "red")


@pytest.fixture
def evaluations(monkeypatch: pytest.MonkeyPatch) -> list[Evaluation]:
    """Three evaluations; of the second one no common words are kept, since it is small."""
    monkeypatch.setattr(index, "COMMON_FROM_RESULTS", 5)
    monkeypatch.setattr(common, "COMMON_FROM", 0.6)
    made = []
    for texts in (TEXTS, TEXTS[:2], TEXTS[::-1]):
        made.append(make_evaluation())
        add_results(made[-1], *map(answered, texts))
    index_pending()
    return made


def kept() -> list[tuple[int, str]]:
    with opened() as connection:
        return connection.execute("SELECT evaluation_id, word FROM common_word ORDER BY 1, 2").fetchall()


def test_words_of_most_results_of_large_evaluations_are_kept(evaluations: list[Evaluation]) -> None:
    first, _, third = (evaluation.pk for evaluation in evaluations)
    assert kept() == [(first, "fox"), (first, "the"), (third, "fox"), (third, "the")]


def test_words_that_were_not_kept_when_a_process_was_lost_are_kept_later(evaluations: list[Evaluation]) -> None:
    before = kept()
    with opened() as connection:
        connection.execute("DELETE FROM common_word")
        connection.execute("UPDATE progress SET has_common = 0 WHERE evaluation_id = ?", (evaluations[0].pk,))
    index_pending()
    assert kept() == before[:2]


@pytest.mark.parametrize(
    "source", ["fox", "FOX", "the fox", "fox fox", "the red", "cafe", "fox -red", '"the fox"', "f*"]
)
def test_a_search_finds_the_same_with_them_and_without(evaluations: list[Evaluation], source: str) -> None:
    ids = [evaluation.pk for evaluation in evaluations]
    scopes = (None, ids, ids[:2], ids[2:])
    known = [matching_ids(parse(source), scope).tolist() for scope in scopes]
    with opened() as connection:
        connection.execute("DELETE FROM common_word")
    forget_matches()
    assert [matching_ids(parse(source), scope).tolist() for scope in scopes] == known
    assert known[0]


def test_evaluations_of_which_all_is_known_are_not_searched(
    evaluations: list[Evaluation], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _, third = evaluations
    monkeypatch.delattr(search, "ids_between")
    expected = [first.result_id(0), first.result_id(1), third.result_id(3), third.result_id(4)]
    assert matching_ids(parse("the fox"), [first.pk, third.pk]).tolist() == expected
