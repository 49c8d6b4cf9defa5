"""Trace ids: ULIDs, which begin with the time and sort in the order in which they were made."""

import secrets
from collections.abc import Callable

from evaluator.engine.trials.timing import REAL, Timing

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CHANCE_BITS = 80
CHARACTERS = 26
BITS_PER_CHARACTER = 5
NS_PER_MS = 1_000_000


class TraceIds:
    """Makes ids, each greater than the one before, even when the clock goes back.

    Source: the ULID specification, "Monotonicity".
    """

    def __init__(self, timing: Timing = REAL, random_bits: Callable[[int], int] = secrets.randbits) -> None:
        """Begin with no id made."""
        self._timing = timing
        self._random_bits = random_bits
        self._last = -1

    def new(self) -> str:
        """Make the next id; its first ten characters hold the present time in milliseconds."""
        now_ms = self._timing.unix_ns() // NS_PER_MS
        if now_ms > self._last >> CHANCE_BITS:
            self._last = now_ms << CHANCE_BITS | self._random_bits(CHANCE_BITS)
        else:
            self._last += 1  # at worst this runs over into the next millisecond
        return "".join(
            ALPHABET[self._last >> BITS_PER_CHARACTER * place & 31] for place in range(CHARACTERS - 1, -1, -1)
        )
