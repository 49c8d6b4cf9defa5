"""Names keep an identity of their own on every database."""

from hypothesis import given
from hypothesis import strategies as st

from results.names import digest_of, storable

ANY_TEXT = st.text(st.characters(exclude_categories=())) | st.text("\\u0d8f\x00\ud800", max_size=12)


def test_an_ordinary_name_is_stored_as_it_is() -> None:
    assert storable("задача 1 \\ a/b?#%") == "задача 1 \\ a/b?#%"


def test_nul_is_escaped() -> None:
    assert storable("a\x00b") == "a\\u0000b"


def test_a_name_that_looks_escaped_stays_apart_from_one_that_was() -> None:
    assert storable("a\\u0000b") == "a\\\\u0000b"


@given(ANY_TEXT, ANY_TEXT)
def test_different_names_never_meet(one: str, other: str) -> None:
    assert (storable(one) == storable(other)) == (one == other)


@given(ANY_TEXT)
def test_every_name_can_be_encoded(name: str) -> None:
    assert b"\x00" not in storable(name).encode()


def test_parts_of_a_digest_cannot_run_together() -> None:
    assert digest_of("x-y", "z") != digest_of("x", "y-z")
