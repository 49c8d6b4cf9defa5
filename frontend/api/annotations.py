"""What people say of results: listed with its history, said of some results or of all of a filter, edited, removed."""

from datetime import datetime
from typing import Annotated, Literal

from django.http import HttpRequest, QueryDict
from ninja import Router, Schema, Status
from pydantic import Field

from evaluator.jobs import send
from frontend.api.answers import ApiError, ErrorAnswer, not_found
from frontend.api.asking import (
    LARGEST_ID,
    MOST_ROWS,
    USUAL_ROWS,
    Body,
    Cursor,
    Id,
    Json,
    Limit,
    next_cursor,
    page_at,
    visible,
)
from frontend.api.jobs import ACCEPTED, JobAnswer, job_answer
from frontend.contexts.bulk_review import review_many
from frontend.reviewer import author_of
from results.filters import Choice, ResultFilter
from results.models.evaluations import RESULTS_PER_EVALUATION
from results.models.review import AnnotationKind
from results.queries.reviews import AnnotationRow, annotation_page, annotation_row
from results.store.reviewing import (
    COMMENT_CHARACTERS,
    MOST_LABELS,
    ReviewChange,
    clean_comment,
    clean_word,
    clean_words,
    remove,
    reword,
)

DONE = 200
KINDS = tuple(str(kind.label) for kind in AnnotationKind)
Kind = Literal["comment", "label", "verdict", "reason"]
Word = Annotated[str, Field(min_length=1, max_length=60)]
Author = Annotated[str, Field(max_length=80, description="who says it")]

router = Router(tags=["annotations"])


class AnnotationAnswer(Schema):
    """One thing that somebody said. `value` is the comment, the word, or of a verdict an outcome or `right`.

    It was worded so from `valid_from` to `valid_to` (null = it holds); `created_at` is when its first wording was.
    """

    id: int
    result_id: int
    kind: Kind
    value: str
    author: str
    created_at: datetime
    valid_from: datetime
    valid_to: datetime | None
    ended_by: str


class AnnotationList(Schema):
    """One page of annotations, the latest first."""

    items: list[AnnotationAnswer]
    count: int
    next: str | None


class ReviewRequest(Body):
    """What is said, and of which results: `results` by id, or all that `filter`, a query string, lets through."""

    results: list[Annotated[int, Field(ge=1, le=LARGEST_ID)]] = Field(default=[], max_length=MOST_ROWS)
    filter: str | None = Field(default=None, max_length=20_000)
    comment: str = Field(default="", max_length=COMMENT_CHARACTERS)
    labels: list[Word] = Field(default=[], max_length=MOST_LABELS)
    unlabels: list[Word] = Field(default=[], max_length=MOST_LABELS)
    verdict: Literal["", "right", "passed", "failed", "error", "skipped"] = ""
    reason: str = Field(default="", max_length=60)
    withdraws: list[Literal["verdict", "reason"]] = Field(default=[], max_length=2)
    author: Author = ""


class BulkReviewAnswer(Schema):
    """How many results it was said of, and the job that says it; null = it is done."""

    results: int
    job: JobAnswer | None


class CommentPatch(Body):
    """Another wording of a comment."""

    comment: str = Field(min_length=1, max_length=COMMENT_CHARACTERS)
    author: Author = ""


