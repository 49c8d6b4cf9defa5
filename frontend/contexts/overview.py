"""The overview: what is new, how pass rates went, what changed against the baseline, and what needs a look."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.asked import with_or_without_text
from frontend.contexts.chart import Chart
from frontend.contexts.columns import replaced
from frontend.contexts.evaluation_filter import DayLink, FilterMenu, MenuOption
from frontend.contexts.explorer_links import narrowed
from frontend.contexts.history_filters import HistoryFilters
from frontend.contexts.overview_changes import ChangePanel, RunChangeLine, change_panels, run_change_lines
from frontend.contexts.overview_chart import trend_chart
from frontend.contexts.overview_jobs import RunningJob, running_jobs
from frontend.contexts.overview_news import NewsPanel
from frontend.contexts.overview_panels import (
    CategoryLine,
    RunLine,
    TaskLine,
    ToolLine,
    all_links,
    category_lines,
    run_lines,
    task_lines,
    tool_lines,
)
from frontend.contexts.overview_sprints import SprintsPanel
from frontend.contexts.overview_tiles import Tiles
from frontend.contexts.saved_views import ViewLine, pinned_lines
from frontend.contexts.shell import Shell
from results.filters import ResultFilter
from results.queries.overview import Overview, overview
from results.queries.overview_costs import latest_costs
from results.queries.overview_errors import ErrorKinds, error_kinds
from results.queries.overview_evaluations import EvaluationBrief, evaluation_briefs, news_since
from results.queries.visibility import VisibleSet

RANGES = ((28, "4 weeks"), (70, "10 weeks"))  # days up to the latest start
STARTED = "started"


@dataclass(frozen=True)
class LatestPart:
    """What the overview says about the latest evaluation.

    Attributes:
        reference: what it is compared with; None when nothing before it has a run in common.
        is_baseline: the reference is the project's baseline.
        changes: regressed, then improved; none without a reference.
        hrefs: where each panel's whole list is, by its name.
    """

    evaluation: EvaluationBrief
    reference: EvaluationBrief | None
    is_baseline: bool
    tiles: Tiles
    categories: tuple[CategoryLine, ...]
    runs: tuple[RunLine, ...]
    tasks: tuple[TaskLine, ...]
    tools: tuple[ToolLine, ...]
    changes: tuple[ChangePanel, ...]
    run_changes: tuple[RunChangeLine, ...]
    hrefs: Mapping[str, str]


@dataclass(frozen=True)
class OverviewPage:
    """What `overview.html` reads.

    Attributes:
        is_empty: nothing was ever imported.
        evaluations: visible ones.
        sprints: of the projects that are looked at.
        ranges: stretches of time up to the latest start.
        news: None on the first visit.
        latest: None when no result matches.
        pinned: saved views.
    """

    shell: Shell
    is_empty: bool
    evaluations: int
    sprints: SprintsPanel
    ranges: tuple[DayLink, ...]
    filters: HistoryFilters
    news: NewsPanel | None
    trend: Chart | None
    latest: LatestPart | None
    jobs: tuple[RunningJob, ...]
    pinned: tuple[ViewLine, ...]

    @classmethod
    def build(
        cls, shell: Shell, visible: VisibleSet, params: QueryDict, since: datetime | None = None
    ) -> "OverviewPage":
        """The page for a query with filters.

        Args:
            shell: of the page.
            visible: evaluations that may be seen.
            params: the page's query.
            since: the end of the last visit; None = this is the first one.
        """
        asked = ResultFilter.parse(params)
        return with_or_without_text(asked, lambda chosen: cls._of(shell, visible, params, chosen, since))

    @classmethod
    def _of(
        cls, shell: Shell, visible: VisibleSet, params: QueryDict, asked: ResultFilter, since: datetime | None
    ) -> "OverviewPage":
        briefs = evaluation_briefs(visible)
        by_id = {row.id: row for row in briefs}
        found = overview(visible, asked, briefs)
        projects = [slug for slug in asked.project.included if slug is not None]
        sprints = SprintsPanel.of(projects)
        news = None if since is None else NewsPanel.of(news_since(since, briefs, projects), found.latest_id)
        return cls(
            shell=shell,
            is_empty=not briefs and not sprints.total and not asked,
            evaluations=len(briefs),
            sprints=sprints,
            ranges=_ranges(briefs, params),
            filters=_filters(visible, briefs, asked, params),
            news=news,
            trend=trend_chart(found.trend, by_id, asked),
            latest=_latest(visible, found, by_id, asked),
            jobs=running_jobs(visible, shell.jobs),
            pinned=pinned_lines(visible, shell.account or None),
        )


def _latest(
    visible: VisibleSet, found: Overview, briefs: Mapping[int, EvaluationBrief], asked: ResultFilter
) -> LatestPart | None:
    if found.latest_id is None or found.latest is None:
        return None
    latest_id, reference_id = found.latest_id, found.reference_id
    meant = narrowed(asked, evaluation=str(latest_id))
    costs = latest_costs(visible, asked, latest_id)
    errors = error_kinds(visible, asked, latest_id) if found.latest.outcomes.errors else ErrorKinds()
    changes: tuple[ChangePanel, ...] = ()
    run_changes: tuple[RunChangeLine, ...] = ()
    if found.changes is not None and reference_id is not None:
        changes = change_panels(found.changes, reference_id, latest_id)
        run_changes = run_change_lines(found.changes, reference_id, latest_id)
    return LatestPart(
        evaluation=briefs[latest_id],
        reference=None if reference_id is None else briefs[reference_id],
        is_baseline=found.is_baseline,
        tiles=Tiles.of(found, found.latest, costs, errors, meant),
        categories=category_lines(found, meant),
        runs=run_lines(costs, found, meant),
        tasks=task_lines(found, meant),
        tools=tool_lines(found, meant),
        changes=changes,
        run_changes=run_changes,
        hrefs=all_links(meant, latest_id),
    )


def _ranges(briefs: Sequence[EvaluationBrief], params: QueryDict) -> tuple[DayLink, ...]:
    """Days back from the latest start, so that old results are found too."""
    if not briefs:
        return ()
    asked = params.get(STARTED, "")
    stretches = [(f"{briefs[-1].began_at - timedelta(days=days):%Y-%m-%d}..", label) for days, label in RANGES]
    return tuple(
        DayLink(label, replaced(params, STARTED, [text] if text else ()), text == asked)
        for text, label in [*stretches, ("", "All")]
    )


def _filters(
    visible: VisibleSet, briefs: Sequence[EvaluationBrief], asked: ResultFilter, params: QueryDict
) -> HistoryFilters:
    """The usual filters with a menu of projects, which the evaluations themselves tell."""
    found = HistoryFilters.build(reverse("home"), visible, asked, params, names=())
    counts = Counter(row.project for row in briefs)
    chosen = asked.project.included
    if len(counts) < 2 and not chosen:  # noqa: PLR2004  (one alone is no choice)
        return found
    options = tuple(MenuOption(slug, slug, number, slug in chosen) for slug, number in sorted(counts.items()))
    menu = FilterMenu("project", "Project", options, len(chosen))
    kept = tuple(entry for entry in found.kept if entry.name != "project")
    return replace(found, menus=(menu,), kept=kept)
