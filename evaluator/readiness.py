"""Whether this host can answer now: the quick checks behind `/readyz`, with which `manage.py doctor` begins."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from secrets import token_hex

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from redis import Redis, RedisError

from evaluator.findings import Finding, first_line, ok, problem, warning

SECONDS_FOR_BROKER = 2.0
BROKER_REMEDY = "Start it, or correct CELERY_BROKER_URL; imports that are asked for meanwhile wait, and none is lost."


def sweep_stamp() -> Path:
    """The file that the housekeeping worker touches after each sweep."""
    return Path(settings.VAR_DIR) / "swept"


def check_database() -> Iterator[Finding]:
    """Reach the database, and see whether its tables are those of this version."""
    try:
        connection.ensure_connection()
        applied = set(MigrationRecorder(connection).applied_migrations())
    except DatabaseError as error:
        connection.close()
        remedy = "Start it, or correct DATABASE_URL; nothing else needs to be restarted."
        yield problem("database", f"It cannot be reached ({first_line(error)}).", remedy)
        return
    yield ok("database", f"{connection.display_name} answers.")
    missing = sorted(".".join(key) for key in known_migrations() - applied)
    if missing:
        text = f"{len(missing)} changes of tables are missing, the first is {missing[0]}."
        yield problem("tables", text, "Run `manage.py migrate`, or start with `manage.py serve`, which does it.")
        return
    yield ok("tables", "They are those of this version.")


@lru_cache(maxsize=1)
def known_migrations() -> frozenset[tuple[str, str]]:
    """The migrations that this version brings, without those that others replaced."""
    return frozenset(MigrationLoader(None).graph.nodes)


def check_facts_folder() -> Iterator[Finding]:
    """Write a file into the folder of the facts."""
    folder = Path(settings.VAR_DIR) / "facts"
    probe = folder / f"probe-{token_hex(8)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"1")
        probe.unlink()
    except OSError as error:
        remedy = "Give the user of this process the right to write there, and room on the disk."
        yield problem("facts folder", f"{folder} cannot be written ({error.strerror}).", remedy)
        return
    yield ok("facts folder", f"{folder} can be written.")


def check_broker() -> Iterator[Finding]:
    """Reach the queue of the workers; without it pages answer, and jobs wait."""
    url = str(settings.CELERY_BROKER_URL)
    kind = url.partition("://")[0]
    if not kind.startswith("redis"):
        yield ok("broker", "The queue is a folder." if kind == "filesystem" else "The queue is in memory.")
        return
    try:
        with Redis.from_url(
            url, socket_connect_timeout=SECONDS_FOR_BROKER, socket_timeout=SECONDS_FOR_BROKER
        ) as broker:
            broker.ping()
    except (RedisError, OSError, ValueError) as error:
        yield warning("broker", f"Redis cannot be reached ({first_line(error)}).", BROKER_REMEDY)
        return
    yield ok("broker", "Redis answers.")


def readiness() -> list[Finding]:
    """All quick checks; a problem among them means that this host cannot answer."""
    return [*check_database(), *check_facts_folder(), *check_broker()]
