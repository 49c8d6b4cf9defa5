"""Of several accepted answers the most similar one is taken."""

import pytest

from results.diff.nearness import nearest


@pytest.mark.parametrize(
    ("answer", "candidates", "place"),
    [
        ("b", ["a", "b", "c"], 1),
        ("b c", ["c b", "b  c", "b d"], 1),
        ("B", ["a", "b"], 1),
        ("(8, 13) -> (11, 13)", ["(7, 6) -> (4, 9)", "(8, 13) -> (11, 14)"], 1),
        ("x", ["a", "b"], 0),
        ("", ["a", ""], 1),
        ("one two three", ["three four one", "one two 3"], 1),
        ("same", ["same", "same"], 0),
    ],
)
def test_the_nearest_is_found(answer: str, candidates: list[str], place: int) -> None:
    assert nearest(answer, candidates) == place


def test_giant_candidates_are_only_looked_into() -> None:
    assert nearest("b" * 5_000_000, ["a" * 5_000_000, "b" * 5_000_001]) == 1
