"""Where a task is not the same any more: its accepted answers or its metadata differ between two columns."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from django.db.models import BooleanField
from django.db.models.expressions import RawSQL
from numpy.typing import NDArray

from results.facts.links import Numbers
from results.models.dimensions import TaskVersion
from results.queries.compare_matrix import ABSENT

STEP = 20_000  # versions that one query looks up
_FIELDS = ("pk", "suite_id", "category_id", "difficulty_id", "tag_set_id", "accepted_digest")


@dataclass(frozen=True)
class VersionChanges:
    """For each row and each column after the first: what differs from the version in the first column.

    Attributes:
        has_changed: suite, category, difficulty, tags or accepted answers. Accepted answers that one of the two does
            not record do not differ.
        has_other_answer: accepted answers.
    """

    has_changed: "NDArray[np.bool_]"
    has_other_answer: "NDArray[np.bool_]"

    @classmethod
    def between(cls, versions: Numbers) -> "VersionChanges":
        """Compare the versions in each row of a matrix with its first; `ABSENT` is compared with nothing."""
        before, after = np.broadcast_arrays(versions[:, :1], versions[:, 1:])
        differs = (before != after) & (before != ABSENT) & (after != ABSENT)
        changed, other = np.zeros((2, *after.shape), np.bool_)
        pairs, places = np.unique(np.stack([before[differs], after[differs]]), axis=1, return_inverse=True)
        if pairs.size:
            known = dict(_described(np.unique(pairs)))
            found = np.array([_differences(known[first], known[second]) for first, second in pairs.T.tolist()])
            changed[differs], other[differs] = found[places.ravel()].T
        return cls(changed, other)


@dataclass(frozen=True)
class _Version:
    """What tells versions apart."""

    about: tuple[int | None, ...]
    accepted: str | None


def _differences(before: _Version, after: _Version) -> tuple[bool, bool]:
    """Whether anything differs, and whether the accepted answers do."""
    is_told = before.accepted is not None and after.accepted is not None
    has_other_answer = is_told and before.accepted != after.accepted
    return has_other_answer or before.about != after.about, has_other_answer


def _described(version_ids: Numbers) -> Iterator[tuple[int, _Version]]:
    """Versions by id; ids as text, since thousands of parameters would take longer than the query."""
    for start in range(0, len(version_ids), STEP):
        listed = ",".join(map(str, version_ids[start : start + STEP].tolist()))
        among = RawSQL(f"results_taskversion.id IN ({listed})", (), output_field=BooleanField())  # noqa: S611 (integers)
        for pk, *about, accepted in TaskVersion.objects.filter(among).values_list(*_FIELDS):
            yield pk, _Version(tuple(about), accepted)
