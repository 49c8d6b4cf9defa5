"""Token buckets: how many tries may begin per minute."""

from evaluator.engine.trials.timing import REAL, Timing

SECONDS_PER_MINUTE = 60.0
NS_PER_SECOND = 1_000_000_000


class TokenBucket:
    """Gives `per_minute` / 60 tokens a second, and up to `per_minute` at once after a pause; first come, first served.

    Source: MindTrial's limits (`golang.org/x/time/rate` with that rate and burst).
    """

    def __init__(self, per_minute: int, timing: Timing = REAL) -> None:
        """Start full.

        Args:
            per_minute: above 0.
            timing: the clock that fills the bucket, and the waiting.
        """
        self._per_second = per_minute / SECONDS_PER_MINUTE
        self._most = float(per_minute)
        self._tokens = self._most  # below 0: that many are waited for
        self._timing = timing
        self._filled_ns = timing.monotonic_ns()

    async def acquire(self) -> None:
        """Wait for one token; whoever is cancelled while waiting gives it back."""
        now_ns = self._timing.monotonic_ns()
        gained = (now_ns - self._filled_ns) / NS_PER_SECOND * self._per_second
        self._tokens = min(self._most, self._tokens + gained) - 1
        self._filled_ns = now_ns
        if self._tokens >= 0:
            return
        try:
            await self._timing.sleep(-self._tokens / self._per_second)
        except BaseException:
            self._tokens += 1
            raise
