"""Error messages without what differs from case to case, so that the same trouble reads the same."""

import re

MOST_CHARACTERS = 2_000  # of a message that are looked at
SHOWN_CHARACTERS = 300  # of a shape
NUMBER, ID, PATH, TEXT, ADDRESS, TIME = "<n>", "<id>", "<path>", "<text>", "<url>", "<time>"
_PLACEHOLDERS = re.compile(r"<\w+>")
_BEFORE_STATUS = "http|status|code|answered|returned|responded|response|error"
_REASONS = r"too\ many|bad|unauthorized|forbidden|not\ found|unprocessable|internal|service|gateway|overloaded"
# One alternative a kind, the first that fits wins. The code of an HTTP status says what happened, so it stays.
_PARTS = re.compile(
    rf"""
      (?P<keep> \b(?:{_BEFORE_STATUS})(?:\W{{1,3}}|\W(?:code|with)\W{{1,3}})[1-5]\d\d\b
              | \b[1-5]\d\d\b(?=\s(?:{_REASONS})) )
    | (?P<url> \b[a-z][a-z0-9+.-]{{1,15}}://[^\s"'<>]+ )
    | (?P<text> "(?:[^"\\]|\\.)*" | `[^`]*` | “[^”]*” | «[^»]*» | (?<![\w])'[^']*'(?!\w) )
    | (?P<time> \b\d{{4}}-\d\d-\d\d(?:[T\s]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?
              | \b\d\d:\d\d:\d\d(?:[.,]\d+)? )
    | (?P<path> (?:\b[a-z]:)?(?:\\[\w.$-]+){{2,}}
              | (?<![\w)])(?:~|\.{{1,2}})?(?:/[\w.@+-]+){{2,}}/?
              | \b[\w.@-]+(?:/[\w.@+-]+)+\.\w{{1,8}}\b )
    | (?P<id> \b[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}\b
            | \b0x[0-9a-f]+\b
            | \b(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{{8,}}\b
            | \b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{{16,}}\b
            | \b(?:req|msg|call|run|resp|chatcmpl|toolu)[_-][\w-]{{6,}} )
    | (?P<n> \d+(?:[.,:]\d+)*(?:(?<=\d)(?:ms|s|m|h|kb|mb|gb|k)\b)? )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SHOWN = {"url": ADDRESS, "text": TEXT, "time": TIME, "path": PATH, "id": ID, "n": NUMBER}
PHRASES = 4  # of a shape that a search asks for
PHRASE_WORDS = 8  # of each of them
LONG_WORD = 4  # characters from which on a word is asked for alone


def message_shape(message: str) -> str:
    """A message on one line with numbers, ids, quoted texts, addresses, times and paths as placeholders.

    Args:
        message: of any size; its beginning is looked at.

    Returns:
        Equal texts for messages that differ in these only, cut to 300 characters; empty for an empty message.
    """
    line = " ".join(message[:MOST_CHARACTERS].split())
    shape = _PARTS.sub(lambda found: _SHOWN.get(found.lastgroup or "", found[0]), line)
    return shape if len(shape) <= SHOWN_CHARACTERS else f"{shape[:SHOWN_CHARACTERS].rstrip()}…"


def shape_search(shape: str) -> str:
    """A search of the explorer that finds the messages of a shape, and perhaps a few more; empty = there is none.

    It asks for the words between the placeholders, as phrases, in errors.
    """
    phrases = []
    for stretch in _PLACEHOLDERS.split(shape.rstrip("…")):
        words = [word for word in re.split(r"[^\w]+", stretch) if word]
        if len(words) > 1 or (words and len(words[0]) >= LONG_WORD):
            phrases.append(" ".join(words[:PHRASE_WORDS]))
    phrases = sorted(phrases, key=len, reverse=True)[:PHRASES]
    return " ".join(["in:error", *(f'"{phrase}"' for phrase in phrases)]) if phrases else ""
