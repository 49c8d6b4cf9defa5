"""Providers with their runs, and the tools that models call."""

from django.http import HttpRequest
from ninja import Query, Router, Schema

from frontend.api.answers import ErrorAnswer
from frontend.api.asking import Exact, FilterQuery, Json, asked_filter, visible
from results.queries.provider_ids import provider_ids
from results.queries.run_list import run_list
from results.queries.tool_calls import STATUSES, Calls
from results.queries.tool_use import ToolLine, tool_use

router = Router(tags=["runs and tools"])
tool_router = Router(tags=["runs and tools"])


class RunAnswer(Schema):
    """One run; the model is that of its latest evaluation, null = not recorded."""

    id: int
    name: str
    model: str | None


class ProviderAnswer(Schema):
    """One provider with its runs."""

    id: int
    name: str
    runs: list[RunAnswer]


class ProviderList(Schema):
    """The providers by name."""

    items: list[ProviderAnswer]


class TimesAnswer(Schema):
    """A time over calls, in nanoseconds; null where no call says it."""

    sum: int | None
    median: Exact | None
    p95: Exact | None
    known: int
    unknown: int


class ToolAnswer(Schema):
    """One tool; `statuses` counts its recorded calls, `other` those with a status that is not known."""

    id: int
    name: str
    calls: int
    statuses: dict[str, int]
    other: int
    timed_out: int
    success_rate: float | None
    wall_time_ns: TimesAnswer | None
    own_time_ns: TimesAnswer | None


class ToolList(Schema):
    """The tools, most calls first."""

    items: list[ToolAnswer]


@router.get("", response={200: ProviderList, 422: ErrorAnswer})
def list_providers(request: HttpRequest, filters: Query[FilterQuery]) -> Json:  # type: ignore[valid-type]  # noqa: ARG001
    """The providers and runs that the filter's results are of."""
    lines = run_list(visible(request), asked_filter(request)).runs
    ids, found = provider_ids(line.provider for line in lines), dict[str, dict[str, Json]]()
    for line in lines:
        provider = found.setdefault(line.provider, {"id": ids[line.provider], "name": line.provider, "runs": []})
        provider["runs"].append({"id": line.id, "name": line.run, "model": line.model})
    return {"items": list(found.values())}


@tool_router.get("", response={200: ToolList, 422: ErrorAnswer})
def list_tools(request: HttpRequest, filters: Query[FilterQuery]) -> Json:  # type: ignore[valid-type]  # noqa: ARG001
    """The tools that models called in the filter's results; never what judges did."""
    return {"items": [_tool(line) for line in tool_use(visible(request), asked_filter(request)).tools]}


def _tool(line: ToolLine) -> dict[str, Json]:
    figures = line.figures
    counts = (0,) * len(STATUSES) if figures is None else figures.statuses
    return {
        "id": line.id,
        "name": line.tool,
        "calls": 0 if figures is None else figures.calls,
        "statuses": {str(status.label): count for status, count in zip(STATUSES, counts, strict=True)},
        "other": 0 if figures is None else figures.other,
        "timed_out": 0 if figures is None else figures.timed_out,
        "success_rate": None if figures is None else figures.success.value,
        "wall_time_ns": None if figures is None else _times(figures.wall),
        "own_time_ns": None if figures is None else _times(figures.own),
    }


def _times(calls: Calls) -> dict[str, Json]:
    return {
        "sum": calls.total,
        "median": calls.median,
        "p95": calls.p95,
        "known": calls.known,
        "unknown": calls.unknown,
    }
