"""What a paired comparison says in words: better, worse, or why that cannot be told."""

from dataclasses import dataclass

from results.formats import count, p_value, plural
from results.paired import ALPHA, PairedOutcomes, fewest_differences

FEWEST = fewest_differences()
LARGE, MEDIUM, SMALL = 0.25, 0.15, 0.05  # of Cohen's g


@dataclass(frozen=True)
class Reading:
    """What the numbers of one candidate amount to.

    Attributes:
        word: of the table's last column.
        kind: `better`, `worse` or empty; only these two are told from chance.
    """

    word: str
    kind: str


@dataclass(frozen=True)
class Finding:
    """One sentence of the `kind` of its `Reading`: about `name`, which comes from a file, `says` and then the rest."""

    kind: str
    name: str
    says: str
    rest: str


def read(pairs: PairedOutcomes, corrected: float | None) -> Reading:
    """Put a candidate's figures into words; `corrected` is its p-value after Holm."""
    if corrected is None:
        return Reading("no pairs", "")
    if corrected < ALPHA:
        word = "better" if pairs.improved > pairs.regressed else "worse"
        return Reading(word, word)
    if pairs.pairs < FEWEST:
        return Reading("too few pairs", "")
    differing = pairs.improved + pairs.regressed
    if not differing:
        return Reading("no difference", "")
    return Reading("too few differences" if differing < FEWEST else "no clear difference", "")


def effect_word(effect: float) -> str:
    """How large an effect is called."""
    size = abs(effect)
    return "large" if size >= LARGE else "medium" if size >= MEDIUM else "small" if size >= SMALL else "negligible"


def finding(name: str, pairs: PairedOutcomes, corrected: float | None) -> Finding:
    """The sentence about one candidate."""
    reading = read(pairs, corrected)
    if reading.kind and corrected is not None:
        counts = f"{plural(pairs.regressed, 'pair')} regressed, {count(pairs.improved)} improved"
        if reading.kind == "better":
            counts = f"{plural(pairs.improved, 'pair')} improved, {count(pairs.regressed)} regressed"
        return Finding(
            reading.kind, name, f"is {reading.kind} than the baseline", f": {counts} (Holm p {p_value(corrected)})."
        )
    return Finding("", name, _UNTOLD[reading.word], _why(reading.word, pairs))


_UNTOLD = {
    "no pairs": "cannot be compared",
    "too few pairs": "has too few pairs to tell",
    "no difference": "does not differ from the baseline",
    "too few differences": "differs from the baseline in too few pairs to tell",
    "no clear difference": "shows no clear difference",
}


def _why(word: str, pairs: PairedOutcomes) -> str:
    if word == "no pairs":
        return ": no task has a passed, failed or error result in both that the same answers were accepted for."
    if word == "too few pairs":
        return f": {plural(pairs.pairs, 'pair')}. Even if all differed in one direction, it would take {FEWEST}."
    if word == "no difference":
        return f": all {plural(pairs.pairs, 'pair')} agree."
    differing = (
        f": {count(pairs.improved)} improved, {count(pairs.regressed)} regressed of {plural(pairs.pairs, 'pair')}"
    )
    return f"{differing}; it takes {FEWEST} in one direction." if word == "too few differences" else f"{differing}."
