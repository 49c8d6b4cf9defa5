"""The manifest: which files hold the facts now. A table, so that files and states change in one transaction.

Each state folder has a manifest of its own in it, told apart by how its names begin.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from results.facts import files
from results.models.evaluations import Evaluation
from results.models.facts_files import FactsFile

GRACE = timedelta(hours=1)  # a query that named a file before it left may still read it
STRAY_AGE = timedelta(days=1)  # no writer lets a part lie that long before it registers it


@dataclass(frozen=True)
class Member:
    """One file set of the manifest; `evaluation_id` is None for the base, and when a delta's evaluation is gone."""

    name: str
    is_base: bool
    evaluation_id: int | None
    results: int


@dataclass(frozen=True)
class Manifest:
    """What a query reads. Equal versions hold equal rows."""

    base: Member | None
    deltas: tuple[Member, ...]

    @property
    def members(self) -> tuple[Member, ...]:
        """The base, then the deltas from old to new."""
        return self.deltas if self.base is None else (self.base, *self.deltas)

    @property
    def version(self) -> tuple[str, ...]:
        """Tells manifests apart: names are never used again."""
        return tuple(member.name for member in self.members)


def current() -> Manifest:
    """Read the manifest as it is committed now, in one query."""
    rows = FactsFile.objects.filter(left_at=None).order_by("pk")
    found = rows.values_list("name", "is_base", "evaluation_id", "results")
    members = [Member(*row) for row in found if files.is_own(row[0])]
    base = next((member for member in members if member.is_base), None)
    return Manifest(base, tuple(member for member in members if not member.is_base))


def register(name: str, evaluation: Evaluation, results: int) -> None:
    """Add a delta; call it inside the transaction that makes the evaluation visible. Nothing is added for no results.

    Args:
        name: what `FactsWriter.close` returned.
        evaluation: whose rows the delta holds.
        results: number of result rows.
    """
    if results:
        FactsFile.objects.create(name=name, evaluation=evaluation, results=results)


def swap(retired: list[str], added: list[Member]) -> bool:
    """Replace members in one transaction, only if all the retired ones are still there.

    Returns:
        Whether it was done; if not, someone else replaced one of them first and nothing changed.
    """
    with transaction.atomic():
        left = FactsFile.objects.filter(name__in=retired, left_at=None).update(left_at=timezone.now())
        if left != len(retired):
            transaction.set_rollback(True)
            return False
        for member in added:
            FactsFile.objects.create(
                name=member.name, is_base=member.is_base, evaluation_id=member.evaluation_id, results=member.results
            )
    return True


def forget(evaluation_id: int) -> None:
    """Take the deltas of a deleted evaluation out; its rows in the base go with the next compaction."""
    FactsFile.objects.filter(evaluation_id=evaluation_id, left_at=None).update(left_at=timezone.now())


def forget_elsewhere(evaluation_id: int) -> None:
    """Let other hosts make their facts of an evaluation again: what it holds changed, as only that of a trial does.

    Their bases go as well, since nobody knows here what is in them.
    """
    others = FactsFile.objects.filter(Q(evaluation_id=evaluation_id) | Q(is_base=True), left_at=None)
    names = [name for name in others.values_list("name", flat=True) if not files.is_own(name)]
    FactsFile.objects.filter(name__in=names, left_at=None).update(left_at=timezone.now())


def sweep_files(now: datetime | None = None) -> int:
    """Unlink the files that left the manifest more than an hour ago, and what killed writers left a day ago.

    Returns:
        How many members were removed.
    """
    left = FactsFile.objects.filter(left_at__lt=(now or timezone.now()) - GRACE)
    gone = [row for row in left.values_list("pk", "name", "is_base") if files.is_own(row[1])]
    for _, name, is_base in gone:
        files.unlink(name, is_base=is_base)
    FactsFile.objects.filter(pk__in=[pk for pk, _, _ in gone]).delete()
    left.filter(left_at__lt=(now or timezone.now()) - STRAY_AGE).delete()  # of hosts that are gone
    known = {name.split(".")[0] for name in FactsFile.objects.values_list("name", flat=True)}
    for path in files.stray_paths(known, ((now or timezone.now()) - STRAY_AGE).timestamp()):
        path.unlink(missing_ok=True)
    return len(gone)
