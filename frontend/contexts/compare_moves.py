"""The tasks whose outcome changed between two evaluations, of all runs that are compared."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict

from results.queries.compare import Comparison, Kind
from results.queries.compare_columns import ComparedRun
from results.queries.compare_rows import DIFFER, ComparedRow, compared_rows, shown_counts
from results.queries.visibility import VisibleSet

MOST_MOVES = 200  # lines
LABELS = {DIFFER: "Differ", "improved": "Improved", "regressed": "Regressed", "same": "Same"}


@dataclass(frozen=True)
class MoveLink:
    """One way to narrow the lines down."""

    label: str
    count: int
    href: str
    is_current: bool


@dataclass(frozen=True)
class Move:
    """One task of one run; `href` is the comparison of the two results, with their answers."""

    row: ComparedRow
    column: ComparedRun
    href: str


@dataclass(frozen=True)
class Moves:
    """What `_compare_moves.html` reads.

    Attributes:
        links: what can be shown.
        lines: what regressed before what improved, then by task and run; `more` are left out.
    """

    links: tuple[MoveLink, ...]
    lines: tuple[Move, ...]
    more: int

    @classmethod
    def build(
        cls,
        visible: VisibleSet,
        columns: Sequence[ComparedRun],
        found: Sequence[Comparison],
        address: str,
        params: QueryDict,
    ) -> "Moves":
        """The lines for a query with `show`.

        Args:
            visible: evaluations that may be seen.
            columns: the later one of each comparison.
            found: comparisons of two columns.
            address: of the page, without `show`.
            params: the page's query.
        """
        shown = params.get("show", DIFFER) if params.get("show") in LABELS else DIFFER
        counts = [shown_counts(one) for one in found]
        totals = {word: sum(own[word] for own in counts) for word in LABELS}
        lines: list[Move] = []
        for column, one, own in zip(columns, found, counts, strict=True):
            if not own[shown] or len(lines) >= MOST_MOVES:
                continue
            keys = "&".join(f"column={key.text}" for key in one.keys)
            lines += [
                Move(row, column, f"?{keys}&task={row.task_id}&repeat={row.repeat}#answers")
                for row in compared_rows(visible, one, shown).rows
            ]
        lines = sorted(lines[:MOST_MOVES], key=_order)
        return cls(
            links=tuple(
                MoveLink(label, totals[word], f"{address}&show={word}#moves", word == shown)
                for word, label in LABELS.items()
            ),
            lines=tuple(lines),
            more=totals[shown] - len(lines),
        )


def _order(move: Move) -> tuple[bool, str, int, str]:
    return move.row.cells[1].kind is not Kind.REGRESSED, move.row.task, move.row.repeat, move.column.run
