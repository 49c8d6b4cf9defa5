"""Makes one base out of the base and the deltas, so that a query never reads more than nine file sets."""

import shutil
from collections.abc import Iterable
from contextlib import closing
from typing import Any

import duckdb

from results.facts import files, manifest
from results.facts.manifest import Manifest, Member
from results.facts.tables import SCHEMAS
from results.models.evaluations import VISIBLE_STATES, Evaluation, EvaluationState

MAX_DELTAS = 8
SMALL_RESULTS = 250_000  # in all deltas together; more are slower to read from Parquet than from a base


def is_compaction_due(current: Manifest) -> bool:
    """Whether the manifest has more or larger deltas than a query should read.

    A large base may have larger deltas beside it: the work of compacting stays in proportion to what is imported.
    """
    deltas = _finished(current)
    results = sum(delta.results for delta in deltas)
    base_results = current.base.results if current.base else 0
    return len(deltas) > MAX_DELTAS or results > max(SMALL_RESULTS, base_results // 4)


def compact() -> bool:
    """Make one base of everything listed now; call it inside `files.exclusive()`.

    Deltas that are registered meanwhile stay, and those of evaluations that still run. Rows of evaluations that are no
    longer visible are dropped.

    Returns:
        False if another machine replaced a file first; then nothing changed.

    Raises:
        duckdb.Error, OSError: a file is missing or damaged, or the disk is full.
    """
    listed = manifest.current()
    deltas = _finished(listed)
    for delta in deltas:
        if not files.is_whole_delta(delta.name):
            raise OSError(f"The facts file {delta.name} is missing or damaged; it is made again from the documents.")
    kept = set(Evaluation.objects.filter(state__in=VISIBLE_STATES).values_list("pk", flat=True))
    members = [*deltas] if listed.base is None else [listed.base, *deltas]
    base = write_base(members, kept)
    if manifest.swap([member.name for member in members], [] if base is None else [base]):
        return True
    if base is not None:
        files.unlink(base.name, is_base=True)
    return False


def _finished(current: Manifest) -> list[Member]:
    """The deltas of evaluations that do not run: that of a live trial is replaced again and again."""
    held = [delta.evaluation_id for delta in current.deltas if delta.evaluation_id is not None]
    running = set(Evaluation.objects.filter(pk__in=held, state=EvaluationState.RUNNING).values_list("pk", flat=True))
    return [delta for delta in current.deltas if delta.evaluation_id not in running]


def write_base(sources: Iterable[Member], kept: set[int], base_kept: set[int] | None = None) -> Member | None:
    """Write a base, sorted by evaluation, run and task.

    Args:
        sources: file sets to read.
        kept: evaluations whose rows are taken.
        base_kept: the same for rows of an old base among the sources; None = `kept`.

    Returns:
        The member to add; None when no row was left, and then no file either.
    """
    name = files.new_stem("base")
    path = files.base_path(name)
    spill = files.directory() / f"spill-{name}"
    settings: dict[str, Any] = {"threads": 2, "memory_limit": "512MB", "temp_directory": str(spill)}
    try:
        with closing(duckdb.connect(":memory:", config=settings)) as connection:
            connection.execute(f"ATTACH '{files.quoted(path)}' AS made")
            _copy_tables(connection, list(sources), kept, kept if base_kept is None else base_kept)
            counted = connection.execute("SELECT coalesce(sum(results), 0)::BIGINT FROM made.evaluations").fetchone()
            connection.execute("DETACH made")
        results = counted[0] if counted else 0
        if results:
            files.sync(path)
            files.sync(files.directory())
            return Member(name, is_base=True, evaluation_id=None, results=results)
        path.unlink()
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    finally:
        shutil.rmtree(spill, ignore_errors=True)
    return None


def _copy_tables(
    connection: duckdb.DuckDBPyConnection, sources: list[Member], kept: set[int], base_kept: set[int]
) -> None:
    """Fill the tables of `made`, and its list of evaluations."""
    bases = [member for member in sources if member.is_base]
    deltas = sorted((member for member in sources if not member.is_base), key=lambda member: member.evaluation_id or 0)
    for base in bases:
        connection.execute(f"ATTACH '{files.quoted(files.base_path(base.name))}' AS \"{base.name}\" (READ_ONLY)")
    is_appended = _is_appended(connection, bases, deltas)
    for table in files.TABLES:
        order = "ORDER BY evaluation_id, run_id, task_id, result_id" if table == "results" else ""
        old = [f'SELECT * FROM "{base.name}".{table} WHERE {_among(base_kept)}' for base in bases]
        paths = [path for delta in deltas for path in files.DeltaName.parse(delta.name).paths(table)]
        new = [f"SELECT * FROM {files.parquet_list(paths)} WHERE {_among(kept)}"] if paths else []
        connection.execute(f"CREATE TABLE made.{table} ({SCHEMAS[table]})")
        # Usually the old base comes first, sorted already.
        turns = [old, new] if is_appended else [old + new]
        for selects in filter(None, turns):
            order = order or "ORDER BY evaluation_id"
            connection.execute(f"INSERT INTO made.{table} BY NAME {' UNION ALL BY NAME '.join(selects)} {order}")
    connection.execute(
        "CREATE TABLE made.evaluations AS "
        "SELECT evaluation_id, count(*) AS results FROM made.results GROUP BY 1 ORDER BY 1"
    )


def _is_appended(connection: duckdb.DuckDBPyConnection, bases: list[Member], deltas: list[Member]) -> bool:
    """Whether every delta's evaluation comes after those of the base, as it does unless something was rebuilt."""
    if not bases or not deltas:
        return False
    row = connection.execute(f'SELECT max(evaluation_id) FROM "{bases[0].name}".evaluations').fetchone()
    return row is not None and all(row[0] < (delta.evaluation_id or 0) for delta in deltas)


def _among(evaluation_ids: set[int]) -> str:
    return f"evaluation_id IN ({', '.join(map(str, sorted(evaluation_ids)))})" if evaluation_ids else "false"
