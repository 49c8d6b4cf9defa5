"""What is said of results: now, in lists and on a result's page, and how it came about."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Q, QuerySet

from results.models.evaluations import RESULTS_PER_EVALUATION, VISIBLE_STATES
from results.models.results import Outcome
from results.models.review import Annotation, AnnotationKind, ReviewedEvaluation, ReviewWord, WordKind
from results.queries.visibility import VisibleSet


@dataclass(frozen=True)
class Review:
    """What holds of one result.

    Attributes:
        corrected: the outcome that would have been right; None = nobody said that the recorded one is wrong.
        is_confirmed: somebody said that the recorded one is right.
        comments: the oldest first, each with its author before it where there is one.
    """

    corrected: str | None = None
    is_confirmed: bool = False
    reason: str | None = None
    labels: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.corrected or self.is_confirmed or self.reason or self.labels or self.comments)


UNREVIEWED = Review()


class _Said(NamedTuple):
    """One annotation that holds, as it is read."""

    kind: int
    word: str
    outcome: int | None
    text: str
    author: str


@dataclass(frozen=True)
class AnnotationRow:
    """One thing that somebody said. `value` is the comment, the word, or of a verdict an outcome or `right`."""

    id: int
    result_id: int
    kind: str
    value: str
    author: str
    created_at: datetime
    valid_from: datetime
    valid_to: datetime | None
    ended_by: str

    @property
    def is_edited(self) -> bool:
        """It was worded otherwise at first."""
        return self.valid_from != self.created_at


@dataclass(frozen=True)
class AnnotationPage:
    """One page of annotations; `total` counts all that are meant."""

    rows: tuple[AnnotationRow, ...]
    total: int


@dataclass(frozen=True)
class WordCount:
    """A word of a project's vocabulary, and on how many results it is."""

    id: int
    kind: str
    text: str
    is_offered: bool
    uses: int


