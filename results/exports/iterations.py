"""Iterations as files: agent-bober's own documents, whose values, order and tokens are as recorded, and Markdown."""

import io
import re
from collections.abc import Iterator
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from results.compression import decompress
from results.exports.iteration_markdown import as_markdown
from results.models.sprints import Iteration
from results.queries.iterations import iteration_detail

FOLDER = ".bober/eval-results"  # where agent-bober keeps them, and an import of a folder or archive finds them
LONGEST_NAME = 150  # characters of a contract's id in a file name


def latest_of_sprint(sprint_id: int) -> list[int]:
    """Ids of the revisions that count, in the order of the iterations."""
    found = Iteration.objects.filter(sprint_id=sprint_id, is_latest=True).order_by("iteration")
    return list(found.values_list("pk", flat=True))


def export_documents(iteration_ids: list[int]) -> Iterator[bytes]:
    """The document of one iteration, ended by a line break; of several a zip archive that can be imported again."""
    rows = list(Iteration.objects.filter(pk__in=iteration_ids).select_related("sprint").order_by("iteration", "pk"))
    if len(iteration_ids) == 1:
        yield from (decompress(row.body) + b"\n" for row in rows)
        return
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for row in rows:
            # A fixed time: equal iterations make equal archives.
            info = ZipInfo(f"{FOLDER}/{file_stem(row)}.json")
            archive.writestr(info, decompress(row.body) + b"\n", ZIP_DEFLATED)
    yield out.getvalue()


def export_markdown(iteration_ids: list[int]) -> Iterator[bytes]:
    """One report after the other."""
    for number, iteration_id in enumerate(iteration_ids):
        detail = iteration_detail(iteration_id)
        if detail is not None:
            text = "".join(as_markdown(detail))
            yield (f"\n{text}" if number else text).encode(errors="replace")


def file_stem(iteration: Iteration) -> str:
    """Its file's name without the ending, as agent-bober makes it, safe on every system."""
    contract = re.sub(r"[^\w.-]", "_", iteration.sprint.contract_id, flags=re.ASCII)[:LONGEST_NAME].lstrip(".")
    return f"eval-{contract}-{iteration.iteration}"
