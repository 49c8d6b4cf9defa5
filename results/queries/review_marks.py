"""What is said of results as one more column of the facts: a number for each distinct review, laid over the rows."""

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from results.facts.links import GAP, Numbers
from results.facts.reading import Reading
from results.models.evaluations import RESULTS_PER_EVALUATION
from results.models.projects import Project
from results.models.review import Annotation, AnnotationKind
from results.queries.visibility import VisibleSet

REVIEW_MARK = "review_0"  # the column; its name ends in a number, so that no other column has it
NO_COLUMN = f"({GAP})"
REVIEW_KEYS = ("label", "reason", "reviewed", "corrected")  # of the filter
MOST_REMEMBERED = 4  # sets of evaluations, 12 bytes a reviewed result


@dataclass(frozen=True)
class ReviewSet:
    """A distinct review: a corrected outcome (None = none), a reason (None = none), labels."""

    corrected: int | None
    reason: str | None
    labels: frozenset[str]


@dataclass(frozen=True, eq=False)
class ReviewMarks:
    """The reviewed results, sorted, and of each the place of its review in `sets`."""

    result_ids: Numbers
    numbers: Numbers
    sets: tuple[ReviewSet, ...]

    @property
    def column(self) -> str:
        """SQL of the place in `sets`; `GAP` where nothing is said."""
        return REVIEW_MARK if self.sets else NO_COLUMN

    def where(self, condition: Callable[[ReviewSet | None], bool]) -> str:
        """SQL: the review of the result meets a condition; None is that of a result of which nothing is said."""
        met = [number for number, found in enumerate(self.sets) if condition(found)]
        met += [GAP] if condition(None) else []
        return f"({self.column} IN ({', '.join(map(str, met)) or 'NULL'}))"

    @property
    def corrected(self) -> str:
        """SQL: somebody corrected the verdict."""
        return self.where(lambda found: found is not None and found.corrected is not None)

    @property
    def outcome(self) -> str:
        """SQL of the outcome with corrections."""
        cases = "".join(
            f" WHEN {number} THEN {found.corrected:d}"
            for number, found in enumerate(self.sets)
            if found.corrected is not None
        )
        return f"(CASE {self.column}{cases} ELSE outcome END)" if cases else "outcome"

    def condition(self, name: str) -> Callable[[list[str], bool], str]:
        """What makes SQL of the values of one of `REVIEW_KEYS`."""

        def asked(values: list[str], has_gap: bool) -> str:
            return self.where(
                lambda found: any(value in values or (value is None and has_gap) for value in _values(name, found))
            )

        return asked

    def values(self, name: str, number: int | None) -> tuple[str | None, ...]:
        """The values of one of `REVIEW_KEYS` that a place in `sets` has; None = unspecified."""
        return _values(name, None if number is None or number == GAP else self.sets[number])


NO_MARKS = ReviewMarks(np.empty(0, np.int64), np.empty(0, np.int64), ())
_known: OrderedDict[tuple[object, ...], ReviewMarks] = OrderedDict()


def _values(name: str, found: ReviewSet | None) -> tuple[str | None, ...]:
    if name == "reviewed":
        return ("no" if found is None else "yes",)
    if name == "corrected":
        return ("no" if found is None or found.corrected is None else "yes",)
    if name == "reason":
        return (None if found is None else found.reason,)
    return tuple(sorted(found.labels)) if found is not None and found.labels else (None,)


def review_version() -> tuple[tuple[int, int], ...]:
    """Tells states of what is said of results apart, in one small query; empty = nothing was ever said."""
    listed = Project.objects.filter(review_version__gt=0).order_by("pk").values_list("pk", "review_version")
    return tuple((pk, version) for pk, version in listed)


def review_marks(reading: Reading, visible: VisibleSet) -> ReviewMarks:
    """What is said of the results of some evaluations."""
    version = review_version()
    if not version:
        return NO_MARKS
    key = (reading.version, visible.key, version)  # a restored database may have come to the same numbers
    found = _known.get(key)
    if found is None:
        found = _known[key] = _load(visible)
        while len(_known) > MOST_REMEMBERED:
            _known.popitem(last=False)
    return found


@contextmanager
def offered_reviews(reading: Reading, marks: ReviewMarks) -> Iterator[ReviewMarks]:
    """Lay the column of the marks beside the results as long as the context lasts."""
    if not marks.sets:
        yield marks
        return
    with reading.numbering(REVIEW_MARK, marks.result_ids, marks.numbers):
        yield marks


def _load(visible: VisibleSet) -> ReviewMarks:
    said: dict[int, list[tuple[int, str | None, int | None]]] = defaultdict(list)
    rows = Annotation.objects.filter(valid_to=None, reviewed__evaluation__isnull=False).values_list(
        "reviewed__evaluation_id", "ordinal", "kind", "word__text", "outcome"
    )
    for evaluation_id, ordinal, kind, word, outcome in rows.iterator(chunk_size=10_000):
        if evaluation_id in visible.evaluation_ids:
            said[evaluation_id * RESULTS_PER_EVALUATION + ordinal].append((kind, word, outcome))
    places: dict[ReviewSet, int] = {}
    result_ids = np.array(sorted(said), np.int64)
    numbers = [places.setdefault(_set(said[pk]), len(places)) for pk in result_ids.tolist()]
    return ReviewMarks(result_ids, np.array(numbers, np.int64), tuple(places))


def _set(said: list[tuple[int, str | None, int | None]]) -> ReviewSet:
    return ReviewSet(
        corrected=next((outcome for kind, _, outcome in said if kind == AnnotationKind.VERDICT), None),
        reason=next((word for kind, word, _ in said if kind == AnnotationKind.REASON), None),
        labels=frozenset(word or "" for kind, word, _ in said if kind == AnnotationKind.LABEL),
    )
