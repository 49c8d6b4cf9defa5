"""The columns of a table of results: which there are, which are shown in what order, and the menu that chooses them."""

from dataclasses import dataclass

from django.http import QueryDict

from frontend.contexts.columns import Column, changed
from frontend.contexts.filters import Kept, kept

INPUT_HINT = (
    "Effective input tokens of the model (of its answer and of a failed try; never the judge's): "
    "with cache reads and writes where the provider counts them apart"
)
OUTPUT_HINT = (
    "Effective output tokens of the model (of its answer and of a failed try; never the judge's): "
    "with reasoning where the provider counts it apart"
)
CALLS_HINT = (
    "Calls in the recorded total of the model's tools (never the judge's); "
    "calls recorded one by one may be fewer or more"
)
COST_HINT = "What the model cost at the prices in the file: an estimate, without the judge"
CORRECTED_HINT = "The outcome that somebody says would have been right; the recorded one stays what it is"
FIRST = Column("task", "Task")  # always shown, and the name of its row
COLUMNS = (
    FIRST,
    Column("outcome", "Outcome"),
    Column("provider", "Provider"),
    Column("run", "Run"),
    Column("answer", "Answer or error", is_sortable=False),
    Column("duration", "Model time", is_number=True, starts_descending=True),
    Column("input_tokens", "Input", is_number=True, starts_descending=True, hint=INPUT_HINT),
    Column("output_tokens", "Output", is_number=True, starts_descending=True, hint=OUTPUT_HINT),
    Column("tool_calls", "Tool calls", is_number=True, starts_descending=True, hint=CALLS_HINT),
    Column("cost", "Cost", is_number=True, starts_descending=True, hint=COST_HINT),
    Column("category", "Category"),
    Column("difficulty", "Difficulty"),
    Column("evaluation", "Evaluation"),
    Column("started", "Started", starts_descending=True),
    Column("model", "Model"),
    Column("suite", "Suite"),
    Column("tags", "Tags"),
    Column("error", "Error title"),
    Column("attempts", "Attempts", is_number=True, starts_descending=True),
    Column("repeat", "Repeat", is_number=True, starts_descending=True),
    Column("corrected", "Corrected to", is_sortable=False, hint=CORRECTED_HINT),
    Column("reason", "Reason", is_sortable=False),
    Column("labels", "Labels", is_sortable=False),
    Column("comments", "Comments", is_sortable=False),
)
REVIEW = ("corrected", "reason", "labels", "comments")
HIDDEN = ("model", "suite", "tags", "error", "attempts", "repeat", *REVIEW)  # unless the address asks for them
USUAL = tuple(column.key for column in COLUMNS if column.key not in HIDDEN)


@dataclass(frozen=True)
class ColumnItem:
    """One column in the menu that chooses them.

    Attributes:
        is_fixed: it cannot be taken away or moved.
        up_href, down_href: the page with the column one place further left or right; empty at the ends.
    """

    key: str
    label: str
    is_fixed: bool
    up_href: str
    down_href: str


@dataclass(frozen=True)
class ColumnChooser:
    """The menu that chooses columns.

    Attributes:
        shown: in order; then `hidden`.
        count: how many are shown.
        kept: what its form carries along.
        reset_href: the page with the usual columns; empty when it has them.
    """

    shown: tuple[ColumnItem, ...]
    hidden: tuple[ColumnItem, ...]
    count: int
    kept: tuple[Kept, ...]
    reset_href: str

    @classmethod
    def build(cls, columns: tuple[Column, ...], params: QueryDict, fixed: tuple[str, ...] = ()) -> "ColumnChooser":
        """The menu for a table that shows these columns, in a page that has settled the `fixed` keys."""
        keys = [column.key for column in columns]
        return cls(
            shown=tuple(_shown(column, keys, params) for column in columns),
            hidden=tuple(
                ColumnItem(column.key, column.label, False, "", "")
                for column in COLUMNS
                if column.key not in keys and column.key not in fixed
            ),
            count=len(columns),
            kept=kept(params, ("cols",)),
            reset_href=changed(params, cols=None) if "cols" in params else "",
        )


def shown_columns(params: QueryDict, fixed: tuple[str, ...] = ()) -> tuple[Column, ...]:
    """The columns that the address asks for as `cols=task,outcome,…`, or the usual ones.

    Args:
        params: the page's query; names that no column has are left out.
        fixed: keys that are the same in every row of the page.
    """
    known = {column.key: column for column in COLUMNS if column.key not in fixed}
    asked = params.get("cols", "").split(",") if "cols" in params else USUAL
    return tuple(known[key] for key in dict.fromkeys((FIRST.key, *asked)) if key in known)


def _shown(column: Column, keys: list[str], params: QueryDict) -> ColumnItem:
    place, is_fixed = keys.index(column.key), column == FIRST
    return ColumnItem(
        key=column.key,
        label=column.label,
        is_fixed=is_fixed,
        up_href="" if is_fixed or place == 1 else _moved(keys, place, place - 1, params),
        down_href="" if is_fixed or place == len(keys) - 1 else _moved(keys, place, place + 1, params),
    )


def _moved(keys: list[str], place: int, target: int, params: QueryDict) -> str:
    moved = [*keys]
    moved[place], moved[target] = moved[target], moved[place]
    return changed(params, cols=",".join(moved))
