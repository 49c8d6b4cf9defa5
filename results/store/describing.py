"""What users say about an evaluation: its name, a note, labels, and that it is the baseline."""

from collections.abc import Iterable

from django.db import transaction

from results.models.evaluations import VISIBLE_STATES, Evaluation, EvaluationLabel
from results.names import storable

LABEL_CHARACTERS = EvaluationLabel._meta.get_field("text").max_length or 60


def describe(evaluation_id: int, *, name: str, note: str, labels: Iterable[str]) -> None:
    """Give an evaluation a name, a note and exactly these labels.

    Args:
        evaluation_id: a row that exists.
        name: one line; blank keeps the present one.
        note: of any length; may be empty.
        labels: at most 60 characters each; blanks and doubles count once or not at all.
    """
    wanted = list(dict.fromkeys(label for text in labels if (label := clean_label(text))))
    changes = {"note": storable(note.strip())}
    if shown := storable(" ".join(name.split())):
        changes["name"] = shown
    with transaction.atomic():
        Evaluation.objects.filter(pk=evaluation_id).update(**changes)
        present = EvaluationLabel.objects.filter(evaluation_id=evaluation_id)
        present.exclude(text__in=wanted).delete()
        EvaluationLabel.objects.bulk_create(
            [EvaluationLabel(evaluation_id=evaluation_id, text=text) for text in wanted], ignore_conflicts=True
        )


def clean_label(text: str) -> str:
    """A label as it is stored: one line without outer white space, cut to what fits."""
    return storable(" ".join(text.split()))[:LABEL_CHARACTERS].strip()


def set_baseline(evaluation_id: int, *, is_baseline: bool) -> None:
    """Make an evaluation what its project compares with, in place of another one; or take the mark away."""
    with transaction.atomic():
        meant = Evaluation.objects.filter(pk=evaluation_id, state__in=VISIBLE_STATES)
        if not is_baseline:
            meant.update(is_baseline=False)
            return
        projects = list(meant.values_list("project_id", flat=True))
        Evaluation.objects.filter(project_id__in=projects, is_baseline=True).update(is_baseline=False)
        meant.update(is_baseline=True)
