"""Runs by the names of provider and run, as documents write them."""

from collections.abc import Iterable
from dataclasses import dataclass

from results.models.dimensions import Run


@dataclass(frozen=True)
class RunName:
    """How a document names a run."""

    provider: str
    run: str


def shared_names(names: Iterable[RunName]) -> frozenset[str]:
    """The names of runs that several providers have: alone they do not say which run is meant."""
    providers: dict[str, set[str]] = {}
    for name in names:
        providers.setdefault(name.run, set()).add(name.provider)
    return frozenset(run for run, found in providers.items() if len(found) > 1)


def run_ids(names: Iterable[RunName]) -> dict[RunName, int]:
    """The ids of those that there are, in one query."""
    wanted = set(names)
    rows = Run.objects.filter(
        provider__name__in={name.provider for name in wanted}, name__in={name.run for name in wanted}
    ).values_list("provider__name", "name", "pk")
    return {name: pk for provider, run, pk in rows if (name := RunName(provider, run)) in wanted}
