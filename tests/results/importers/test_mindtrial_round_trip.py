"""What goes in comes out: every byte that is not white space."""

import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from results.importers.envelope import restore
from results.importers.source import Envelope, Slot
from tests.results.importers.reading import document, open_document, results_of, round_trip, row, without_white_space

SAMPLES = "samples/mindtrial"

NUMBERS = st.sampled_from(
    [b"0", b"-0", b"-0.0", b"1e21", b"1E+2", b"-1.50e-7", b"1.0", b"123456789012345678901234567890", b"1e400"]
)
PIECES = st.sampled_from(
    [
        "a", " ", "{", "]", ",", ":", "<b>", "é", "😀", "\\n", '\\"', "\\\\", "\\/", "\\u003c", "\\u0000", "\\u2028",
        "\\ud83d\\ude00", "\\ud800", "\\udc00", "\\uDBFF", "\u202e", "\\\\ud800",
    ]
)  # fmt: skip
STRINGS = st.lists(PIECES, max_size=6).map(lambda pieces: f'"{"".join(pieces)}"'.encode())
SPACES = st.sampled_from([b"", b"", b" ", b"\n  ", b"\r\n\t"])
KEYS = st.one_of(STRINGS, st.sampled_from([b'"Got"', b'"extra"', b'"kind"', b'"Results"', b'""']))


@st.composite
def written_objects(draw: st.DrawFn, members: st.SearchStrategy[list[tuple[bytes, bytes]]]) -> bytes:
    """Write an object with white space anywhere; keys may stand more than once."""
    text = draw(SPACES).join([b"{", b""])
    for position, (key, value) in enumerate(draw(members)):
        space = draw(SPACES)
        text += (b"," if position else b"") + space + key + draw(SPACES) + b":" + space + value + draw(SPACES)
    return text + b"}"


@st.composite
def written_arrays(draw: st.DrawFn, items: st.SearchStrategy[bytes]) -> bytes:
    """Write an array with white space anywhere."""
    space = draw(SPACES)
    return b"[" + space + (draw(SPACES) + b"," + space).join(draw(st.lists(items, max_size=3))) + space + b"]"


VALUES = st.recursive(
    st.one_of(NUMBERS, STRINGS, st.sampled_from([b"true", b"false", b"null"])),
    lambda inner: st.one_of(written_arrays(inner), written_objects(st.lists(st.tuples(KEYS, inner), max_size=3))),
    max_leaves=8,
)
UNKNOWN_KEYS = STRINGS.map(lambda key: b'"x' + key[1:])


@st.composite
def rows(draw: st.DrawFn, provider: bytes) -> bytes:
    """Write a result: odd case, unknown keys, duplicates, in any order."""
    kind = draw(st.sampled_from([b'"Kind"', b'"kind"', b'"KIND"', b'"\\u004bind"']))
    members = [
        (kind, draw(st.sampled_from([b'"Passed"', b'"Failed"', b'"Error"', b'"Skipped"']))),
        (draw(st.sampled_from([b'"Provider"', b'"provider"'])), provider),
        (draw(st.sampled_from([b'"Got"', b'"got"'])), draw(VALUES)),
        (b'"Want"', draw(VALUES)),
    ]
    texts = st.tuples(st.sampled_from([b'"Task"', b'"task"', b'"Run"', b'"TraceID"']), STRINGS)
    members += draw(st.lists(st.one_of(texts, st.tuples(UNKNOWN_KEYS, VALUES)), max_size=4))
    return draw(written_objects(st.just(draw(st.permutations(members)))))


@st.composite
def written_results(draw: st.DrawFn) -> bytes:
    """Write a Results object; a provider may stand twice or be null."""
    providers = draw(st.lists(st.sampled_from([b'"a"', b'"\\u0061"', b'"b \\ud800"', b'""']), max_size=4))
    members = [(provider, draw(st.one_of(st.just(b"null"), written_arrays(rows(provider))))) for provider in providers]
    return draw(written_objects(st.just(members)))


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    """Write a document: Results more than once, odd case, unknown keys, any order."""
    members = [(draw(st.sampled_from([b'"FormatVersion"', b'"formatversion"'])), b"1")]
    results = st.tuples(
        st.sampled_from([b'"Results"', b'"results"', b'"RE\\u0053ULTS"']),
        st.one_of(written_results(), st.just(b"null")),
    )
    members += draw(st.lists(st.one_of(results, st.tuples(UNKNOWN_KEYS, VALUES)), max_size=4))
    return draw(SPACES) + draw(written_objects(st.just(draw(st.permutations(members))))) + draw(SPACES)


@given(documents())
def test_any_document_comes_back_byte_for_byte(text: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert round_trip(Path(folder), text) == without_white_space(text)


@given(documents())
def test_a_stored_document_is_itself_a_document(text: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        stored = round_trip(Path(folder), text)
        assert round_trip(Path(folder), stored) == stored


def test_every_sample_comes_back_as_msgspec_would_write_it(shared_folder: Path, tmp_path: Path) -> None:
    samples = [path for path in sorted((shared_folder / SAMPLES).glob("*.json")) if "schema" not in path.name]
    changed = [
        path.name
        for path in samples
        if round_trip(tmp_path, path.read_bytes()) != msgspec.json.format(path.read_bytes(), indent=-1)
    ]
    assert (len(samples) > 0, changed) == (True, [])


def test_a_source_holds_the_results_own_tokens(tmp_path: Path) -> None:
    text = row(b'"Got" : [ -0, 1e21, 123456789012345678901234567890, "\\u003c\\/" ]')
    (result,) = results_of(tmp_path, document(text))
    assert result.source.endswith(b'"Got":[-0,1e21,123456789012345678901234567890,"\\u003c\\/"]}')


def test_the_last_results_count_and_the_earlier_stay_in_the_envelope(tmp_path: Path) -> None:
    text = b'{"FormatVersion":1,"Results":{"p":[1]},"Results":{"p":[%s],"q":null,"r":[]}}' % row()
    source = open_document(tmp_path, text)
    list(source.results)
    assert source.envelope() == Envelope(
        b'{"FormatVersion":1,"Results":{"p":[1]},"Results":{"p":[],"q":null,"r":[]}}', [Slot(55, 1)]
    )


def test_the_last_list_of_a_provider_counts(tmp_path: Path) -> None:
    text = b'{"FormatVersion":1,"Results":{"p":[%s],"p":[%s]}}' % (row(b'"Task":"first"'), row(b'"Task":"last"'))
    assert [result.record.task for result in results_of(tmp_path, text)] == ["last"]


def test_restoring_with_a_result_missing_is_an_error() -> None:
    with pytest.raises(ValueError, match="1 of 2 results are missing"):
        list(restore(Envelope(b"[]", [Slot(1, 2)]), iter([b"1"])))


def test_restoring_with_a_result_too_many_is_an_error() -> None:
    with pytest.raises(ValueError, match="more results"):
        list(restore(Envelope(b"[]", [Slot(1, 1)]), iter([b"1", b"2"])))
