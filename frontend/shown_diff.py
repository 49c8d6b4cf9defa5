"""Compared text made fit to be seen: white space drawn over the real characters, hidden characters spelt out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from frontend.shown_text import HIDDEN, code_point

# A hidden character, a run of spaces, a tab, a line end, a run of other white space.
SPECIAL = re.compile(rf"(?P<hidden>{HIDDEN.pattern})|(?P<space> +)|(?P<tab>\t)|(?P<end>\n)|(?P<other>[^\S\n\t ]+)")
MARKS = {"space": "·", "tab": "→", "end": "↵", "other": "⍽"}


@dataclass(frozen=True)
class DiffPart:
    """A stretch of text.

    Attributes:
        text: as it is, but for a line end, which the row of the table already is.
        mark: what is drawn over white space; empty for other text.
        is_hidden: `text` names a hidden character.
    """

    text: str
    mark: str = ""
    is_hidden: bool = False


def diff_parts(text: str, *, has_marks: bool) -> Iterator[DiffPart]:
    """The parts of compared text.

    Args:
        text: of one line.
        has_marks: white space is drawn.
    """
    position = 0
    for match in SPECIAL.finditer(text):
        kind = match.lastgroup or ""
        if kind not in ("hidden", "end") and not has_marks:
            continue
        if match.start() > position:
            yield DiffPart(text[position : match.start()])
        position = match.end()
        if kind == "hidden":
            yield DiffPart(code_point(match[0]), is_hidden=True)
        elif has_marks:
            yield DiffPart("" if kind == "end" else match[0], MARKS[kind] * len(match[0]))
    if position < len(text):
        yield DiffPart(text[position:])
