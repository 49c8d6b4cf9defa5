"""Makes evaluations that hold only what the text index reads: their state and their documents."""

import json

import zstandard

from results.models.evaluations import Evaluation, EvaluationState
from results.models.projects import Project
from results.models.results import ResultDocument


def make_evaluation(state: EvaluationState = EvaluationState.READY) -> Evaluation:
    project, _ = Project.objects.get_or_create(slug="default", defaults={"name": "Default"})
    return Evaluation.objects.create(project=project, state=state, name="nightly", format="mindtrial", digest="")


def document(**changes: object) -> dict[str, object]:
    """A passed result's JSON with the given top-level keys changed."""
    return {"TraceID": "t-1", "Kind": "Passed", "Task": "sum", "Provider": "p", "Run": "r", "Got": "42", **changes}


def answered(answer: str, explanation: str = "") -> dict[str, object]:
    """A passed result with this answer and explanation."""
    details = {"Answer": {"ActualAnswer": [answer], "Explanation": [explanation]}}
    return document(Got=answer.lower(), Details=details)


def add_results(evaluation: Evaluation, *documents: dict[str, object]) -> list[int]:
    """Store documents after those that the evaluation holds already; answers their result ids."""
    bodies = [json.dumps(content, separators=(",", ":")).encode() for content in documents]
    return add_bodies(evaluation, *(zstandard.compress(body, 1) for body in bodies))


def add_bodies(evaluation: Evaluation, *bodies: bytes) -> list[int]:
    """Store compressed documents as they are."""
    first = ResultDocument.objects.filter(pk__gte=evaluation.result_id(0), pk__lt=evaluation.result_id(2**24)).count()
    ids = [evaluation.result_id(first + position) for position in range(len(bodies))]
    ResultDocument.objects.bulk_create(
        ResultDocument(pk=result_id, body=body) for result_id, body in zip(ids, bodies, strict=True)
    )
    return ids
