"""Where in a file a stack trace of JavaScript leads."""

import re
from itertools import islice
from pathlib import PurePath

PLACE = re.compile(r":(\d{1,9}):\d")
BEFORE = re.compile(r"[\s()'\"]")
LONGEST_PATH = 500
MOST_PLACES = 1_000  # of one trace


def place_in_stack(text: str, file: str | None) -> int | None:
    """The line of the first place in a trace that lies in a file; None if none does.

    Args:
        text: the trace.
        file: the path as the report has it; the trace may have it shorter.
    """
    if file is None:
        return None
    parts = PurePath(file).parts
    for place in islice(PLACE.finditer(text), MOST_PLACES):
        before = BEFORE.split(text[max(0, place.start() - LONGEST_PATH) : place.start()])[-1]
        found = tuple(part for part in PurePath(before.removeprefix("file://")).parts if part != ".")
        if found and parts[-len(found) :] == found:
            return int(place[1])
    return None
