"""The page that merges evaluations: in which order they win, and what would be updated."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.confirm import chosen_evaluations
from frontend.contexts.shell import Shell
from results.merge_sources import MOST_SOURCES, MergeRefused, check_sources, default_name
from results.models.evaluations import RESULTS_PER_EVALUATION
from results.queries.evaluations import EvaluationRow, evaluation_rows, evaluations_among
from results.queries.merge_plan import MergePlan, OutcomeChange, Replacement, merge_plan
from results.queries.run_names import RunName, run_ids, shared_names
from results.queries.visibility import VisibleSet

MOST_OFFERED = 200  # evaluations to choose from, the newest ones
BY_AGE = "age"  # the oldest evaluation comes first, not the first of the address: what was ticked in a list


@dataclass(frozen=True)
class SourceLine:
    """One evaluation of the merge; empty addresses where it cannot be moved or taken out."""

    row: EvaluationRow
    position: int
    up_href: str
    down_href: str
    remove_href: str


@dataclass(frozen=True)
class RunLine:
    """What would become of one run."""

    id: int
    provider: str
    run: str
    total: int
    updated: int


@dataclass(frozen=True)
class ReplacedLine:
    """One result that would be left out, and the one that takes its place."""

    run_id: int
    found: Replacement
    before: str
    after: str


@dataclass(frozen=True)
class Preview:
    """What the merge would hold.

    Attributes:
        results: of the merge; read: of all sources; left_out: those that are not in it.
        shared_runs: names of runs that several providers have.
        replaced: the first ones, those whose outcome changes before others.
    """

    results: int
    read: int
    left_out: int
    updated: int
    repeats: int
    runs: tuple[RunLine, ...]
    shared_runs: frozenset[str]
    changes: tuple[OutcomeChange, ...]
    replaced: tuple[ReplacedLine, ...]

    @classmethod
    def of(cls, plan: MergePlan, names: dict[int, str]) -> "Preview":
        """The preview of a plan; `names` are those of its sources."""
        ids = run_ids(RunName(provider, run) for provider, runs in plan.stats.runs.items() for run in runs)
        return cls(
            results=len(plan.result_ids),
            read=len(plan.result_ids) + plan.left_out,
            left_out=plan.left_out,
            updated=plan.updated,
            repeats=plan.repeats,
            runs=tuple(
                RunLine(ids[RunName(provider, run)], provider, run, counts.total, counts.updated)
                for provider, runs in sorted(plan.stats.runs.items())
                for run, counts in sorted(runs.items())
            ),
            shared_runs=shared_names(ids),
            changes=plan.changes,
            replaced=tuple(
                ReplacedLine(
                    ids[RunName(found.provider, found.run)],
                    found,
                    names[found.before_id // RESULTS_PER_EVALUATION],
                    names[found.after_id // RESULTS_PER_EVALUATION],
                )
                for found in plan.replacements
            ),
        )


@dataclass(frozen=True)
class MergePage:
    """What `merge.html` reads.

    Attributes:
        sources: in the order in which later ones win; choices: what else could be merged, the newest start first.
        problem: why these cannot be merged; empty = they can.
        name: proposed for the new evaluation.
        preview: None while there is nothing to merge, or a problem.
        ids: of the sources, for the form.
    """

    shell: Shell
    sources: tuple[SourceLine, ...]
    choices: tuple[EvaluationRow, ...]
    more: int
    problem: str
    name: str
    preview: Preview | None
    ids: str

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, params: QueryDict, problem: str = "") -> "MergePage":
        """The page for a query with `evaluation`, `order` and `name`.

        Args:
            shell: of the page.
            visible: evaluations that may be seen.
            params: the query.
            problem: that a form met.
        """
        ids = list(dict.fromkeys(chosen_evaluations(visible, params)))[: MOST_SOURCES + 1]
        rows = {row.id: row for row in evaluations_among(visible, ids)}
        if params.get("order") == BY_AGE:
            ids = sorted(ids, key=lambda pk: (_began(rows[pk]), pk) if pk in rows else (0.0, pk))
        listed = [pk for pk in ids if pk in rows]
        preview, name = None, params.get("name", "")
        if ids and not problem:
            try:
                sources = check_sources([pk if pk in rows else -1 for pk in ids])
                name = name or default_name(sources)
                preview = Preview.of(merge_plan(ids), {row.pk: row.name for row in sources})
            except MergeRefused as refusal:
                problem = str(refusal).replace("evaluation -1", "such evaluation")
        projects = {row.project for row in rows.values()}
        others = [
            row
            for row in evaluation_rows(visible, next(iter(projects)) if len(projects) == 1 else None)
            if row.id not in rows
        ]
        return cls(
            shell=shell,
            sources=_lines([rows[pk] for pk in listed]),
            choices=tuple(others[:MOST_OFFERED]),
            more=max(0, len(others) - MOST_OFFERED),
            problem=problem,
            name=name,
            preview=preview,
            ids=",".join(map(str, listed)),
        )


def _began(row: EvaluationRow) -> float:
    return (row.started_at or row.imported_at).timestamp()


def _lines(rows: Sequence[EvaluationRow]) -> tuple[SourceLine, ...]:
    ids = [row.id for row in rows]

    def swapped(first: int, second: int) -> str:
        if min(first, second) < 0 or max(first, second) >= len(ids):
            return ""
        order = [*ids]
        order[first], order[second] = order[second], order[first]
        return _href(order)

    return tuple(
        SourceLine(
            row=row,
            position=place + 1,
            up_href=swapped(place, place - 1),
            down_href=swapped(place, place + 1),
            remove_href=_href([pk for pk in ids if pk != row.id]),
        )
        for place, row in enumerate(rows)
    )


def _href(ids: Sequence[int]) -> str:
    query = [("evaluation", ",".join(map(str, ids)))] if ids else []
    return f"{reverse('merge')}?{urlencode(query, safe=',')}" if query else reverse("merge")
