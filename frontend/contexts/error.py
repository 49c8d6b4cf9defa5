"""What an error page says."""

from dataclasses import dataclass

from django.http import HttpRequest

from frontend.contexts.shell import Shell


@dataclass(frozen=True)
class ErrorPage:
    """A page that says what is wrong and what to do."""

    shell: Shell
    title: str
    text: str

    @classmethod
    def build(cls, request: HttpRequest, title: str, text: str) -> "ErrorPage":
        """An error page for this request."""
        return cls(Shell.build(request, counts_jobs=False), title, text)
