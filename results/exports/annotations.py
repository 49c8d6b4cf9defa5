"""Annotations as JSON Lines: everything that was ever said, with what finds the results again in another database."""

from collections.abc import Iterator
from typing import Any

from results.exports.encoding import as_json
from results.models.results import Outcome
from results.models.review import Annotation, AnnotationKind, ReviewWord, WordKind

ROWS_AT_ONCE = 2_000


def annotation_lines(project: str | None = None) -> Iterator[bytes]:
    """A line for each word of the vocabulary, then one for each annotation; the same state gives the same bytes.

    Args:
        project: slug; None = of all projects.
    """
    words = ReviewWord.objects.order_by("project__slug", "kind", "text")
    rows = Annotation.objects.order_by(
        "reviewed__project__slug", "reviewed__digest", "reviewed__content", "ordinal", "valid_from", "kind", "pk"
    )
    if project is not None:
        words, rows = words.filter(project__slug=project), rows.filter(reviewed__project__slug=project)
    for word in words.select_related("project").iterator(ROWS_AT_ONCE):
        yield _line(
            word=str(WordKind(word.kind).label), project=word.project.slug, text=word.text, is_offered=word.is_offered
        )
    for row in rows.select_related("reviewed__project", "word").iterator(ROWS_AT_ONCE):
        yield _annotation(row)


def _annotation(row: Annotation) -> bytes:
    reviewed = row.reviewed
    value: str | None = row.text
    if row.kind == AnnotationKind.VERDICT:
        value = None if row.outcome is None else str(Outcome(row.outcome).label)
    elif row.kind != AnnotationKind.COMMENT:
        value = None if row.word is None else row.word.text
    return _line(
        annotation=str(AnnotationKind(row.kind).label),
        value=value,
        project=reviewed.project.slug,
        evaluation={"name": reviewed.name, "digest": reviewed.digest, "content": reviewed.content},
        ordinal=row.ordinal,
        author=row.author,
        created_at=row.created_at,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        ended_by=row.ended_by,
    )


def _line(**values: Any) -> bytes:  # noqa: ANN401  (JSON)
    return as_json(values) + b"\n"
