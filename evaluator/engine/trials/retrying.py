"""Tries again what failed for a passing reason, after pauses that double."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from evaluator.engine.trials.definitions import RetryPolicy
from evaluator.engine.trials.interfaces import ConversationError, Spent
from evaluator.engine.trials.timing import REAL, Timing
from results.records import TokenUsage

MOST_DELAY_SECONDS = 600.0  # before chance adds its part
JITTER = 0.25  # of the delay, added by chance, so that runs stopped by one limit do not come back together

NS_PER_SECOND = 1_000_000_000

T = TypeVar("T")


class Retries:
    """The tries at one thing; `made` counts them, whatever they come to."""

    def __init__(
        self,
        policy: RetryPolicy,
        on_retry: Callable[[int, ConversationError, float], None],
        timing: Timing = REAL,
    ) -> None:
        """Begin before the first try.

        Args:
            policy: how often, and the first pause.
            on_retry: told before each pause: which try failed (from 1), why, and the pause in seconds.
            timing: the waiting, and the chance.
        """
        self.made = 0
        self._policy = policy
        self._on_retry = on_retry
        self._timing = timing

    async def run(self, once: Callable[[], Awaitable[T]]) -> T:
        """Try until it works, fails for good, or there are no tries left.

        Raises:
            ConversationError: of the last try.
        """
        while True:
            self.made += 1
            try:
                return await once()
            except ConversationError as error:
                if error.is_transient is not True or self.made > self._policy.attempts:
                    raise
                delay = self._delay_seconds(error.retry_after_seconds)
                self._on_retry(self.made, error, delay)
            await self._timing.sleep(delay)

    def _delay_seconds(self, asked_seconds: float | None) -> float:
        """The policy's pause, or the longer one that the service asks for."""
        doublings = min(self.made - 1, 64)  # far beyond the cap, and no number too large for a float
        own = self._policy.initial_delay_seconds * 2.0**doublings
        delay = min(max(own, asked_seconds or 0.0), MOST_DELAY_SECONDS)
        return delay * (1 + JITTER * self._timing.chance())


def retry_in_words(policy: RetryPolicy, attempt: int, error: ConversationError, delay_seconds: float) -> str:
    """What `on_retry` is told, as a message: the only place where the usage of a failed try is kept."""
    return (
        f"try {attempt} of {policy.attempts + 1} failed: {error.message.rstrip('.')}. "
        f"It used {_spent_in_words(error.spent)}; the next begins in {delay_seconds:.1f} s."
    )


def _spent_in_words(spent: Spent) -> str:
    usage = spent.usage or TokenUsage()
    counts = [
        f"{count:,} {name} tokens"
        for name, count in (
            ("input", usage.input_tokens),
            ("cache write", usage.input_cache_write_tokens),
            ("cache read", usage.input_cache_read_tokens),
            ("output", usage.output_tokens),
            ("reasoning", usage.reasoning_tokens),
        )
        if count is not None
    ]
    tokens = ", ".join(counts) or "an unknown number of tokens"
    return f"{tokens} and {spent.duration_ns / NS_PER_SECOND:.1f} s of model time"
