"""Which evaluations and runs a gate is about."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from results.filters import Choice, ResultFilter
from results.models.evaluations import VISIBLE_STATES, Evaluation
from results.names import storable
from results.queries.compare_columns import MOST_DIGITS, ComparedRun, baseline_of, runs_of
from results.queries.evaluations import EvaluationFilter, EvaluationRow, evaluation_page, evaluation_row
from results.queries.visibility import VisibleSet

LATEST, PINNED = "latest", "pinned"
MOST_NAMED = 10  # ids in a message


class NotFoundError(Exception):
    """Nothing, or more than one thing, is meant; the text says what can be done."""


@dataclass(frozen=True)
class Pairing:
    """A run of the candidate and the run of the baseline that it stands against; None = there is none."""

    candidate: ComparedRun | None
    baseline: ComparedRun | None

    @property
    def named(self) -> ComparedRun:
        """The one whose names are shown."""
        found = self.candidate or self.baseline
        if found is None:
            raise ValueError("a pairing of nothing")
        return found


def find_candidate(visible: VisibleSet, text: str, project: str) -> EvaluationRow:
    """The evaluation that an id, a name or `latest` means.

    Args:
        visible: evaluations that may be seen.
        text: an id goes before a name.
        project: slug; empty = any.

    Raises:
        NotFoundError: none is meant, or several are.
    """
    return _latest(visible, project, None) if text == LATEST else _named(visible, text, project)


def find_baseline(visible: VisibleSet, text: str, candidate: EvaluationRow) -> EvaluationRow:
    """The evaluation that a candidate is compared with: an id, a name of its project, `latest` or `pinned`.

    Raises:
        NotFoundError: none is meant, several are, or it is the candidate itself.
    """
    if text == PINNED:
        pinned = baseline_of(visible, candidate.project)
        found = None if pinned is None else evaluation_row(visible, pinned)
        if found is None:
            raise NotFoundError(
                f"Project {candidate.project} has no baseline: pin one of its evaluations, or name one by --baseline."
            )
    elif text == LATEST:
        found = _latest(visible, candidate.project, candidate)
    else:
        found = _named(visible, text, candidate.project)
    if found.id == candidate.id:
        raise NotFoundError(f"Evaluation {found.id} would be compared with itself: name another baseline.")
    if found.project != candidate.project:
        raise NotFoundError(
            f"Evaluation {found.id} belongs to project {found.project}, the candidate to {candidate.project}: tasks "
            "belong to a project, so that none can be compared."
        )
    return found


def pair_runs(
    visible: VisibleSet, candidate: EvaluationRow, baseline: EvaluationRow | None, asked: Sequence[str]
) -> tuple[Pairing, ...]:
    """Each run of the two evaluations with its counterpart of the same provider and name.

    Where the two have no run in common and one run each, these two stand against each other: a model that took the
    place of another one.

    Args:
        visible: evaluations that may be seen.
        candidate: what is judged.
        baseline: None = nothing is compared.
        asked: patterns of `run`, or with a slash of `provider/run`, with `*` and `?`; none = every run.
    """
    ids = [candidate.id] if baseline is None else [baseline.id, candidate.id]
    found = [column for column in runs_of(visible, ids) if not asked or _fits(column, asked)]
    after = {column.key.run_id: column for column in found if column.key.evaluation_id == candidate.id}
    before = {column.key.run_id: column for column in found if column.key.evaluation_id != candidate.id}
    if len(after) == len(before) == 1 and after.keys() != before.keys():
        return (Pairing(*after.values(), *before.values()),)
    together = dict.fromkeys(column.key.run_id for column in found)
    return tuple(Pairing(after.get(run_id), before.get(run_id)) for run_id in together)


def is_meant(chosen: ResultFilter, column: ComparedRun) -> bool:
    """Whether the provider and run of a column are among those that a filter asks for."""
    return _has(chosen.provider, column.provider) and _has(chosen.run, column.run)


def _has(choice: Choice, name: str) -> bool:
    return (not choice.included or name in choice.included) and name not in choice.excluded


def _fits(column: ComparedRun, patterns: Sequence[str]) -> bool:
    both = f"{column.provider}/{column.run}"
    return any(
        pattern in (column.run, both) or fnmatchcase(both if "/" in pattern else column.run, pattern)
        for pattern in patterns
    )


def _latest(visible: VisibleSet, project: str, before: EvaluationRow | None) -> EvaluationRow:
    """The one that began last, as the list of evaluations orders them; before another one, if that is given."""
    until = None if before is None else before.started_at or before.imported_at
    asked = EvaluationFilter(projects=(project,) if project else (), until=until)
    rows = evaluation_page(visible, asked, size=1).rows
    if not rows:
        where = f" in project {project}" if project else ""
        when = "" if before is None else f" that began before evaluation {before.id}"
        raise NotFoundError(f"There is no evaluation{where}{when}.")
    return rows[0]


def _named(visible: VisibleSet, text: str, project: str) -> EvaluationRow:
    if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS:
        row = evaluation_row(visible, int(text))
        if row is not None and project in ("", row.project):
            return row
    found = Evaluation.objects.filter(name=storable(text), state__in=VISIBLE_STATES)
    ids = [
        pk
        for pk, slug in found.order_by("pk").values_list("pk", "project__slug")
        if pk in visible.evaluation_ids and project in ("", slug)
    ]
    if len(ids) > 1:
        listed = ", ".join(map(str, ids[-MOST_NAMED:]))
        raise NotFoundError(f"{len(ids)} evaluations are called {text}: name one by its id, such as {listed}.")
    row = evaluation_row(visible, ids[0]) if ids else None
    if row is None:
        where = f" in project {project}" if project else ""
        raise NotFoundError(f"There is no evaluation {text}{where}. The evaluations page lists ids and names.")
    return row