@router.get("", response={200: AnnotationList, 404: ErrorAnswer, 422: ErrorAnswer})
def list_annotations(
    request: HttpRequest,
    result: Annotated[int | None, Field(ge=1, le=LARGEST_ID)] = None,
    kind: Kind | None = None,
    history: bool = False,
    cursor: Cursor = "",
    limit: Limit = USUAL_ROWS,
) -> Json:
    """What holds, of one result or of all; with `history`, what was ever said."""
    page = page_at(cursor, limit)
    meant = None if kind is None else AnnotationKind(KINDS.index(kind) + 1)
    found = annotation_page(visible(request), result, meant, with_history=history, page=page, size=limit)
    return {
        "items": [item(row) for row in found.rows],
        "count": found.total,
        "next": next_cursor(page, -(-found.total // limit), limit),
    }


@router.post("", response={200: BulkReviewAnswer, 202: BulkReviewAnswer, 400: ErrorAnswer, 422: ErrorAnswer})
def review(request: HttpRequest, asked: ReviewRequest) -> Status[Json]:
    """Say something of results; of very many it is a job."""
    change = ReviewChange(
        comment=clean_comment(asked.comment),
        labels=clean_words(asked.labels),
        unlabels=clean_words(asked.unlabels),
        verdict=asked.verdict,
        reason=clean_word(asked.reason),
        withdrawn=tuple(AnnotationKind(KINDS.index(word) + 1) for word in dict.fromkeys(asked.withdraws)),
    )
    if not change:
        raise ApiError(422, "invalid", "Nothing is said: give a comment, labels, a verdict or a reason.", "body")
    done = review_many(visible(request), _meant(asked), change, author_of(request, asked.author))
    if done.job_id is None:
        return Status(DONE, {"results": done.results, "job": None})
    send(done.job_id)
    return Status(ACCEPTED, {"results": done.results, "job": job_answer(done.job_id)})


@router.get("/{annotation_id}", response={200: AnnotationAnswer, 404: ErrorAnswer, 422: ErrorAnswer})
def show_annotation(request: HttpRequest, annotation_id: Id) -> Json:
    """One annotation, whether it holds or not."""
    return item(_row(request, annotation_id))


@router.patch(
    "/{annotation_id}",
    response={200: AnnotationAnswer, 400: ErrorAnswer, 404: ErrorAnswer, 409: ErrorAnswer, 422: ErrorAnswer},
)
def edit_annotation(request: HttpRequest, annotation_id: Id, patch: CommentPatch) -> Json:
    """Give a comment that holds another wording, which is an annotation of its own; the history keeps the old one."""
    row = _row(request, annotation_id)
    made = reword(annotation_id, clean_comment(patch.comment), author_of(request, patch.author))
    if made is None:
        raise ApiError(409, "not_changed", "It is no comment that holds, or it is worded so.", "path.annotation_id")
    return item(annotation_row(made) or row)


@router.delete(
    "/{annotation_id}", response={200: AnnotationAnswer, 404: ErrorAnswer, 409: ErrorAnswer, 422: ErrorAnswer}
)
def remove_annotation(request: HttpRequest, annotation_id: Id, author: Author = "") -> Json:
    """Let an annotation no longer hold; the history keeps it."""
    _row(request, annotation_id)
    if not remove(annotation_id, author_of(request, author)):
        raise ApiError(409, "ended", "It does not hold any more.", "path.annotation_id")
    return item(_row(request, annotation_id))


def item(row: AnnotationRow) -> dict[str, Json]:
    """One annotation as the API gives it."""
    return {name: getattr(row, name) for name in AnnotationAnswer.model_fields}


def _meant(asked: ReviewRequest) -> ResultFilter:
    """The results that a request is about.

    Raises:
        ApiError: 422 where it names none, or the filter cannot be read.
    """
    if bool(asked.results) == (asked.filter is not None):
        raise ApiError(422, "invalid", "Name the results by their ids, or by a filter.", "body.results")
    if asked.filter is None:
        return ResultFilter(result=Choice(tuple(str(pk) for pk in dict.fromkeys(asked.results))))
    found = ResultFilter.parse(QueryDict(asked.filter.removeprefix("?")))
    if found.problems:
        raise ApiError(422, "invalid_filter", found.problems[0], "body.filter")
    return found


def _row(request: HttpRequest, annotation_id: int) -> AnnotationRow:
    row = annotation_row(annotation_id)
    if row is None or row.result_id // RESULTS_PER_EVALUATION not in visible(request).evaluation_ids:
        raise not_found("annotation", annotation_id)
    return row
