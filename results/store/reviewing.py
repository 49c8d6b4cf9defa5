"""Annotating results, one or a million: set-based statements in short transactions; nothing that was said is lost."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.db import connection, transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from results.models.evaluations import RESULTS_PER_EVALUATION, VISIBLE_STATES, Evaluation
from results.models.results import Outcome, Result
from results.models.review import Annotation, AnnotationKind, ReviewedEvaluation, ReviewWord, WordKind
from results.names import storable
from results.store.review_identity import note_change, reviewed_row

RESULTS_PER_STEP = 2_000  # of one transaction: about 60 ms on SQLite, so other writers wait no longer
# Between two steps on SQLite: who waits for its lock looks again after 25 ms at most in the first tenth of a second.
BREATH_SECONDS = 0.03
COMMENT_CHARACTERS = 10_000
WORD_CHARACTERS = ReviewWord._meta.get_field("text").max_length or 60
AUTHOR_CHARACTERS = Annotation._meta.get_field("author").max_length or 80
MOST_LABELS = 20  # of one change
RIGHT = "right"  # the verdict that the recorded outcome is right
VERDICTS = (RIGHT, *(str(outcome.label) for outcome in Outcome))
SINGLE = (AnnotationKind.VERDICT, AnnotationKind.REASON)  # a result has one of these at most


@dataclass(frozen=True)
class ReviewChange:
    """What is said of some results; empty = nothing about that.

    Attributes:
        comment: one more.
        labels, unlabels: given, and taken away where they are.
        verdict: one of `VERDICTS`: the outcome that would have been right; the recorded one means `right`.
        reason: a word of the project's vocabulary; a new one joins it.
        withdrawn: of `SINGLE`: what is taken back.
    """

    comment: str = ""
    labels: tuple[str, ...] = ()
    unlabels: tuple[str, ...] = ()
    verdict: str = ""
    reason: str = ""
    withdrawn: tuple[AnnotationKind, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.comment or self.labels or self.unlabels or self.verdict or self.reason or self.withdrawn)


def nothing(done: int) -> None:
    """Do nothing in a step."""


def annotate(
    result_ids: Iterable[int],
    change: ReviewChange,
    author: str,
    at: datetime | None = None,
    in_step: Callable[[int], None] = nothing,
) -> int:
    """Say something of results; safe to repeat with the same `at`, which then changes nothing.

    Args:
        result_ids: those that are gone or hidden are left out.
        change: what is said; verdicts are one of `VERDICTS`.
        author: who says it; empty = nobody.
        at: when it is said; None = now.
        in_step: called inside each transaction with how many are done, so that a job can hold its lease.

    Returns:
        How many of the ids were gone through.
    """
    at, author, count = at or timezone.now(), clean_author(author), 0
    for evaluation_id, ids in groupby(sorted(set(result_ids)), lambda pk: pk // RESULTS_PER_EVALUATION):
        evaluation = Evaluation.objects.filter(pk=evaluation_id, state__in=VISIBLE_STATES).first()
        ordinals = [pk % RESULTS_PER_EVALUATION for pk in ids]
        if evaluation is None:
            continue
        for start in range(0, len(ordinals), RESULTS_PER_STEP):
            if count and connection.vendor == "sqlite":
                time.sleep(BREATH_SECONDS)
            with transaction.atomic():
                in_step(count)
                note_change(evaluation.project_id)  # first: of two that change a project, one waits for the other
                step = _Step(
                    reviewed_row(evaluation), evaluation_id, ordinals[start : start + RESULTS_PER_STEP], author, at
                )
                step.apply(change)
            count += len(step.ordinals)
    return count


@dataclass(frozen=True)
class _Step:
    """Some results of one evaluation, annotated in one transaction."""

    reviewed: ReviewedEvaluation
    evaluation_id: int
    ordinals: list[int]
    author: str
    at: datetime

    def apply(self, change: ReviewChange) -> None:
        """Write what changes."""
        for kind in change.withdrawn:
            self._end(self._current(kind))
        if change.unlabels:
            self._end(self._current(AnnotationKind.LABEL).filter(word__text__in=change.unlabels))
        if change.verdict:
            self._judge(change.verdict)
        if change.reason:
            word = self._word(WordKind.REASON, change.reason)
            self._end(self._current(AnnotationKind.REASON).exclude(word=word))
            self._insert(AnnotationKind.REASON, word=word.pk)
        for label in change.labels:
            self._insert(AnnotationKind.LABEL, word=self._word(WordKind.LABEL, label).pk)
        if (
            change.comment
            and not self._current(AnnotationKind.COMMENT)
            .filter(created_at=self.at, author=self.author, text=change.comment)
            .exists()
        ):
            self._insert(AnnotationKind.COMMENT, text=change.comment)

    def _judge(self, verdict: str) -> None:
        current = self._current(AnnotationKind.VERDICT)
        if verdict == RIGHT:
            self._end(current.exclude(outcome=None))
            self._insert(AnnotationKind.VERDICT)
            return
        wanted = next(outcome for outcome in Outcome if outcome.label == verdict)
        place = self.evaluation_id * RESULTS_PER_EVALUATION + OuterRef("ordinal")
        recorded = Subquery(Result.objects.filter(pk=place).values("outcome"))
        self._end(current.annotate(meant=Coalesce("outcome", recorded)).exclude(meant=wanted))
        self._insert(AnnotationKind.VERDICT, outcome=f"CASE WHEN outcome = {wanted:d} THEN NULL ELSE {wanted:d} END")

    def _current(self, kind: AnnotationKind) -> "QuerySet[Annotation]":
        return Annotation.objects.filter(reviewed=self.reviewed, ordinal__in=self.ordinals, kind=kind, valid_to=None)

    def _end(self, annotations: "QuerySet[Annotation]") -> None:
        annotations.update(valid_to=self.at, ended_by=self.author)

    def _word(self, kind: WordKind, text: str) -> ReviewWord:
        return ReviewWord.objects.get_or_create(project_id=self.reviewed.project_id, kind=kind, text=text)[0]

    def _insert(self, kind: AnnotationKind, text: str = "", word: int | None = None, outcome: str = "NULL") -> None:
        """Say the same of every result that exists; `outcome` is SQL over the recorded one. What holds stays."""
        base = self.evaluation_id * RESULTS_PER_EVALUATION
        ids = ", ".join(str(base + ordinal) for ordinal in self.ordinals)
        at = connection.ops.adapt_datetimefield_value(self.at)
        columns = "reviewed_id, ordinal, kind, text, word_id, outcome, author, created_at, valid_from, ended_by"
        sql = (
            f'INSERT INTO "{Annotation._meta.db_table}" ({columns}) '
            f"SELECT %s, id - {base}, {kind:d}, %s, %s, {outcome}, %s, %s, %s, '' "
            f'FROM "{Result._meta.db_table}" WHERE id IN ({ids}) ON CONFLICT DO NOTHING'
        )
        with connection.cursor() as cursor:
            cursor.execute(sql, [self.reviewed.pk, text, word, self.author, at, at])


def reword(annotation_id: int, text: str, author: str) -> int | None:
    """Give a comment that holds another wording; the old one stays in the history.

    Returns:
        The id of the new wording; None when there is no such comment, or it is worded so already.
    """
    now = timezone.now()
    with transaction.atomic():
        ended = _ended(annotation_id, author, now, Q(kind=AnnotationKind.COMMENT) & ~Q(text=text))
        if ended is None:
            return None
        made = Annotation.objects.create(
            reviewed=ended.reviewed,
            ordinal=ended.ordinal,
            kind=ended.kind,
            text=text,
            author=clean_author(author),
            created_at=ended.created_at,
            valid_from=now,
        )
    return made.pk


def remove(annotation_id: int, author: str) -> bool:
    """Let an annotation no longer hold; it stays in the history.

    Returns:
        Whether it held until now.
    """
    with transaction.atomic():
        return _ended(annotation_id, author, timezone.now(), Q()) is not None


def _ended(annotation_id: int, author: str, at: datetime, condition: Q) -> Annotation | None:
    meant = Annotation.objects.filter(condition, pk=annotation_id, valid_to=None)
    if meant.update(valid_to=at, ended_by=clean_author(author)) != 1:
        return None
    ended = Annotation.objects.select_related("reviewed").get(pk=annotation_id)
    note_change(ended.reviewed.project_id)
    return ended


def clean_author(text: str) -> str:
    """A name on one line, cut to what fits."""
    return storable(" ".join(text.split()))[:AUTHOR_CHARACTERS].strip()


def clean_word(text: str) -> str:
    """A label or a reason as it is stored: one line, cut to what fits."""
    return storable(" ".join(text.split()))[:WORD_CHARACTERS].strip()


def clean_words(texts: Sequence[str]) -> tuple[str, ...]:
    """Labels without blanks and doubles."""
    return tuple(dict.fromkeys(word for text in texts if (word := clean_word(text))))[:MOST_LABELS]


def clean_comment(text: str) -> str:
    """A comment as it is stored: cut to what fits, with its own lines."""
    return storable(text.strip().replace("\r\n", "\n"))[:COMMENT_CHARACTERS]
