"""What came since the last visit, with links to it."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from frontend.contexts.explorer_links import explorer_href
from results.filters import Choice, ResultFilter
from results.queries.overview_evaluations import EvaluationBrief, News

SHOWN = 5  # evaluations that are listed
MOST_ADDRESSED = 50  # evaluations that an address names one by one


@dataclass(frozen=True)
class NewsPanel:
    """What the overview says about the time since the last visit.

    Attributes:
        evaluations: how many came; `lines` are the first of them.
        results_href: the results of all of them; empty when they are too many to be named in an address.
        has_latest: the evaluation that the page is about is among them.
    """

    since: datetime
    evaluations: int
    evaluations_href: str
    results: int
    results_href: str
    has_latest: bool
    lines: tuple[EvaluationBrief, ...]
    iterations: int
    failed_iterations: int
    failed_jobs: int
    is_empty: bool

    @classmethod
    def of(cls, news: News, latest_id: int | None) -> "NewsPanel":
        """The panel of some news, on a page about one evaluation."""
        ids = [row.id for row in news.evaluations]
        few = 0 < len(ids) <= MOST_ADDRESSED
        chosen = ResultFilter().with_choice("evaluation", Choice(tuple(map(str, ids))))
        only = reverse("evaluation-show", args=ids) if len(ids) == 1 else ""
        return cls(
            since=news.since,
            evaluations=len(ids),
            evaluations_href=only or "#news",
            results=news.results,
            results_href=explorer_href(chosen) if few else "",
            has_latest=latest_id in ids,
            lines=news.evaluations[:SHOWN],
            iterations=news.iterations,
            failed_iterations=news.failed_iterations,
            failed_jobs=news.failed_jobs,
            is_empty=news.is_empty,
        )
