"""What a path stands for, and archives that mean harm."""

import io
import os
import zipfile
from pathlib import Path

import pytest

from results import archives
from results.archives import find_files, members
from results.importers.source import ImportRefused, Limits, SourceFile


def pack(folder: Path, contents: dict[str, bytes]) -> SourceFile:
    path = folder / "pack.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, body in contents.items():
            packed.writestr(name, body)
    return SourceFile(path, "pack.zip", path.stat().st_size)


def test_a_folder_gives_its_files_in_name_order_without_hidden_ones(tmp_path: Path) -> None:
    for name in ("b.json", "a.json", ".hidden.json", ".git/config", "deep/c.json", ".bober/eval-results/eval-x-1.json"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"{}")
    names = [str(Path(file.file_name).relative_to(tmp_path)) for file in find_files(str(tmp_path))]
    assert names == [".bober/eval-results/eval-x-1.json", "a.json", "b.json", "deep/c.json"]


def test_a_path_that_does_not_exist_says_so_when_opened(tmp_path: Path) -> None:
    (missing,) = find_files(str(tmp_path / "nowhere.json"))
    with pytest.raises(FileNotFoundError):
        missing.open()


def opened(argument: Path) -> dict[str, str]:
    """What becomes of each file when it is opened: its text, or why it is refused."""
    found = {}
    for file in find_files(str(argument)):
        try:
            with file.open() as stream:
                found[Path(file.file_name).name] = stream.read().decode()
        except ImportRefused as error:
            found[Path(file.file_name).name] = error.reason
    return found


def test_links_are_followed_only_within_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "a.json").write_bytes(b"inside")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret.json").write_bytes(b"outside")
    (folder / "inner.json").symlink_to(Path("deep", "a.json"))
    (folder / "outer.json").symlink_to(tmp_path / "other" / "secret.json")
    (folder / "folder").symlink_to(tmp_path / "other")
    (folder / "same").symlink_to(folder / "deep")
    (folder / "loop.json").symlink_to(folder / "loop.json")
    (tmp_path / "link").symlink_to(folder)
    refused = "this link leads out of the folder"
    expected = {"a.json": "inside", "inner.json": "inside", "outer.json": refused, "folder": refused}
    found = {name: text for name, text in opened(tmp_path / "link").items() if name != "loop.json"}
    assert found == expected


def test_a_pipe_in_a_folder_is_left_out(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "a.json").write_bytes(b"{}")
    assert opened(tmp_path) == {"a.json": "{}"}


