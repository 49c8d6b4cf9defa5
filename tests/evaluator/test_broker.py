"""The broker in files: a message that was cut off costs nothing but itself."""

from pathlib import Path
from queue import Empty

import pytest
from kombu.connection import Connection

from evaluator import broker


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, str]:
    names = {"data_folder_in": "queue", "data_folder_out": "queue", "control_folder": "control"}
    options = {key: str(tmp_path / name) for key, name in names.items()} | {"processed_folder": str(tmp_path / "done")}
    for path in options.values():
        Path(path).mkdir(exist_ok=True)
    return options


def connection(folders: dict[str, str]) -> Connection:
    return Connection(  # type: ignore[no-untyped-call]
        "filesystem://", transport_options={**folders, "store_processed": True}
    )


def test_files_are_read_by_our_transport(folders: dict[str, str]) -> None:
    with connection(folders) as opened:
        assert isinstance(opened.transport, broker.Transport)


@pytest.mark.parametrize("torn", [b"", b'{"body": "abc'])
def test_a_message_that_was_cut_off_is_passed_over(folders: dict[str, str], torn: bytes) -> None:
    (Path(folders["data_folder_in"]) / "1_torn.work.msg").write_bytes(torn)
    with connection(folders) as opened:
        channel = opened.channel()
        with pytest.raises(Empty):
            channel._get("work")
        channel._put("work", {"id": 7})
        assert channel._get("work") == {"id": 7}
