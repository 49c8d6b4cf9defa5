"""Which evaluations can be merged, and what the merge is called if nobody names it."""

from collections.abc import Sequence

from results.exports.registry import EXPORTS
from results.models.evaluations import RESULTS_PER_EVALUATION, Evaluation, EvaluationState

MOST_SOURCES = 1_000


class MergeRefused(Exception):  # noqa: N818 - it is an answer to the user, not a fault of ours
    """These evaluations cannot be merged; the text says which and why."""


def default_name(sources: Sequence[Evaluation]) -> str:
    """What a merge is called if nobody names it."""
    return f"{sources[-1].name} merged over {len(sources) - 1} more" if len(sources) > 1 else sources[0].name


def check_sources(evaluation_ids: Sequence[int]) -> list[Evaluation]:
    """The evaluations to merge, in the order given.

    Raises:
        MergeRefused: there are none or too many, one is missing, not ready, of another project or without documents
            that this merge could write.
    """
    listed = list(dict.fromkeys(evaluation_ids))
    if not listed:
        raise MergeRefused("Nothing to merge: name the evaluations, the one that wins last.")
    if len(listed) > MOST_SOURCES:
        raise MergeRefused(f"{len(listed):,} evaluations are too many for one merge; {MOST_SOURCES:,} go in.")
    rows = {row.pk: row for row in Evaluation.objects.select_related("project").filter(pk__in=listed)}
    for pk in listed:
        _check_source(pk, rows.get(pk))
    sources = [rows[pk] for pk in listed]
    projects = sorted({row.project.slug for row in sources})
    if len(projects) > 1:
        raise MergeRefused(f"They belong to several projects ({', '.join(projects)}); merge those of one project.")
    if sum(row.results for row in sources) > RESULTS_PER_EVALUATION:
        raise MergeRefused(f"Together they have more than {RESULTS_PER_EVALUATION:,} results. Merge fewer of them.")
    return sources


def _check_source(pk: int, row: Evaluation | None) -> None:
    if row is None or row.state in (EvaluationState.IMPORTING, EvaluationState.DELETING):
        raise MergeRefused(f"There is no evaluation {pk}. The evaluations page lists the ids.")
    if row.state != EvaluationState.READY:
        raise MergeRefused(f"Evaluation {pk} ({row.name}) is still running. Merge it once it has ended.")
    if row.format not in EXPORTS:
        raise MergeRefused(f"Evaluation {pk} ({row.name}) has no MindTrial document; its format is {row.format}.")
