"""What people say of a result, on its page: what holds, a form to say more, and how it came about."""

from dataclasses import dataclass

from django.http import HttpRequest, QueryDict
from django.urls import reverse

from frontend import formats
from frontend.reviewer import reviewer
from results.filters import Choice, ResultFilter
from results.models.review import AnnotationKind, WordKind
from results.queries.results import ResultRow
from results.queries.reviews import AnnotationRow, annotations_of, words_of
from results.store.reviewing import (
    COMMENT_CHARACTERS,
    RIGHT,
    SINGLE,
    VERDICTS,
    ReviewChange,
    clean_comment,
    clean_word,
    clean_words,
)

NONE = "(none)"  # the value of a choice that takes something back
OUTCOMES = VERDICTS[1:]


@dataclass(frozen=True)
class ReviewForm:
    """What `_review_fields.html` reads.

    Attributes:
        outcomes: what the verdict may be corrected to.
        reasons: that the projects offer. labels: known ones.
        has_many: it is about many results, so that everything said before may be of any kind.
        author: the name that was given before.
    """

    outcomes: tuple[str, ...]
    reasons: tuple[str, ...]
    labels: tuple[str, ...]
    has_many: bool
    author: str
    most_characters: int
    none: str

    @classmethod
    def build(cls, request: HttpRequest, projects: tuple[str, ...], *, has_many: bool) -> "ReviewForm":
        """The form for results of some projects."""
        reasons, labels = words_of(projects, WordKind.REASON), words_of(projects, WordKind.LABEL)
        return cls(OUTCOMES, reasons, labels, has_many, reviewer(request), COMMENT_CHARACTERS, NONE)


@dataclass(frozen=True)
class WordLine:
    """A label or a reason of the result, with the results that have it too."""

    said: AnnotationRow
    href: str


@dataclass(frozen=True)
class ReviewPanel:
    """What `_review_panel.html` reads.

    Attributes:
        verdict: what holds; None = nothing said.
        words: the reason, then the labels that hold. comments: those that hold, the oldest first.
        history: everything that was ever said, the latest first.
        corrected: the outcome that would have been right; empty = nobody says that the recorded one is wrong.
    """

    result_id: int
    outcome: str
    corrected: str
    verdict: AnnotationRow | None
    words: tuple[WordLine, ...]
    comments: tuple[AnnotationRow, ...]
    history: tuple[AnnotationRow, ...]
    form: ReviewForm
    here: str

    @classmethod
    def build(cls, request: HttpRequest, row: ResultRow, project: str) -> "ReviewPanel":
        """The panel of one result that may be seen."""
        said = annotations_of(row.id)
        now = [line for line in reversed(said) if line.valid_to is None]
        verdict = _first(now, AnnotationKind.VERDICT)
        return cls(
            result_id=row.id,
            outcome=row.outcome,
            corrected="" if verdict is None or verdict.value == RIGHT else verdict.value,
            verdict=verdict,
            words=(*_lines(now, AnnotationKind.REASON), *_lines(now, AnnotationKind.LABEL)),
            comments=_all(now, AnnotationKind.COMMENT),
            history=said,
            form=ReviewForm.build(request, (project,), has_many=False),
            here=request.get_full_path(),
        )


def asked_change(params: QueryDict) -> ReviewChange:
    """What a form of `_review_fields.html` says; what cannot be read is left out."""
    verdict, reason = params.get("verdict", ""), params.get("new_reason", "").strip() or params.get("reason", "")
    withdrawn = zip((verdict, reason), SINGLE, strict=True)
    return ReviewChange(
        comment=clean_comment(params.get("comment", "")),
        labels=clean_words([*params.getlist("label"), *params.get("new_labels", "").split(",")]),
        unlabels=clean_words(params.get("old_labels", "").split(",")),
        verdict=verdict if verdict in VERDICTS else "",
        reason="" if reason == NONE else clean_word(reason),
        withdrawn=tuple(kind for word, kind in withdrawn if word == NONE),
    )


def words_of_change(change: ReviewChange) -> str:
    """A change as the toast after it says it."""
    parts = [
        "comment" if change.comment else "",
        "verdict" if change.verdict or AnnotationKind.VERDICT in change.withdrawn else "",
        "reason" if change.reason or AnnotationKind.REASON in change.withdrawn else "",
        formats.plural(len(change.labels), "label") if change.labels else "",
        f"{formats.plural(len(change.unlabels), 'label')} taken away" if change.unlabels else "",
    ]
    return ", ".join(part for part in parts if part)


def _lines(rows: list[AnnotationRow], kind: AnnotationKind) -> tuple[WordLine, ...]:
    address, key = reverse("results-list"), str(kind.label)
    return tuple(
        WordLine(row, f"{address}?{ResultFilter().with_choice(key, Choice((row.value,))).to_query()}")
        for row in _all(rows, kind)
    )


def _first(rows: list[AnnotationRow], kind: AnnotationKind) -> AnnotationRow | None:
    return next(iter(_all(rows, kind)), None)


def _all(rows: list[AnnotationRow], kind: AnnotationKind) -> tuple[AnnotationRow, ...]:
    return tuple(row for row in rows if row.kind == kind.label)
