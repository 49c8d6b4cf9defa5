"""What stands around every page: theme, places, version."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from frontend import theme
from frontend.access import account_of, has_right
from frontend.rights import Right
from results.queries.jobs import unfinished_jobs

PLACES = {
    "Overview": "home",
    "Evaluations": "evaluations-list",
    "Results": "results-list",
    "Compare": "compare",
    "Tasks": "tasks-list",
    "Runs": "runs-list",
    "Tools": "tools-list",
    "Costs": "costs",
    "Errors": "errors-list",
    "Sprints": "sprints-list",
    "Trials": "trials-list",
    "Reports": "reports-list",
}


@dataclass(frozen=True)
class Place:
    """One entry of the main navigation."""

    label: str
    href: str
    is_current: bool


@dataclass(frozen=True)
class ThemeChoice:
    """One entry of the theme menu."""

    value: str
    label: str
    is_current: bool


@dataclass(frozen=True)
class Shell:
    """What `base.html` reads.

    Attributes:
        theme: `light`, `dark` or empty for the system's.
        address: where setting the theme comes back to: this page with its query.
        jobs: how many wait or run.
        account: name of the one who is logged in; empty without accounts.
        has_accounts: people log in here.
        may_edit, may_administer: somewhere.
    """

    theme: str
    themes: tuple[ThemeChoice, ...]
    places: tuple[Place, ...]
    address: str
    jobs: int
    version: str
    account: str = ""
    has_accounts: bool = False
    may_edit: bool = True
    may_administer: bool = True

    @classmethod
    def build(cls, request: HttpRequest, current: str = "", *, counts_jobs: bool = True) -> "Shell":
        """The shell of a page that belongs to the place labelled `current`; empty for none.

        An error page counts no jobs, so that it needs no database.
        """
        chosen, user = theme.chosen_theme(request), account_of(request)
        return cls(
            theme=chosen,
            themes=tuple(ThemeChoice(value, label, value == chosen) for value, label in theme.LABELS.items()),
            places=tuple(Place(label, reverse(name), label == current) for label, name in PLACES.items()),
            address=request.get_full_path(),
            jobs=unfinished_jobs() if counts_jobs else 0,
            version=settings.VERSION,
            account="" if user is None else user.get_username(),
            has_accounts=settings.ACCOUNTS,
            may_edit=has_right(request, Right.EDIT),
            may_administer=has_right(request, Right.ADMINISTER),
        )
