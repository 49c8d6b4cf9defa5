"""The page that documents the API."""

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
    settings: dict[str, str | bool]
