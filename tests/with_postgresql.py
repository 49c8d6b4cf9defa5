"""Runs a command that finds a PostgreSQL server in `EVALBOARD_TEST_DATABASE_URL`.

Used as `python -m tests.with_postgresql COMMAND…`.

A server named by that variable already is used as it is. Otherwise a private one is started in a temporary folder,
reachable by a socket in that folder only, and removed afterwards. Where PostgreSQL is not installed the command does
not run: one line says so.
"""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

VARIABLE = "EVALBOARD_TEST_DATABASE_URL"
DEBIAN_FOLDERS = "/usr/lib/postgresql"  # one folder per version; not on PATH
SECONDS_TO_START = 30.0
SPEED = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off", "shared_buffers=128MB")


def main(command: list[str]) -> int:
    """Run the command, or say why not.

    Returns:
        The command's exit code; 0 when there is no PostgreSQL.
    """
    if os.environ.get(VARIABLE):
        return subprocess.run(command, check=False).returncode
    programs = server_programs()
    if programs is None:
        print(f"Tests on PostgreSQL skipped: it is not installed (apt install postgresql), and {VARIABLE} is unset.")  # noqa: T201
        return 0
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))  # so that the server is ended too
    with private_server(programs) as url:
        return subprocess.run(command, check=False, env={**os.environ, VARIABLE: url}).returncode


def server_programs() -> Path | None:
    """The folder of `initdb` and `postgres`, the newest version first; None when not installed."""
    versions = Path(DEBIAN_FOLDERS).glob("*/bin/initdb")
    for program in sorted(versions, key=lambda path: float(path.parent.parent.name), reverse=True):
        return program.parent
    found = shutil.which("initdb")
    return Path(found).resolve().parent if found else None


def server_user() -> str | None:
    """Who runs the server: PostgreSQL refuses root, so then another user; None means the present one."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@contextmanager
def private_server(programs: Path) -> Iterator[str]:
    """Start a server for the duration of the block.

    Yields:
        Its URL.

    Raises:
        RuntimeError: it does not answer in time.
    """
    user = server_user()
    folder = Path(tempfile.mkdtemp(prefix="evalboard-pg-"))
    try:
        if user:
            shutil.chown(folder, user)
        setup: list[str | Path] = [
            programs / "initdb",
            "-D",
            folder / "data",
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
        ]
        subprocess.run(
            [*setup, "--locale=C", "--no-sync"], check=True, user=user, cwd=folder, stdout=subprocess.DEVNULL
        )
        options = [word for setting in SPEED for word in ("-c", setting)]
        place: list[str | Path] = ["-D", folder / "data", "-k", folder, "-c", "listen_addresses=", *options]
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen([programs / "postgres", *place], user=user, cwd=folder, stderr=log, stdout=log)
        try:
            wait_until_it_answers(folder, server)
            yield f"postgres://postgres@/postgres?host={folder}"
        finally:
            server.send_signal(signal.SIGINT)  # disconnect everybody and stop
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def wait_until_it_answers(folder: Path, server: "subprocess.Popen[bytes]") -> None:
    """Return once the server takes connections.

    Raises:
        RuntimeError: it ended, or takes too long; the text holds its log.
    """
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and server.poll() is None:
        try:
            psycopg.connect(host=str(folder), user="postgres", dbname="postgres").close()
        except psycopg.OperationalError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("PostgreSQL did not start:\n" + (folder / "log").read_text(encoding="utf-8", errors="replace"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
