"""When the demo's evaluations took place and what each of them was."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from results.demo.runs import (
    BOREAL,
    CINDER_MINI,
    FIRST_LINE_UP,
    MERIDIAN_FLASH,
    WITH_LONGER_THINKING,
    WITH_NEXT_CINDER,
    WITH_TAMARIND,
    DemoRun,
)
from results.demo.tasks.catalogue import SMOKE_TASKS, TASKS
from results.demo.tasks.task import DemoTask

LAST_MONDAY = datetime(2026, 11, 23, 6, 30, tzinfo=UTC)  # fixed: the demo never depends on today's date
KEY_CORRECTED = LAST_MONDAY - timedelta(weeks=3)  # from here on a wrong answer key is right


@dataclass(frozen=True, slots=True)
class DemoEvaluation:
    """One document: runs times tasks, each `repeats` times."""

    name: str
    started_at: datetime
    app_version: str
    runs: tuple[DemoRun, ...]
    tasks: tuple[DemoTask, ...] = TASKS
    repeats: int = 1


def _weekly(weeks_ago: int, app_version: str, runs: tuple[DemoRun, ...]) -> DemoEvaluation:
    started_at = LAST_MONDAY - timedelta(weeks=weeks_ago)
    return DemoEvaluation(f"weekly-{started_at:%Y-%m-%d}", started_at, app_version, runs)


EVALUATIONS = (
    _weekly(6, "v0.22.0", FIRST_LINE_UP),
    _weekly(5, "v0.22.0", FIRST_LINE_UP),
    DemoEvaluation(
        name="smoke-repeats-2026-10-21",
        started_at=LAST_MONDAY - timedelta(weeks=5) + timedelta(days=2, hours=7),
        app_version="v0.22.0",
        runs=(BOREAL, CINDER_MINI, MERIDIAN_FLASH),
        tasks=SMOKE_TASKS,
        repeats=3,
    ),
    _weekly(4, "v0.22.0", FIRST_LINE_UP),
    _weekly(3, "v0.22.1", WITH_TAMARIND),
    _weekly(2, "v0.22.1", WITH_NEXT_CINDER),
    _weekly(1, "v0.22.1", WITH_LONGER_THINKING),
    _weekly(0, "v0.22.1", WITH_LONGER_THINKING),
)
