"""`DATABASE_URL`: what is understood, and that a refusal never shows a password."""

from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given
from hypothesis import strategies as st

from evaluator.database_url import as_url, parse

BASE = Path("/srv/evalboard")


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("sqlite:////var/lib/board.sqlite3", "/var/lib/board.sqlite3"),
        ("sqlite:///board.sqlite3", "/srv/evalboard/board.sqlite3"),
        ("sqlite:////tmp/a%20b.sqlite3", "/tmp/a b.sqlite3"),
    ],
)
def test_a_sqlite_database_is_a_path(url: str, path: str) -> None:
    assert parse(url, BASE)["NAME"] == path


def test_sqlite_takes_the_write_lock_at_the_start_of_a_transaction() -> None:
    assert parse("sqlite:///x", BASE)["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


@pytest.mark.parametrize(
    ("url", "key", "value"),
    [
        ("postgres://ann:s%2Fx@db.example:5433/board", "HOST", "db.example"),
        ("postgres://ann:s%2Fx@db.example:5433/board", "PORT", "5433"),
        ("postgres://ann:s%2Fx@db.example:5433/board", "PASSWORD", "s/x"),
        ("postgresql://ann@/board?host=/run/postgresql", "HOST", "/run/postgresql"),
        ("postgres://ann@[::1]/board", "HOST", "::1"),
        ("postgres://ann@h/board?sslmode=require", "OPTIONS", {"sslmode": "require"}),
        ("postgres://h/board", "USER", ""),
        ("postgres://h/board", "PORT", ""),
    ],
)
def test_a_postgresql_url_is_taken_apart(url: str, key: str, value: object) -> None:
    assert dict(parse(url, BASE))[key] == value


@pytest.mark.parametrize(
    "url",
    [
        "mysql://h/board",
        "board.sqlite3",
        "sqlite://board.sqlite3",
        "sqlite:///",
        "postgres://ann@h",
        "postgres://ann@h/",
        "postgres://ann@h:port/board",
        "postgres://ann@h/board?color=blue",
    ],
)
def test_a_url_that_makes_no_sense_is_refused_by_name(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL is "):
        parse(url, BASE)


@pytest.mark.parametrize(
    "url", ["mysql://ann:hunter2@h/x", "postgres://ann:hunter2@h:port/x", "postgres://ann:hun/ter2@h/x?a=b"]
)
def test_a_refusal_shows_no_password(url: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        parse(url, BASE)
    assert "ter2" not in str(refused.value)


@given(
    name=st.text(min_size=1).filter(lambda text: "\x00" not in text and text.isprintable()),
    password=st.text().filter(str.isprintable),
    host=st.sampled_from(["", "db.example", "/run/postgresql", "::1"]),
    port=st.sampled_from(["", "5433"]),
)
def test_a_postgresql_url_that_we_write_reads_back_equal(name: str, password: str, host: str, port: str) -> None:
    database: dict[str, Any] = dict(parse("postgres://ann@h/x?sslmode=disable", BASE))
    database |= {"NAME": name, "PASSWORD": password, "HOST": host, "PORT": port}
    assert parse(as_url(database), BASE) == database


def test_a_sqlite_url_that_we_write_reads_back_equal() -> None:
    database = dict(parse("sqlite:////tmp/a%20%25b.sqlite3", BASE))
    assert parse(as_url(database), BASE) == database
