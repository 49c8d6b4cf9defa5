"""What the forms of the explorer send, turned into the address that a person would share."""

from django.http import QueryDict

from results.filters import RESULT, SPANS

FROM, TO = ".from", ".to"  # after the name of a range: its two fields


def tidied(params: QueryDict) -> QueryDict | None:
    """A query without blank keys, with each pair of fields as one range and the columns as one list.

    Rows that were picked out become the filter `result`, unless all that match are meant.

    Returns:
        None when the query is tidy as it is.
    """
    copy = QueryDict(mutable=True)
    for name, values in params.lists():
        if not name.endswith((FROM, TO)):
            copy.setlist(name, [value for value in values if value])
    for name in SPANS:
        low, high = params.get(name + FROM, "").strip(), params.get(name + TO, "").strip()
        if low or high:
            copy[name] = _written(name, f"{low}..{high}")
    picked, is_all = copy.pop("pick", []), "all" in copy
    copy.pop("all", None)
    if picked and not is_all:
        copy.setlist(RESULT, picked)
    if len(columns := copy.getlist("cols")) > 1:
        copy["cols"] = ",".join(columns)
    for name in [name for name, values in copy.lists() if not values]:
        del copy[name]
    return None if copy == params else copy


def _written(name: str, text: str) -> str:
    """A range as every other page writes it; one that cannot be read stays as it is, so that the page can say so."""
    try:
        return SPANS[name].text(SPANS[name].parse(text))
    except ValueError:
        return text
