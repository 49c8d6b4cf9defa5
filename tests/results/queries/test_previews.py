"""The beginnings of answers of a page of results, whatever the size of their documents."""

from pathlib import Path
from typing import Any

import pytest

from results.answer_heads import AnswerPreview
from results.filters import ResultFilter
from results.models.results import ResultDocument
from results.queries.previews import answer_previews
from results.queries.results import ResultRow, result_page
from results.queries.visibility import VisibleSet, visible_evaluations
from tests.documents import result
from tests.frontend.factories import an_evaluation

pytestmark = pytest.mark.django_db
LONG = "word " * 40_000


def previews_of(folder: Path, *rows: dict[str, Any]) -> list[AnswerPreview | None]:
    """The previews of some results, in the order of their document."""
    an_evaluation(folder, *rows)
    page = all_rows()
    found = answer_previews(visible_evaluations(), page)
    return [found.get(row.id) for row in page]


def all_rows() -> tuple[ResultRow, ...]:
    return result_page(visible_evaluations(), ResultFilter()).rows


def test_answers_and_errors_are_read(tmp_path: Path) -> None:
    error = {"Error": {"Title": "Timeout", "Message": "after 3 s"}}
    found = previews_of(
        tmp_path,
        result(0, Got="blue"),
        result(1, Got={"a": 1.50}, Kind="Failed"),
        result(2, Got="after 3 s", Kind="Error", Details=error),
        result(3, Got="not for this run", Kind="Skipped"),
    )
    assert [None if preview is None else preview.text for preview in found] == [
        "blue",
        '{"a":1.5}',
        "Timeout: after 3 s",
        "not for this run",
    ]


def test_a_result_without_an_answer_has_no_preview(tmp_path: Path) -> None:
    row = result(0)
    del row["Got"]
    assert previews_of(tmp_path, row) == [None]


def test_a_large_document_is_read_only_at_its_beginning(tmp_path: Path) -> None:
    # Noise stays large when it is compressed.
    noise = "".join(chr(0x4E00 + number**3 % 20_011) for number in range(60_000))
    found = previews_of(
        tmp_path,
        result(0, Got=f"blue {LONG}"),
        result(1, Got=f"red {noise}"),
        result(2, Got="brief", Details={"Answer": {"Explanation": [noise]}}),
        result(3, Got=f"late {noise}", Kind="Error", Details={"Error": {"Title": "Timeout", "Message": LONG}}),
    )
    texts = [(preview.text[:12], preview.is_cut) for preview in found if preview is not None]
    assert texts == [("blue word wo", True), (f"red {noise[:8]}", True), ("brief", False), ("Timeout: lat", True)]
    assert max(len(body) for body in ResultDocument.objects.values_list("body", flat=True)) > 16_000


def test_an_answer_far_behind_is_left_unread(tmp_path: Path) -> None:
    row = {
        "Details": {"Answer": {"Explanation": [LONG]}},
        **{key: v for key, v in result(0).items() if key != "Details"},
    }
    assert previews_of(tmp_path, row) == [AnswerPreview("", is_cut=True)]


def test_nothing_is_read_of_an_evaluation_that_may_not_be_seen(tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    assert answer_previews(VisibleSet.of(frozenset()), all_rows()) == {}


def test_a_page_is_one_question(tmp_path: Path, django_assert_num_queries: Any) -> None:
    an_evaluation(tmp_path, *(result(number) for number in range(50)))
    rows = all_rows()
    with django_assert_num_queries(1):
        assert len(answer_previews(visible_evaluations_of(rows), rows)) == 50


def visible_evaluations_of(rows: tuple[ResultRow, ...]) -> VisibleSet:
    return VisibleSet.of(frozenset(row.evaluation_id for row in rows))
