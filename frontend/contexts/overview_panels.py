"""The overview's panels: what is worst, dearest, slowest and failing; each number with its page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import urlencode

from django.urls import reverse

from frontend import formats
from frontend.contexts.explorer_links import explorer_href, narrowed, without_skipped
from frontend.contexts.tool_links import RECORDED
from results.filters import UNSPECIFIED, Choice, ResultFilter
from results.models.results import FAILED_STATUSES
from results.queries.overview import Overview
from results.queries.overview_costs import EvaluationCosts
from results.queries.overview_trend import TrendPoint
from results.statistics import Rate

WIDTH, HEIGHT = 96.0, 24.0  # of a small line


@dataclass(frozen=True)
class SmallLine:
    """A line of rates without axes, and in words; `points` is empty for fewer than two."""

    points: str
    last_x: str
    last_y: str
    label: str


@dataclass(frozen=True)
class CategoryLine:
    """One category; `counted_href` leads to the results that the rate counts."""

    name: str
    href: str
    rate: Rate
    counted_href: str
    small: SmallLine


@dataclass(frozen=True)
class RunLine:
    """One of the dearest runs; texts of money are empty where there is none, `costs_href` shows how they came about."""

    provider: str
    name: str
    href: str
    costs_href: str
    cost: str
    unpriced: int
    per_pass: str
    median: str


@dataclass(frozen=True)
class TaskLine:
    """One of the slowest tasks; `results_href` shows its results, the slowest first."""

    name: str
    href: str
    median: str
    longest: str
    results_href: str
    passed: int
    counted: int


@dataclass(frozen=True)
class ToolLine:
    """One of the tools that fail most; the links lead to the results with such calls."""

    name: str
    href: str
    calls: int
    calls_href: str
    failed: int
    rate: str
    mostly: str
    failed_href: str


def category_lines(found: Overview, meant: ResultFilter) -> tuple[CategoryLine, ...]:
    """The worst categories of the latest evaluation, which `meant` asks for."""
    if found.latest is None:
        return ()
    return tuple(
        CategoryLine(
            name=formats.named(figures.category, UNSPECIFIED),
            href=explorer_href(narrowed(meant, category=figures.category)),
            rate=figures.outcomes.pass_rate,
            counted_href=explorer_href(without_skipped(narrowed(meant, category=figures.category))),
            small=_small_line(points),
        )
        for figures, points in zip(found.latest.categories, found.category_trends, strict=True)
    )


def _small_line(points: Sequence[TrendPoint]) -> SmallLine:
    values = [point.outcomes.pass_rate.value or 0.0 for point in points]
    label = ", ".join(f"{formats.percent(value)} %" for value in values)
    if len(values) < 2:  # noqa: PLR2004  (a line has two ends)
        return SmallLine("", "", "", label)
    step = WIDTH / (len(values) - 1)
    places = [f"{place * step:.1f},{HEIGHT * (1 - value):.1f}" for place, value in enumerate(values)]
    last_x, last_y = places[-1].split(",")
    return SmallLine(" ".join(places), last_x, last_y, label)


def run_lines(costs: EvaluationCosts, found: Overview, meant: ResultFilter) -> tuple[RunLine, ...]:
    """The dearest runs of the latest evaluation, which `meant` asks for."""
    medians = {} if found.latest is None else dict(found.latest.run_medians_ns)
    return tuple(
        RunLine(
            provider=run.provider,
            name=run.run,
            href=reverse("run-show", args=[run.run_id]),
            costs_href=f"{reverse('costs')}?{narrowed(meant, provider=run.provider, run=run.run).to_query()}",
            cost=formats.money(run.sum.total, run.sum.currency),
            unpriced=run.unpriced,
            per_pass=_money(run.sum.per_pass, run.sum.currency),
            median=formats.duration(round(medians[run.run_id])) if run.run_id in medians else "",
        )
        for run in costs.runs
    )


def _money(value: Decimal | None, currency: str | None) -> str:
    return "" if value is None else formats.money(value, currency)


def task_lines(found: Overview, meant: ResultFilter) -> tuple[TaskLine, ...]:
    """The slowest tasks of the latest evaluation."""
    if found.latest is None:
        return ()
    return tuple(
        TaskLine(
            name=task.task,
            href=reverse("task-show", args=[task.task_id]),
            median=formats.duration(round(task.median_ns)),
            longest=formats.duration(task.longest_ns),
            results_href=explorer_href(without_skipped(narrowed(meant, task=task.task)), "-duration"),
            passed=task.passed,
            counted=task.counted,
        )
        for task in found.latest.tasks
    )


def tool_lines(found: Overview, meant: ResultFilter) -> tuple[ToolLine, ...]:
    """The tools with the most failed calls in the latest evaluation."""
    if found.latest is None:
        return ()
    failures = Choice(FAILED_STATUSES)
    return tuple(
        ToolLine(
            name=tool.tool,
            href=reverse("tool-show", args=[tool.tool_id]),
            calls=tool.calls,
            calls_href=explorer_href(narrowed(meant, tool=tool.tool).with_choice("call_status", RECORDED)),
            failed=tool.failed,
            rate=formats.rate(tool.failed / tool.calls),
            mostly=formats.call_status(tool.mostly).lower() if tool.mostly else "",
            failed_href=explorer_href(narrowed(meant, tool=tool.tool).with_choice("call_status", failures)),
        )
        for tool in found.latest.tools
    )


def all_links(meant: ResultFilter, latest_id: int | None) -> Mapping[str, str]:
    """Where each panel's whole list is, for the latest evaluation."""
    query = meant.to_query()
    asked = f"?{query}" if query else ""
    show = "" if latest_id is None else reverse("evaluation-show", args=[latest_id])
    return {
        "categories": f"{show}?by=category#leaderboard" if show else "",
        "runs": f"{reverse('costs')}{asked}",
        "tasks": f"{reverse('tasks-list')}?{urlencode([*meant.pairs(), ('sort', '-duration')])}",
        "tools": f"{reverse('tools-list')}{asked}",
    }
