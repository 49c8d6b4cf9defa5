"""CSV with MindTrial's own columns, which is what its users' scripts read.

Source: MindTrial's `formatters/csv.go` and `formatters/utils.go`, as of v0.22. Unlike in its files, a text of a model
that a spreadsheet would run begins with `'`, and control characters are shown.
"""

from collections.abc import Iterator

import msgspec

from results.diff.patches import patch_text
from results.exports.go_text import indented, milliseconds, text_of
from results.exports.mindtrial_order import sources
from results.exports.shown_text import harmless, visible
from results.models.evaluations import Evaluation
from results.records import ResultKind, RunResult, decode_result

COLUMNS = (
    *("TraceID", "Provider", "Run", "Task", "Status", "DurationMS", "Answer", "Details"),
    *("Suite", "Category", "Difficulty", "Tags"),
)
ROWS_PER_PIECE = 200
_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ITEMS = msgspec.json.Decoder(list[msgspec.Raw])


def export_csv(evaluation: Evaluation) -> Iterator[bytes]:
    """A header, then a line per result: providers by name, lines ended by LF, times in whole milliseconds."""
    lines = [_line(COLUMNS)]
    for source in sources(evaluation):
        lines.append(_line(_cells(source)))
        if len(lines) >= ROWS_PER_PIECE:
            yield _encoded(lines)
            lines = []
    yield _encoded(lines)


def answer_text(record: RunResult) -> str:
    """What was answered; of a failed result the patch from each accepted answer to it, several in brackets."""
    got = text_of(bytes(record.got) or b"null")
    if record.kind is not ResultKind.FAILED:
        return got
    want = bytes(record.want)
    accepted = _ITEMS.decode(want) if want.startswith(b"[") else [want] if want else []
    patches = [patch_text(text_of(bytes(one)), got) for one in accepted]
    if len(patches) == 1:
        return patches[0]
    indented_patches = ("\n".join(f"    {line}" for line in patch.split("\n")) for patch in patches)
    return "[\n" + "\n  ,\n".join(indented_patches) + "\n]"


def _cells(source: bytes) -> tuple[str, ...]:
    record = decode_result(source)
    answer, about = answer_text(record), record.task_metadata
    labels = (
        ("", "", "", "") if about is None else (about.suite, about.category, about.difficulty, ",".join(about.tags))
    )
    # A patch begins with our own `@@ -1,5 +1,5 @@`, which is no formula in any program; what follows is escaped.
    is_patch = record.kind is ResultKind.FAILED and answer.startswith("@@ -")
    return (
        *(_shown(text) for text in (record.trace_id, record.provider, record.run, record.task)),
        record.kind.value,
        str(milliseconds(record.duration_ns or 0)),
        visible(answer) if is_patch else _shown(answer),
        indented(_details(source)),
        *map(_shown, labels),
    )


def _details(source: bytes) -> bytes:
    """The recorded details; the last of several counts, and the case of the name does not, as MindTrial reads it."""
    found = [bytes(value) for name, value in _MEMBERS.decode(source).items() if name.casefold() == "details"]
    return found[-1] if found and found[-1] != b"null" else b"{}"


def _shown(text: str) -> str:
    return harmless(visible(text))


def _line(cells: tuple[str, ...]) -> str:
    return ",".join(map(_quoted, cells)) + "\n"


def _quoted(cell: str) -> str:
    """A cell in quotes where Go's writer has them."""
    if cell and (cell == "\\." or cell[0].isspace() or any(mark in cell for mark in ',"\r\n')):
        return '"' + cell.replace('"', '""') + '"'
    return cell


def _encoded(lines: list[str]) -> bytes:
    return "".join(lines).encode(errors="replace")
