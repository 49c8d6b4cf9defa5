"""Where in a file a stack trace of JavaScript leads."""

import re
from pathlib import PurePath

PLACE = re.compile(r"(?:file://)?((?:[A-Za-z]:)?[^\s()'\"]{1,500}?):(\d+):\d+")


def place_in_stack(text: str, file: str | None) -> int | None:
    """The line of the first place in a trace that lies in a file; None if none does.

    Args:
        text: the trace.
        file: the path as the report has it; the trace may have it shorter.
    """
    if file is None:
        return None
    parts = PurePath(file).parts
    for place in PLACE.finditer(text):
        found = PurePath(place[1]).parts
        found = tuple(part for part in found if part != ".")
        if found and parts[-len(found) :] == found:
            return int(place[2])
    return None
