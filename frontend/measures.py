"""Counts of the requests that this server answered, over all its web processes.

A process counts in memory and leaves a copy of its counts below `var/metrics`, at most a second after they changed.
Whoever is asked adds its own counts to the copies of the others. Nothing is mapped into memory, as Prometheus's own
library does with several processes: on a full disk that would end the process.
"""

import os
import threading
from bisect import bisect_left
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

import msgspec
from django.conf import settings

BOUNDS_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
PUBLISHED_AFTER_SECONDS = 1.0
SUFFIX = ".counts"


class Counts(msgspec.Struct):
    """Answers with one status at one route.

    Attributes:
        by_bound: how many took at most each of `BOUNDS_SECONDS` and more than the one before; the last one: longer.
    """

    route: str
    status: int
    seconds: float = 0.0
    by_bound: list[int] = msgspec.field(default_factory=lambda: [0] * (len(BOUNDS_SECONDS) + 1))

    @property
    def answers(self) -> int:
        """How many there were."""
        return sum(self.by_bound)

    def add(self, other: "Counts") -> None:
        """Take in what another process counted."""
        self.seconds += other.seconds
        self.by_bound = [own + more for own, more in zip(self.by_bound, other.by_bound, strict=True)]


class Counter:
    """The counts of this process."""

    def __init__(self) -> None:
        """Count from zero, under a name that no other process has."""
        self.name = f"{os.getpid()}-{token_hex(4)}{SUFFIX}"
        self._counts: dict[tuple[str, int], Counts] = {}
        self._lock = threading.Lock()
        self._is_due = False

    def count(self, route: str, status: int, seconds: float) -> None:
        """Count one answer."""
        with self._lock:
            counts = self._counts.setdefault((route, status), Counts(route, status))
            counts.seconds += seconds
            counts.by_bound[bisect_left(BOUNDS_SECONDS, seconds)] += 1
            if self._is_due:
                return
            self._is_due = True
        timer = threading.Timer(PUBLISHED_AFTER_SECONDS, self.publish)
        timer.daemon = True
        timer.start()

    def publish(self) -> None:
        """Leave a copy for the other processes; on a full disk the one before stays."""
        with self._lock:
            self._is_due = False
            content = msgspec.json.encode(list(self._counts.values()))
        path = folder() / self.name
        draft = path.with_suffix(".draft")
        with suppress(OSError):
            path.parent.mkdir(exist_ok=True)
            draft.write_bytes(content)
            draft.replace(path)

    def own(self) -> list[Counts]:
        """What this process counted."""
        with self._lock:
            return msgspec.json.decode(msgspec.json.encode(list(self._counts.values())), type=list[Counts])


def folder() -> Path:
    """Where the copies lie."""
    return Path(settings.VAR_DIR) / "metrics"


def total(counter: Counter) -> list[Counts]:
    """What all processes counted, those that ended too, sorted by route and status."""
    found: dict[tuple[str, int], Counts] = {}
    for counts in [*counter.own(), *_copies(counter.name)]:
        found.setdefault((counts.route, counts.status), Counts(counts.route, counts.status)).add(counts)
    return [found[key] for key in sorted(found)]


def _copies(but: str) -> Iterable[Counts]:
    for path in folder().glob(f"*{SUFFIX}"):
        if path.name != but:
            with suppress(OSError, msgspec.MsgspecError, ValueError):  # removed meanwhile, or damaged
                yield from msgspec.json.decode(path.read_bytes(), type=list[Counts])


counter = Counter()
