"""What changed in a task from one evaluation to the next: metadata, and accepted answers with their texts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from results.answers import accepted_answers
from results.models.dimensions import TaskVersion
from results.queries.detail import result_document
from results.queries.version_uses import task_version_uses, version_changes
from results.queries.versions import ACCEPTED, Change, task_changes
from results.queries.visibility import VisibleSet
from results.records import decode_result
from results.text.contents import readable

MOST_STEPS = 20  # that are told, the newest
MOST_TEXTS = 5  # changes of accepted answers whose texts are read, the newest
MOST_CHARACTERS = 20_000  # of each side of such a change


@dataclass(frozen=True)
class AcceptedTexts:
    """The accepted answers before and after a change, one after another; cut when they are very long."""

    before: str
    after: str


@dataclass(frozen=True)
class TaskStep:
    """An evaluation that used another version of the task than the one before it.

    Attributes:
        accepted: None where the accepted answers stayed, or their documents cannot be read, or nobody looked.
    """

    evaluation_id: int
    evaluation: str
    started_at: datetime
    changes: tuple[Change, ...]
    accepted: AcceptedTexts | None


@dataclass(frozen=True)
class TaskMetadata:
    """A task's suite, category, difficulty, tags and accepted answers as the latest evaluation has them.

    Attributes:
        suite, category, difficulty: None = unspecified.
        accepted: readable texts; empty where they are not known.
        is_ambiguous: the document does not tell whether `Want` is one answer or several.
    """

    suite: str | None
    category: str | None
    difficulty: str | None
    tags: tuple[str, ...]
    accepted: tuple[str, ...]
    is_ambiguous: bool


@dataclass(frozen=True)
class TaskChanges:
    """How a task changed.

    Attributes:
        latest: None when no visible evaluation has the task.
        steps: the newest first.
        more: steps that are left out, the older ones.
    """

    latest: TaskMetadata | None
    steps: tuple[TaskStep, ...]
    more: int


def changes_of_task(visible: VisibleSet, task_id: int, results: Mapping[int, int]) -> TaskChanges:
    """Follow a task's versions through the visible evaluations.

    Args:
        visible: evaluations that may be seen.
        task_id: of the task.
        results: a visible result of each version, by the version's id; its document says what was accepted.
    """
    uses = task_version_uses(visible, task_id)
    if not uses:
        return TaskChanges(None, (), 0)
    found = version_changes(uses)
    steps, read = [], 0
    for change in found[:MOST_STEPS]:
        before, after = change.before, change.after
        changes = tuple(task_changes(before.version_id, after.version_id))
        texts = None
        if read < MOST_TEXTS and any(part.what == ACCEPTED for part in changes):
            texts, read = _texts(visible, results.get(before.version_id), results.get(after.version_id)), read + 1
        steps.append(TaskStep(after.evaluation_id, after.evaluation, after.started_at, changes, texts))
    latest = _metadata(visible, uses[-1].version_id, results.get(uses[-1].version_id))
    return TaskChanges(latest, tuple(steps), max(0, len(found) - MOST_STEPS))


def _texts(visible: VisibleSet, before_id: int | None, after_id: int | None) -> AcceptedTexts | None:
    before, after = _accepted(visible, before_id), _accepted(visible, after_id)
    if before is None or after is None:
        return None
    # Each answer ends its last line, so that one more answer does not change the line before it.
    return AcceptedTexts(*("".join(f"{text}\n" for text in side.texts)[:MOST_CHARACTERS] for side in (before, after)))


@dataclass(frozen=True)
class _Accepted:
    texts: tuple[str, ...]
    is_ambiguous: bool


def _accepted(visible: VisibleSet, result_id: int | None) -> _Accepted | None:
    source = None if result_id is None else result_document(visible, result_id)
    if source is None:
        return None
    found = accepted_answers(decode_result(source))
    return _Accepted(tuple(readable(value) for value in found.values), found.is_ambiguous)


def _metadata(visible: VisibleSet, version_id: int, result_id: int | None) -> TaskMetadata:
    version = TaskVersion.objects.select_related("suite", "category", "difficulty").get(pk=version_id)
    members = version.tag_set.members.order_by("position") if version.tag_set is not None else None
    accepted = _accepted(visible, result_id)
    return TaskMetadata(
        suite=None if version.suite is None else version.suite.text,
        category=None if version.category is None else version.category.text,
        difficulty=None if version.difficulty is None else version.difficulty.text,
        tags=() if members is None else tuple(members.values_list("term__text", flat=True)),
        accepted=() if accepted is None else accepted.texts,
        is_ambiguous=accepted is not None and accepted.is_ambiguous,
    )
