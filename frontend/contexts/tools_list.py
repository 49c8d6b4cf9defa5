"""The page of all tools, and that of one: how they were used, and what became of the results that used them."""

from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.asked import with_or_without_text
from frontend.contexts.chart import Chart
from frontend.contexts.columns import Column, Header, headers, order_of
from frontend.contexts.explorer_links import counted_once, explorer_href, narrowed
from frontend.contexts.history_filters import HistoryFilters
from frontend.contexts.shell import Shell
from frontend.contexts.tool_lines import Line, failures_chart, line_of, outcomes_chart, times_chart
from frontend.contexts.tool_links import USED, ToolLinks, run_filter
from frontend.contexts.unknown_values import asked_with
from results.filters import ResultFilter
from results.models.results import CALL_STATUSES
from results.queries.tool_calls import SlowCall, ToolFigures
from results.queries.tool_use import ToolLine, ToolUse, tool_name, tool_use
from results.queries.visibility import VisibleSet
from results.statistics import Rate

MENUS = ("project", "provider", "run", "suite", "evaluation")
SHOWN = 200  # tools or runs in a table
FIGURES = (
    Column("calls", "Calls", is_number=True, starts_descending=True),
    Column("success", "Success rate", is_number=True, hint="successful calls of those whose status is known"),
    Column("nonzero_exit", "Non-zero exit", is_number=True, starts_descending=True),
    Column("empty_output", "Empty output", is_number=True, starts_descending=True),
    Column("timeout", "Timeout", is_number=True, starts_descending=True),
    Column("invalid_arguments", "Invalid arguments", is_number=True, starts_descending=True),
    Column("infrastructure_error", "Infrastructure", is_number=True, starts_descending=True),
    Column("own", "Own, median", is_number=True, starts_descending=True, hint="time of the tool's own process"),
    Column("own_p95", "Own, p95", is_number=True, starts_descending=True),
    Column("wall", "Wall, median", is_number=True, starts_descending=True, hint="includes set-up and waiting"),
    Column("wall_p95", "Wall, p95", is_number=True, starts_descending=True),
    Column("wall_sum", "Wall, sum", is_number=True, starts_descending=True),
)
TURNS = Column(
    "turns", "Turns, median", is_number=True, starts_descending=True, hint="last turn with a call, of a result"
)
TOOL, RUN = Column("name", "Tool"), Column("name", "Run")
DEFAULT = "-calls"
STATUSES = (*CALL_STATUSES,)
TIMEOUT = STATUSES.index("timeout")


@dataclass(frozen=True)
class SlowLine:
    """One of the slowest calls: `href` is its result, `tool_href` and `run_href` the pages of tool and run."""

    call: SlowCall
    href: str
    tool_href: str
    run_href: str


@dataclass(frozen=True)
class ToolNumbers:
    """What the two pages have in common.

    Attributes:
        use: the numbers.
        timeouts: share of the calls with the status timeout; `timeouts_href` leads to the results with one.
        headers: of the main table: tools, or runs of one tool.
        lines: its rows, at most 200. all_lines: how many there are.
        charts: drawn when there are recorded calls.
        slowest: calls by wall time.
        links: where the numbers of everything lead to.
        using_href, all_href: the explorer with the results that used the tool or any, and with all of the filter.
        is_empty: nothing is stored at all.
    """

    use: ToolUse
    timeouts: Rate
    timeouts_href: str
    headers: tuple[Header, ...]
    lines: tuple[Line, ...]
    all_lines: int
    charts: tuple[Chart, ...]
    slowest: tuple[SlowLine, ...]
    links: ToolLinks
    using_href: str
    all_href: str
    is_empty: bool


@dataclass(frozen=True)
class ToolsPage:
    """What `tools_list.html` reads.

    Attributes:
        runs: the lines of its second table, whatever the tool, at most 200.
        copies: results that an older evaluation holds too; they are left out.
    """

    shell: Shell
    filters: HistoryFilters
    numbers: ToolNumbers
    runs: tuple[Line, ...]
    copies: int

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "ToolsPage":
        """The page for a query with filters and `sort`."""
        asked, use = _used(visible, asked_with(params, {}, {"sort": (TOOL, *FIGURES)}), None)
        meant = counted_once(asked, use.copies)
        lines = tuple(_tool(line, meant, params) for line in use.tools)
        return cls(
            shell=shell,
            filters=HistoryFilters.build(reverse("tools-list"), visible, asked, params, MENUS),
            numbers=_numbers(_Lines("Tool", (TOOL, *FIGURES), lines), use, meant, params),
            runs=tuple(_run(line, meant) for line in use.runs)[:SHOWN],
            copies=use.copies,
        )


