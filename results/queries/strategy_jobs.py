"""How a job that evaluates a code project stands: strategies as they finish, and what is printed."""

import msgspec

from results.models.jobs import Job, JobKind


class StrategyState(msgspec.Struct, frozen=True, kw_only=True):
    """One strategy that has ended: pass, fail, skipped or error; a `reason` tells why of the last two.

    Counts are None where the tool gave none.
    """

    name: str
    is_required: bool
    state: str
    reason: str = ""
    details: str = ""
    exit_code: int | None = None
    error_count: int | None = None
    duration_ns: int = 0


class StrategyProgress(msgspec.Struct, frozen=True, kw_only=True):
    """A run of strategies.

    Attributes:
        contract_id: of the sprint.
        iteration: its number.
        notes: what was found in the folder, and why it runs so.
        ended: in the order in which they ran.
        running: the name of the one that runs; empty for none.
        waiting: names of those still to come.
        output: the end of what was printed; `is_cut` = there was more before.
        verdict: `passed`, `failed` or `not evaluated`; empty as long as there is none.
        stored: id of the stored iteration.
    """

    contract_id: str = ""
    iteration: int | None = None
    notes: list[str] = []
    ended: list[StrategyState] = []
    running: str = ""
    waiting: list[str] = []
    output: str = ""
    is_cut: bool = False
    verdict: str = ""
    summary: str = ""
    stored: int | None = None


def strategy_progress(job_id: int) -> StrategyProgress | None:
    """How a run of strategies stands; None for other jobs, and before it has begun."""
    found = Job.objects.filter(pk=job_id, kind=JobKind.STRATEGIES).values_list("report__strategies", flat=True).first()
    return None if found is None else msgspec.convert(found, StrategyProgress)
