"""The state of a live trial as a word with a look, and how far it is in words."""

from frontend.contexts.job_badges import Badge
from frontend.formats import count, duration, plural
from results.models.trials import TrialState

NS_PER_S = 10**9
WAITING = Badge("not-run", "Waiting")
RUNNING = Badge("not-run", "Running")
STOPPING = Badge("not-run", "Stopping")
WHOLE = Badge("passed", "Done")
CANCELLED = Badge("skipped", "Cancelled")
FAILED = Badge("error", "Stopped")


def trial_badge(state: str, *, is_waiting: bool, is_stopping: bool = False, reason: str = "") -> Badge:
    """The badge of a trial.

    Args:
        state: a `TrialState`.
        is_waiting: it runs, but no worker has begun.
        is_stopping: somebody asked it to stop.
        reason: why it ended before it was whole; empty = it did not, or was asked to.
    """
    if state == TrialState.RUNNING:
        return STOPPING if is_stopping else WAITING if is_waiting else RUNNING
    if state == TrialState.READY:
        return WHOLE
    return FAILED if reason else CANCELLED


def share_text(done: int, total: int) -> str:
    """`12 of 40 results`."""
    return f"{count(done)} of {plural(total, 'result')}"


def time_left(seconds: float | None) -> str:
    """`about 12 m 05 s left`; empty while nobody knows."""
    return "" if seconds is None else f"about {duration(max(1, round(seconds)) * NS_PER_S)} left"
