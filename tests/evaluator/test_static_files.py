"""Static files: single files of packages, and collecting only when something changed."""

from importlib.metadata import version
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from pytest_django.fixtures import Settings

from evaluator import static_stamp
from evaluator.static_files import PLOTLY_NAME, PackageFinder, package_files


def test_plotly_is_found_by_our_name_for_it() -> None:
    assert finders.find(PLOTLY_NAME) == str(package_files()[PLOTLY_NAME])


def test_nothing_else_of_the_plotly_package_is_found() -> None:
    assert finders.find("vendor/widgetbundle.js") is None


def test_exactly_the_named_files_are_collected() -> None:
    assert [name for name, _ in PackageFinder().list([])] == list(package_files())


def test_the_file_is_the_browser_library() -> None:
    storage = dict(PackageFinder().list([]))[PLOTLY_NAME]
    with storage.open(PLOTLY_NAME) as file:
        assert b"plotly.js v" in file.read(200)


def test_the_finder_has_nothing_to_complain_about() -> None:
    assert PackageFinder().check() == []


@pytest.fixture
def collecting(settings: Settings, tmp_path: Path) -> Path:
    """A project of one style sheet, and an empty static root."""
    source = tmp_path / "frontend" / "static" / "page.css"
    source.parent.mkdir(parents=True)
    source.write_text("a{}", encoding="ascii")
    settings.BASE_DIR = tmp_path
    settings.STATIC_ROOT = tmp_path / "root"
    settings.STATICFILES_FINDERS = []
    settings.STATIC_ROOT.mkdir()
    return source


def test_static_files_are_collected_the_first_time(collecting: Path) -> None:
    assert static_stamp.collect_if_changed() is True


def test_static_files_are_not_collected_again_when_nothing_changed(collecting: Path) -> None:
    static_stamp.collect_if_changed()
    assert static_stamp.collect_if_changed() is False


def test_static_files_are_collected_again_when_one_of_ours_changed(collecting: Path) -> None:
    static_stamp.collect_if_changed()
    collecting.write_text("b{}", encoding="ascii")
    assert static_stamp.collect_if_changed() is True


def test_static_files_are_collected_again_when_a_package_changed(
    collecting: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    static_stamp.collect_if_changed()
    monkeypatch.setattr(static_stamp, "version", lambda name: version(name) + ".1")
    assert static_stamp.collect_if_changed() is True
