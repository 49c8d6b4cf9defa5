"""Answers remembered, so that the same question about the same files costs nothing."""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Any

MAX_ANSWERS = 256


class Answers:
    """The last answers, by manifest, visible set and question."""

    def __init__(self) -> None:
        self._found: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Any:  # noqa: ANN401  of whatever type was put
        """The answer, None when there is none."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def put(self, key: Hashable, found: object) -> None:
        """Remember an answer, and forget the one that was not asked for longest."""
        with self._lock:
            self._found[key] = found
            while len(self._found) > MAX_ANSWERS:
                self._found.popitem(last=False)
