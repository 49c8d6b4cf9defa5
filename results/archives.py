"""The files that a user means: a file, a folder's files, an archive's members, or standard input.

Of an agent-bober folder only evaluations, contracts and specs are meant: its handoffs, briefings, configuration and
logs are left out without a word, in folders and archives alike. A file that is named directly is always tried.
"""

import lzma
import stat
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from results.importers.agent_bober_folder import Member
from results.importers.source import ImportRefused, Limits, SourceFile

ZIP_MAGIC = b"PK\x03\x04"
EMPTY_ZIP_MAGIC = b"PK\x05\x06"
MOST_MEMBERS = 20_000
MOST_EXPANSION = 300  # result files shrink 5 to 50 times; beyond this it is a bomb
EXPANSION_FREE_BYTES = 16 * 2**20  # small members may expand as they like
STANDARD_INPUT = "-"
MEMBERS = frozenset(member.value for member in Member)
BOBER_FOLDER = ".bober"
SHOWN_HIDDEN = frozenset({".", "..", BOBER_FOLDER})


@dataclass(frozen=True)
class Incoming:
    """One file on its way in; `open` gives its bytes and may raise OSError or ImportRefused."""

    file_name: str
    open: Callable[[], BinaryIO]
    share_bytes: int = 0  # what it takes of the folder or archive that it comes in


def is_archive(head: bytes) -> bool:
    """Tell a zip archive by its first bytes."""
    return head.startswith((ZIP_MAGIC, EMPTY_ZIP_MAGIC))


def find_files(argument: str, place: Callable[[Path], Path] = Path) -> Iterator[Incoming]:
    """List what a command-line path stands for, folders in name order.

    Of a folder, hidden files, pipes, sockets and devices are left out, and links to folders are not followed. A path
    that does not exist is listed too, and so is a link that leads out of the folder: opening it says what is wrong.

    Args:
        argument: a path, or `-`.
        place: says where a file really lies; it may refuse with ImportRefused when the file is opened.
    """
    if argument == STANDARD_INPUT:
        yield Incoming("standard input", lambda: sys.stdin.buffer)
        return
    path = Path(argument)
    if not path.is_dir():
        yield Incoming(argument, lambda: _open_file(place(path)), _size_of(path))
        return
    listed = [member for member in sorted(path.rglob("*")) if not _is_hidden(member.relative_to(path).parts)]
    astray = {member for member in listed if member.is_symlink() and not _leads_below(member, path)}
    found = [member for member in listed if member in astray or member.is_file()]
    places = [(path.resolve().name, *member.relative_to(path).parts) for member in found]
    folders = find_bober_folders(places)
    for member, parts in zip(found, places, strict=True):
        if not is_meant(parts, folders):
            continue
        if member in astray:
            yield Incoming(str(member), lambda member=member: _refuse_link(place(member)))  # type: ignore[misc]
        else:
            yield Incoming(str(member), lambda member=member: _open_file(place(member)), _size_of(member))  # type: ignore[misc]


def _leads_below(link: Path, folder: Path) -> bool:
    try:
        return link.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # a loop of links
        return False


def _refuse_link(_: Path) -> BinaryIO:
    raise ImportRefused("this link leads out of the folder", remedy="To import what it leads to, name that by its path")


