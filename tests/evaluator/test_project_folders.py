"""Which folders may be evaluated."""

from pathlib import Path

import pytest

from evaluator.project_folders import FolderRefusedError, place_project


def test_a_folder_below_a_root_is_taken_and_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "roots" / "kiln").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "roots" / "kiln")
    assert (
        place_project(str(tmp_path / "link"), [str(tmp_path / "roots")], by_hand=False) == tmp_path / "roots" / "kiln"
    )


def test_a_link_out_of_the_roots_is_refused(tmp_path: Path) -> None:
    (tmp_path / "roots").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "roots" / "link").symlink_to(tmp_path / "elsewhere")
    for by_hand in (True, False):
        with pytest.raises(FolderRefusedError, match="is not below a folder"):
            place_project(str(tmp_path / "roots" / "link"), [str(tmp_path / "roots")], by_hand=by_hand)


def test_without_roots_only_a_person_at_a_terminal_may_name_a_folder(tmp_path: Path) -> None:
    assert place_project(str(tmp_path), [], by_hand=True) == tmp_path
    with pytest.raises(FolderRefusedError, match="EVALBOARD_PROJECT_ROOTS"):
        place_project(str(tmp_path), [], by_hand=False)


@pytest.mark.parametrize("name", ["nothing", "a\0b", "file"])
def test_what_is_no_folder_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FolderRefusedError):
        place_project(str(tmp_path / name), [], by_hand=True)
