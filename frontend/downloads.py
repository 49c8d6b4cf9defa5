"""Files that are saved, never shown by the browser: their headers, and pieces that are worth sending."""

from collections.abc import Iterator

from django.http import HttpResponse

from results.exports.registry import CONTENT_TYPES, ITERATION_FORMATS

PIECE_BYTES = 64_000  # sent at once at least, so that many small results are few writes
HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-store"}


def attachment(file_name: str) -> dict[str, str]:
    """Headers of a file that is saved, never shown."""
    return {**HEADERS, "Content-Disposition": f'attachment; filename="{file_name}"'}


def gathered(first: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes in pieces of some size."""
    kept = bytearray(first)
    for piece in pieces:
        kept += piece
        if len(kept) >= PIECE_BYTES:
            yield bytes(kept)
            kept.clear()
    yield bytes(kept)


def iterations_file(ids: list[int], name: str, stem: str) -> HttpResponse | None:
    """Iterations as a file.

    Args:
        ids: of the revisions; at least one.
        name: of a format of iterations.
        stem: of the file's name.

    Returns:
        None when there is no such format.
    """
    form = ITERATION_FORMATS.get(name)
    if form is None:
        return None
    suffix = form.suffix_for(len(ids))
    headers = attachment(f"{stem}.{suffix}")
    return HttpResponse(b"".join(form.write(ids)), content_type=CONTENT_TYPES[suffix], headers=headers)
