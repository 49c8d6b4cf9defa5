"""Carries results, progress and messages from the trial's loop to whoever reads them in other threads."""

import asyncio
import threading
from collections import deque
from collections.abc import Iterator

from evaluator.engine.trials.finished_results import FinishedResult

MOST_WAITING = 64  # results that a slow reader has not taken yet, before the trial waits for it
MESSAGES_KEPT = 10_000  # unread ones; the newest stay
TICK_SECONDS = 0.05  # progress is told at most this often


class Feed:
    """What goes through is in order and nothing is lost, except unread messages beyond `MESSAGES_KEPT`."""

    def __init__(self, total: int, done: int) -> None:
        """Begin.

        Args:
            total: results of the whole trial.
            done: of these, finished before it began.
        """
        self.is_cancelled = False
        self._total = total
        self._done = done
        self._changed = threading.Condition()
        self._results: deque[FinishedResult] = deque()
        self._messages: deque[str] = deque()
        self._left_out = 0
        self._is_streamed = False  # somebody takes results as they come
        self._is_ended = False
        self._fault: BaseException | None = None
        self._loop: asyncio.AbstractEventLoop | None = None  # set while the trial waits for its reader
        self._room = asyncio.Event()

    # The trial's side, in its loop.

    async def put(self, result: FinishedResult) -> None:
        """Hand over a result; then wait until the reader has caught up."""
        with self._changed:
            self._results.append(result)
            self._done += 1
            self._changed.notify_all()
        while self._must_wait():
            await self._room.wait()

    def say(self, message: str) -> None:
        """Hand over a message."""
        with self._changed:
            self._messages.append(message)
            if len(self._messages) > MESSAGES_KEPT:
                self._messages.popleft()
                self._left_out += 1
            self._changed.notify_all()

    def end(self, fault: BaseException | None = None) -> None:
        """Nothing more comes; `fault` is what broke the trial."""
        with self._changed:
            self._is_ended = True
            self._fault = fault
            self._changed.notify_all()

    def _must_wait(self) -> bool:
        with self._changed:
            if not self._is_streamed or len(self._results) < MOST_WAITING:
                return False
            self._loop = asyncio.get_running_loop()
            self._room.clear()
            return True

    # The readers' side, in any thread.

    @property
    def progress(self) -> float:
        """The finished part, in [0, 1]."""
        return self._done / self._total if self._total else 1.0

    @property
    def is_ended(self) -> bool:
        """Whether nothing more comes."""
        return self._is_ended

    def is_drained(self) -> bool:
        """Whether nothing more comes and everything was taken."""
        with self._changed:
            return self._is_ended and not self._results

    def raise_fault(self) -> None:
        """Raise what broke the trial, if anything did."""
        if self._fault is not None:
            raise self._fault

    def take(self, timeout_seconds: float | None) -> list[FinishedResult]:
        """The results that wait, after waiting for one; empty at the end or when the time is over."""
        with self._changed:
            self._is_streamed = True
            self._changed.wait_for(lambda: self._results or self._is_ended, timeout_seconds)
            return self._taken()

    def take_all(self) -> list[FinishedResult]:
        """Wait for the end and take all results."""
        with self._changed:
            self._is_streamed = False
            self._make_room()
            self._changed.wait_for(lambda: self._is_ended)
            return self._taken()

    def _taken(self) -> list[FinishedResult]:
        taken = list(self._results)
        self._results.clear()
        self._make_room()
        return taken

    def _make_room(self) -> None:
        if self._loop is not None:
            if not self._is_ended:  # else the loop is closed
                self._loop.call_soon_threadsafe(self._room.set)
            self._loop = None

    def take_messages(self) -> list[str]:
        """The messages that wait."""
        with self._changed:
            taken = list(self._messages)
            if self._left_out:
                taken.insert(0, f"({self._left_out:,} earlier messages were not read in time; results keep their own)")
            self._messages.clear()
            self._left_out = 0
            return taken

    def each_message(self) -> Iterator[str]:
        """Each message, until the end."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._messages or self._is_ended)
                is_last = self._is_ended
            yield from self.take_messages()
            if is_last:
                return

    def each_progress(self) -> Iterator[float]:
        """The progress whenever it has changed, until the end."""
        told, is_last = -1.0, False
        while not is_last:
            with self._changed:
                while not self._is_ended and self.progress == told:
                    self._changed.wait()
                now, is_last = self.progress, self._is_ended
            if now != told:
                yield now
            told = now
            with self._changed:
                self._changed.wait_for(lambda: self._is_ended, TICK_SECONDS)
