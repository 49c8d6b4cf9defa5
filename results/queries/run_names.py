"""Runs by the names of provider and run, as documents write them."""

from collections.abc import Iterable
from dataclasses import dataclass

from results.models.dimensions import Run


@dataclass(frozen=True)
class RunName:
    """How a document names a run."""

    provider: str
    run: str


def run_ids(names: Iterable[RunName]) -> dict[RunName, int]:
    """The ids of those that there are, in one query."""
    wanted = set(names)
    rows = Run.objects.filter(
        provider__name__in={name.provider for name in wanted}, name__in={name.run for name in wanted}
    ).values_list("provider__name", "name", "pk")
    return {name: pk for provider, run, pk in rows if (name := RunName(provider, run)) in wanted}
