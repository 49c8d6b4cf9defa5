"""Words that a great part of an evaluation's results hold: one bit a result, kept beside the index.

FTS5 gives out the ids of results one by one, a tenth of a second for a million. Only few words are held by so many, and
which results hold them does not change once an evaluation is indexed to its end.
"""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from results.models.evaluations import RESULTS_PER_EVALUATION
from results.text.index_file import transaction
from results.text.lookup import Ids, ids_between
from results.text.query import TextQuery

COMMON_FROM = 1 / 5  # of an evaluation's results
_WORD = re.compile(r"[a-z0-9]+")  # other words need the tokenizer to be compared
_INSERT = "INSERT OR REPLACE INTO common_word(evaluation_id, word, holders) VALUES(?, ?, ?)"


@dataclass(frozen=True)
class CommonMatches:
    """What is known of a search without asking FTS5: sorted ids, and the evaluations that these are all matches of."""

    ids: Ids
    evaluation_ids: Ids


def keep_common(index: sqlite3.Connection, evaluation_id: int, size: int, sample: Iterable[str]) -> None:
    """Keep who holds which common word.

    Args:
        index: open; the words are looked for before a transaction begins, so that others can write meanwhile.
        evaluation_id: of an evaluation that is indexed to its end.
        size: how many results it has.
        sample: the texts of some of its results: only words of these are looked at.
    """
    first = evaluation_id * RESULTS_PER_EVALUATION
    rows = []
    for word in _frequent(sample):
        ids = ids_between(index, f'"{word}"', evaluation_id, evaluation_id)
        if len(ids) >= COMMON_FROM * size:
            is_held = np.zeros(size, np.bool_)
            is_held[ids - first] = True
            rows.append((evaluation_id, word, np.packbits(is_held).tobytes()))
    with transaction(index):
        index.executemany(_INSERT, rows)
        index.execute("UPDATE progress SET has_common = 1 WHERE evaluation_id = ?", (evaluation_id,))


def _frequent(texts: Iterable[str]) -> list[str]:
    """The words that as great a part of some texts hold."""
    counts: Counter[str] = Counter()
    listed = list(texts)
    for text in listed:
        counts.update(set(_WORD.findall(text.lower())))
    return [word for word, count in counts.items() if count >= COMMON_FROM * len(listed)]


def common_matches(index: sqlite3.Connection, query: TextQuery) -> CommonMatches:
    """What is known of a search for words that have to be met together; nothing is known of any other search."""
    words = {term.text.lower() for term in query.terms}
    is_known = all(not term.is_prefix and not term.is_excluded for term in query.terms)
    if not is_known or query.columns or not words or not all(map(_WORD.fullmatch, words)):
        return CommonMatches(np.empty(0, np.int64), np.empty(0, np.int64))
    holders: dict[int, list[bytes]] = {}
    listed = ", ".join("?" * len(words))
    rows = index.execute(
        f"SELECT evaluation_id, holders FROM common_word WHERE word IN ({listed}) ORDER BY 1", [*words]
    )
    for evaluation_id, bits in rows:
        holders.setdefault(evaluation_id, []).append(bits)
    known = {pk: parts for pk, parts in holders.items() if len(parts) == len(words)}
    ids = [pk * RESULTS_PER_EVALUATION + _places(parts) for pk, parts in known.items()]
    return CommonMatches(np.concatenate(ids) if ids else np.empty(0, np.int64), np.array([*known], np.int64))


def _places(parts: list[bytes]) -> Ids:
    bits = np.bitwise_and.reduce([np.frombuffer(part, np.uint8) for part in parts])
    return np.flatnonzero(np.unpackbits(bits))
