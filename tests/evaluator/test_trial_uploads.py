"""Which of the files that were sent belongs at which path that the tasks name."""

from pathlib import Path

import pytest

from evaluator.trial_uploads import TaskUpload, place_uploads

BASE = Path("/drafts/files")


def placed(wanted: str, sent: str) -> tuple[dict[str, str], list[str]]:
    """Paths with the uploads that were put there, whose content is their own path; and the problems."""
    uploads = [TaskUpload(path, path.encode()) for path in sent.split()]
    found = place_uploads({BASE / path for path in wanted.split()}, uploads, BASE)
    places = {path.relative_to(BASE).as_posix(): body.decode() for path, body in found.places.items()}
    return places, [f"{problem.file}: {problem.wrong}" for problem in found.problems]


@pytest.mark.parametrize(
    ("wanted", "sent", "places"),
    [
        ("pictures/dot.png", "dot.png other.png", {"pictures/dot.png": "dot.png"}),
        ("a/x.png b/x.png", "set/a/x.png set/b/x.png", {"a/x.png": "set/a/x.png", "b/x.png": "set/b/x.png"}),
        ("x.png b/x.png", "set/x.png set/b/x.png", {"x.png": "set/x.png", "b/x.png": "set/b/x.png"}),
        ("data/a/x.png data/b/x.png", "a/x.png", {"data/a/x.png": "a/x.png"}),
    ],
)
def test_a_file_is_known_by_its_path_and_by_its_name_alone_where_that_is_there_once(
    wanted: str, sent: str, places: dict[str, str]
) -> None:
    found, problems = placed(wanted, sent)
    assert (found, problems) == (places, [])


def test_what_cannot_be_told_apart_is_refused_with_a_sentence() -> None:
    assert placed("a/x.png b/x.png", "x.png") == (
        {},
        [
            f"{path}: 2 paths of the tasks end in x.png, and it is not told which file is which"
            for path in ("a/x.png", "b/x.png")
        ],
    )
    assert placed("x.png", "one/a/x.png two/b/x.png") == ({}, ["x.png: 2 files were sent that may be this one"])
