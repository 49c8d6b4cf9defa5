"""The dearest tasks and results of one currency."""

from dataclasses import dataclass
from decimal import Decimal

from results.facts.reading import Reading
from results.models.results import Outcome
from results.queries.priced_results import Priced, as_decimal

SHOWN = 10


@dataclass(frozen=True)
class Dear:
    """A task, or a result (then with its run and outcome), and what it cost.

    Attributes:
        id: of the task or of the result.
        project: slug of the task's.
        results, passed: priced ones of the task.
    """

    id: int
    task_id: int
    task: str
    amount: Decimal
    results: int = 1
    passed: int = 0
    provider: str = ""
    run: str = ""
    outcome: str = ""
    project: str = ""


def dearest_tasks(reading: Reading, found: Priced, is_meant: str) -> tuple[Dear, ...]:
    """The tasks whose priced results cost most together.

    Args:
        reading: of the facts.
        found: results with what they cost, among them `task_id` and `outcome`.
        is_meant: SQL of the currency.
    """
    rows = reading.rows(
        f"SELECT task_id, sum(amount)::HUGEINT AS total, count(*), count(*) FILTER (outcome = 0) FROM {found.sql} "
        f"WHERE {is_meant} GROUP BY task_id ORDER BY total DESC, task_id LIMIT {SHOWN}",
        found.parameters,
    )
    names = reading.names("tasks", {row[0] for row in rows})
    return tuple(Dear(pk, pk, names[pk], as_decimal(total) or Decimal(0), *counts) for pk, total, *counts in rows)


def dearest_results(reading: Reading, found: Priced, is_meant: str) -> tuple[Dear, ...]:
    """The results that cost most, of `result_id`, `provider_id`, `run_id`, `task_id` and `outcome`."""
    rows = reading.rows(
        f"SELECT result_id, amount, task_id, provider_id, run_id, outcome FROM {found.sql} WHERE {is_meant} "
        f"ORDER BY amount DESC, result_id LIMIT {SHOWN}",
        found.parameters,
    )
    tasks = reading.names("tasks", {row[2] for row in rows})
    providers = reading.names("providers", {row[3] for row in rows})
    runs = reading.names("runs", {row[4] for row in rows})
    return tuple(
        Dear(
            pk,
            task,
            tasks[task],
            as_decimal(amount) or Decimal(0),
            provider=providers[provider],
            run=runs[run],
            outcome=str(Outcome(outcome).label),
        )
        for pk, amount, task, provider, run, outcome in rows
    )
