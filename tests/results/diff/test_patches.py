"""Patches of a failed answer, as MindTrial's writer makes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from results.diff.characters import Edit, Kind, edits_between
from results.diff.meaningful import made_meaningful
from results.diff.patches import patch_text

TEXTS = st.text(alphabet="ab \n.é", max_size=40)


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        ("same", "same", "same"),
        ("", "ab", "@@ -0,0 +1,2 @@\n+ab\n"),
        ("ab", "", "@@ -1,2 +0,0 @@\n-ab\n"),
        ("red", "blue", "@@ -1,3 +1,4 @@\n-red\n+blue\n"),
        ("cat", "cats", "@@ -1,3 +1,4 @@\n cat\n+s\n"),
        ("a b", "a\nb", "@@ -1,3 +1,3 @@\n a\n- \n+%0A\n b\n"),
        ('x"<&', "x", "@@ -1,4 +1 @@\n x\n-%22%3C&\n"),
        ("é1", "é2", "@@ -1,3 +1,3 @@\n %C3%A9\n-1\n+2\n"),  # lengths are bytes
        ("0123456789 one 0123456789", "0123456789 two 0123456789", None),
    ],
)
def test_a_patch_has_places_lengths_and_escapes(before: str, after: str, patch: str | None) -> None:
    # The common characters of "one" and "two" are chance: the whole word is replaced, four characters stand around it.
    expected = "@@ -8,11 +8,11 @@\n 789 \n-one\n+two\n  012\n" if patch is None else patch
    assert patch_text(before, after) == expected


def test_an_edit_is_shifted_to_the_edge_of_a_word() -> None:
    edits = made_meaningful(edits_between("The came.", "The cat came."))
    assert edits == [Edit(Kind.EQUAL, "The "), Edit(Kind.INSERT, "cat "), Edit(Kind.EQUAL, "came.")]


@given(TEXTS, TEXTS)
def test_edits_keep_both_texts(before: str, after: str) -> None:
    edits = made_meaningful(edits_between(before, after))
    assert "".join(edit.text for edit in edits if edit.kind is not Kind.INSERT) == before
    assert "".join(edit.text for edit in edits if edit.kind is not Kind.DELETE) == after
