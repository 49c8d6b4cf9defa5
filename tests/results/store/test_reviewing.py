"""Annotating results: one, many, again, and what is left after a delete."""

from pathlib import Path

import pytest
from django.http import QueryDict

from results.filters import ResultFilter
from results.intake import ImportOptions, import_file
from results.models.evaluations import Evaluation
from results.models.results import Outcome
from results.models.review import Annotation, AnnotationKind
from results.queries.corrections import corrected_groups
from results.queries.facets import facets
from results.queries.ids import result_ids
from results.queries.results import result_page
from results.queries.reviews import Review, annotations_of, reviews_of
from results.queries.visibility import visible_evaluations
from results.statistics import OutcomeCounts
from results.store.deletion import hide, remove
from results.store.reviewing import ReviewChange, annotate, reword
from results.store.reviewing import remove as take_back
from tests.documents import result
from tests.frontend.factories import an_evaluation

pytestmark = pytest.mark.django_db

KINDS = ("Passed", "Failed", "Failed", "Error", "Skipped")


def five(folder: Path, **envelope: str) -> list[int]:
    evaluation = an_evaluation(folder, *(result(number, Kind=kind) for number, kind in enumerate(KINDS)), **envelope)
    return [evaluation.result_id(ordinal) for ordinal in range(5)]


def found(query: str) -> list[int]:
    return result_ids(visible_evaluations(), ResultFilter.parse(QueryDict(query)))


def test_what_is_said_of_a_result_is_read_back(tmp_path: Path) -> None:
    first, second, *_ = five(tmp_path)
    change = ReviewChange(comment="The judge was strict", labels=("odd", "ask"), verdict="passed", reason="judge error")
    assert annotate([second], change, "Ann") == 1
    review = Review("passed", False, "judge error", ("ask", "odd"), ("Ann: The judge was strict",))
    assert reviews_of([first, second]) == {second: review}
    rows = result_page(visible_evaluations(), ResultFilter()).rows
    assert [row.review for row in rows][:2] == [Review(), review]
    assert rows[1].outcome == "failed"


def test_the_outcome_that_is_recorded_is_a_confirmation_and_no_correction(tmp_path: Path) -> None:
    ids = five(tmp_path)
    annotate(ids, ReviewChange(verdict="failed"), "Ann")
    verdicts = Annotation.objects.filter(kind=AnnotationKind.VERDICT).order_by("ordinal")
    assert list(verdicts.values_list("outcome", flat=True)) == [
        Outcome.FAILED,
        None,
        None,
        Outcome.FAILED,
        Outcome.FAILED,
    ]
    assert found("corrected=yes") == [ids[0], ids[3], ids[4]]


def test_every_key_finds_what_was_said_and_leaves_out_what_was_excluded(tmp_path: Path) -> None:
    ids = five(tmp_path)
    annotate(ids[:2], ReviewChange(labels=("odd",)), "")
    annotate(ids[1:3], ReviewChange(labels=("ask",), reason="task error"), "")
    annotate(ids[3:4], ReviewChange(verdict="passed"), "")
    assert found("label=odd") == ids[:2]
    assert found("label=odd&label=ask") == ids[:3]
    assert found("label=-odd") == ids[2:]
    assert found("label=(unspecified)") == ids[3:]
    assert found("reason=task+error&label=-odd") == [ids[2]]
    assert found("reason=(unspecified)&reviewed=yes") == [ids[0], ids[3]]
    assert found("reviewed=no") == [ids[4]]
    assert found("corrected=-no") == [ids[3]]


def test_facets_count_each_label_of_a_result_under_the_other_keys(tmp_path: Path) -> None:
    ids = five(tmp_path)
    annotate(ids[:2], ReviewChange(labels=("odd",)), "")
    annotate(ids[1:3], ReviewChange(labels=("ask",), reason="task error"), "")
    names = ("label", "reason", "reviewed", "corrected")
    listed = facets(visible_evaluations(), ResultFilter.parse(QueryDict("outcome=failed&label=odd")), names)
    counts = {facet.name: {option.value: option.count for option in facet.options} for facet in listed}
    assert counts == {
        "label": {"ask": 2, "odd": 1},
        "reason": {"task error": 1},
        "reviewed": {"yes": 1},
        "corrected": {"no": 1},
    }


