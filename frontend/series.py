"""The colour of a provider: one of nine, the same on every page and server, beside its name and never instead of it."""

from hashlib import blake2b

SERIES = 9  # colours
# The providers that most teams have, so that these never share a colour; in alphabetical order.
KNOWN = ("alibaba", "anthropic", "deepseek", "google", "mistralai", "moonshotai", "openai", "openrouter", "xai")


def series_of(provider: str) -> int:
    """The number of a provider's colour, from 1 to 9; a function of its name alone.

    Args:
        provider: its exact name; case does not matter.
    """
    name = provider.casefold()
    if name in KNOWN:
        return KNOWN.index(name) + 1
    return blake2b(name.encode("utf-8", "replace"), digest_size=8).digest()[0] % SERIES + 1
