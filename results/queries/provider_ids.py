"""The ids of providers."""

from collections.abc import Iterable

from results.models.dimensions import Provider


def provider_ids(names: Iterable[str]) -> dict[str, int]:
    """The ids of the providers with these exact names, by name; those that do not exist are left out."""
    return dict(Provider.objects.filter(name__in=set(names)).values_list("name", "pk"))
