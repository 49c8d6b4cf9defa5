"""Which files each service reads, known without any SDK."""

from collections.abc import Mapping
from typing import Final

IMAGES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
NO_FILES: Final[frozenset[str]] = frozenset()
_OTHER: Final[Mapping[str, frozenset[str]]] = {
    "deepseek": NO_FILES,
    "xai": frozenset({"image/jpeg", "image/png"}),
}
_SEEING: Final = {  # beginnings of the names of models that see; of other services all do
    "mistralai": ("mistral-large-", "mistral-medium-", "mistral-small-", "ministral-", "pixtral-", "magistral-"),
}


def read_types(provider: str, model: str) -> frozenset[str]:
    """The media types of files that a service's model reads; none = it takes no files at all."""
    seeing = _SEEING.get(provider)
    if seeing is not None and not model.startswith(seeing):
        return NO_FILES
    return _OTHER.get(provider, IMAGES)
