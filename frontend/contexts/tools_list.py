"""The page of all tools, and that of one: how they were used, and what became of the results that used them."""

from dataclasses import dataclass, replace

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.chart import Chart
from frontend.contexts.columns import Column, Header, headers, order_of
from frontend.contexts.explorer_links import explorer_href, narrowed
from frontend.contexts.history_filters import HistoryFilters
from frontend.contexts.shell import Shell
from frontend.contexts.tasks import without_text
from frontend.contexts.tool_lines import Line, failures_chart, line_of, outcomes_chart, times_chart
from results.filters import CALL_STATUSES, Choice, ResultFilter
from results.queries.tool_calls import SlowCall, ToolFigures
from results.queries.tool_use import ToolLine, ToolUse, tool_name, tool_use
from results.queries.visibility import VisibleSet
from results.statistics import Rate
from results.text.search import TooManyToScanError

MENUS = ("project", "provider", "run", "suite", "evaluation")
SHOWN = 200  # tools or runs in a table
FAILED = tuple(status for status in CALL_STATUSES if status not in ("success", "other"))
RECORDED = Choice(excluded=(None,))  # results with a recorded call
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
TIMEOUT = CALL_STATUSES.index("timeout")


@dataclass(frozen=True)
class SlowLine:
    """One of the slowest calls; `href` is its result."""

    call: SlowCall
    href: str


@dataclass(frozen=True)
class ToolNumbers:
    """What the two pages have in common.

    Attributes:
        use: the numbers.
        timeouts: share of the calls with the status timeout.
        headers: of the main table: tools, or runs of one tool.
        lines: its rows, at most 200. all_lines: how many there are.
        charts: drawn when there are recorded calls.
        slowest: calls by wall time.
        without_calls: results with a recorded total, but no recorded call; added up over the tools.
        results_href: the explorer with what is counted.
        is_empty: nothing is stored at all.
    """

    use: ToolUse
    timeouts: Rate
    headers: tuple[Header, ...]
    lines: tuple[Line, ...]
    all_lines: int
    charts: tuple[Chart, ...]
    slowest: tuple[SlowLine, ...]
    without_calls: int
    results_href: str
    is_empty: bool


@dataclass(frozen=True)
class ToolsPage:
    """What `tools_list.html` reads; `runs` are the lines of its second table, whatever the tool, at most 200."""

    shell: Shell
    filters: HistoryFilters
    numbers: ToolNumbers
    runs: tuple[Line, ...]

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "ToolsPage":
        """The page for a query with filters and `sort`."""
        asked, use = _used(visible, ResultFilter.parse(params), None)
        lines = tuple(_tool(line, asked, params) for line in use.tools)
        without_calls = sum(line.joined.without_calls for line in use.tools)
        return cls(
            shell=shell,
            filters=HistoryFilters.build(reverse("tools-list"), visible, asked, params, MENUS),
            numbers=_numbers(_Lines("Tool", (TOOL, *FIGURES), lines, without_calls), use, asked, params),
            runs=tuple(_run(line, asked, "") for line in use.runs)[:SHOWN],
        )


@dataclass(frozen=True)
class ToolPage:
    """What `tool_show.html` reads; `name` is the tool's."""

    shell: Shell
    filters: HistoryFilters
    name: str
    numbers: ToolNumbers

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, tool_id: int, params: QueryDict) -> "ToolPage | None":
        """The page for a query with filters and `sort`; None for a tool that no visible evaluation knows."""
        name = tool_name(visible, tool_id)
        if name is None:
            return None
        asked, use = _used(visible, ResultFilter.parse(params), tool_id)
        lines = tuple(_run(line, asked, name) for line in use.runs)
        without_calls = sum(line.joined.without_calls for line in use.runs)
        meant = narrowed(asked, tool=name)
        return cls(
            shell=shell,
            filters=HistoryFilters.build(reverse("tool-show", args=[tool_id]), visible, asked, params, MENUS, meant),
            name=name,
            numbers=_numbers(_Lines("Run", (RUN, *FIGURES, TURNS), lines, without_calls), use, meant, params),
        )


@dataclass(frozen=True)
class _Lines:
    """The main table: of what, its columns and rows."""

    heading: str
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    without_calls: int


def _used(visible: VisibleSet, asked: ResultFilter, tool_id: int | None) -> tuple[ResultFilter, ToolUse]:
    """The filter, without a search that would read too much, and what it finds."""
    try:
        return asked, tool_use(visible, asked, tool_id)
    except TooManyToScanError as error:
        rest = without_text(asked, error)
        return rest, tool_use(visible, rest, tool_id)


def _numbers(table: _Lines, use: ToolUse, meant: ResultFilter, params: QueryDict) -> ToolNumbers:
    sort = order_of(table.columns, params, DEFAULT)
    total = use.total
    return ToolNumbers(
        use=use,
        timeouts=Rate(0, 0) if total is None else Rate(total.statuses[TIMEOUT], total.success.n),
        headers=headers(table.columns, sort, params),
        lines=_sorted(table.lines, sort)[:SHOWN],
        all_lines=len(table.lines),
        charts=_charts(table.lines, table.heading, use),
        slowest=tuple(SlowLine(call, reverse("result-show", args=[call.result_id])) for call in use.slowest),
        without_calls=table.without_calls,
        results_href=explorer_href(meant if meant.call_status else meant.with_choice("call_status", RECORDED)),
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


def _tool(line: ToolLine, asked: ResultFilter, params: QueryDict) -> Line:
    kept = params.copy()
    kept.pop("sort", None)
    query = f"?{kept.urlencode()}" if kept else ""
    href = f"{reverse('tool-show', args=[line.id])}{query}"
    return line_of(line, line.tool, href, explorer_href(_failed(narrowed(asked, tool=line.tool))))


def _run(line: ToolLine, asked: ResultFilter, tool: str) -> Line:
    chosen = narrowed(asked, provider=line.provider, run=line.run, **({"tool": tool} if tool else {}))
    return line_of(line, line.run, explorer_href(chosen), explorer_href(_failed(chosen)))


def _failed(chosen: ResultFilter) -> ResultFilter:
    return replace(chosen, call_status=Choice(FAILED))


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
        return figures.statuses[CALL_STATUSES.index(key)]
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
