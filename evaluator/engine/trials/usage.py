"""What a conversation used: tokens as the services told them, tools as their calls were recorded."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from pydantic_ai.usage import RequestUsage

from results.records import TokenUsage, ToolCallSummary, ToolUsage

# pydantic-ai makes all services alike: the input's count holds those of the cache, the output's those of reasoning.
INPUT_ACCOUNTING = "cache_tokens_included"
OUTPUT_ACCOUNTING = "reasoning_tokens_included"
COUNTERS = frozenset(
    {"input_tokens", "output_tokens", "cache_write_tokens", "cache_read_tokens", "output_reasoning_tokens"}
)
LARGEST_COUNT = 2**63 - 1  # as results hold it


def token_usage(usage: RequestUsage) -> TokenUsage | None:
    """The counters of one request.

    Returns:
        `None` where the service told nothing (which arrives here as zeros). A counter that it left out is `None`, a
        zero that it told is 0. A number that no count can be is `None`, too.
    """
    if usage.unmeasured_requests or not usage.has_values():
        return None
    told = {name: count for name, count in _told(usage).items() if _is_count(count)}
    return TokenUsage(
        input_tokens=told.get("input_tokens"),
        output_tokens=told.get("output_tokens"),
        input_cache_write_tokens=told.get("cache_write_tokens"),
        input_cache_read_tokens=told.get("cache_read_tokens"),
        reasoning_tokens=told.get("output_reasoning_tokens"),
        input_token_accounting=INPUT_ACCOUNTING,
        output_token_accounting=OUTPUT_ACCOUNTING,
    )


def impossible_counts(usage: RequestUsage) -> list[str]:
    """What is to be said about counts that are none: negative, or beyond 64 bits."""
    return [
        f"the service told an impossible count of {name.replace('_', ' ')} ({count:.4g}); it counts as unknown"
        for name, count in _told(usage).items()
        if isinstance(count, int | float | Decimal) and not _is_count(count)
    ]


def total_usage(turns: Sequence[TokenUsage | None]) -> TokenUsage | None:
    """The sum over the turns of a conversation.

    Returns:
        `None` if no turn told anything. A counter that one of the turns left out is `None`: its sum is not known. So is
        a sum that is too large to be kept.
    """
    if not any(turns):
        return None
    return TokenUsage(
        input_tokens=_sum(None if turn is None else turn.input_tokens for turn in turns),
        output_tokens=_sum(None if turn is None else turn.output_tokens for turn in turns),
        input_cache_write_tokens=_sum(None if turn is None else turn.input_cache_write_tokens for turn in turns),
        input_cache_read_tokens=_sum(None if turn is None else turn.input_cache_read_tokens for turn in turns),
        reasoning_tokens=_sum(None if turn is None else turn.reasoning_tokens for turn in turns),
        input_token_accounting=INPUT_ACCOUNTING,
        output_token_accounting=OUTPUT_ACCOUNTING,
    )


def tool_usage(calls: Iterable[ToolCallSummary]) -> dict[str, ToolUsage] | None:
    """Calls and time per tool, of the calls whose process ran; `None` if none did.

    The time of a tool is `None` if that of one of its calls is not known.
    """
    durations: dict[str, list[int | None]] = {}
    for call in calls:
        if call.duration_ns is not None or call.exit_code is not None or call.timed_out:
            durations.setdefault(call.tool, []).append(call.duration_ns)
    return {
        tool: ToolUsage(call_count=len(spent), total_duration_ns=_sum(spent)) for tool, spent in durations.items()
    } or None


def _told(usage: RequestUsage) -> dict[str, Any]:
    """What was told: the class answers 0 for what is missing, the object holds only what was told."""
    return {name: count for name, count in vars(usage).items() if name in COUNTERS}


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_COUNT


def _sum(values: Iterable[int | None]) -> int | None:
    total = 0
    for value in values:
        if value is None:
            return None
        total += value
    return total if total <= LARGEST_COUNT else None
