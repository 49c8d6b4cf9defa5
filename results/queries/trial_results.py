"""The results of a live trial as they come: from the tables, since the facts follow a few seconds later."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from results.models.evaluations import RESULTS_PER_EVALUATION
from results.models.results import Outcome, Result
from results.queries.results import ResultRow, result_rows
from results.queries.rows import EPOCH
from results.queries.visibility import VisibleSet


@dataclass(frozen=True)
class TrialResultLine:
    """One result. `attempts` says how many tries it took; None = not recorded.

    Attributes:
        duration_ns: model time.
        row: what the facts know of it, which its own page is made from; None = they do not know it yet.
    """

    id: int
    task: str
    provider: str
    run: str
    outcome: str
    attempts: int | None
    duration_ns: int | None
    started_at: datetime
    row: ResultRow | None


_COLUMNS = (
    "pk",
    "task_version__task__name",
    "run_version__run__provider__name",
    "run_version__run__name",
    "outcome",
    "attempts",
    "duration_ns",
    "started_at_us",
)


def latest_results(visible: VisibleSet, trial_id: int, most: int = 25) -> tuple[TrialResultLine, ...]:
    """The results that came last, the newest first, in one query beside those of the facts."""
    first, end = trial_id * RESULTS_PER_EVALUATION, (trial_id + 1) * RESULTS_PER_EVALUATION
    found = Result.objects.filter(pk__gte=first, pk__lt=end).order_by("-pk").values_list(*_COLUMNS)[:most]
    lines = list(found)
    known = {row.id: row for row in result_rows(visible, tuple(line[0] for line in lines))}
    return tuple(
        TrialResultLine(
            id=pk,
            task=task,
            provider=provider,
            run=run,
            outcome=str(Outcome(outcome).label),
            attempts=attempts,
            duration_ns=duration_ns,
            started_at=EPOCH + timedelta(microseconds=started_at_us),
            row=known.get(pk),
        )
        for pk, task, provider, run, outcome, attempts, duration_ns, started_at_us in lines
    )
