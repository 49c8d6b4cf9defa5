"""Annotations from JSON Lines: hung on the same evaluations, or kept until these are imported. Safe to repeat."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import Literal

import msgspec
from django.db import transaction
from django.db.models import Q

from results.intake import find_project
from results.models.evaluations import VISIBLE_STATES, Evaluation
from results.models.results import Outcome
from results.models.review import Annotation, AnnotationKind, ReviewedEvaluation, ReviewWord, WordKind
from results.store.review_identity import content_of, note_change, reviewed_row
from results.store.reviewing import COMMENT_CHARACTERS, clean_author, clean_word

LINES_PER_STEP = 1_000  # of one transaction, about 100 ms
KINDS = {str(kind.label): kind for kind in AnnotationKind}
WORD_KINDS = {AnnotationKind.LABEL: WordKind.LABEL, AnnotationKind.REASON: WordKind.REASON}
OUTCOMES = {str(outcome.label): outcome for outcome in Outcome}


class Identity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The evaluation that an annotation belongs to."""

    name: str
    digest: str
    content: str


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line: a word of the vocabulary, or an annotation."""

    project: str
    word: Literal["label", "reason"] | None = None
    text: str = ""
    is_offered: bool = True
    annotation: Literal["comment", "label", "verdict", "reason"] | None = None
    value: str | None = None
    evaluation: Identity | None = None
    ordinal: int = 0
    author: str = ""
    created_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    ended_by: str = ""


class ImportedAnnotations(msgspec.Struct, frozen=True):
    """What came of an import: annotations added, those that were there already, and those whose evaluation is not."""

    added: int
    known: int
    waiting: int


class LineError(ValueError):
    """A line that cannot be read; the message names it, and what is wrong."""


def import_annotations(lines: Iterable[bytes]) -> ImportedAnnotations:
    """Read the lines of `export_annotations`; words and annotations that are there already stay as they are.

    Raises:
        LineError: a line cannot be read; what stood before it, in steps of 1,000, is kept.
        results.importers.source.ImportRefused: a project cannot be called so.
    """
    numbered = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
    work = _Work()
    while step := [_read(number, line) for number, line in islice(numbered, LINES_PER_STEP)]:
        with transaction.atomic():
            work.add(step)
    return ImportedAnnotations(work.added, work.known, work.waiting)


def _read(number: int, line: bytes) -> Line:
    try:
        found = msgspec.json.decode(line, type=Line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise LineError(f"Line {number}: {error}.") from error
    is_whole = found.evaluation is not None and found.created_at is not None and found.valid_from is not None
    if (found.word is None) == (found.annotation is None) or (found.annotation is not None and not is_whole):
        raise LineError(f"Line {number} is neither a word nor an annotation with its evaluation and its times.")
    if found.annotation == "verdict" and found.value is not None and found.value not in OUTCOMES:
        raise LineError(f"Line {number}: {found.value} is no outcome; outcomes are {', '.join(OUTCOMES)}.")
    if not 0 <= found.ordinal < 2**24 or len(found.value or "") > COMMENT_CHARACTERS:
        raise LineError(
            f"Line {number}: the ordinal lies in 0..2^24, a value has at most {COMMENT_CHARACTERS} characters."
        )
    return found


class _Work:
    """What was found so far, so that each project, evaluation and word is looked up once."""

    def __init__(self) -> None:
        self.added = self.known = self.waiting = 0
        self._projects: dict[str, int] = {}
        self._reviewed: dict[tuple[str, Identity], ReviewedEvaluation] = {}
        self._words: dict[tuple[str, WordKind, str], ReviewWord] = {}

    def add(self, lines: list[Line]) -> None:
        """Write one step."""
        for line in lines:
            if line.word is not None:
                kind = WordKind.LABEL if line.word == "label" else WordKind.REASON
                self._word(line.project, kind, line.text, is_offered=line.is_offered)
        rows = [self._row(line) for line in lines if line.annotation is not None]
        present = self._present(rows)
        new = [row for row in rows if _key(row) not in present]
        meant = Annotation.objects.filter(reviewed__in={row.reviewed for row in new})
        before = meant.count()
        Annotation.objects.bulk_create(new, ignore_conflicts=True)  # another verdict that holds here goes on holding
        added = meant.count() - before
        self.added += added
        self.known += len(rows) - added
        self.waiting += sum(row.reviewed.evaluation_id is None for row in new)
        for project_id in {row.reviewed.project_id for row in new}:
            note_change(project_id)

    @staticmethod
    def _present(rows: list[Annotation]) -> set[tuple[object, ...]]:
        """The keys of what is there already on the same results."""
        ordinals = {row.ordinal for row in rows}
        held = Annotation.objects.filter(reviewed__in={row.reviewed for row in rows}, ordinal__in=ordinals)
        return {_key(row) for row in held}

    def _row(self, line: Line) -> Annotation:
        kind = KINDS[line.annotation or ""]
        word = None
        if kind in WORD_KINDS and line.value is not None:
            word = self._word(line.project, WORD_KINDS[kind], line.value)
        if line.created_at is None or line.valid_from is None:  # cannot happen: such a line is refused
            raise LineError("an annotation without its times")
        return Annotation(
            reviewed=self._find(line),
            ordinal=line.ordinal,
            kind=kind,
            text=line.value or "" if kind == AnnotationKind.COMMENT else "",
            word=word,
            outcome=OUTCOMES[line.value] if kind == AnnotationKind.VERDICT and line.value is not None else None,
            author=clean_author(line.author),
            created_at=line.created_at,
            valid_from=line.valid_from,
            valid_to=line.valid_to,
            ended_by=clean_author(line.ended_by),
        )

    def _project(self, slug: str) -> int:
        if slug not in self._projects:
            self._projects[slug] = find_project(slug).pk
        return self._projects[slug]

    def _word(self, slug: str, kind: WordKind, text: str, *, is_offered: bool = True) -> ReviewWord:
        key = (slug, kind, clean_word(text))
        if key not in self._words:
            self._words[key] = ReviewWord.objects.get_or_create(
                project_id=self._project(slug), kind=kind, text=key[2], defaults={"is_offered": is_offered}
            )[0]
        return self._words[key]

    def _find(self, line: Line) -> ReviewedEvaluation:
        identity = line.evaluation
        if identity is None:  # cannot happen: such a line is refused
            raise LineError("an annotation without an evaluation")
        key = (line.project, identity)
        if key not in self._reviewed:
            self._reviewed[key] = _reviewed(self._project(line.project), identity)
        return self._reviewed[key]


def _key(row: Annotation) -> tuple[object, ...]:
    """What tells annotations apart; two that are equal in all of it are one."""
    said = (row.kind, row.text, row.word_id, row.outcome, row.author)
    return (row.reviewed_id, row.ordinal, *said, row.created_at, row.valid_from, row.valid_to, row.ended_by)


def _reviewed(project_id: int, identity: Identity) -> ReviewedEvaluation:
    """The row of an evaluation: that of the one that is here, else one that waits for it."""
    known = ReviewedEvaluation.objects.filter(project_id=project_id)
    same = Q(digest=identity.digest) if identity.digest else Q(content=identity.content)
    found = known.filter(same).first() or known.filter(content=identity.content).first()
    if found is not None:
        return found
    for evaluation in _candidates(project_id, identity):
        return reviewed_row(evaluation)
    return ReviewedEvaluation.objects.create(
        project_id=project_id, digest=identity.digest, content=identity.content, name=identity.name
    )


def _candidates(project_id: int, identity: Identity) -> Iterator[Evaluation]:
    """The evaluation with the same bytes, else those with the same results."""
    there = Evaluation.objects.filter(project_id=project_id, state__in=VISIBLE_STATES)
    if identity.digest:
        yield from there.filter(digest=identity.digest)
    yield from (row for row in there.order_by("pk") if content_of(row) == identity.content)
