"""One run: its trend, its categories against the other runs, its model and parameters and when they changed."""

from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.asked import OrderLink, order_links, with_or_without_text
from frontend.contexts.chart import Chart
from frontend.contexts.corrections import CorrectionsPanel
from frontend.contexts.explorer_links import ExplorerLinks, counted_once, narrowed
from frontend.contexts.history_filters import HistoryFilters
from frontend.contexts.outcome_links import OutcomeLinks
from frontend.contexts.run_points import PointRow, point_rows, trend_chart
from frontend.contexts.shell import Shell
from frontend.contexts.unknown_values import asked_with
from results.filters import Choice, ResultFilter
from results.paired import holm
from results.queries.run_configs import RunConfigs, run_configs
from results.queries.run_history import HEAT_GROUPS, HeatRow, RunHistory, run_history
from results.queries.visibility import VisibleSet
from results.statistics import OutcomeCounts, fisher_p_value

MOST_ROWS = 100  # of the heat map
CERTAIN = 0.05  # p-value below which a difference is called more than chance
GROUP_LABELS = {"category": "Category", "suite": "Suite", "difficulty": "Difficulty"}


@dataclass(frozen=True)
class HeatCell:
    """One run's results in one category; None = it has none."""

    outcomes: OutcomeCounts | None
    href: str


@dataclass(frozen=True)
class HeatLine:
    """One category.

    Attributes:
        name: None = unspecified.
        change: this run's rate less that of the rest; None when one of them has none.
        p_value: Fisher's exact test of the two, corrected by Holm over the lines; None where there is no test.
        is_certain: the difference is more than chance.
    """

    name: str | None
    own: HeatCell
    rest: HeatCell
    change: float | None
    p_value: str
    is_certain: bool
    others: tuple[HeatCell, ...]


@dataclass(frozen=True)
class RunPage:
    """What `run_show.html` reads.

    Attributes:
        chart: of the trend; None with fewer than two rates.
        points: the latest evaluation first.
        groups: what the heat map goes by, as links; `group` is the one in force.
        hidden_lines: lines of the heat map that are left out.
        links: to the run's results.
        projects: that its results are of, each as a link to this page with it alone; empty where there is one.
        corrections: by evaluation; None where nobody corrected a verdict.
    """

    shell: Shell
    filters: HistoryFilters
    history: RunHistory
    configs: RunConfigs
    chart: Chart | None
    points: tuple[PointRow, ...]
    groups: tuple[OrderLink, ...]
    group: str
    heat: tuple[HeatLine, ...]
    hidden_lines: int
    links: OutcomeLinks
    projects: tuple[OrderLink, ...]
    corrections: CorrectionsPanel | None

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, run_id: int, params: QueryDict) -> "RunPage | None":
        """The page of a run; None when it does not exist or nothing of it may be seen."""
        asked = asked_with(params, {"by": HEAT_GROUPS}).without("run").without("provider")
        return with_or_without_text(asked, lambda chosen: cls._of(shell, visible, run_id, chosen, params))

    @classmethod
    def _of(
        cls, shell: Shell, visible: VisibleSet, run_id: int, asked: ResultFilter, params: QueryDict
    ) -> "RunPage | None":
        group = params.get("by", "") if params.get("by", "") in HEAT_GROUPS else "category"
        history = run_history(visible, run_id, asked, group)
        if history is None:
            return None
        own = narrowed(asked, provider=history.provider, run=history.run)
        counted = counted_once(own, history.copies)
        points = point_rows(history.points, counted)
        return cls(
            shell=shell,
            filters=HistoryFilters.build(
                reverse("run-show", args=(run_id,)), visible, asked, params, ("project", "suite"), own
            ),
            history=history,
            configs=run_configs(visible, run_id),
            chart=trend_chart(history, points, counted),
            points=tuple(reversed(points)),
            groups=order_links(params, "by", GROUP_LABELS, group),
            group=group,
            heat=_heat(history, counted_once(asked, history.all_copies), group),
            hidden_lines=max(0, len(history.heat) - MOST_ROWS),
            links=OutcomeLinks.of(counted),
            projects=_projects(history, params),
            corrections=CorrectionsPanel.of_evaluations(visible, counted),
        )


def _projects(history: RunHistory, params: QueryDict) -> tuple[OrderLink, ...]:
    slugs = sorted({point.evaluation.project for point in history.points})
    return order_links(params, "project", {slug: slug for slug in slugs}, "") if len(slugs) > 1 else ()


@dataclass(frozen=True)
class _CellLinks:
    """The explorer with the results of one cell of the heat map; `rest` is of all other runs, None = not askable."""

    links: ExplorerLinks
    group: str
    rest: ExplorerLinks | None

    def href(self, name: str | None, provider: str, run: str) -> str:
        """The results of a run in the category, suite or difficulty of that name."""
        return self.links.href(**{self.group: name, "provider": provider, "run": run})

    def rest_href(self, name: str | None) -> str:
        """The results of all other runs there."""
        return "" if self.rest is None else self.rest.href(**{self.group: name})


def _heat(history: RunHistory, asked: ResultFilter, group: str) -> tuple[HeatLine, ...]:
    compared = asked.with_choice("evaluation", Choice(tuple(str(point.evaluation.id) for point in history.points)))
    if not compared.outcome:
        compared = compared.with_choice("outcome", Choice(excluded=("skipped",)))
    is_askable = history.other_total == len(history.others) and all(one.run != history.run for one in history.others)
    others = compared.with_choice("run", Choice(excluded=(history.run,)))
    links = _CellLinks(
        ExplorerLinks(compared, (group, "provider", "run")),
        group,
        ExplorerLinks(others, (group,)) if is_askable else None,
    )
    p_values = holm([_p_value(row.own, row.rest) for row in history.heat])
    return tuple(
        _heat_line(row, p_value, history, links)
        for row, p_value in zip(history.heat[:MOST_ROWS], p_values, strict=False)
    )


def _p_value(own: OutcomeCounts, rest: OutcomeCounts) -> float | None:
    return fisher_p_value(((own.passed, own.counted - own.passed), (rest.passed, rest.counted - rest.passed)))


def _heat_line(row: HeatRow, p_value: float | None, history: RunHistory, links: _CellLinks) -> HeatLine:
    own, rest = row.own.pass_rate.value, row.rest.pass_rate.value
    return HeatLine(
        name=row.name,
        own=HeatCell(row.own, links.href(row.name, history.provider, history.run)),
        rest=HeatCell(row.rest, links.rest_href(row.name)),
        change=own - rest if own is not None and rest is not None else None,
        p_value="" if p_value is None else f"{p_value:.4f}",
        is_certain=p_value is not None and p_value < CERTAIN,
        others=tuple(
            HeatCell(outcomes, "" if outcomes is None else links.href(row.name, other.provider, other.run))
            for outcomes, other in zip(row.others, history.others, strict=True)
        ),
    )
