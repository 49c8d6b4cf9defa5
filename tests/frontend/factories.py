"""Evaluations for the tests of pages, imported as a user would import them."""

from hashlib import sha256
from pathlib import Path
from typing import Any

from results.intake import ImportOptions, import_file
from results.models.evaluations import Evaluation, EvaluationState
from tests.documents import document, result, write


def an_evaluation(
    folder: Path, *results: dict[str, Any], name: str = "results.json", project: str = "default", **envelope: Any
) -> Evaluation:
    """Import a document that holds these results, one by default; it must be accepted."""
    path = write(folder, name, document(*(results or (result(),)), **envelope))
    report = import_file(path, ImportOptions(project=project))
    assert [file.state for file in report.files] == ["stored"], report
    return Evaluation.objects.get(digest=sha256(path.read_bytes()).hexdigest(), project__slug=project)


def unfinished(evaluation: Evaluation) -> Evaluation:
    """Turn an evaluation back into one that is still being imported."""
    evaluation.state = EvaluationState.IMPORTING
    evaluation.save()
    return evaluation


def first_result_id(evaluation: Evaluation) -> int:
    """The id of an evaluation's first result."""
    return evaluation.result_id(0)
