"""What stands beside the results while a filter is met: marks of cancelled work, of copies, and of what people say."""

from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from results.facts.reading import Reading
from results.filters import ResultFilter
from results.queries.cancelled import CANCELLED_MARK, NONE_CANCELLED, cancelled_ids, cancelled_marked
from results.queries.copies import NO_COPY, copied_ids, offered_copies
from results.queries.review_marks import NO_MARKS, REVIEW_KEYS, ReviewMarks, offered_reviews, review_marks
from results.queries.visibility import VisibleSet


@dataclass(frozen=True)
class Offers:
    """SQL that is true of cancelled work, SQL that is true of copies of older results, and what is said of results."""

    cancelled: str = NONE_CANCELLED
    copied: str = NO_COPY
    reviews: ReviewMarks = NO_MARKS


NO_OFFERS = Offers()


@contextmanager
def offered(
    reading: Reading, chosen: ResultFilter, visible: VisibleSet, keys: Collection[str], *, with_reviews: bool
) -> Iterator[Offers]:
    """Put beside the results what a filter asks for, as long as the context lasts.

    Args:
        reading: of the facts.
        chosen: the filter.
        visible: evaluations that may be seen.
        keys: of the filter, whose values are counted.
        with_reviews: what is said of results is read in any case.
    """
    cancelled, copied, reviews = NONE_CANCELLED, NO_COPY, NO_MARKS
    with ExitStack() as stack:
        if chosen.cancelled or "cancelled" in keys:
            cancelled = stack.enter_context(cancelled_marked(reading, cancelled_ids(visible), CANCELLED_MARK))
        if chosen.copies or "copies" in keys:
            copied = stack.enter_context(offered_copies(reading, copied_ids(visible)))
        if with_reviews or any(chosen.choice(name) or name in keys for name in REVIEW_KEYS):
            reviews = stack.enter_context(offered_reviews(reading, review_marks(reading, visible)))
        yield Offers(cancelled, copied, reviews)
