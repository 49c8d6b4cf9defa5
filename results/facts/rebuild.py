"""Makes facts again from the documents: they are a copy, and a lost copy is no loss."""

from contextlib import closing

import duckdb

from results.facts import compaction, files, manifest
from results.facts.documents import write_evaluation
from results.facts.manifest import Manifest, Member
from results.facts.tables import READABLE
from results.models.evaluations import Evaluation, EvaluationState


def rebuild(evaluation_ids: set[int] | None = None) -> int:
    """Make the facts of some evaluations again.

    Args:
        evaluation_ids: which; None = all, whatever the files hold now. Those that are not ready are left alone.

    Returns:
        How many evaluations were done.
    """
    with files.exclusive():
        done = _rebuild(evaluation_ids, _broken(manifest.current()))
    compact_if_needed()
    return done


def repair(seen: Manifest) -> bool:
    """Look for missing and damaged files, and for evaluations without facts, and make again what is lacking.

    Args:
        seen: the manifest that a query failed on.

    Returns:
        Whether asking again makes sense: something was made again, or the manifest has moved on.
    """
    with files.exclusive():
        listed = manifest.current()
        broken = _broken(listed)
        done = _rebuild(set(), broken)
        return bool(broken) or bool(done) or listed.version != seen.version


def catch_up() -> int:
    """Make the facts of evaluations that another host stored, before somebody has to wait for them.

    Returns:
        How many evaluations were done.
    """
    with files.exclusive():
        return _rebuild(set(), {member.name for member in manifest.current().members if not _is_there(member)})


def compact_if_needed() -> bool:
    """Compact once there are more than eight deltas; call it when an import has finished.

    Waits for a compaction that runs already, so that afterwards the manifest lists at most one base and eight deltas.
    Damaged files are made again from the documents first.

    Returns:
        Whether it compacted.
    """
    compacted = False
    while compaction.is_compaction_due(manifest.current()):
        with files.exclusive():
            listed = manifest.current()
            try:
                if compaction.is_compaction_due(listed):
                    compacted = compaction.compact() or compacted
            except (duckdb.Error, OSError):
                broken = _broken(listed)
                if not broken:
                    raise
                _rebuild(set(), broken)
    return compacted


def is_whole(member: Member) -> bool:
    """Whether a member's files can be read to the last row and hold as many results as were registered."""
    if not member.is_base:
        return files.is_whole_delta(member.name)
    try:
        with closing(duckdb.connect(str(files.base_path(member.name)), read_only=True)) as connection:
            connection.execute("SET threads = 2")
            for table, columns in READABLE.items():
                connection.execute(
                    f"SELECT {', '.join(columns)} FROM {'results' if table == 'counters' else table} LIMIT 0"
                )
            for table in (*files.TABLES, "evaluations"):
                connection.execute(f"SELECT max(hash(COLUMNS(*))) FROM {table}").fetchall()
            counted = connection.execute("SELECT count(*) FROM results").fetchone()
            return counted == (member.results,)
    except duckdb.Error:
        return False


def _is_there(member: Member) -> bool:
    return all(path.exists() for path in files.paths_of(member.name, is_base=member.is_base))


def _broken(listed: Manifest) -> set[str]:
    return {member.name for member in listed.members if not is_whole(member)}


def _rebuild(evaluation_ids: set[int] | None, broken: set[str]) -> int:
    """Replace the rows of some evaluations (None = all), and of all that no whole file holds."""
    # The evaluations are read first: one that becomes ready after that has its own delta, which stays.
    ready = set(Evaluation.objects.filter(state=EvaluationState.READY, results__gt=0).values_list("pk", flat=True))
    listed = manifest.current()
    base = listed.base
    base_ids = set() if base is None or base.name in broken else evaluations_in(base)
    held = base_ids | {delta.evaluation_id for delta in listed.deltas if delta.name not in broken}
    wanted = ready if evaluation_ids is None else (ready & evaluation_ids) | (ready - held)
    retired = [delta for delta in listed.deltas if delta.name in broken or delta.evaluation_id in {*wanted, None}]
    fresh = [member for evaluation_id in sorted(wanted) if (member := write_evaluation(evaluation_id))]
    is_room = len(listed.deltas) - len(retired) + len(fresh) <= compaction.MAX_DELTAS
    if is_room and not base_ids & wanted and (base is None or base.name not in broken):
        is_done = manifest.swap([member.name for member in retired], fresh)
        unused = [] if is_done else fresh
    else:
        sources = fresh if base is None or base.name in broken else [base, *fresh]
        made = compaction.write_base(sources, wanted, base_kept=(base_ids & ready) - wanted) if sources else None
        replaced = retired if base is None else [*retired, base]
        is_done = manifest.swap([member.name for member in replaced], [] if made is None else [made])
        unused = fresh if is_done or made is None else [*fresh, made]
    for member in unused:
        files.unlink(member.name, is_base=member.is_base)
    return len(wanted) if is_done else 0


def evaluations_in(base: Member) -> set[int]:
    """The evaluations that have rows in a base."""
    with closing(duckdb.connect(str(files.base_path(base.name)), read_only=True)) as connection:
        return {row[0] for row in connection.execute("SELECT evaluation_id FROM evaluations").fetchall()}
