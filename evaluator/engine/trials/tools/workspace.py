"""The folders of this machine that a call's container sees: files made of arguments, the task's files, shared ones."""

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import msgspec

from evaluator.engine.trials.definitions import JsonValue, ToolDefinition
from evaluator.engine.trials.sound_json import sound_text
from evaluator.engine.trials.tools.containers import Folder
from evaluator.engine.trials.tools.engine import is_gone, me

FOR_ALL = 0o777  # a container's user is another one; nobody else reaches these folders, as their parent is ours alone
READABLE = 0o644
WRITABLE = 0o666


@dataclass(frozen=True)
class NamedFile:
    """A file of a task, by the name that the task gives it."""

    name: str
    data: bytes


class Workspace:
    """The folders of one try at a task, under a folder of its own."""

    def __init__(self, parent: Path) -> None:
        """Make the folder; see `make_parent`.

        Raises:
            OSError: it cannot be made.
        """
        self.folder = Path(tempfile.mkdtemp(dir=parent))
        self._shared: dict[str, Path] = {}

    def folders_of_call(
        self, tool: ToolDefinition, arguments: Mapping[str, JsonValue], files: Sequence[NamedFile]
    ) -> tuple[Folder, ...]:
        """Write what one call sees.

        Args:
            tool: says where in the container.
            arguments: valid ones; those with a file of their own are written, texts as they are, the rest as JSON.
            files: of the task; used where the tool has an auxiliary folder, as copies that the call may change.

        Raises:
            OSError: something cannot be written.
            ValueError: the name of a file leads out of its folder.
        """
        call = Path(tempfile.mkdtemp(dir=self.folder))
        found = []
        for number, (name, target) in enumerate(sorted(tool.parameter_files.items())):
            if name in arguments:
                path = call / f"argument-{number}"
                path.write_bytes(_file_content(arguments[name]))
                path.chmod(READABLE)
                found.append(Folder(path, target))
        if tool.auxiliary_dir is not None:
            found.append(Folder(_filled(call / "files", files), tool.auxiliary_dir, is_writable=True))
        if tool.shared_dir is not None:
            found.append(Folder(self._shared_folder(tool.name), tool.shared_dir, is_writable=True))
        return tuple(found)

    def close(self) -> None:
        """Remove everything.

        Raises:
            OSError: something cannot be removed: the container's user owned it, and we are not root.
        """
        shutil.rmtree(self.folder)

    def _shared_folder(self, tool: str) -> Path:
        if tool not in self._shared:
            folder = Path(tempfile.mkdtemp(dir=self.folder))
            folder.chmod(FOR_ALL)
            self._shared[tool] = folder
        return self._shared[tool]


def make_parent(root: Path) -> Path:
    """Make a folder of this process for its workspaces, and remove those that processes left which are gone."""
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    for folder in root.iterdir():
        if is_gone(_owner(folder.name)):
            shutil.rmtree(folder, ignore_errors=True)
    parent = root / _folder_name(me())
    parent.mkdir(mode=0o700, exist_ok=True)
    return parent


def _folder_name(owner: str) -> str:
    return owner.replace("/", "+")


def _owner(name: str) -> str:
    return name.replace("+", "/")


def _file_content(value: JsonValue) -> bytes:
    if isinstance(value, str):
        return sound_text(value).encode()
    return msgspec.json.encode(value)


def _filled(folder: Path, files: Sequence[NamedFile]) -> Path:
    folder.mkdir()
    for file in files:
        place = PurePosixPath(file.name)
        if place.is_absolute() or ".." in place.parts:
            raise ValueError(f"the task's file {file.name!r} has a name that leads out of its folder")
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.data)
        path.chmod(WRITABLE)
    for inner, _, _ in os.walk(folder):
        Path(inner).chmod(FOR_ALL)
    return folder
