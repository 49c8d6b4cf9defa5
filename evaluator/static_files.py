"""Static files that come out of pinned packages: exactly those that are needed, not the folders they lie in."""

from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.checks import CheckMessage, Error
from django.core.files.storage import FileSystemStorage, Storage

PLOTLY_NAME = "vendor/plotly.min.js"
_SWAGGER = (
    "swagger-ui-bundle.js",
    "swagger-ui-bundle.js.map",
    "swagger-ui-init.js",
    "swagger-ui.css",
    "swagger-ui.css.map",
)


def package_files() -> dict[str, Path]:
    """The places of the files in the installed packages, by the names that they are served by."""
    plotly, ninja = Path(str(files("plotly"))), Path(str(files("ninja")))
    return {
        PLOTLY_NAME: plotly / "package_data" / "plotly.min.js",
        **{f"vendor/{name}": ninja / "static" / "ninja" / name for name in _SWAGGER},
    }


class PackageStorage(FileSystemStorage):
    """A storage that holds these files, under the names they are served by."""

    def path(self, name: str) -> str:
        """The file's place on disk."""
        return str(package_files()[name])


class PackageFinder(BaseFinder):
    """Serves single files of packages below `vendor/`, and nothing else of the packages."""

    def check(self, **_options: Any) -> list[CheckMessage]:  # noqa: ANN401
        """Say so when an installed package has no such file."""
        return [
            Error(f"{path} is missing.", hint="Run `make serve`: it installs the pinned packages.")
            for path in package_files().values()
            if not path.is_file()
        ]

    def find(self, path: str, find_all: bool = False, **_options: Any) -> Any:  # noqa: ANN401
        """The file's place if it was asked for, else an empty list (Django's word for nothing)."""
        found = package_files().get(path)
        if found is None:
            return []
        return [str(found)] if find_all else str(found)

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterable[tuple[str, Storage]]:  # noqa: ARG002
        """The files, for `collectstatic`."""
        for name, path in package_files().items():
            yield name, PackageStorage(location=str(path.parent))
