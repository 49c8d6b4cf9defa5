"""What changed against the reference, as the overview shows it: results that regressed or improved, and by run."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from frontend.contexts.explorer_links import explorer_href
from results.filters import Choice, ResultFilter
from results.queries.overview_changes import ChangedResult, Changes, RunChange

SHOWN_CHANGES = 7  # of either kind; the links lead to all of them
MOST_ADDRESSED = 100  # results that an address names one by one
NOTHING = {
    "Regressed": "Nothing that passed before failed this time.",
    "Improved": "Nothing that failed before passed this time.",
}


@dataclass(frozen=True)
class ChangeLine:
    """One result that changed."""

    task: str
    provider: str
    run: str
    outcome: str
    href: str


@dataclass(frozen=True)
class RunChangeLine:
    """One run against the reference; `href` compares the two, the others lead to the results that changed."""

    provider: str
    run: str
    regressed: int
    regressed_href: str
    improved: int
    improved_href: str
    href: str


@dataclass(frozen=True)
class ChangePanel:
    """Results that changed in one direction: how many, the first ones, and where all of them are.

    `nothing` is said where there are none.
    """

    title: str
    nothing: str
    total: int
    lines: tuple[ChangeLine, ...]
    href: str


def change_panels(changes: Changes, reference_id: int, latest_id: int) -> tuple[ChangePanel, ChangePanel]:
    """What regressed and what improved."""
    worst = max(changes.runs, key=lambda run: run.pairs.regressed, default=None)
    best = max(changes.runs, key=lambda run: run.pairs.improved, default=None)
    return (
        _panel("Regressed", changes.pairs.regressed, changes.regressed, _compare(worst, reference_id, latest_id)),
        _panel("Improved", changes.pairs.improved, changes.improved, _compare(best, reference_id, latest_id)),
    )


def _panel(title: str, total: int, results: tuple[ChangedResult, ...], comparison: str) -> ChangePanel:
    lines = tuple(
        ChangeLine(result.task, result.provider, result.run, result.outcome, reverse("result-show", args=[result.id]))
        for result in results[:SHOWN_CHANGES]
    )
    return ChangePanel(title, NOTHING[title], total, lines, _named_href(results, total) or comparison)


def _named_href(results: Sequence[ChangedResult], total: int) -> str:
    """The explorer with some results one by one; empty where not all of them are known, or there are none."""
    if not 0 < total <= min(len(results), MOST_ADDRESSED):
        return ""
    return explorer_href(ResultFilter(result=Choice(tuple(str(result.id) for result in results))))


def run_change_lines(changes: Changes, reference_id: int, latest_id: int) -> tuple[RunChangeLine, ...]:
    """The runs with changes, each with the comparison of its two evaluations."""

    def href(run: RunChange, results: tuple[ChangedResult, ...], total: int) -> str:
        own = [result for result in results if (result.provider, result.run) == (run.provider, run.run)]
        return _named_href(own, total) or (_compare(run, reference_id, latest_id) if total else "")

    return tuple(
        RunChangeLine(
            provider=run.provider,
            run=run.run,
            regressed=run.pairs.regressed,
            regressed_href=href(run, changes.regressed, run.pairs.regressed),
            improved=run.pairs.improved,
            improved_href=href(run, changes.improved, run.pairs.improved),
            href=_compare(run, reference_id, latest_id),
        )
        for run in changes.runs[:SHOWN_CHANGES]
    )


def _compare(run: RunChange | None, reference_id: int, latest_id: int) -> str:
    if run is None:
        return ""
    columns = [("column", f"{pk}:{run.run_id}") for pk in (reference_id, latest_id)]
    return f"{reverse('compare')}?{urlencode(columns)}"
