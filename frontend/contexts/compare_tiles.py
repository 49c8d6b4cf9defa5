"""The figures above a comparison: of the one candidate, or of several candidates together."""

from collections.abc import Callable, Sequence

from django.http import QueryDict

from frontend.contexts.columns import changed
from frontend.contexts.compare_asked import OF_A_VIEW, names_of
from frontend.contexts.compare_table import interval_text
from frontend.contexts.tiles import Tile
from frontend.formats import count, p_value, plural, points
from results.paired import ALPHA, PairedOutcomes
from results.queries.compare import Candidate, Comparison
from results.queries.compare_columns import ComparedRun
from results.queries.compare_reading import effect_word, read
from results.queries.compare_rows import shown_counts

MOST_NAMES = 3  # in the note of a tile
IMPROVED = "passed now, not in the baseline"
REGRESSED = "passed in the baseline, not now"
SAME = "passed in both, or in neither"


def compare_tiles(columns: Sequence[ComparedRun], found: Comparison, params: QueryDict) -> tuple[Tile, ...]:
    """The tiles of a comparison with at least one candidate."""
    address = changed(params, **dict.fromkeys((*OF_A_VIEW, "show")))

    def shown(word: str) -> str:
        return f"{address}&show={word}#tasks"

    if len(found.candidates) == 1:
        candidate = found.candidates[0]
        return (*pair_tiles(candidate.pairs, shown), _effect(candidate.pairs), _p_value(candidate.pairs))
    counts, names = shown_counts(found), names_of(columns)[1:]
    kinds = [read(candidate.pairs, candidate.corrected_p_value).kind for candidate in found.candidates]
    return (
        _clear("better", kinds, names),
        _clear("worse", kinds, names),
        _counted("Improved in any run", counts["improved"], IMPROVED, shown("improved")),
        _counted("Regressed in any run", counts["regressed"], REGRESSED, shown("regressed")),
        _largest(found.candidates, names),
        smallest([candidate.corrected_p_value for candidate in found.candidates], names),
    )


def pair_tiles(pairs: PairedOutcomes, shown: Callable[[str], str]) -> tuple[Tile, ...]:
    """The difference in pass rate, and how many pairs improved, regressed and stayed.

    Args:
        pairs: of a candidate and the baseline.
        shown: the address of the pairs of a kind, by its word.
    """
    difference, interval = pairs.difference, pairs.interval()
    note = "no pairs" if interval is None else f"95 % {interval_text(interval)}, {plural(pairs.pairs, 'pair')}"
    return (
        Tile("Difference in pass rate", "" if difference is None else points(difference), note),
        _counted("Improved", pairs.improved, IMPROVED, shown("improved")),
        _counted("Regressed", pairs.regressed, REGRESSED, shown("regressed")),
        _counted("Same", pairs.same, SAME, shown("same")),
    )


def smallest(corrected: Sequence[float | None], names: Sequence[str]) -> Tile:
    """The smallest p-value after Holm's correction, and whose it is."""
    known = [(value, name) for value, name in zip(corrected, names, strict=True) if value is not None]
    if not known:
        return Tile("Smallest Holm p", "", "no pairs")
    value, name = min(known, key=lambda item: item[0])
    who = name if value < ALPHA else "no run differs clearly"
    return Tile("Smallest Holm p", p_value(value), f"{who}; corrected for {plural(len(known), 'comparison')}")


def _counted(label: str, number: int, note: str, href: str) -> Tile:
    return Tile(label, count(number), note, href if number else "")


def _p_value(pairs: PairedOutcomes) -> Tile:
    value = pairs.p_value
    reading = read(pairs, value)
    good = {"better": "true", "worse": "false"}.get(reading.kind, "")
    return Tile("McNemar p", "" if value is None else p_value(value), reading.word, good=good)


def _effect(pairs: PairedOutcomes) -> Tile:
    effect = pairs.effect_size
    if effect is None:
        return Tile("Effect", "", "no pair differs")
    return Tile("Effect", f"{effect:+.2f}".replace("-", "−"), f"Cohen’s g, {effect_word(effect)}")


def _clear(kind: str, kinds: Sequence[str], names: Sequence[str]) -> Tile:
    found = [name for name, own in zip(names, kinds, strict=True) if own == kind]
    listed = ", ".join(found[:MOST_NAMES]) + (f" and {len(found) - MOST_NAMES} more" if found[MOST_NAMES:] else "")
    value = f"{count(len(found))} of {count(len(names))}"
    return Tile(f"Clearly {kind}", value, listed or "none, by Holm p below 0.05", good="" if not found else _GOOD[kind])


_GOOD = {"better": "true", "worse": "false"}


def _largest(candidates: Sequence[Candidate], names: Sequence[str]) -> Tile:
    known = [
        (difference, name)
        for candidate, name in zip(candidates, names, strict=True)
        if (difference := candidate.pairs.difference) is not None
    ]
    if not known:
        return Tile("Largest difference", "", "no pairs")
    difference, name = max(known, key=lambda item: abs(item[0]))
    return Tile("Largest difference", points(difference), name)
