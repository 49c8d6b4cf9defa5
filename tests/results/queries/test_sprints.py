"""Sprints in lists: verdicts, first tries and what the latest iterations say."""

import pytest
from pytest_django import DjangoAssertNumQueries

from results.models.sprints import Iteration
from results.queries.sprints import CriteriaCounts, SprintRow, first_try_rate, sprint_findings, sprint_rows
from results.statistics import Rate
from tests.fixtures.agent_bober.imports import contract, evaluation, import_bodies, import_one, spec

pytestmark = pytest.mark.django_db


def only_row() -> SprintRow:
    (row,) = sprint_rows()
    return row


def verdicts(*words: str, first: int = 1) -> None:
    for number, word in enumerate(words, first):
        import_one(evaluation(number, overallResult=word))


@pytest.mark.parametrize(
    ("words", "first", "verdict", "passed_on", "is_first_try"),
    [
        (("pass",), 1, "pass", 1, True),
        (("fail", "pass"), 1, "pass", 2, False),
        (("fail", "fail"), 1, "fail", None, False),
        (("pass", "fail"), 1, "fail", 1, True),
        (("pass",), 2, "pass", 2, None),
    ],
)
def test_a_sprint_says_when_it_passed(
    words: tuple[str, ...], first: int, verdict: str, passed_on: int | None, is_first_try: bool | None
) -> None:
    verdicts(*words, first=first)
    row = only_row()
    assert (row.verdict, row.passed_on, row.is_first_try) == (verdict, passed_on, is_first_try)


def test_a_contract_without_an_iteration_is_a_sprint_without_a_verdict() -> None:
    import_one(contract())
    row = only_row()
    assert (row.latest, row.verdict, row.passed_on, row.is_first_try) == (None, None, None, None)
    assert sprint_findings([row]) == {}


def test_only_the_newest_revision_counts() -> None:
    verdicts("fail")
    import_one(evaluation(1))
    assert [mark.verdict for mark in only_row().iterations] == ["pass"]


def test_the_first_try_rate_leaves_out_sprints_whose_first_iteration_is_missing() -> None:
    for name, word, number in (("a", "pass", 1), ("b", "fail", 1), ("c", "pass", 2)):
        import_one(evaluation(number, contract=name, overallResult=word))
    assert first_try_rate(sprint_rows()) == Rate(1, 2)


def test_the_latest_iteration_counts_criteria_and_open_feedback() -> None:
    import_one(evaluation())
    findings = sprint_findings([only_row()])[only_row().id]
    assert (findings.criteria, findings.feedback) == (CriteriaCounts(2, 1, 0, 3), 1)


def test_without_a_list_of_criteria_the_score_counts() -> None:
    score = {"criteriaTotal": 5, "criteriaPassed": 3, "criteriaFailed": 1}
    import_one(evaluation(criteriaResults=None, score=score, generatorFeedback=None))
    findings = sprint_findings([only_row()])[only_row().id]
    assert (findings.criteria, findings.feedback) == (CriteriaCounts(3, 1, 1, 5), None)


def test_a_required_flag_of_the_contract_decides_our_verdict() -> None:
    door = {"criterionId": "sc-1-2", "result": "fail", "evidence": "It creaks."}
    import_one(evaluation(criteriaResults=[door], score=None, overallResult="pass"))
    before = sprint_findings([only_row()])[only_row().id].is_disagreeing
    import_one(contract())  # says that the door is not required
    after = sprint_findings([only_row()])[only_row().id].is_disagreeing
    assert (before, after) == (True, False)


@pytest.mark.parametrize("text", ["BUILD", "sprint-kiln-1", "village", "kiln"])
def test_a_search_looks_at_title_contract_and_spec(text: str) -> None:
    import_bodies(evaluation() | contract() | spec(sprints=[]))
    assert [row.contract_id for row in sprint_rows(search=text)] == ["sprint-kiln-1"]


def test_a_search_that_finds_nothing_is_empty() -> None:
    import_one(contract())
    assert sprint_rows(search="zebra\x00%") == []


def test_sprints_stand_by_number() -> None:
    for number in (10, 2, 1):
        import_one(evaluation(contract=f"sprint-kiln-{number}"))
    assert [row.number for row in sprint_rows()] == [1, 2, 10]


def test_a_list_takes_two_queries_whatever_its_length(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for number in range(3):
        import_one(evaluation(contract=f"sprint-kiln-{number}"))
    with django_assert_num_queries(2):
        rows = sprint_rows("default", "kiln")
    with django_assert_num_queries(1):
        sprint_findings(rows)
    assert Iteration.objects.count() == len(rows) == 3
