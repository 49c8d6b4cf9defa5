"""The evaluations that a reader may see."""

from dataclasses import dataclass
from hashlib import blake2b

from results.models.evaluations import VISIBLE_STATES, Evaluation
from results.reach import within


@dataclass(frozen=True)
class VisibleSet:
    """Evaluations that may be seen; `key` is equal for equal sets, and short."""

    evaluation_ids: frozenset[int]
    key: str

    @classmethod
    def of(cls, evaluation_ids: frozenset[int]) -> "VisibleSet":
        """Make the set of some ids."""
        text = ",".join(map(str, sorted(evaluation_ids)))
        return cls(evaluation_ids, blake2b(text.encode(), digest_size=16).hexdigest())


def visible_evaluations(project: str | None = None) -> VisibleSet:
    """The evaluations within reach that are ready or running, in one query.

    Args:
        project: slug of a project; None = of all projects.
    """
    found = within(Evaluation.objects.filter(state__in=VISIBLE_STATES))
    if project is not None:
        found = found.filter(project__slug=project)
    return VisibleSet.of(frozenset(found.values_list("pk", flat=True)))
