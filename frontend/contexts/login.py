"""What the page for logging in says."""

from dataclasses import dataclass

from django.http import HttpRequest

from frontend.contexts.shell import Shell
from frontend.formats import plural

MINUTE = 60


@dataclass(frozen=True)
class LoginPage:
    """What `login.html` reads.

    Attributes:
        name: as it was typed.
        problem: why the last try failed; empty before one.
        back: where logging in leads.
    """

    shell: Shell
    name: str
    problem: str
    back: str

    @classmethod
    def build(cls, request: HttpRequest, back: str, name: str = "", problem: str = "") -> "LoginPage":
        """The form."""
        return cls(Shell.build(request, counts_jobs=False), name, problem, back)

    @classmethod
    def failed(cls, request: HttpRequest, back: str, name: str) -> "LoginPage":
        """The form after a try that failed; it does not say which of the two was wrong."""
        return cls.build(request, back, name, "There is no account with this name and password.")

    @classmethod
    def locked(cls, request: HttpRequest, back: str, name: str, seconds: int) -> "LoginPage":
        """The form while nobody may try."""
        minutes = plural(-(-seconds // MINUTE), "minute")
        return cls.build(request, back, name, f"Too many tries failed. Wait {minutes}, then try again.")
