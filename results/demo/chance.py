"""Chance that is the same on every machine and in every version: numbers drawn from the digest of a name."""

import math
from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

Item = TypeVar("Item")


class Chance:
    """Draws that depend on nothing but the words they are made of."""

    def __init__(self, *words: object) -> None:
        self._name = "\x1f".join(str(word) for word in words)

    def share(self, purpose: str) -> float:
        """A number in [0, 1), evenly spread."""
        return self.bits(purpose, 53) / 2**53

    def bits(self, purpose: str, count: int) -> int:
        """A whole number of up to 128 bits."""
        digest = blake2b(f"{self._name}\x1f{purpose}".encode(), digest_size=16).digest()
        return int.from_bytes(digest, "big") >> (128 - count)

    def between(self, purpose: str, low: float, high: float) -> float:
        """A number in [low, high), evenly spread."""
        return low + (high - low) * self.share(purpose)

    def pick(self, purpose: str, items: Sequence[Item]) -> Item:
        """One of the items."""
        return items[int(self.share(purpose) * len(items))]


def logistic(value: float) -> float:
    """Squeeze any number into (0, 1)."""
    return 1 / (1 + math.exp(-value))