def reviews_of(result_ids: Iterable[int]) -> dict[int, Review]:
    """What holds of some results that may be seen; those of which nothing is said are left out. Two queries at most."""
    ordinals: dict[int, set[int]] = defaultdict(set)
    for result_id in result_ids:
        ordinals[result_id // RESULTS_PER_EVALUATION].add(result_id % RESULTS_PER_EVALUATION)
    reviewed = dict(
        ReviewedEvaluation.objects.filter(evaluation_id__in=list(ordinals)).values_list("pk", "evaluation_id")
    )
    if not reviewed:
        return {}
    wanted = {ordinal for evaluation_id in reviewed.values() if evaluation_id for ordinal in ordinals[evaluation_id]}
    rows = Annotation.objects.filter(reviewed__in=list(reviewed), ordinal__in=list(wanted), valid_to=None)
    found: dict[int, list[_Said]] = defaultdict(list)
    listed = rows.order_by("created_at", "pk").values_list(
        "reviewed_id", "ordinal", "kind", "word__text", "outcome", "text", "author"
    )
    for reviewed_id, ordinal, kind, word, outcome, text, author in listed:
        evaluation_id = reviewed[reviewed_id] or 0
        if ordinal in ordinals[evaluation_id]:
            result_id = evaluation_id * RESULTS_PER_EVALUATION + ordinal
            found[result_id].append(_Said(kind, word or "", outcome, text, author))
    return {result_id: _review(said) for result_id, said in found.items()}


def _review(said: list[_Said]) -> Review:
    verdicts = [one.outcome for one in said if one.kind == AnnotationKind.VERDICT]
    outcome = verdicts[0] if verdicts else None
    return Review(
        corrected=None if outcome is None else str(Outcome(outcome).label),
        is_confirmed=verdicts == [None],
        reason=next((one.word for one in said if one.kind == AnnotationKind.REASON), None),
        labels=tuple(sorted(one.word for one in said if one.kind == AnnotationKind.LABEL)),
        comments=tuple(
            f"{one.author}: {one.text}" if one.author else one.text
            for one in said
            if one.kind == AnnotationKind.COMMENT
        ),
    )


def annotations_of(result_id: int) -> tuple[AnnotationRow, ...]:
    """Everything that was ever said of a result that may be seen, the latest first."""
    evaluation_id, ordinal = divmod(result_id, RESULTS_PER_EVALUATION)
    rows = _there().filter(reviewed__evaluation_id=evaluation_id, ordinal=ordinal)
    return tuple(map(_row, rows.order_by("-valid_from", "-pk")))


def annotation_row(annotation_id: int) -> AnnotationRow | None:
    """One annotation; None where there is none, or its evaluation was deleted."""
    found = _there().filter(pk=annotation_id).first()
    return None if found is None else _row(found)


def annotation_page(
    visible: VisibleSet,
    result_id: int | None,
    kind: AnnotationKind | None,
    *,
    with_history: bool,
    page: int,
    size: int,
) -> AnnotationPage:
    """One page of annotations, the latest first.

    Args:
        visible: evaluations that may be seen.
        result_id: of this result only; None = of all.
        kind: of this kind only; None = of all.
        with_history: also those that do not hold any more.
        page: counted from 1.
        size: rows of a page.
    """
    rows = _there().filter(reviewed__evaluation__in=visible.evaluation_ids)
    if result_id is not None:
        evaluation_id, ordinal = divmod(result_id, RESULTS_PER_EVALUATION)
        rows = rows.filter(reviewed__evaluation_id=evaluation_id, ordinal=ordinal)
    rows = rows if kind is None else rows.filter(kind=kind)
    rows = rows if with_history else rows.filter(valid_to=None)
    listed = rows.order_by("-valid_from", "-pk")[(page - 1) * size : page * size]
    return AnnotationPage(tuple(map(_row, listed)), rows.count())


def _there() -> "QuerySet[Annotation]":
    """Annotations of evaluations that are there."""
    return Annotation.objects.filter(reviewed__evaluation__state__in=VISIBLE_STATES).select_related("word", "reviewed")


def _row(row: Annotation) -> AnnotationRow:
    return AnnotationRow(
        id=row.pk,
        result_id=(row.reviewed.evaluation_id or 0) * RESULTS_PER_EVALUATION + row.ordinal,
        kind=str(AnnotationKind(row.kind).label),
        value=value_of(row),
        author=row.author,
        created_at=row.created_at,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        ended_by=row.ended_by,
    )


def value_of(row: Annotation) -> str:
    """What an annotation says, as text."""
    if row.kind == AnnotationKind.COMMENT:
        return row.text
    if row.kind == AnnotationKind.VERDICT:
        return "right" if row.outcome is None else str(Outcome(row.outcome).label)
    return "" if row.word is None else row.word.text


def has_corrections(visible: VisibleSet) -> bool:
    """Whether the verdict of any result of these evaluations was corrected."""
    corrected = Annotation.objects.filter(kind=AnnotationKind.VERDICT, valid_to=None, outcome__isnull=False)
    listed = corrected.values_list("reviewed__evaluation_id", flat=True).distinct()
    return any(pk in visible.evaluation_ids for pk in listed)


def words_of(projects: Iterable[str], kind: WordKind) -> tuple[str, ...]:
    """The words that some projects offer, by name."""
    words = ReviewWord.objects.filter(project__slug__in=list(projects), kind=kind, is_offered=True)
    return tuple(words.order_by("text").values_list("text", flat=True).distinct())


def result_of(annotation_id: int) -> int | None:
    """The result that an annotation is about; None where there is none, or its evaluation was deleted."""
    row = Annotation.objects.filter(pk=annotation_id, reviewed__evaluation__isnull=False)
    found = row.values_list("reviewed__evaluation_id", "ordinal").first()
    return None if found is None or found[0] is None else found[0] * RESULTS_PER_EVALUATION + found[1]


def vocabulary(projects: Iterable[str]) -> dict[str, tuple[WordCount, ...]]:
    """The reasons and labels of some projects by slug: `reason` words first, then labels, each by name."""
    words = ReviewWord.objects.filter(project__slug__in=list(projects)).select_related("project")
    held = Count("annotation", filter=Q(annotation__valid_to=None, annotation__reviewed__evaluation__isnull=False))
    found: dict[str, list[WordCount]] = defaultdict(list)
    for word in words.annotate(uses=held).order_by("-kind", "text"):
        kind = str(WordKind(word.kind).label)
        found[word.project.slug].append(WordCount(word.pk, kind, word.text, word.is_offered, word.uses))
    return {slug: tuple(listed) for slug, listed in found.items()}
