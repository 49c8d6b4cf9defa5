"""Saying something of all results of a filter: how many they are, and what is said."""

from dataclasses import dataclass

from django.http import HttpRequest, QueryDict
from django.urls import reverse

from frontend.contexts.chips import Chip, chips_of
from frontend.contexts.filters import Kept, kept
from frontend.contexts.review import ReviewForm
from frontend.contexts.shell import Shell
from results.bulk_review import queue_review
from results.filters import KEYS, SPANS, Choice, ResultFilter
from results.models.evaluations import Evaluation
from results.queries.ids import result_ids
from results.queries.summary import summary
from results.queries.visibility import VisibleSet
from results.store.reviewing import ReviewChange, annotate
from results.text.search import TooManyToScanError

AT_ONCE = 5_000  # results that are annotated while the page waits, well under a second; more become a job
OF_A_FILTER = {*KEYS, *SPANS, "tags", "q"}


@dataclass(frozen=True)
class Reviewed:
    """How many results a change is about, and the job that does it; None = it is done."""

    results: int
    job_id: int | None


@dataclass(frozen=True)
class BulkReviewPage:
    """What `results_review.html` reads.

    Attributes:
        chips: of the filter; none = every result.
        total: results that are meant.
        kept: the filter, as the form carries it along.
        back: the list.
        is_refused: nothing was said.
    """

    shell: Shell
    chips: tuple[Chip, ...]
    problems: tuple[str, ...]
    total: int
    form: ReviewForm
    kept: tuple[Kept, ...]
    back: str
    is_refused: bool

    @classmethod
    def build(
        cls, shell: Shell, visible: VisibleSet, asked: ResultFilter, request: HttpRequest, *, is_refused: bool = False
    ) -> "BulkReviewPage":
        """The page of a filter."""
        query, problems = QueryDict(asked.to_query()), asked.problems
        total = 0
        try:
            total = sum(group.outcomes.total for group in summary(visible, asked, (), ()))
        except TooManyToScanError as error:
            problems = (*problems, str(error))
        slugs = Evaluation.objects.filter(pk__in=visible.evaluation_ids).values_list("project__slug", flat=True)
        return cls(
            shell=shell,
            chips=chips_of(asked, {}, query),
            problems=problems,
            total=total,
            form=ReviewForm.build(request, tuple(slugs.distinct()), has_many=True),
            kept=kept(query, ()),
            back=f"{reverse('results-list')}?{asked.to_query()}",
            is_refused=is_refused,
        )


def review_filter(request: HttpRequest) -> ResultFilter:
    """The filter of the address or the form; `pick` names single results, unless `all` means every one that matches."""
    given = request.POST if request.method == "POST" else request.GET
    query = QueryDict(mutable=True)
    for name in OF_A_FILTER & set(given):
        query.setlist(name, given.getlist(name))
    asked = ResultFilter.parse(query)
    picked = () if "all" in given else tuple(given.getlist("pick"))
    return (
        asked.with_choice("result", Choice(tuple(pk for pk in picked if pk.isascii() and pk.isdigit())))
        if picked
        else asked
    )


def review_many(visible: VisibleSet, asked: ResultFilter, change: ReviewChange, author: str) -> Reviewed:
    """Say something of every result of a filter: now where they are few, else by a job that has to be sent."""
    ids = result_ids(visible, asked)
    if len(ids) <= AT_ONCE:
        return Reviewed(annotate(ids, change, author), None)
    return Reviewed(len(ids), queue_review(visible, asked, change, author, len(ids)).pk)
