"""The database's own health, beyond being there."""

from collections.abc import Iterator

from django.db import DatabaseError, connection, transaction

from evaluator.findings import Finding, first_line, ok, problem, warning

MENDED = "sqlite3 FILE .recover, or bring back the last copy of the state folder"


def check_database_health() -> Iterator[Finding]:
    """Whether it can be written and is whole; nothing where it does not even answer."""
    try:
        connection.ensure_connection()
    except DatabaseError:
        return  # the quick checks tell why
    yield from _check_writing()
    if connection.vendor == "sqlite":
        yield from _check_sqlite()
    else:
        yield from _check_encoding()


def _check_writing() -> Iterator[Finding]:
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("CREATE TABLE evalboard_doctor (a integer)")
            transaction.set_rollback(True)
    except DatabaseError as error:
        remedy = "Look for a full disk, a read-only file or server, and the rights of this user."
        yield problem("writing", f"The database cannot be written ({first_line(error)}).", remedy)
        return
    yield ok("writing", "The database can be written.")


def _check_sqlite() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        mode = cursor.execute("PRAGMA journal_mode").fetchone()[0]
        if mode == "wal":
            yield ok("journal", "SQLite writes ahead (WAL): readers and the writer do not wait for each other.")
        else:
            remedy = "Put the state folder on a local disk: network file systems have no WAL."
            yield problem("journal", f"SQLite's journal is {mode!r}, so pages wait for imports.", remedy)
        try:
            found = [row[0] for row in cursor.execute("PRAGMA quick_check(3)").fetchall()]
        except DatabaseError as error:
            found = [first_line(error)]
    if found == ["ok"]:
        yield ok("integrity", "SQLite finds its file whole.")
    else:
        yield problem(
            "integrity", f"SQLite finds its file damaged: {'; '.join(found)}.", f"Stop everything, then {MENDED}."
        )


def _check_encoding() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        (encoding,) = cursor.fetchone() or ("",)
    if encoding == "UTF8":
        yield ok("encoding", "The database keeps every letter (UTF8).")
    else:
        remedy = "Make it anew: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0."
        yield warning("encoding", f"The database is made for {encoding}: some texts cannot be stored.", remedy)