def test_without_any_annotation_nothing_is_reviewed(tmp_path: Path) -> None:
    ids = five(tmp_path)
    assert found("reviewed=no") == ids
    assert found("label=odd") == []
    assert corrected_groups(visible_evaluations(), ResultFilter()) == []


def test_rates_with_corrections_stand_beside_the_recorded_ones(tmp_path: Path) -> None:
    ids = five(tmp_path)
    annotate(ids[1:2], ReviewChange(verdict="passed"), "")
    annotate(ids[3:4], ReviewChange(verdict="skipped"), "")
    (group,) = corrected_groups(visible_evaluations(), ResultFilter(), ("provider", "run"))
    assert group.key == ("openai", "gpt")
    assert group.recorded == OutcomeCounts(1, 2, 1, 1)  # 1 of 4
    assert group.corrected == OutcomeCounts(2, 1, 0, 2)  # 2 of 3
    assert group.corrections == 2


def test_another_verdict_takes_the_place_of_the_first_and_both_are_in_the_history(tmp_path: Path) -> None:
    first = five(tmp_path)[0]
    annotate([first], ReviewChange(verdict="failed"), "Ann")
    annotate([first], ReviewChange(verdict="error"), "Bob")
    later, earlier = annotations_of(first)
    assert (later.value, later.author, later.valid_to) == ("error", "Bob", None)
    assert (earlier.value, earlier.author, earlier.ended_by) == ("failed", "Ann", "Bob")


def test_the_same_said_again_changes_nothing(tmp_path: Path) -> None:
    ids = five(tmp_path)
    change = ReviewChange(comment="see log", labels=("odd",), verdict="passed", reason="task error")
    annotate(ids, change, "Ann")
    kept = Annotation.objects.order_by("pk").values_list("pk", "valid_to")
    before, at = list(kept), Annotation.objects.filter(kind=AnnotationKind.COMMENT)[0].created_at
    annotate(ids, change, "Ann", at)
    assert list(kept) == before


def test_a_comment_can_be_reworded_and_taken_back_with_its_history(tmp_path: Path) -> None:
    first = five(tmp_path)[0]
    annotate([first], ReviewChange(comment="wrogn"), "Ann")
    (said,) = annotations_of(first)
    assert reword(said.id, "wrong", "Bob")
    assert reviews_of([first])[first].comments == ("Bob: wrong",)
    assert annotations_of(first)[0].is_edited
    assert take_back(annotations_of(first)[0].id, "Ann")
    assert reviews_of([first]) == {}
    assert [row.value for row in annotations_of(first)] == ["wrong", "wrogn"]


def test_labels_and_verdicts_can_be_taken_away_from_many(tmp_path: Path) -> None:
    ids = five(tmp_path)
    annotate(ids, ReviewChange(labels=("odd", "ask"), verdict="passed"), "Ann")
    annotate(ids[:3], ReviewChange(unlabels=("odd",), withdrawn=(AnnotationKind.VERDICT,)), "Bob")
    assert found("label=odd") == ids[3:]
    assert found("label=ask") == ids
    assert found("corrected=yes") == ids[3:]


def test_annotations_are_there_again_when_the_same_file_is_imported_once_more(tmp_path: Path) -> None:
    ids = five(tmp_path)
    annotate(ids[1:2], ReviewChange(verdict="passed"), "Ann")
    evaluation_id = ids[0] >> 24
    hide(evaluation_id)
    import_file(tmp_path / "results.json", ImportOptions())  # before the first one is gone for good
    remove(evaluation_id)
    again = Evaluation.objects.get()
    assert found("corrected=yes") == [again.result_id(1)]


def test_annotations_follow_the_results_into_another_file_with_the_same_results(tmp_path: Path) -> None:
    ids = five(tmp_path)
    annotate(ids[1:2], ReviewChange(verdict="passed"), "Ann")
    hide(ids[0] >> 24)
    remove(ids[0] >> 24)
    other = five(tmp_path, name="exported.json", AppVersion="other bytes")
    assert found("corrected=yes") == [other[1]]


def test_annotations_do_not_follow_to_other_results(tmp_path: Path) -> None:
    ids = five(tmp_path)
    annotate(ids[1:2], ReviewChange(verdict="passed"), "Ann")
    hide(ids[0] >> 24)
    remove(ids[0] >> 24)
    an_evaluation(tmp_path, *(result(number + 9, Kind=kind) for number, kind in enumerate(KINDS)), name="b.json")
    assert found("reviewed=yes") == []
