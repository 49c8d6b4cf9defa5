"""Clocks, waiting and chance, in one place, so that tests need not wait or guess."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Timing:
    """Where a trial gets its times from.

    `monotonic_ns` never goes back, `unix_ns` is the time of day; `chance` lies in [0, 1).
    """

    monotonic_ns: Callable[[], int] = time.monotonic_ns
    unix_ns: Callable[[], int] = time.time_ns
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random


REAL = Timing()
