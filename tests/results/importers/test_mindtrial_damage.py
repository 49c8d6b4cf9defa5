"""Damaged documents: refused with a reason, or sound JSON after all; never anything else."""

import json
import tempfile
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from results.importers.source import ImportRefused
from tests.results.importers.reading import document, results_of, row

SOUND = document(
    row(b'"Got":[-0,1e21,"\\u00e9\\ud83d\\ude00",null,true,{}]', b'"Details":{"Answer":{"Usage":{"InputTokens":5}}}'),
    row(b'"task" : "t"', b'"unknown":{"a":[1.5e-7,"\\\\"]}'),
    around=b'"CreatedAt":"2026-01-01T00:00:00Z", "AppName":"x",',
)
BYTES = st.sampled_from(list(b'{}[],:"\\0-1eE.+ntuaN \xff\x00\x1f\n'))


def is_json(text: bytes) -> bool:
    """Ask Python's own parser, strictly; bytes that are not UTF-8 and half surrogate pairs are taken."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        json.loads(text.decode("utf-8-sig", "replace"), parse_constant=refuse)
    except ValueError:
        return False
    return True


@given(
    st.integers(0, len(SOUND) - 1),
    st.integers(0, 3),
    st.lists(BYTES, max_size=2).map(bytes),
    st.integers(0, len(SOUND)),
)
@example(0, 0, b"\xef\xbb\xbf", len(SOUND))
def test_what_is_accepted_is_json_by_another_parser_too(start: int, length: int, put: bytes, end: int) -> None:
    damaged = SOUND[:start] + put + SOUND[start + length :]
    damaged = damaged if end % 3 else damaged[:end]
    with tempfile.TemporaryDirectory() as folder:
        try:
            results_of(Path(folder), damaged)
        except ImportRefused:
            return
    assert is_json(damaged)
