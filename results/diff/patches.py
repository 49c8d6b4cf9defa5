"""A change of a text as a patch, in the form of Google's diff-match-patch: MindTrial writes it for failed results."""

from dataclasses import dataclass, field
from urllib.parse import quote

from results.diff.characters import Kind, edits_between
from results.diff.meaningful import made_meaningful

MARGIN = 4  # bytes of context around a change
LONGEST_PATTERN = 32  # bytes of context that make a place unique, at most
_PLAIN = " !~*'();/?:@&=+$,#"  # not escaped, beside letters, digits and `-_.~`


@dataclass
class _Hunk:
    """One change with its context: its edits, and where it begins in both texts, in bytes."""

    edits: list[tuple[Kind, bytes]] = field(default_factory=list)
    start: int = 0
    new_start: int = 0
    length: int = 0
    new_length: int = 0

    def add(self, kind: Kind, text: bytes) -> None:
        self.edits.append((kind, text))
        self.length += len(text) if kind is not Kind.INSERT else 0
        self.new_length += len(text) if kind is not Kind.DELETE else 0

    def with_context(self, text: bytes) -> "_Hunk":
        """The change with as much around it as tells its place in the text."""
        start, end = self.new_start, self.new_start + self.length
        pattern, padding = text[start:end], 0
        while text.find(pattern) != text.rfind(pattern) and len(pattern) < LONGEST_PATTERN - 2 * MARGIN:
            padding += MARGIN
            pattern = text[max(0, start - padding) : end + padding]
        padding += MARGIN
        before, after = text[max(0, start - padding) : start], text[end : end + padding]
        context = [(Kind.EQUAL, part) for part in (before, after)]
        return _Hunk(
            [edit for edit in (context[0], *self.edits, context[1]) if edit[1]],
            self.start - len(before),
            self.new_start - len(before),
            self.length + len(before) + len(after),
            self.new_length + len(before) + len(after),
        )

    def lines(self) -> str:
        """The change as text: a line that says where, then a line per edit."""
        head = f"@@ -{_span(self.start, self.length)} +{_span(self.new_start, self.new_length)} @@\n"
        return head + "".join(f"{kind.value}{quote(text, safe=_PLAIN)}\n" for kind, text in self.edits)


def patch_text(before: str, after: str) -> str:
    """The patch that turns one text into another; the text itself where both are equal.

    Places and lengths are counted in bytes of UTF-8, as MindTrial's writer counts them.
    """
    if before == after:
        return before
    edits = [(edit.kind, edit.text.encode(errors="replace")) for edit in made_meaningful(edits_between(before, after))]
    return "".join(hunk.lines() for hunk in _hunks(before.encode(errors="replace"), edits))


def _hunks(text: bytes, edits: list[tuple[Kind, bytes]]) -> list[_Hunk]:
    hunks: list[_Hunk] = []
    hunk, place, new_place = _Hunk(), 0, 0
    earlier = later = text  # before and after the changes so far
    for index, (kind, part) in enumerate(edits):
        if not hunk.edits and kind is not Kind.EQUAL:
            hunk = _Hunk(start=place, new_start=new_place)
        is_last = index == len(edits) - 1
        if kind is Kind.INSERT:
            later = later[:new_place] + part + later[new_place:]
        elif kind is Kind.DELETE:
            later = later[:new_place] + later[new_place + len(part) :]
        if kind is not Kind.EQUAL or (hunk.edits and len(part) <= 2 * MARGIN and not is_last):
            hunk.add(kind, part)
        if kind is Kind.EQUAL and hunk.edits and len(part) >= 2 * MARGIN:
            hunks.append(hunk.with_context(earlier))
            hunk, earlier, place = _Hunk(), later, new_place
        place += len(part) if kind is not Kind.INSERT else 0
        new_place += len(part) if kind is not Kind.DELETE else 0
    return [*hunks, hunk.with_context(earlier)] if hunk.edits else hunks


def _span(start: int, length: int) -> str:
    match length:
        case 0:
            return f"{start},0"
        case 1:
            return f"{start + 1}"
        case _:
            return f"{start + 1},{length}"