def _open_file(path: Path) -> BinaryIO:
    """Open a regular file; others are refused unopened, because a pipe would be waited for without end.

    Raises:
        ImportRefused: it is a pipe, a socket, a device or a folder.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise ImportRefused("this is a pipe, a device or the like, not a file", remedy="Send its bytes to the path `-`")
    return path.open("rb")


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0


def place_below(path: Path, roots: Sequence[str]) -> Path:
    """Where a path really lies, symbolic links followed; it must be below one of the folders.

    Raises:
        ImportRefused: it is elsewhere, or not absolute.
    """
    allowed = ", ".join(roots)
    if "\0" in str(path) or not path.is_absolute():
        raise ImportRefused(f"{path} is not an absolute path", remedy=f"Write it from /, below one of: {allowed}")
    try:
        real = path.resolve()
    except (OSError, RuntimeError) as error:  # a loop of links
        raise ImportRefused(f"{path} cannot be followed: {error}") from error
    if not any(real.is_relative_to(Path(root).resolve()) for root in roots):
        where = f"{path} leads to {real}, which" if real != path else f"{path}"
        raise ImportRefused(f"{where} is not below a folder that may be imported", remedy=f"Allowed: {allowed}")
    return real


class MemberStream:
    """A member of an archive that refuses to expand without end."""

    def __init__(self, stream: BinaryIO, name: str, compressed_bytes: int) -> None:
        self._stream = stream
        self._name = name
        self._most = max(EXPANSION_FREE_BYTES, compressed_bytes * MOST_EXPANSION)
        self._read = 0

    def read(self, size: int = -1) -> bytes:
        """Read on; raises ImportRefused once the member has grown beyond reason."""
        try:
            block = self._stream.read(size)
        except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, OSError) as error:
            raise ImportRefused(f"the archive is damaged at {self._name}: {error}") from error
        self._read += len(block)
        if self._read > self._most:
            raise ImportRefused(
                f"{self._name} expands to more than {MOST_EXPANSION} times its size in the archive",
                remedy="If the file is real, unpack it and import it by itself",
            )
        return block

    def close(self) -> None:
        """Close the member."""
        self._stream.close()

    def __enter__(self) -> "MemberStream":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def members(archive: SourceFile, limits: Limits) -> Iterator[Incoming]:
    """List the files of a zip archive in its own order; names are labels only, nothing is written where they say.

    Raises:
        ImportRefused: the archive is damaged, has too many members, or says that it expands beyond the limits.
    """
    try:
        opened = zipfile.ZipFile(archive.path)
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError) as error:
        raise ImportRefused(f"this zip archive is damaged: {error}", remedy="Pack it again") from error
    with opened as packed:
        files = [
            info
            for info in packed.infolist()
            if not info.is_dir() and not _is_hidden(PurePosixPath(info.filename).parts)
        ]
        if len(files) > MOST_MEMBERS:
            raise ImportRefused(f"the archive has {len(files):,} files, more than {MOST_MEMBERS:,}", remedy="Split it")
        total = sum(info.file_size for info in files)
        if total > limits.file_bytes:
            raise ImportRefused(
                f"the archive expands to {total:,} bytes, more than {limits.file_bytes:,}", remedy="Split it"
            )
        places = [PurePosixPath(info.filename).parts for info in files]
        folders = find_bober_folders(places)
        for info in (info for info, place in zip(files, places, strict=True) if is_meant(place, folders)):
            yield Incoming(
                f"{archive.file_name}/{info.filename}",
                lambda info=info: _open(packed, info),  # type: ignore[misc]
                info.compress_size,
            )


def find_bober_folders(places: Iterable[tuple[str, ...]]) -> frozenset[tuple[str, ...]]:
    """Find agent-bober's folders among files.

    Args:
        places: of each file, the parts of its path.

    Returns:
        The parts of every folder that is called `.bober`, or that has evaluations beside contracts or specs in it: an
        archive of what is inside such a folder does not carry its name.
    """
    named: set[tuple[str, ...]] = set()
    members: dict[tuple[str, ...], set[str]] = {}
    for place in places:
        folders = place[:-1]
        for depth, name in enumerate(folders):
            if name == BOBER_FOLDER:
                named.add(folders[: depth + 1])
            elif name in MEMBERS:
                members.setdefault(folders[:depth], set()).add(name)
    told = {folder for folder, names in members.items() if Member.EVALUATION in names and len(names) > 1}
    return frozenset(named | told)


def is_meant(place: tuple[str, ...], bober_folders: frozenset[tuple[str, ...]]) -> bool:
    """Tell whether a file is one to import; only files of agent-bober's folders may be none."""
    for depth in range(len(place)):
        if place[:depth] in bober_folders:
            return place[depth] in MEMBERS and len(place) > depth + 1 and place[-1].casefold().endswith(".json")
    return True


def _is_hidden(parts: Sequence[str]) -> bool:
    """Tell what editors and systems leave beside the files that people mean; `.bober` holds evaluations."""
    return parts[0] == "__MACOSX" or any(part.startswith(".") and part not in SHOWN_HIDDEN for part in parts)


def _open(packed: zipfile.ZipFile, info: zipfile.ZipInfo) -> BinaryIO:
    if info.flag_bits & 0x1:
        raise ImportRefused(f"{info.filename} is encrypted", remedy="Unpack it and import the file itself")
    try:
        stream = packed.open(info)
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise ImportRefused(f"the archive is damaged at {info.filename}: {error}") from error
    return cast("BinaryIO", MemberStream(cast("BinaryIO", stream), info.filename, info.compress_size))
