"""The list of live trials."""

from dataclasses import dataclass

from django.http import QueryDict

from frontend.contexts.job_badges import Badge
from frontend.contexts.pager import Pager, page_of
from frontend.contexts.shell import Shell
from frontend.contexts.trial_badges import share_text, trial_badge
from results.models.trials import TrialState
from results.queries.trial_list import TrialRow, trial_page
from results.queries.visibility import VisibleSet

PAGE_SIZE = 50  # rows


@dataclass(frozen=True)
class TrialEntry:
    """One line: a trial, its badge, and how many of its results are there."""

    row: TrialRow
    badge: Badge
    done: str


@dataclass(frozen=True)
class TrialsPage:
    """What `trials_list.html` reads.

    Attributes:
        is_live: something runs, so the page asks again.
        status: for those who cannot see the bars; changes seldom.
    """

    shell: Shell
    entries: tuple[TrialEntry, ...]
    pager: Pager
    is_live: bool
    status: str

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "TrialsPage":
        """The page for a query with `page`."""
        number = page_of(params)
        found = trial_page(visible, number, PAGE_SIZE)
        running = sum(row.state == TrialState.RUNNING for row in found.rows)
        return cls(
            shell=shell,
            entries=tuple(
                TrialEntry(
                    row,
                    trial_badge(row.state, is_waiting=row.is_waiting, reason=row.reason),
                    share_text(row.outcomes.total, row.total),
                )
                for row in found.rows
            ),
            pager=Pager.build(number, PAGE_SIZE, found.total, params),
            is_live=running > 0,
            status=f"{running} running",
        )
