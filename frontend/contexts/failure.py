"""What went wrong in a result, with as much of what is recorded about it as a page can hold."""

from dataclasses import dataclass
from itertools import islice

from frontend.shown_text import HIDDEN, HIDDEN_COST, shown_length
from results.records import ErrorDetails

SHOWN_SECTIONS = 20
SHOWN_SECTION_CHARACTERS = 8_000  # of one section
SHOWN_CHARACTERS = 30_000  # of all sections together
SHOWN_LINES = 2_000  # of one section that are looked at


@dataclass(frozen=True)
class FailureSection:
    """One named detail of an error; `is_cut` = there is more text."""

    name: str
    text: str
    is_cut: bool


@dataclass(frozen=True)
class FailurePanel:
    """What `_error_panel.html` reads.

    Attributes:
        error: as recorded; of its details only `sections` are shown, the first of `section_count`.
        is_judge: it came up while the answer was validated.
        is_cut: something of the details is not shown.
    """

    error: ErrorDetails
    is_judge: bool
    sections: tuple[FailureSection, ...]
    section_count: int
    is_cut: bool

    @classmethod
    def build(cls, error: ErrorDetails | None, is_judge: bool) -> "FailurePanel | None":
        """The panel of a result's error; None when it has none."""
        if error is None:
            return None
        sections = _sections(error.details)
        count = len(error.details)
        return cls(error, is_judge, sections, count, count > len(sections) or any(part.is_cut for part in sections))


def _sections(details: dict[str, list[str]]) -> tuple[FailureSection, ...]:
    room = SHOWN_CHARACTERS
    found: list[FailureSection] = []
    for name, lines in islice(details.items(), SHOWN_SECTIONS):
        if room <= 0:
            break
        text = "\n".join(line[: SHOWN_SECTION_CHARACTERS + 1] for line in lines[:SHOWN_LINES])
        length = shown_length(text, min(SHOWN_SECTION_CHARACTERS, room))
        found.append(FailureSection(name, text[:length], length < len(text) or len(lines) > SHOWN_LINES))
        room -= length + HIDDEN_COST * len(HIDDEN.findall(text, 0, length))
    return tuple(found)
