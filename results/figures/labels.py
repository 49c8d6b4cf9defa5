"""Names inside a plot: what a file calls something is text there, never markup, and never a stretch of the axis."""

import unicodedata

LONGEST = 28  # characters of a name on an axis; the table behind the plot has all of them
_JOINERS = "\u200c\u200d"  # scripts and emoji need them
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


def label(name: str, longest: int = LONGEST) -> str:
    """A name as Plotly shows it: on one line, cut to `longest`, hidden characters as `[U+202E]`.

    Plotly reads `<b>`, `<a href>` and entities in every text, hence the escapes.
    """
    text = " ".join(name.split())
    text = text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character in "<>&":
        return {"<": "&lt;", ">": "&gt;", "&": "&amp;"}[character]
    if character not in _JOINERS and unicodedata.category(character) in _HIDDEN:
        return f"[U+{ord(character):04X}]"
    return character
