"""The colour of a provider: one of nine, the same on every page and server, beside its name and never instead of it."""

from collections.abc import Iterable
from hashlib import blake2b

SERIES = 9  # colours
# The providers that most teams have, so that these never share a colour; in alphabetical order.
KNOWN = ("alibaba", "anthropic", "deepseek", "google", "mistralai", "moonshotai", "openai", "openrouter", "xai")


def series_among(providers: Iterable[str]) -> dict[str, int]:
    """The numbers of the colours of the providers of one chart, each another one.

    Of two with the same colour the later by name takes the next that is free; so the shapes, which belong to the
    colours, differ as well. From the tenth provider on, the same colours come with open shapes.
    """
    found: dict[str, int] = {}
    for provider in sorted(set(providers), key=lambda name: (name.casefold(), name)):
        usual, taken = series_of(provider) - 1, {*found.values()}
        rounds = len(found) // SERIES * SERIES
        places = (rounds + (usual + step) % SERIES + 1 for step in range(SERIES))
        found[provider] = next(place for place in places if place not in taken)
    return found


def series_of(provider: str) -> int:
    """The number of a provider's colour, from 1 to 9; a function of its name alone.

    Args:
        provider: its exact name; case does not matter.
    """
    name = provider.casefold()
    if name in KNOWN:
        return KNOWN.index(name) + 1
    return blake2b(name.encode("utf-8", "replace"), digest_size=8).digest()[0] % SERIES + 1
