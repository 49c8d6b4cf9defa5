"""Annotations as JSON Lines: equal after a round trip, kept until their file comes, refused without sense."""

from pathlib import Path

import pytest
from django.core.management import call_command

from results.annotation_import import ImportedAnnotations, LineError, import_annotations
from results.exports.annotations import annotation_lines
from results.intake import ImportOptions, import_file
from results.models.evaluations import Evaluation
from results.models.projects import Project
from results.models.review import Annotation, ReviewedEvaluation, ReviewWord
from results.queries.reviews import Review, annotations_of, reviews_of
from results.store.deletion import hide, remove
from results.store.reviewing import ReviewChange, annotate, reword
from tests.documents import result
from tests.frontend.factories import an_evaluation

pytestmark = pytest.mark.django_db


def reviewed(folder: Path) -> list[bytes]:
    """Two results with everything that can be said, some of it edited; gives the lines."""
    evaluation = an_evaluation(folder, result(1), result(2, Kind="Failed"))
    first, second = evaluation.result_id(0), evaluation.result_id(1)
    annotate([first, second], ReviewChange("a «b»\nc", ("odd", "ask"), verdict="passed", reason="task error"), "Ann")
    annotate([second], ReviewChange(verdict="error", unlabels=("odd",)), "Bob")
    reword(annotations_of(first)[0].id, "b", "Cay")
    return list(annotation_lines())


def emptied() -> None:
    """What an empty database has."""
    for evaluation in Evaluation.objects.all():
        hide(evaluation.pk)
        remove(evaluation.pk)
    Annotation.objects.all().delete()
    ReviewedEvaluation.objects.all().delete()
    ReviewWord.objects.all().delete()
    Project.objects.all().delete()


def test_annotations_are_equal_after_a_round_trip_into_an_empty_database(tmp_path: Path) -> None:
    lines = reviewed(tmp_path)
    emptied()
    import_file(tmp_path / "results.json", ImportOptions())
    assert import_annotations(lines) == ImportedAnnotations(added=12, known=0, waiting=0)
    assert list(annotation_lines()) == lines
    second = Evaluation.objects.get().result_id(1)
    assert reviews_of([second])[second] == Review("error", False, "task error", ("ask",), ("Ann: a «b»\nc",))


def test_annotations_that_come_before_their_file_wait_for_it(tmp_path: Path) -> None:
    lines = reviewed(tmp_path)
    emptied()
    assert import_annotations(lines).waiting == 12
    import_file(tmp_path / "results.json", ImportOptions())
    assert reviews_of([Evaluation.objects.get().result_id(1)]) != {}
    assert list(annotation_lines()) == lines


def test_reading_the_same_lines_again_adds_nothing(tmp_path: Path) -> None:
    lines = reviewed(tmp_path)
    assert import_annotations(lines) == ImportedAnnotations(added=0, known=12, waiting=0)


def test_the_commands_write_a_file_and_read_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = reviewed(tmp_path)
    path = tmp_path / "said.jsonl"
    call_command("export_annotations", "--project", "default", "-o", str(path))
    assert path.read_bytes() == b"".join(lines)
    Annotation.objects.all().delete()
    call_command("import_annotations", str(path))
    assert capsys.readouterr().out == "12 annotations added, 0 were there already.\n"


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[]",
        b'{"project": "p"}',
        b'{"project": "p", "annotation": "comment"}',
        b'{"project": "p", "word": "verb"}',
        b"\xff",
    ],
)
def test_a_line_that_makes_no_sense_is_named(line: bytes) -> None:
    with pytest.raises(LineError, match="Line 2"):
        import_annotations([b"\n", line])
