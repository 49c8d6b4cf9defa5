"""`DATABASE_URL`: one line that names the database."""

from pathlib import Path
from typing import Any, NotRequired, TypedDict
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from django.core.exceptions import ImproperlyConfigured

REMEDY = "write sqlite:////absolute/path.sqlite3 or postgres://user:password@host:5432/name."
SQLITE_SECONDS_TO_WAIT = 20  # for another process's write transaction
SQLITE_SETUP = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA secure_delete=OFF",
    "PRAGMA cache_size=-32000",  # 32 MB of pages: an import of 1 GB must not grow the process
    "PRAGMA journal_size_limit=67108864",  # after a large transaction the WAL shrinks to 64 MB again
    "PRAGMA wal_autocheckpoint=16000",  # 64 MB: an import moves the log itself, so that no small write has to
)
POSTGRES_SCHEMES = {"postgres", "postgresql"}
POSTGRES_OPTIONS = {"sslmode", "sslrootcert", "sslcert", "sslkey", "connect_timeout", "application_name", "options"}
CONNECTION_SECONDS = 600  # a connection lives this long; opening one costs more than most queries


class Database(TypedDict):
    """One entry of Django's `DATABASES`."""

    ENGINE: str
    NAME: str
    CONN_MAX_AGE: int
    CONN_HEALTH_CHECKS: bool
    OPTIONS: dict[str, Any]
    USER: NotRequired[str]
    PASSWORD: NotRequired[str]
    HOST: NotRequired[str]
    PORT: NotRequired[str]
    TEST: NotRequired[dict[str, Any]]


def parse(url: str, base: Path) -> Database:
    """Read a database URL.

    Args:
        url: `sqlite:///path` (relative to `base`), `sqlite:////absolute/path` or `postgres://…`.
        base: the folder that relative SQLite paths start from.

    Raises:
        ImproperlyConfigured: it cannot be read. The text never shows a password.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _refusal(url, f"it cannot be read ({error}); {REMEDY}") from error
    if parts.scheme == "sqlite":
        if parts.netloc or len(parts.path) < len("/x") or parts.query:
            raise _refusal(url, f"a SQLite database is a path after three slashes; {REMEDY}")
        return _sqlite(base / unquote(parts.path[1:]))
    if parts.scheme not in POSTGRES_SCHEMES:
        raise _refusal(url, f"that kind of database is unknown; {REMEDY}")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    host = options.pop("host", "") or unquote(parts.hostname or "")
    unknown = sorted(set(options) - POSTGRES_OPTIONS)
    if unknown:
        raise _refusal(url, f"unknown option {unknown[0]!r}; known are {', '.join(sorted(POSTGRES_OPTIONS))} and host.")
    if len(parts.path) < len("/x"):
        raise _refusal(url, f"the name of the database is missing; {REMEDY}")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path[1:]),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(port or ""),
        "CONN_MAX_AGE": CONNECTION_SECONDS,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }


def as_url(database: dict[str, Any]) -> str:
    """The URL of a database as Django describes it; the inverse of `parse`, used to start child processes."""
    if database["ENGINE"] == "django.db.backends.sqlite3":
        return f"sqlite:///{quote(str(database['NAME']))}"
    login = quote(database["USER"], safe="")
    if database["PASSWORD"]:
        login += ":" + quote(database["PASSWORD"], safe="")
    port = f":{database['PORT']}" if database["PORT"] else ""
    kept = {key: value for key, value in database["OPTIONS"].items() if key in POSTGRES_OPTIONS}
    query = urlencode({"host": database["HOST"], **kept})
    return f"postgres://{login}@{port}/{quote(database['NAME'], safe='')}?{query}"


def _sqlite(path: Path) -> Database:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "CONN_MAX_AGE": CONNECTION_SECONDS,
        "CONN_HEALTH_CHECKS": False,
        "OPTIONS": {
            # A transaction takes the write lock at its start, so it waits its turn instead of failing at its end.
            "transaction_mode": "IMMEDIATE",
            "timeout": SQLITE_SECONDS_TO_WAIT,
            "init_command": ";".join(SQLITE_SETUP),
        },
    }


def _refusal(url: str, remedy: str) -> ImproperlyConfigured:
    scheme, separator, rest = url.partition("://")
    login, at, place = rest.rpartition("@")
    user, colon, _password = login.partition(":")
    shown = f"{scheme}{separator}{user}{':***' if colon else ''}{at}{place}"
    return ImproperlyConfigured(f"DATABASE_URL is {shown!r}: {remedy}")
