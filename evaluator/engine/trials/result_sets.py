"""What a trial gives: results as they finish, progress, messages, and a way to stop it."""

from collections.abc import Callable, Iterator

from evaluator.engine.trials.feed import Feed
from evaluator.engine.trials.finished_results import FinishedResult
from results.records import RunResult

Results = dict[str, list[RunResult]]  # by provider


class ResultSet:
    """The results of a trial that is over, in the order of the configuration."""

    def __init__(self, finished: list[FinishedResult], *, is_cancelled: bool) -> None:
        self.finished = sorted(finished, key=lambda result: result.position)
        self.is_cancelled = is_cancelled

    def __iter__(self) -> Iterator[FinishedResult]:
        return iter(self.finished)

    def __len__(self) -> int:
        return len(self.finished)

    def get_results(self) -> Results:
        """The records by provider."""
        results: Results = {}
        for finished in self.finished:
            results.setdefault(finished.record.provider, []).append(finished.record)
        return results


class AsyncResultSet:
    """A trial under way. Its results can be read in two ways, by any thread.

    Iterating (or `take`) hands out each result once as it finishes, and holds the trial back when the reader falls
    behind, so that memory stays flat; `get_results` waits for the end and gives what was not handed out.
    """

    def __init__(self, feed: Feed, cancel: Callable[[], None]) -> None:
        """Made by `Runner.start`."""
        self._feed = feed
        self._cancel = cancel

    def __iter__(self) -> Iterator[FinishedResult]:
        """Each result as it finishes, until the trial is over.

        Raises:
            Exception: what broke the trial itself; the results before it have come.
        """
        while not self.is_over:
            yield from self._feed.take(None)
        self._feed.raise_fault()

    def take(self, timeout_seconds: float) -> list[FinishedResult]:
        """The results that wait; if there are none, wait for one.

        Args:
            timeout_seconds: how long to wait at most; an empty list says that nothing came, or that all is over.
        """
        return self._feed.take(timeout_seconds)

    @property
    def is_over(self) -> bool:
        """Whether the trial has ended and all its results were handed out."""
        return self._feed.is_drained()

    @property
    def is_cancelled(self) -> bool:
        """Whether cancelling was asked for."""
        return self._feed.is_cancelled

    @property
    def progress(self) -> float:
        """The finished part of the trial, in [0, 1]; what was done before a resume counts as finished."""
        return self._feed.progress

    def progress_events(self) -> Iterator[float]:
        """The progress whenever it has changed, until the trial ends; steps in quick succession are told as one.

        The last value is always told: 1 unless the trial was cancelled or broke.
        """
        return self._feed.each_progress()

    def message_events(self) -> Iterator[str]:
        """Each message as it comes, until the trial ends; read late, only the newest thousands."""
        return self._feed.each_message()

    def take_messages(self) -> list[str]:
        """The messages that wait, without waiting for any."""
        return self._feed.take_messages()

    def get_results(self) -> Results:
        """Wait for the end; see `wait`."""
        return self.wait().get_results()

    def wait(self) -> ResultSet:
        """Wait for the end and give all results that were not handed out before.

        Raises:
            Exception: what broke the trial itself.
        """
        finished = self._feed.take_all()
        self._feed.raise_fault()
        return ResultSet(finished, is_cancelled=self.is_cancelled)

    def cancel(self) -> None:
        """Stop soon: requests under way are broken off; their tasks and those not begun get no result."""
        self._feed.is_cancelled = True
        self._cancel()
