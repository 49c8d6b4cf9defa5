"""The page that documents the API."""

from collections.abc import Mapping
from dataclasses import dataclass

from frontend.contexts.shell import Shell


@dataclass(frozen=True)
class ApiDocsPage:
    """What `api_docs.html` reads.

    Attributes:
        address: of the description as JSON.
        settings: of Swagger UI.
    """

    shell: Shell
    address: str
    settings: Mapping[str, object]
