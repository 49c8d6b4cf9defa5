"""Looks for exact texts in documents, one by one."""

import json
from collections.abc import Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from results.compression import DamagedError, decompress
from results.models.results import ResultDocument
from results.records import decode_result
from results.text.contents import texts_of
from results.text.query import ExactText

DOCUMENTS_PER_READ = 500  # below SQLite's oldest limit of 999 parameters


def scan(ids: NDArray[np.int64], texts: tuple[ExactText, ...], columns: tuple[str, ...]) -> NDArray[np.int64]:
    """Keep the results whose documents hold each text, or lack it if it is excluded.

    Args:
        ids: sorted result ids.
        texts: compared letter by letter with every string value of the document (names, answers, tool output, …).
        columns: look only at these of the index's texts; empty = the whole document.

    Returns:
        The ids that remain, in the same order. A result without a readable document does not remain.
    """
    kept = []
    for start in range(0, len(ids), DOCUMENTS_PER_READ):
        page = ids[start : start + DOCUMENTS_PER_READ].tolist()
        for result_id, body in ResultDocument.objects.filter(pk__in=page).values_list("pk", "body"):
            try:
                source = decompress(body)
                if all(_holds(source, text.text, columns) != text.is_excluded for text in texts):
                    kept.append(result_id)
            except (DamagedError, msgspec.MsgspecError, ValueError):
                continue
    return np.sort(np.array(kept, np.int64))


def _holds(source: bytes, needle: str, columns: tuple[str, ...]) -> bool:
    is_canonical = b"\\u" not in source and b"\\/" not in source  # strings are written in one way only: bytes decide
    if is_canonical and msgspec.json.encode(needle)[1:-1] not in source:
        return False
    if columns:
        texts = texts_of(decode_result(source))
        return any(needle in getattr(texts, column) for column in columns)
    return any(needle in text for text in _strings(json.loads(source)))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
