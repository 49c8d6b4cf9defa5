"""Versions of a result's task and run, and what other evaluations changed in them."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

import msgspec

from results.json_surrogates import has_lone_surrogates, without_lone_surrogates
from results.models.dimensions import RunVersion, TagSetMember, TaskVersion
from results.models.evaluations import EvaluationRun, EvaluationTask
from results.models.results import Result
from results.queries.visibility import VisibleSet

MOST_CHANGES = 20  # that are told apart
MOST_COUNTED = 1_000  # changes that are looked for
SHOWN_CHARACTERS = 400  # of a value
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
        more: changes that are left out; `is_at_least` = there may be even more, nobody looked.
    """

    evaluation_id: int
    evaluation: str
    started_at: datetime | None
    is_later: bool
    changes: tuple[Change, ...]
    more: int
    is_at_least: bool


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


Changes = Callable[[int, int], Iterator[Change]]  # from one version to another
_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
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
        task=_versions(_task_uses(visible, task_version_id), evaluation_id, task_version_id, _task_changes),
        run=_versions(_run_uses(visible, run_version_id), evaluation_id, run_version_id, _run_changes),
    )


def task_changes(before_id: int, after_id: int) -> list[Change]:
    """What differs between two versions of a task; of accepted answers it is not told how."""
    return list(islice(_task_changes(before_id, after_id), MOST_CHANGES))


def run_changes(before_id: int, after_id: int) -> list[Change]:
    """What differs between two recorded configurations of a run, the first 20 values; each is named by its path."""
    return list(islice(_run_changes(before_id, after_id), MOST_CHANGES))


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


def _versions(uses: list[_Use], evaluation_id: int, version_id: int, changes: Changes) -> Versions:
    """The nearest other versions before and after an evaluation in time."""
    own = next((use for use in uses if use.evaluation_id == evaluation_id and use.version_id == version_id), None)
    if own is None:
        return Versions(())
    with_same = {use.evaluation_id for use in uses if use.version_id == version_id}
    others = [use for use in uses if use.evaluation_id not in with_same]
    earlier = [use for use in others if use.age < own.age]
    later = [use for use in others if use.age >= own.age]
    found = [_other(earlier[-1], version_id, changes, is_later=False)] if earlier else []
    found += [_other(later[0], version_id, changes, is_later=True)] if later else []
    return Versions(tuple(found))


def _other(use: _Use, version_id: int, changes: Changes, *, is_later: bool) -> OtherVersion:
    pair = (version_id, use.version_id) if is_later else (use.version_id, version_id)
    found = list(islice(changes(*pair), MOST_COUNTED))
    return OtherVersion(
        evaluation_id=use.evaluation_id,
        evaluation=use.evaluation,
        started_at=use.started_at,
        is_later=is_later,
        changes=tuple(found[:MOST_CHANGES]),
        more=max(0, len(found) - MOST_CHANGES),
        is_at_least=len(found) == MOST_COUNTED,
    )


def _task_changes(before_id: int, after_id: int) -> Iterator[Change]:
    before, after = _task_facts(before_id), _task_facts(after_id)
    for name, value in before.items():
        if value != after[name]:
            is_told = name != ACCEPTED  # of accepted answers, only digests are kept
            yield Change(name, *((_task_text(side[name]) if is_told else None) for side in (before, after)))


def _task_facts(version_id: int) -> dict[str, str | tuple[str, ...] | None]:
    fields = ("suite__text", "category__text", "difficulty__text", "accepted_digest", "tag_set_id")
    suite, category, difficulty, accepted, tag_set_id = TaskVersion.objects.values_list(*fields).get(pk=version_id)
    members = TagSetMember.objects.filter(tag_set_id=tag_set_id).order_by("position")
    tags = () if tag_set_id is None else tuple(members.values_list("term__text", flat=True))
    return {"suite": suite, "category": category, "difficulty": difficulty, "tags": tags, ACCEPTED: accepted}


def _task_text(value: str | tuple[str, ...] | None) -> str:
    if isinstance(value, tuple):
        return _cut(", ".join(value)) or "none"
    return _cut(f"“{value}”" if value == UNSPECIFIED else value or UNSPECIFIED)


def _run_changes(before_id: int, after_id: int) -> Iterator[Change]:
    """What differs in the recorded configurations, one entry a value, named by its path; number tokens as written."""
    configs = dict(RunVersion.objects.filter(pk__in=(before_id, after_id)).values_list("pk", "config"))
    before, after = (_readable(configs[pk].encode()) for pk in (before_id, after_id))
    yield from config_changes(before, after)


def _readable(config: bytes) -> bytes:
    if has_lone_surrogates(config):
        return without_lone_surrogates(config)
    return config or b"{}"


def config_changes(before: bytes, after: bytes) -> Iterator[Change]:
    """What differs in two JSON objects, in order, without recursion; parts that are equal are not looked into."""
    waiting = [_differing("", before, after)]
    while waiting:
        pair = next(waiting[-1], None)
        if pair is None:
            waiting.pop()
        elif _is_object(pair.before) or _is_object(pair.after):
            leaves = [None if _is_object(side) else side for side in (pair.before, pair.after)]
            if leaves != [None, None]:
                yield Change(pair.path, *map(_value_text, leaves))
            waiting.append(_differing(pair.path, pair.before, pair.after))
        elif _value_text(pair.before) != _value_text(pair.after):
            yield Change(pair.path, _value_text(pair.before), _value_text(pair.after))


@dataclass(frozen=True)
class _Pair:
    """One value in two documents, as JSON; None = it is absent."""

    path: str
    before: bytes | None
    after: bytes | None


def _differing(path: str, before: bytes | None, after: bytes | None) -> Iterator[_Pair]:
    """The members of two objects that are not the same text, in order."""
    first, second = (_MEMBERS.decode(side) if side is not None and _is_object(side) else {} for side in (before, after))
    for name in dict.fromkeys((*first, *second)):
        old, new = (bytes(side[name]) if name in side else None for side in (first, second))
        if old != new:
            yield _Pair(f"{path}.{name}" if path else name, old, new)


def _is_object(source: bytes | None) -> bool:
    """Whether this is an object that has members."""
    return source is not None and source.startswith(b"{") and source != b"{}"


def _value_text(source: bytes | None) -> str:
    if source is None:
        return ABSENT
    return _cut(json.loads(source) if source.startswith(b'"') else source.decode("utf-8", "replace"))


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"
