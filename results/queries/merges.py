"""How an evaluation is linked to others by merges: what it was made of, and what was made of it."""

from dataclasses import dataclass

import msgspec

from results.models.evaluations import VISIBLE_STATES
from results.models.merges import Merge, MergeSource
from results.queries.visibility import VisibleSet
from results.records import MergeStats


@dataclass(frozen=True)
class MergeLink:
    """One evaluation; `id` is None when it was deleted, or may not be seen."""

    id: int | None
    name: str


@dataclass(frozen=True)
class MergeLinks:
    """The merges that an evaluation is part of.

    Attributes:
        sources: what it was made of, the one that won last; empty when it is no merge.
        stats: what the merge did; None when it is no merge.
        merged_into: merges that it is a source of, the newest first.
    """

    sources: tuple[MergeLink, ...]
    stats: MergeStats | None
    merged_into: tuple[MergeLink, ...]


def merge_links(visible: VisibleSet, evaluation_id: int) -> MergeLinks | None:
    """The merges of an evaluation, in two or three queries; None when there is none."""
    stats = Merge.objects.filter(pk=evaluation_id).values_list("stats", flat=True).first()
    sources = []
    if stats is not None:
        rows = MergeSource.objects.filter(merge=evaluation_id).order_by("position")
        for pk, name, current in rows.values_list("source_id", "name", "source__name"):
            is_there = pk in visible.evaluation_ids
            sources.append(MergeLink(pk if is_there else None, current if is_there else name))
    into = MergeSource.objects.filter(source=evaluation_id, merge__evaluation__state__in=VISIBLE_STATES)
    listed = into.order_by("-merge_id").values_list("merge_id", "merge__evaluation__name")
    merged_into = tuple(MergeLink(pk, name) for pk, name in listed if pk in visible.evaluation_ids)
    if stats is None and not merged_into:
        return None
    return MergeLinks(tuple(sources), None if stats is None else msgspec.convert(stats, MergeStats), merged_into)
