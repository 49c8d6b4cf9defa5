"""Versions of a result's task and run, and what other evaluations changed in them."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from results.models.dimensions import RunVersion, TagSetMember, TaskVersion
from results.models.evaluations import EvaluationRun, EvaluationTask
from results.models.results import Result
from results.queries.visibility import VisibleSet

MOST_CHANGES = 20  # that are told apart
UNSPECIFIED = "unspecified"
ABSENT = "not recorded"
ACCEPTED = "accepted answers"


@dataclass(frozen=True)
class Change:
    """One thing that two versions differ in; texts of ours where a value is missing. None = it is not told how."""

    what: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class OtherVersion:
    """The nearest evaluation before or after this one that used another version.

    Attributes:
        is_later: it came after; `changes` always go from the older to the newer version.
        more: changes that are left out.
    """

    evaluation_id: int
    evaluation: str
    started_at: datetime | None
    is_later: bool
    changes: tuple[Change, ...]
    more: int


@dataclass(frozen=True)
class Versions:
    """What other visible evaluations used instead of a result's version of its task or run.

    Attributes:
        others: the nearest evaluations before and after that did not use this version.
    """

    others: tuple[OtherVersion, ...]

    @property
    def has_later(self) -> bool:
        """Whether a later evaluation used another version."""
        return any(other.is_later for other in self.others)


@dataclass(frozen=True)
class ResultVersions:
    """The versions of one result's task and run."""

    task: Versions
    run: Versions


@dataclass(frozen=True)
class Fact:
    """One thing that a version says: as it is shown (None = it cannot be), and what is compared."""

    text: str | None
    value: object


Facts = Callable[[int], dict[str, Fact]]
_EVALUATION = ("evaluation_id", "evaluation__name", "evaluation__started_at", "evaluation__imported_at")


@dataclass(frozen=True)
class _Use:
    """An evaluation that used a version."""

    version_id: int
    evaluation_id: int
    evaluation: str
    started_at: datetime | None
    imported_at: datetime

    @property
    def age(self) -> tuple[datetime, int]:
        """Its place in time."""
        return (self.started_at or self.imported_at, self.evaluation_id)


def result_versions(visible: VisibleSet, result_id: int) -> ResultVersions | None:
    """The versions that a result used, and what changed before and since; None for an unknown result.

    Args:
        visible: evaluations that may be seen; versions of others do not count.
        result_id: of the result.
    """
    fields = ("evaluation_id", "task_version_id", "run_version_id")
    row = Result.objects.filter(pk=result_id).values_list(*fields).first()
    if row is None or row[0] not in visible.evaluation_ids:
        return None
    evaluation_id, task_version_id, run_version_id = row
    return ResultVersions(
        task=_versions(_task_uses(visible, task_version_id), evaluation_id, task_version_id, _task_facts),
        run=_versions(_run_uses(visible, run_version_id), evaluation_id, run_version_id, _run_facts),
    )


def _task_uses(visible: VisibleSet, version_id: int) -> list[_Use]:
    ids = list(TaskVersion.objects.filter(task__versions=version_id).values_list("pk", flat=True))
    if ids == [version_id]:
        return []
    uses = EvaluationTask.objects.filter(task_version__in=ids)
    return _visible_uses(visible, uses.values_list("task_version_id", *_EVALUATION))


def _run_uses(visible: VisibleSet, version_id: int) -> list[_Use]:
    ids = list(RunVersion.objects.filter(run__versions=version_id).values_list("pk", flat=True))
    if ids == [version_id]:
        return []
    uses = EvaluationRun.objects.filter(run_version__in=ids)
    return _visible_uses(visible, uses.values_list("run_version_id", *_EVALUATION))


def _visible_uses(visible: VisibleSet, rows: Iterable[tuple[Any, ...]]) -> list[_Use]:
    """Evaluations in order of time."""
    uses = (_Use(*row) for row in rows if row[1] in visible.evaluation_ids)
    return sorted(uses, key=lambda use: use.age)


def _versions(uses: list[_Use], evaluation_id: int, version_id: int, facts: Facts) -> Versions:
    """The nearest other versions before and after an evaluation in time."""
    own = next((use for use in uses if use.evaluation_id == evaluation_id and use.version_id == version_id), None)
    if own is None:
        return Versions(())
    with_same = {use.evaluation_id for use in uses if use.version_id == version_id}
    others = [use for use in uses if use.evaluation_id not in with_same]
    earlier = [use for use in others if use.age < own.age]
    later = [use for use in others if use.age >= own.age]
    found = [_other(earlier[-1], version_id, facts, is_later=False)] if earlier else []
    found += [_other(later[0], version_id, facts, is_later=True)] if later else []
    return Versions(tuple(found))


def _other(use: _Use, version_id: int, facts: Facts, *, is_later: bool) -> OtherVersion:
    pair = (version_id, use.version_id) if is_later else (use.version_id, version_id)
    before, after = (facts(pk) for pk in pair)
    changes = [
        Change(name, *_shown(before.get(name), after.get(name)))
        for name in dict.fromkeys((*before, *after))
        if before.get(name) != after.get(name)
    ]
    more = max(0, len(changes) - MOST_CHANGES)
    return OtherVersion(
        use.evaluation_id, use.evaluation, use.started_at, is_later, tuple(changes[:MOST_CHANGES]), more
    )


def _shown(before: Fact | None, after: Fact | None) -> tuple[str | None, str | None]:
    texts = [ABSENT if fact is None else fact.text for fact in (before, after)]
    return (texts[0], texts[1])


def _task_facts(version_id: int) -> dict[str, Fact]:
    fields = ("suite__text", "category__text", "difficulty__text", "tag_set_id", "accepted_digest")
    *words, tag_set_id, accepted = TaskVersion.objects.values_list(*fields).get(pk=version_id)
    members = TagSetMember.objects.filter(tag_set_id=tag_set_id).order_by("position")
    tags = [] if tag_set_id is None else list(members.values_list("term__text", flat=True))
    named = zip(("suite", "category", "difficulty"), words, strict=True)
    facts = {name: Fact(text or UNSPECIFIED, text) for name, text in named}
    facts["tags"] = Fact(", ".join(tags) or "none", tuple(tags))
    facts[ACCEPTED] = Fact(None, accepted)
    return facts


def _run_facts(version_id: int) -> dict[str, Fact]:
    """The recorded configuration, one entry a value, named by its path; number tokens as written."""
    config = RunVersion.objects.values_list("config", flat=True).get(pk=version_id)
    if not config:
        return {}
    tree = json.loads(config, parse_int=str, parse_float=str, parse_constant=str)
    return {path: Fact(text, text) for path, text in _leaves(tree)}


def _leaves(tree: object) -> Iterator[tuple[str, str]]:
    """The values of a tree with their paths, in order, without recursion."""
    waiting: list[tuple[str, object]] = [("", tree)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict) and value:
            named = ((f"{path}.{name}" if path else name, part) for name, part in value.items())
            waiting += reversed(list(named))
        elif isinstance(value, list):
            yield path, json.dumps(value, ensure_ascii=False)
        else:
            yield path, value if isinstance(value, str) else json.dumps(value)
