"""The facts of an evaluation that is still written: one delta, made anew every so often until the evaluation is ready.

One delta per result would make every question slow, and one at the end would hide the trial while it runs. So its delta
is replaced, and compaction leaves it alone.
"""

from results.facts import compaction, files, manifest
from results.facts.documents import write_evaluation
from results.facts.manifest import Member
from results.facts.rebuild import evaluations_in


def refresh(evaluation_id: int) -> bool:
    """Put everything that is committed of a running evaluation in place of what the facts hold of it.

    Returns:
        False if another machine replaced a file first; then nothing changed.

    Raises:
        duckdb.Error, OSError: a file could not be written or read.
    """
    with files.exclusive():
        listed = manifest.current()
        retired = [delta.name for delta in listed.deltas if delta.evaluation_id == evaluation_id]
        fresh = write_evaluation(evaluation_id)
        added = [] if fresh is None else [fresh]
        if listed.base is not None and evaluation_id in (held := evaluations_in(listed.base)):
            # It was ready once, and compacted; now a trial goes on.
            retired.append(listed.base.name)
            base = compaction.write_base([listed.base], held - {evaluation_id})
            added += [] if base is None else [base]
        is_done = manifest.swap(retired, added)
        if not is_done:
            _drop(added)
        return is_done


def _drop(members: list[Member]) -> None:
    for member in members:
        files.unlink(member.name, is_base=member.is_base)
