"""The checks of an iteration, with what only our own runs record beside the documented keys."""

from dataclasses import dataclass

import msgspec

from evaluator.engine.strategies.reporting.extras import Ours
from results.iteration_records import OUR_KEY, StrategyResult

NS_PER_MS = 1_000_000


@dataclass(frozen=True)
class StrategyLine:
    """One check.

    Attributes:
        is_error: it could not be judged, for which the document has no word but fail.
        reason: why it was skipped or could not be judged; empty = not recorded.
        command: empty = not recorded.
        duration_ns: None = not recorded.
    """

    record: StrategyResult
    is_error: bool
    reason: str
    command: str
    duration_ns: int | None

    @classmethod
    def build(cls, record: StrategyResult) -> "StrategyLine":
        """The line of a check, whoever wrote it."""
        ours = _ours(record)
        return cls(
            record=record,
            is_error=record.is_unjudged,
            reason=ours.reason or "",
            command=ours.command or "",
            duration_ns=ours.duration_ms * NS_PER_MS if ours.duration_ms >= 0 else None,
        )


def _ours(record: StrategyResult) -> Ours:
    """What we recorded; nothing where another writer uses our key for something else."""
    try:
        return msgspec.json.decode(record.extras.get(OUR_KEY, b"{}"), type=Ours)
    except msgspec.DecodeError:
        return Ours()
