"""Text of unknown origin made fit to be seen: control characters spelt out, giants cut with a note.

What comes out is plain parts; the template filters escape them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from frontend.formats import count, size

SHOWN_CHARACTERS = 50_000  # of any one text: more than anybody reads, little enough for a browser
SHOWN_LINE_CHARACTERS = 10_000  # of any one line: browsers lay out giant lines in seconds
SHOWN_HIDDEN = 1_000  # hidden characters of any one text: each becomes an element of the page
HIDDEN_COST = 30  # characters of a page that a hidden one takes beside its own
SHOWN_DATA_CHARACTERS = 64  # of a data: address, so that its type can be read

# C0 and C1 controls except tab and line feed, soft hyphen, directional marks and overrides, invisible spaces and
# operators, line and paragraph separators, byte order marks, annotations, tags and lone surrogates. Zero-width
# (non-)joiners stay: scripts and emoji need them.
HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
LINE_END = re.compile("\r\n?")
LINE = re.compile("[^\n]+")
GAP = re.compile("[\r\n\t]+")
DATA = "data:"
DATA_ADDRESS = re.compile(
    rf"(?i)\b({DATA}[a-z0-9.+-]{{1,40}}/[^\s\"'<>)]{{{SHOWN_DATA_CHARACTERS - 20}}})([^\s\"'<>)]{{100,}})"
)


@dataclass(frozen=True)
class TextPart:
    """A stretch of text, or a note of ours that stands in for some."""

    text: str
    is_note: bool = False


def code_point(character: str) -> str:
    """The name of a character's place in Unicode, such as `U+202E`."""
    return f"U+{ord(character):04X}"


def spelt_out(text: str) -> str:
    """The text on one line for titles and labels, with hidden characters as `[U+202E]`."""
    return HIDDEN.sub(lambda match: f"[{code_point(match[0])}]", GAP.sub(" ", text))


def split_hidden(text: str) -> Iterator[TextPart]:
    """The text in parts, each hidden character a note of its own that names it; line ends become line feeds."""
    position = 0
    text = LINE_END.sub("\n", text)
    for match in HIDDEN.finditer(text):
        if match.start() > position:
            yield TextPart(text[position : match.start()])
        yield TextPart(code_point(match[0]), is_note=True)
        position = match.end()
    if position < len(text):
        yield TextPart(text[position:])


def cut(text: str) -> list[TextPart]:
    """The text with data addresses and giant lines cut short, and its end cut off; every cut says how much is missing.

    Args:
        text: of any length.

    Returns:
        Parts in order; the notes say what was left out, in characters.
    """
    parts: list[TextPart] = []
    room = SHOWN_CHARACTERS
    rest = TextPart(f"… the rest of {count(len(text))} characters not shown", is_note=True)
    for part in _shortened(text):
        if not part.is_note:
            length = shown_length(part.text, room)
            if length < len(part.text):
                return [*parts, TextPart(part.text[:length]), rest]
            room -= length
        parts.append(part)
    return parts


def shown_length(text: str, most: int) -> int:
    """How many characters of a text are shown: `most`, and fewer when many of them are hidden ones."""
    for number, match in enumerate(HIDDEN.finditer(text, 0, most)):
        if number >= SHOWN_HIDDEN:
            return match.start()
    return min(len(text), most)


def _shortened(text: str) -> Iterator[TextPart]:
    position, found = 0, text.find(DATA)
    while found >= 0:
        if match := DATA_ADDRESS.match(text, found):
            yield from _cut_lines(text[position : match.end(1)])
            yield _note(len(match[2]), "characters of data")
            position = match.end()
        elif found - position > SHOWN_CHARACTERS:
            yield from _cut_lines(text[position:found])
            position = found
        found = text.find(DATA, max(position, found + 1))
    yield from _cut_lines(text[position:])


def _cut_lines(text: str) -> Iterator[TextPart]:
    position = 0
    for match in LINE.finditer(text):
        missing = match.end() - match.start() - SHOWN_LINE_CHARACTERS
        if match.start() - position > SHOWN_CHARACTERS:  # perhaps enough: nobody need look at the rest
            yield TextPart(text[position : match.start()])
            position = match.start()
        if missing > 0:
            yield TextPart(text[position : match.end() - missing])
            yield _note(missing, "characters of this line")
            position = match.end()
    yield TextPart(text[position:])


def _note(missing: int, what: str) -> TextPart:
    return TextPart(f"… {count(missing)} {what} not shown", is_note=True)


def size_of(text: str) -> str:
    """How big a text is as UTF-8, such as `6.8 kB`."""
    return size(len(text.encode("utf-8", "surrogatepass")))
