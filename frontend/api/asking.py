"""What requests to the API say: the one filter, a place in a list, ids that can be looked up."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from decimal import Decimal
from types import GenericAlias
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Schema
from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, create_model

from frontend.access import visible_evaluations
from frontend.api.answers import ApiError
from results.filters import CHOICES, NUMBERS, RESULT, SPANS, WORDS, ResultFilter
from results.queries.sorting import SORTS
from results.queries.visibility import VisibleSet

Json = Any
Exact = Annotated[Decimal, WithJsonSchema({"type": "number"})]  # all digits, as a JSON number
LARGEST_ID = 2**63 - 1  # what a column of ids holds
MOST_ROWS = 1_000  # of one page
USUAL_ROWS = 50
_FIRST = ""

Id = Annotated[int, Path(ge=1, le=LARGEST_ID)]
Limit = Annotated[int, Field(ge=1, le=MOST_ROWS, description="rows of a page")]
Cursor = Annotated[str, Field(max_length=100, description="`next` of the page before; empty = the first page")]


def _value(name: str) -> Any:  # noqa: ANN401  (a type)
    """The type of one value of a filter's key."""
    if name in NUMBERS:
        return Annotated[str, Field(pattern=f"^-?[0-9]{{1,{NUMBERS[name][1]}}}$")]
    if name in WORDS:
        words = (*WORDS[name], *((r"\(unspecified\)",) if name == "call_status" else ()))
        return Annotated[str, Field(pattern=f"^-?({'|'.join(words)})$")]
    return str


VALUES = "any of these; `-` before a value excludes it, `(unspecified)` is blank, a backslash takes it literally"


FilterQuery: type[Schema] = create_model(
    "FilterQuery",
    __base__=Schema,
    __doc__="The filter of results, as in the address of the results page.",
    **{
        name: (GenericAlias(list, (_value(name),)), Field(default=[], description=VALUES))
        for name in (*CHOICES, RESULT)
    },
    **{name: (str, Field(default="", description="a range: `a..b`, `a..` or `..b`")) for name in SPANS},
    tags=(str, Field(default="", description="`all`: every tag instead of any", pattern="^(all|any|)$")),
    q=(str, Field(default="", description="text search")),
)  # type: ignore[call-overload]
FILTER_KEYS = frozenset(FilterQuery.model_fields)


class Body(BaseModel):
    """What a request's body is read into: an object with these keys only."""

    model_config = ConfigDict(extra="forbid", strict=True)


def visible(request: HttpRequest) -> VisibleSet:
    """The evaluations that this request may read."""
    return visible_evaluations(request)


def asked_filter(request: HttpRequest, *others: str) -> ResultFilter:
    """The filter of a request.

    Args:
        request: any GET.
        others: keys of its query beside those of the filter.

    Raises:
        ApiError: 422 for a key that is not known, or a value that cannot be read.
    """
    unknown = sorted(set(request.GET) - FILTER_KEYS - set(others))
    if unknown:
        known = ", ".join(sorted({*FILTER_KEYS, *others}))
        raise ApiError(422, "unknown_parameter", f"There is no parameter {unknown[0]}. Known: {known}.", "query")
    asked = ResultFilter.parse(request.GET)
    if asked.problems:
        message = asked.problems[0].replace("it was left out.", "").rstrip(" ;")
        raise ApiError(422, "invalid_filter", message, f"query.{message.partition('=')[0]}")
    return asked


def known_sort(text: str) -> str:
    """The order, if there is one of that name.

    Raises:
        ApiError: 422 otherwise.
    """
    if text and text.removeprefix("-") not in SORTS:
        message = f"There is no order {text}. Orders: {', '.join(SORTS)}; - before one turns it round."
        raise ApiError(422, "unknown_order", message, "query.sort")
    return text


def page_at(cursor: str, limit: int) -> int:
    """The number of the page, from 1, that a cursor stands for.

    Raises:
        ApiError: 422 for a cursor that no answer gave, or one of a list with another limit.
    """
    if cursor == _FIRST:
        return 1
    try:
        page, _, size = urlsafe_b64decode(cursor.encode()).decode("ascii").partition("/")
        if size == str(limit) and page.isdigit() and 1 < int(page) < LARGEST_ID:
            return int(page)
    except (Error, ValueError):
        pass
    raise ApiError(422, "invalid_cursor", "The cursor is not the `next` of an answer with this limit.", "query.cursor")


def next_cursor(page: int, pages: int, limit: int) -> str | None:
    """The cursor of the page that follows; None at the end."""
    return urlsafe_b64encode(f"{page + 1}/{limit}".encode()).decode() if page < pages else None


def known_word(word: str, known: tuple[str, ...], path: str) -> str:
    """A word, if it is known.

    Raises:
        ApiError: 422 otherwise.
    """
    if word not in known:
        raise ApiError(422, "invalid", f"{word} is not one of {', '.join(known)}.", path)
    return word


def require_known(names: list[str], known: tuple[str, ...], path: str) -> tuple[str, ...]:
    """Names without repetitions, all of them known.

    Raises:
        ApiError: 422 for one that is not.
    """
    return tuple(dict.fromkeys(known_word(name, known, path) for name in names))


def listed(text: str) -> list[str]:
    """The names in a list with commas."""
    return [name for name in text.split(",") if name]
