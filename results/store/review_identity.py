"""What annotations hang on: an evaluation's lasting identity, found again when the same file is imported once more."""

from django.db import transaction
from django.db.models import F, Q

from results.models.evaluations import RESULTS_PER_EVALUATION, Evaluation, EvaluationState
from results.models.projects import Project
from results.models.results import Result
from results.models.review import ReviewedEvaluation, ReviewWord, WordKind
from results.names import digest_of

REASONS = ("model error", "task error", "judge error", "infrastructure")  # that a project begins with
SAMPLED = 200  # results that are looked at, from the first to the last


def reviewed_row(evaluation: Evaluation) -> ReviewedEvaluation:
    """The row that annotations of an evaluation hang on, made where it is missing; inside a transaction."""
    found = ReviewedEvaluation.objects.filter(evaluation=evaluation).first()
    if found is not None:
        return found
    offer_reasons(evaluation.project_id)
    return ReviewedEvaluation.objects.create(
        project_id=evaluation.project_id,
        evaluation=evaluation,
        digest=evaluation.digest,
        content=content_of(evaluation),
        name=evaluation.name,
    )


def offer_reasons(project_id: int) -> None:
    """Give a project that has no reasons yet those that are usual."""
    if not ReviewWord.objects.filter(project_id=project_id, kind=WordKind.REASON).exists():
        words = [ReviewWord(project_id=project_id, kind=WordKind.REASON, text=text) for text in REASONS]
        ReviewWord.objects.bulk_create(words, ignore_conflicts=True)


def attach(evaluation: Evaluation) -> None:
    """Give an evaluation that has just become whole the annotations of an earlier import of the same results.

    The same bytes are recognised first; then the same results in another file, such as an export.
    """
    is_free = Q(evaluation=None) | Q(evaluation__state=EvaluationState.DELETING)
    left = ReviewedEvaluation.objects.filter(is_free, project_id=evaluation.project_id)
    if not left.exists():
        return
    same = left.filter(digest=evaluation.digest) if evaluation.digest else left.none()
    found = same.first() or left.filter(content=content_of(evaluation)).first()
    if found is None:
        return
    with transaction.atomic():
        ReviewedEvaluation.objects.filter(pk=found.pk).update(
            evaluation=evaluation, digest=evaluation.digest, name=evaluation.name
        )
        note_change(evaluation.project_id)


def note_change(project_id: int) -> None:
    """Say, in their transaction, that annotations of a project are others now: no answer from before is given."""
    Project.objects.filter(pk=project_id).update(review_version=F("review_version") + 1)


def note_content(evaluation_id: int) -> None:
    """Identify an evaluation anew that has grown since its first annotation, as a live trial does."""
    evaluation = Evaluation.objects.filter(pk=evaluation_id, reviewed__isnull=False).first()
    if evaluation is not None:
        ReviewedEvaluation.objects.filter(evaluation=evaluation).update(content=content_of(evaluation))


def content_of(evaluation: Evaluation) -> str:
    """A digest of an evaluation's counts and of up to 200 of its results, spread evenly; no byte of its file counts."""
    number = evaluation.results
    ordinals = (
        {place * (number - 1) // (SAMPLED - 1) for place in range(SAMPLED)} if number > SAMPLED else range(number)
    )
    base = evaluation.pk * RESULTS_PER_EVALUATION
    names = ("run_version__run__provider__name", "run_version__run__name", "task_version__task__name")
    rows = Result.objects.filter(pk__in=[base + ordinal for ordinal in ordinals]).order_by("pk")
    listed = rows.values_list("pk", "trace_id", "repeat", "outcome", "duration_ns", *names)
    counts = (number, evaluation.passed, evaluation.failed, evaluation.errors, evaluation.skipped)
    parts = [str(counts)]
    for pk, *values in listed:
        parts += [str(pk - base), *map(str, values)]
    return digest_of(*parts)