@dataclass(frozen=True)
class ToolPage:
    """What `tool_show.html` reads; `name` is the tool's, `copies` as in `ToolsPage`."""

    shell: Shell
    filters: HistoryFilters
    name: str
    numbers: ToolNumbers
    copies: int

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, tool_id: int, params: QueryDict) -> "ToolPage | None":
        """The page for a query with filters and `sort`; None for a tool that no visible evaluation knows."""
        name = tool_name(visible, tool_id)
        if name is None:
            return None
        asked, use = _used(visible, asked_with(params, {}, {"sort": (RUN, *FIGURES, TURNS)}), tool_id)
        meant = narrowed(counted_once(asked, use.copies), tool=name)
        lines = tuple(_run(line, meant) for line in use.runs)
        return cls(
            shell=shell,
            filters=HistoryFilters.build(reverse("tool-show", args=[tool_id]), visible, asked, params, MENUS, meant),
            name=name,
            numbers=_numbers(_Lines("Run", (RUN, *FIGURES, TURNS), lines), use, meant, params),
            copies=use.copies,
        )


@dataclass(frozen=True)
class _Lines:
    """The main table: of what, its columns and rows."""

    heading: str
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]


def _used(visible: VisibleSet, asked: ResultFilter, tool_id: int | None) -> tuple[ResultFilter, ToolUse]:
    """The filter, without a search that would read too much, and what it finds."""
    return with_or_without_text(asked, lambda chosen: (chosen, tool_use(visible, chosen, tool_id)))


def _numbers(table: _Lines, use: ToolUse, meant: ResultFilter, params: QueryDict) -> ToolNumbers:
    sort = order_of(table.columns, params, DEFAULT)
    total, links = use.total, ToolLinks.of(meant, use.without_calls, use.without_usage)
    return ToolNumbers(
        use=use,
        timeouts=Rate(0, 0) if total is None else Rate(total.statuses[TIMEOUT], total.success.n),
        timeouts_href=links.statuses[TIMEOUT],
        headers=headers(table.columns, sort, params),
        lines=_sorted(table.lines, sort)[:SHOWN],
        all_lines=len(table.lines),
        charts=_charts(table.lines, table.heading, use),
        slowest=tuple(_slow(call, meant) for call in use.slowest),
        links=links,
        using_href=explorer_href(meant if meant.tool else meant.with_choice("tool", USED)),
        all_href=explorer_href(meant.without("tool")),
        is_empty=not use.results and not meant and not meant.problems,
    )


def _charts(lines: tuple[Line, ...], heading: str, use: ToolUse) -> tuple[Chart, ...]:
    if use.total is None:
        return ()
    found = (
        failures_chart(lines, heading, use.total),
        outcomes_chart(lines, heading, use.using),
        times_chart(lines, heading),
    )
    return tuple(chart for chart in found if chart is not None)


def _slow(call: SlowCall, meant: ResultFilter) -> SlowLine:
    return SlowLine(
        call,
        reverse("result-show", args=[call.result_id]),
        reverse("tool-show", args=[call.tool_id]),
        explorer_href(narrowed(run_filter(meant, call.provider, call.run), tool=call.tool), "-tool_calls"),
    )


def _tool(line: ToolLine, asked: ResultFilter, params: QueryDict) -> Line:
    kept = params.copy()
    kept.pop("sort", None)
    query = f"?{kept.urlencode()}" if kept else ""
    href = f"{reverse('tool-show', args=[line.id])}{query}"
    links = ToolLinks.of(narrowed(asked, tool=line.tool), line.without_calls, line.without_usage)
    return line_of(line, line.tool, href, links)


def _run(line: ToolLine, meant: ResultFilter) -> Line:
    own = run_filter(meant, line.provider, line.run)
    return line_of(line, line.run, explorer_href(own), ToolLinks.of(own, line.without_calls, line.without_usage))


def _sorted(lines: tuple[Line, ...], sort: str) -> tuple[Line, ...]:
    """Lines in order; those without a value come last both ways, and those of one value by name."""
    key, is_descending = sort.removeprefix("-"), sort.startswith("-")
    named = sorted(lines, key=lambda line: (line.name, line.provider), reverse=is_descending and key == "name")
    if key == "name":
        return tuple(named)
    valued = [(value, line) for line in named if (value := _value(line.figures, key)) is not None]
    rest = [line for line in named if _value(line.figures, key) is None]
    valued.sort(key=lambda pair: pair[0], reverse=is_descending)
    return (*(line for _, line in valued), *rest)


def _value(figures: ToolFigures | None, key: str) -> float | None:
    if figures is None:
        return None
    if key in CALL_STATUSES:
        return figures.statuses[STATUSES.index(key)]
    values = {
        "calls": figures.calls,
        "success": figures.success.value,
        "own": figures.own.median,
        "own_p95": figures.own.p95,
        "wall": figures.wall.median,
        "wall_p95": figures.wall.p95,
        "wall_sum": figures.wall.total,
        "turns": None if figures.turns is None else figures.turns.median,
    }
    value = values[key]
    return None if value is None else float(value)
