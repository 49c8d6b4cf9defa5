"""What a chart says of evaluations that lie long before all others, and are left of its axis."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from frontend import formats
from frontend.contexts.explorer_links import explorer_href
from results.filters import Choice, ResultFilter


@dataclass(frozen=True)
class EarlyNote:
    """What is left out, and the explorer with its results; both empty where all is shown."""

    text: str = ""
    href: str = ""


def early_note(evaluations: Mapping[int, datetime], chosen: ResultFilter) -> EarlyNote:
    """The words for evaluations that are left out.

    Args:
        evaluations: ids with their starts, in the order of time.
        chosen: the filter of their results.
    """
    if not evaluations:
        return EarlyNote()
    days = list(dict.fromkeys(formats.date(moment) for moment in evaluations.values()))
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    ids = Choice(tuple(str(pk) for pk in evaluations))
    text = f"Left of the axis, but in the table: {formats.plural(len(evaluations), 'evaluation')} of {when}"
    return EarlyNote(text, explorer_href(chosen.with_choice("evaluation", ids)))
