"""How tools were used: calls, times and failures, by tool or by run, and whether failing calls go with failed tasks."""

from dataclasses import dataclass, replace

from results.facts.engine import answer
from results.facts.links import Numbers
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.models.dimensions import Term
from results.queries.conditions import filtered, question
from results.queries.copies import copied_ids, counted_once
from results.queries.task_projects import task_projects
from results.queries.tool_call_source import CallSource, calls_of
from results.queries.tool_calls import SlowCall, ToolFigures, figures_by, slowest_calls
from results.queries.tool_outcomes import Gap, Joined, calls_without_usage, joined_by, usage_without_calls
from results.queries.visibility import VisibleSet
from results.statistics import OutcomeCounts

_NOTHING = Joined(OutcomeCounts(), OutcomeCounts(), 0, 0)


@dataclass(frozen=True)
class ToolLine:
    """One tool, one run, or one run of one tool.

    Attributes:
        id: of the tool; None in a line that is about every tool.
        tool, provider, run: names; empty where the line is not about one.
        figures: of the calls that were recorded one by one; None = there are none, only totals.
        joined: outcomes of the results, by whether one of these calls failed.
        without_calls: results with a total of the tool that is not 0, but without its calls; of a line about a tool.
        without_usage: results with calls of the tool, but without its total; of a line about a tool.
    """

    id: int | None
    tool: str
    provider: str
    run: str
    figures: ToolFigures | None
    joined: Joined
    without_calls: Gap
    without_usage: Gap


@dataclass(frozen=True)
class ToolUse:
    """The answer; only what models called, never what judges did.

    Attributes:
        results: that the filter lets through. using: those of them with a call or a recorded total of a tool.
        with_calls: those with a recorded call.
        total: of all calls; None when there are none.
        tools: by number of calls, most first.
        runs: by provider and name.
        slowest: by wall time.
        without_calls: results with a total of a tool, other than 0, whose calls are not recorded.
        without_usage: results with calls of a tool whose total is not recorded.
        judge_calls: recorded calls of judges, which are in no other number.
        copies: results left out, because an older evaluation holds them too.
    """

    results: int
    using: int
    with_calls: int
    total: ToolFigures | None
    tools: tuple[ToolLine, ...]
    runs: tuple[ToolLine, ...]
    slowest: tuple[SlowCall, ...]
    without_calls: Gap
    without_usage: Gap
    judge_calls: int
    copies: int


def tool_use(visible: VisibleSet, chosen: ResultFilter, tool_id: int | None = None) -> ToolUse:
    """How tools were used in a filter's results.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter, which chooses results; of these, every call counts.
        tool_id: only calls of one tool.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    is_one = len(chosen.evaluation.included) == 1  # an evaluation's own numbers are those of its document
    copied = copied_ids(visible)[:0] if is_one else copied_ids(visible)
    found = answer(
        visible.evaluation_ids,
        visible.key,
        question("tools", chosen, tool_id, is_one),
        lambda reading: _read(reading, chosen, visible, copied, tool_id),
    )
    return replace(found, slowest=_with_projects(found.slowest))


def _with_projects(calls: tuple[SlowCall, ...]) -> tuple[SlowCall, ...]:
    """The calls with the projects of their tasks, where they are of several."""
    projects = task_projects(call.task_id for call in calls)
    if len({*projects.values()}) < 2:  # noqa: PLR2004  (one alone need not be named)
        return calls
    return tuple(replace(call, project=projects.get(call.task_id, "")) for call in calls)


def tool_name(visible: VisibleSet, tool_id: int) -> str | None:
    """What a tool is called; None when no visible evaluation knows it."""
    found = Term.objects.filter(pk=tool_id).values_list("text", flat=True).first()
    if found is None:
        return None

    def is_used(reading: Reading) -> bool:
        source = reading.table("tools", "tool_id evaluation_id")
        return bool(reading.rows(f"SELECT 1 FROM {source} WHERE tool_id = {int(tool_id)} LIMIT 1"))

    return found if answer(visible.evaluation_ids, visible.key, ("is tool", tool_id), is_used) else None


def _read(reading: Reading, chosen: ResultFilter, visible: VisibleSet, copied: Numbers, tool_id: int | None) -> ToolUse:
    with counted_once(reading, copied) as once, filtered(reading, chosen, visible) as conditions:
        where = conditions.where(once)
        with calls_of(reading, where, tool_id) as source:
            found = _use(reading, where, source, tool_id)
    return replace(found, copies=copied.size)


def _use(reading: Reading, where: str, source: CallSource, tool_id: int | None) -> ToolUse:
    joined = joined_by(reading, where, tool_id)
    figures = figures_by(reading, source.models)
    silent, gaps = (
        usage_without_calls(reading, where, source.models, tool_id),
        calls_without_usage(reading, source.models),
    )
    return ToolUse(
        results=joined.results,
        using=joined.using,
        with_calls=sum(part.with_calls for part in joined.by_run.values()),
        total=figures.total,
        tools=() if tool_id is not None else _tools(reading, figures.by_tool, joined.by_tool, _Gaps(silent, gaps)),
        runs=_runs(reading, figures.by_run, joined.by_run),
        slowest=slowest_calls(reading, source.models),
        without_calls=silent.get(None, Gap()),
        without_usage=gaps.get(None, Gap()),
        judge_calls=source.judge_calls,
        copies=0,
    )


@dataclass(frozen=True)
class _Gaps:
    """By tool."""

    without_calls: dict[int | None, Gap]
    without_usage: dict[int | None, Gap]


def _tools(
    reading: Reading, figures: dict[int, ToolFigures], joined: dict[int, Joined], gaps: _Gaps
) -> tuple[ToolLine, ...]:
    ids = {*figures, *joined}
    names = reading.names("terms", ids)
    lines = [
        ToolLine(
            pk,
            names[pk],
            "",
            "",
            figures.get(pk),
            joined.get(pk, _NOTHING),
            gaps.without_calls.get(pk, Gap()),
            gaps.without_usage.get(pk, Gap()),
        )
        for pk in ids
    ]
    return tuple(sorted(lines, key=lambda line: (-(line.figures.calls if line.figures else 0), line.tool)))


def _runs(
    reading: Reading, figures: dict[tuple[int, int], ToolFigures], joined: dict[tuple[int, int], Joined]
) -> tuple[ToolLine, ...]:
    keys = {*figures, *joined}
    providers = reading.names("providers", {key[0] for key in keys})
    runs = reading.names("runs", {key[1] for key in keys})
    lines = [
        ToolLine(None, "", providers[key[0]], runs[key[1]], figures.get(key), joined.get(key, _NOTHING), Gap(), Gap())
        for key in keys
    ]
    return tuple(sorted(lines, key=lambda line: (line.provider, line.run)))
