"""Static files that come out of pinned packages: exactly the one that is needed, not the folder it lies in."""

from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.checks import CheckMessage, Error
from django.core.files.storage import FileSystemStorage, Storage

PLOTLY_NAME = "vendor/plotly.min.js"


def plotly_path() -> Path:
    """Where the installed plotly package keeps its browser library."""
    return Path(str(files("plotly"))) / "package_data" / "plotly.min.js"


class OneFileStorage(FileSystemStorage):
    """A storage that holds one file, under the name it is served by."""

    def path(self, name: str) -> str:  # noqa: ARG002
        """The file's place on disk, whatever it is called."""
        return str(plotly_path())


class PlotlyFinder(BaseFinder):
    """Serves plotly's `plotly.min.js` as `vendor/plotly.min.js` and nothing else of the package."""

    def check(self, **_options: Any) -> list[CheckMessage]:  # noqa: ANN401
        """Say so when the installed package has no such file."""
        if plotly_path().is_file():
            return []
        return [Error(f"{plotly_path()} is missing.", hint="Run `make serve`: it installs the pinned plotly.")]

    def find(self, path: str, find_all: bool = False, **_options: Any) -> Any:  # noqa: ANN401
        """The file's place if it was asked for, else an empty list (Django's word for nothing)."""
        if path != PLOTLY_NAME:
            return []
        return [str(plotly_path())] if find_all else str(plotly_path())

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterable[tuple[str, Storage]]:  # noqa: ARG002
        """The one file, for `collectstatic`."""
        yield PLOTLY_NAME, OneFileStorage(location=str(plotly_path().parent))
