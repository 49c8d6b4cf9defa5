"""Files that were sent beside a task file: which of them belongs at which path that the tasks name."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluator.engine.trials.configuration_nodes import Problem

REMEDY = "choose their whole folder, or name a folder of the server"


@dataclass(frozen=True)
class TaskUpload:
    """A file that a task names, as it was sent; `path` begins with the chosen folder where one was chosen."""

    path: str
    content: bytes = field(repr=False)

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]

    def replaces(self, path: str) -> bool:
        """Whether it is sent in place of what lay at a path: by its own path, or by its name where it has no folder."""
        if "/" not in self.path:
            return self.name == path.rpartition("/")[2]
        return f"/{self.path}".endswith(f"/{path}")


@dataclass(frozen=True)
class Placed:
    """Where uploads belong, and what could not be told."""

    places: Mapping[Path, bytes]
    problems: tuple[Problem, ...]


def place_uploads(wanted: Collection[Path], uploads: Sequence[TaskUpload], base: Path) -> Placed:
    """Find the upload of each path: by its path; by its name alone only where there is one of it on both sides.

    Args:
        wanted: what the tasks name, below `base`.
        uploads: those that nobody names are left out.
        base: where the paths of the task file start.
    """
    places: dict[Path, bytes] = {}
    problems: list[Problem] = []
    by_path = {path: _by_path(path.relative_to(base).as_posix(), uploads) for path in sorted(wanted)}
    known = {upload.path for found in by_path.values() for upload in found}
    for path, found in by_path.items():
        relative = path.relative_to(base).as_posix()
        namesakes = [upload for upload in uploads if upload.name == path.name and upload.path not in known]
        others = sum(other.name == path.name for other in wanted) - 1
        if not found and namesakes and others:
            wrong = f"{others + 1} paths of the tasks end in {path.name}, and it is not told which file is which"
            problems.append(Problem(relative, 0, 0, "", wrong, REMEDY))
        elif len(found or namesakes) > 1:
            wrong = f"{len(found or namesakes)} files were sent that may be this one"
            problems.append(Problem(relative, 0, 0, "", wrong, REMEDY))
        elif found or namesakes:
            places[path] = (found or namesakes)[0].content
    return Placed(places, tuple(problems))


def _by_path(relative: str, uploads: Sequence[TaskUpload]) -> list[TaskUpload]:
    """Uploads of a path: those of exactly this path, else those whose path ends in it, or is its end.

    A bare name is the path of a file that lies beside the task file, unless a chosen folder comes before it.
    """
    tests: tuple[Callable[[str], bool], ...] = (
        lambda path: path == relative,
        lambda path: path.partition("/")[2] == relative,
        lambda path: path.endswith(f"/{relative}") or ("/" in path and relative.endswith(f"/{path}")),
    )
    for fits in tests:
        if found := [upload for upload in uploads if fits(upload.path)]:
            return found
    return []
