"""The state folder and the secret in it."""

import stat
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from evaluator.state_folder import lasting_secret, make_state_folder


def test_a_secret_is_made_once(tmp_path: Path) -> None:
    make_state_folder(tmp_path)
    assert lasting_secret(tmp_path, "key") == lasting_secret(tmp_path, "key")


def test_two_folders_have_different_secrets(tmp_path: Path) -> None:
    make_state_folder(tmp_path / "a")
    make_state_folder(tmp_path / "b")
    assert lasting_secret(tmp_path / "a", "key") != lasting_secret(tmp_path / "b", "key")


def test_only_the_owner_may_read_a_secret(tmp_path: Path) -> None:
    make_state_folder(tmp_path)
    lasting_secret(tmp_path, "key")
    assert stat.S_IMODE((tmp_path / "secrets" / "key").stat().st_mode) == 0o600


def test_making_a_secret_leaves_no_drafts(tmp_path: Path) -> None:
    make_state_folder(tmp_path)
    lasting_secret(tmp_path, "key")
    assert [path.name for path in (tmp_path / "secrets").iterdir()] == ["key"]


def test_only_the_owner_may_look_into_the_folder_of_secrets(tmp_path: Path) -> None:
    make_state_folder(tmp_path)
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_made_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match=r"EVALBOARD_VAR is .*/file/var': that folder cannot be made"):
        make_state_folder(tmp_path / "file" / "var")