@pytest.mark.parametrize("name", ["pipe", "link"])
def test_a_pipe_that_is_named_is_refused_at_once(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    assert opened(tmp_path / name) == {name: "this is a pipe, a device or the like, not a file"}


def test_a_device_that_is_named_is_refused_at_once() -> None:
    assert opened(Path("/dev/zero")) == {"zero": "this is a pipe, a device or the like, not a file"}


def test_members_are_labelled_with_the_archive_and_read_whole(tmp_path: Path) -> None:
    files = members(pack(tmp_path, {"../../etc/x.json": b"{}"}), Limits())
    member = next(files)
    assert (member.file_name, member.open().read()) == ("pack.zip/../../etc/x.json", b"{}")


def test_what_systems_leave_in_archives_is_left_out(tmp_path: Path) -> None:
    source = pack(tmp_path, {"__MACOSX/._a.json": b"", "a/.DS_Store": b"", "a/b.json": b"{}"})
    assert [member.file_name for member in members(source, Limits())] == ["pack.zip/a/b.json"]


def test_a_bomb_is_stopped_long_before_it_has_expanded(tmp_path: Path) -> None:
    files = members(pack(tmp_path, {"bomb.json": b"[" * (64 * 2**20)}), Limits())
    stream = next(files).open()
    for _ in range(18):  # 64 MiB of brackets take about 64 KB in the archive; 300 times that is some 19 MiB
        stream.read(2**20)
    with pytest.raises(ImportRefused, match=r"bomb\.json expands to more than 300 times"):
        stream.read(4 * 2**20)


def test_an_archive_that_says_it_is_too_large_is_refused_unread(tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match="expands to 2,000 bytes, more than 1,000"):
        list(members(pack(tmp_path, {"a": b"1" * 1000, "b": b"2" * 1000}), Limits(file_bytes=1000)))


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    source = pack(tmp_path, {"a.json": b"{}" * 5000})
    source.path.write_bytes(source.path.read_bytes()[:60])
    with pytest.raises(ImportRefused, match="damaged"):
        list(members(source, Limits()))


def test_a_damaged_member_is_refused_by_name(tmp_path: Path) -> None:
    source = pack(tmp_path, {"a.json": bytes(range(256)) * 64})
    body = bytearray(source.path.read_bytes())
    body[50] ^= 0xFF
    source.path.write_bytes(bytes(body))
    files = members(source, Limits())
    stream = next(files).open()
    with pytest.raises(ImportRefused, match=r"damaged at a\.json"):
        stream.read()


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    source = pack(tmp_path, {"a.json": b"{}"})
    body = source.path.read_bytes()
    local, central = body.index(b"PK\x03\x04"), body.index(b"PK\x01\x02")
    marked = bytearray(body)
    marked[local + 6] |= 1
    marked[central + 8] |= 1
    source.path.write_bytes(bytes(marked))
    files = members(source, Limits())
    member = next(files)
    with pytest.raises(ImportRefused, match="encrypted"):
        member.open()


def test_too_many_members_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_MEMBERS", 2)
    with pytest.raises(ImportRefused, match="3 files, more than 2"):
        list(members(pack(tmp_path, {"a": b"", "b": b"", "c": b""}), Limits()))


def test_an_empty_archive_is_an_archive() -> None:
    empty = io.BytesIO()
    zipfile.ZipFile(empty, "w").close()
    assert archives.is_archive(empty.getvalue())


BOBER = {
    "eval-results/eval-a-1.json": b"{}",
    "eval-results/notes.md": b"",
    "contracts/a.json": b"{}",
    "specs/s.JSON": b"{}",
    "handoffs/h.json": b"{}",
    "history.jsonl": b"{}",
}
BOBER_MEANT = ["contracts/a.json", "eval-results/eval-a-1.json", "specs/s.JSON"]


@pytest.mark.parametrize("prefix", [".bober/", "project/.bober/", "project/bober/", ""])
def test_of_a_bober_folder_in_an_archive_only_what_can_be_imported_is_taken(tmp_path: Path, prefix: str) -> None:
    source = pack(tmp_path, {f"{prefix}{name}": body for name, body in BOBER.items()})
    names = sorted(member.file_name for member in members(source, Limits()))
    assert names == [f"pack.zip/{prefix}{name}" for name in BOBER_MEANT]


@pytest.mark.parametrize(("prefix", "argument"), [(".bober/", "."), ("deep/.bober/", "."), (".bober/", ".bober")])
def test_of_a_bober_folder_on_disk_only_what_can_be_imported_is_taken(
    tmp_path: Path, prefix: str, argument: str
) -> None:
    root = tmp_path / "project"
    for name, body in BOBER.items():
        path = root / prefix / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    names = [str(Path(file.file_name).relative_to(root / prefix)) for file in find_files(str(root / argument))]
    assert names == BOBER_MEANT


def test_a_file_of_a_bober_folder_that_is_named_directly_is_tried(tmp_path: Path) -> None:
    path = tmp_path / ".bober" / "handoffs" / "h.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"{")
    assert [file.file_name for file in find_files(str(path))] == [str(path)]


def test_folders_that_only_share_a_name_with_agent_bobers_are_taken_whole(tmp_path: Path) -> None:
    contents = {"eval-results/a.json": b"{}", "runs/b.json": b"{}", "c.csv": b""}
    assert len(list(members(pack(tmp_path, contents), Limits()))) == 3
