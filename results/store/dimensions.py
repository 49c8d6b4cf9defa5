"""Ids of what results point to: found or made once per distinct text, and linked to the evaluation that uses them."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import msgspec
from django.db import connection, models, transaction

from results.importers.source import ImportRefused
from results.models.dimensions import Provider, Run, RunVersion, TagSet, TagSetMember, Task, TaskVersion, Term
from results.models.evaluations import Evaluation, EvaluationRun, EvaluationTask, EvaluationTerm
from results.names import digest_of, storable
from results.records import RunConfig, RunResult, TaskMetadata
from results.store.upsert import batches, ensure, insert_missing

MOST_NAME_CHARACTERS = 10_000
DIMENSION_LOCK = 0x6576616C  # PostgreSQL advisory lock: makers share it, the remover of orphans has it alone
KEYS_PER_STEP = 250  # new runs, tasks or terms in one transaction
PAUSE_SECONDS = 0.02  # after a whole step: who waits for SQLite's one writer looks again after 25 ms or more
REMEMBERED_BYTES = 4_096  # longer accepted answers are not kept in memory
SHORT_BYTES = 64  # accepted answers up to this size are a key as they are, longer ones by their digest
ENCODER = msgspec.json.Encoder(decimal_format="number")

Key = TypeVar("Key")


class RunKey(NamedTuple):
    """What tells run versions apart; `config` is the recorded RunConfig as JSON, empty when there is none."""

    provider: str
    run: str
    config: bytes


class TaskKey(NamedTuple):
    """What tells task versions apart; `accepted` stands for the accepted answers, empty when unknown."""

    task: str
    suite: str
    category: str
    difficulty: str
    tags: tuple[str, ...]
    accepted: bytes


@dataclass(frozen=True, slots=True)
class RunIds:
    """Ids of a run version and of what it belongs to."""

    provider_id: int
    run_id: int
    run_version_id: int
    model_id: int | None


@dataclass(frozen=True, slots=True)
class TaskIds:
    """Ids of a task version and of what describes it; None = unspecified."""

    task_id: int
    task_version_id: int
    suite_id: int | None
    category_id: int | None
    difficulty_id: int | None
    tag_set_id: int | None


@dataclass(frozen=True, slots=True)
class KnownTask:
    """The key of a task as it stood last, with what it was made from."""

    about: TaskMetadata
    want: bytes
    key: TaskKey


class Keys:
    """Names the run and task version of results; one that comes again gets the same key object."""

    def __init__(self) -> None:
        self._tasks: dict[str, KnownTask] = {}

    def run_key(self, record: RunResult) -> RunKey:
        """Name the run version of a result."""
        config = record.run_config
        return RunKey(record.provider, record.run, b"" if config is None else ENCODER.encode(config))

    def task_key(self, record: RunResult) -> TaskKey:
        """Name the task version of a result; accepted answers that are absent or null are unknown."""
        about, want = record.task_metadata, bytes(record.want)
        known = self._tasks.get(record.task)
        if known is not None and known.want == want and known.about == about:
            return known.key
        accepted = want
        if len(want) > SHORT_BYTES:
            accepted = digest_of(want).encode()
        elif want == b"null":
            accepted = b""
        tags = tuple(tag for tag in about.tags if said(tag))  # a blank tag says nothing, as blank metadata does
        key = TaskKey(record.task, said(about.suite), said(about.category), said(about.difficulty), tags, accepted)
        if len(want) <= REMEMBERED_BYTES:
            self._tasks[record.task] = KnownTask(about, want, key)
        return key


def said(text: str) -> str:
    """Metadata as it was written; white space alone says as little as nothing does."""
    return "" if text.isspace() else text


def check_name(text: str) -> None:
    """Refuse a name that no page could show and no address could carry.

    Raises:
        ImportRefused: it is too long.
    """
    if len(text) > MOST_NAME_CHARACTERS:
        raise ImportRefused(
            f"a name has {len(text):,} characters, more than {MOST_NAME_CHARACTERS:,}; it begins with {text[:40]!r}",
            remedy="Names of tasks, runs, tags, tools and errors must be shorter",
        )


def lock_dimensions(*, alone: bool) -> None:
    """Keep makers and the remover of dimension rows apart until the transaction ends; SQLite has one writer anyway."""
    if connection.vendor == "postgresql":
        suffix = "" if alone else "_shared"
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT pg_advisory_xact_lock{suffix}(%s)", [DIMENSION_LOCK])


def _model_of(key: RunKey) -> str:
    if not key.config:
        return ""
    return msgspec.json.decode(key.config, type=RunConfig).model


class Dimensions:
    """The dimension rows of one evaluation, remembered while it is written."""

    def __init__(self, evaluation: Evaluation) -> None:
        """Start with nothing known."""
        self.evaluation = evaluation
        self.runs: dict[RunKey, RunIds] = {}
        self.tasks: dict[TaskKey, TaskIds] = {}
        self.terms: dict[str, int] = {}
        self._tag_sets: dict[tuple[str, ...], int] = {}

    def learn(self, runs: Iterable[RunKey], tasks: Iterable[TaskKey], texts: Iterable[str]) -> None:
        """Make sure that all of these have ids; what is new is made and linked in short transactions.

        Args:
            runs: keys of the results to be written.
            tasks: the same for tasks.
            texts: further texts that need a term, such as tools and error titles.
        """
        new_runs = {key for key in runs if key not in self.runs}
        new_tasks = {key for key in tasks if key not in self.tasks}
        for name in (*(key.task for key in new_tasks), *(text for key in new_runs for text in (key.provider, key.run))):
            check_name(name)
        words = {_model_of(key) for key in new_runs}
        for key in new_tasks:
            words.update((key.suite, key.category, key.difficulty, *key.tags))
        words.discard("")
        words.update(texts)
        words = {word for word in words if word not in self.terms}
        for word in words:
            check_name(word)
        for part in batches(sorted(words), KEYS_PER_STEP):
            self._in_one_step(self._learn_terms, part)
        for keys in batches(sorted(new_runs), KEYS_PER_STEP):
            self._in_one_step(self._learn_runs, keys)
        for tasks_part in batches(sorted(new_tasks), KEYS_PER_STEP):
            self._in_one_step(self._learn_tasks, tasks_part)

    @staticmethod
    def _in_one_step(learn: Callable[[Sequence[Key]], None], keys: Sequence[Key]) -> None:
        """Learn some keys in a transaction of their own, so that other writers hardly wait."""
        with transaction.atomic():
            lock_dimensions(alone=False)
            learn(keys)
        if len(keys) == KEYS_PER_STEP and connection.vendor == "sqlite":  # more may follow at once
            time.sleep(PAUSE_SECONDS)

    def _term_id(self, text: str) -> int | None:
        return self.terms[text] if text else None

    def _link(self, model: type[models.Model], column: str, ids: Iterable[int]) -> None:
        insert_missing(model, ("evaluation_id", column), [(self.evaluation.pk, id_) for id_ in sorted(set(ids))])

    def _learn_terms(self, texts: Sequence[str]) -> None:
        digests = {text: (digest_of(storable(text)),) for text in texts}
        rows = {digest: (*digest, storable(text)) for text, digest in digests.items()}
        ids = ensure(Term, None, ("digest", "text"), rows)
        self._link(EvaluationTerm, "term_id", ids.values())
        self.terms.update({text: ids[digest] for text, digest in digests.items()})

    def _learn_runs(self, keys: Sequence[RunKey]) -> None:
        names = {key.provider: storable(key.provider) for key in keys}
        providers = ensure(
            Provider, None, ("digest", "name"), {(digest_of(name),): (digest_of(name), name) for name in names.values()}
        )
        run_of: dict[RunKey, tuple[int, str]] = {}
        rows = {}
        for key in keys:
            name = storable(key.run)
            run = run_of[key] = (providers[(digest_of(names[key.provider]),)], digest_of(name))
            rows[run] = (*run, name)
        runs = ensure(Run, "provider_id", ("provider_id", "digest", "name"), rows)
        version_of = {key: (runs[run_of[key]], digest_of(key.config)) for key in keys}
        versions = ensure(
            RunVersion,
            "run_id",
            ("run_id", "digest", "model_id", "config"),
            {
                version_of[key]: (*version_of[key], self._term_id(_model_of(key)), storable(key.config.decode()))
                for key in keys
            },
        )
        self._link(EvaluationRun, "run_version_id", versions.values())
        for key in keys:
            self.runs[key] = RunIds(
                run_of[key][0], runs[run_of[key]], versions[version_of[key]], self._term_id(_model_of(key))
            )

    def _learn_tag_sets(self, tag_lists: set[tuple[str, ...]]) -> None:
        new = sorted(tags for tags in tag_lists if tags and tags not in self._tag_sets)
        digests = {tags: (digest_of(*map(storable, tags)),) for tags in new}
        ids = ensure(TagSet, None, ("digest",), {digest: digest for digest in digests.values()})
        self._tag_sets.update({tags: ids[digest] for tags, digest in digests.items()})
        members = [
            (self._tag_sets[tags], position, self.terms[tag]) for tags in new for position, tag in enumerate(tags)
        ]
        insert_missing(TagSetMember, ("tag_set_id", "position", "term_id"), members)

    def _learn_tasks(self, keys: Sequence[TaskKey]) -> None:
        self._learn_tag_sets({key.tags for key in keys})
        task_of: dict[TaskKey, tuple[int, str]] = {}
        rows = {}
        for key in keys:
            name = storable(key.task)
            task = task_of[key] = (self.evaluation.project_id, digest_of(name))
            rows[task] = (*task, name)
        tasks = ensure(Task, "project_id", ("project_id", "digest", "name"), rows)
        found = {key: self._described(key, tasks[task_of[key]]) for key in keys}
        version_of = {
            key: (ids.task_id, digest_of(*map(storable, key[1:4]), b"|", *map(storable, key.tags), b"|", key.accepted))
            for key, ids in found.items()
        }
        columns = ("task_id", "digest", "suite_id", "category_id", "difficulty_id", "tag_set_id", "accepted_digest")
        versions = ensure(
            TaskVersion,
            "task_id",
            columns,
            {
                version_of[key]: (
                    *version_of[key],
                    ids.suite_id,
                    ids.category_id,
                    ids.difficulty_id,
                    ids.tag_set_id,
                    digest_of(key.accepted) if key.accepted else None,
                )
                for key, ids in found.items()
            },
        )
        self._link(EvaluationTask, "task_version_id", versions.values())
        for key, ids in found.items():
            self.tasks[key] = TaskIds(
                ids.task_id,
                versions[version_of[key]],
                ids.suite_id,
                ids.category_id,
                ids.difficulty_id,
                ids.tag_set_id,
            )

    def _described(self, key: TaskKey, task_id: int) -> TaskIds:
        return TaskIds(
            task_id,
            0,
            self._term_id(key.suite),
            self._term_id(key.category),
            self._term_id(key.difficulty),
            self._tag_sets[key.tags] if key.tags else None,
        )
