"""The rules of a gate held against one run: each is a check that passed, failed, or could not be judged."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from results.exports.encoding import plain
from results.filters import ResultFilter
from results.gating.addresses import compare_address, results_address
from results.gating.picks import Pairing
from results.gating.rules import Money, Rules
from results.gating.runs import ComparedTasks, JudgedRun
from results.paired import fewest_differences
from results.queries.compare_figures import ColumnFigures
from results.statistics import Rate


class CheckState(StrEnum):
    """What came of a check; one that could not be judged is no pass."""

    PASSED = "passed"
    FAILED = "failed"
    UNJUDGED = "unjudged"


@dataclass(frozen=True)
class Check:
    """One rule held against one run, or against the whole.

    Attributes:
        rule: name of the rule; `tasks` = every task of the baseline has an outcome; `candidate`, `baseline`, `runs`
            and `filter` are about the whole, and are there only where something is in the way.
        message: a sentence with the figure, what it was counted from, and the threshold.
        pairing: the run; None = the whole.
        figure: what was measured, a rate in [0, 1], a p-value, a count, or an amount; None = not known.
        threshold: what it was held against; None = there is none.
        counts: what the figure was counted from, by name.
        address: page with what was counted, without the host; empty = there is none.
    """

    rule: str
    state: CheckState
    message: str
    pairing: Pairing | None = None
    figure: float | Decimal | None = None
    threshold: Decimal | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    address: str = ""


@dataclass(frozen=True)
class Asked:
    """What the checks of one run are made of.

    Attributes:
        tests: runs that are compared; their p-values are corrected together.
        p_value: of this run, after that; None = no test was made.
    """

    run: JudgedRun
    rules: Rules
    chosen: ResultFilter
    tests: int
    p_value: float | None


def checks_of(asked: Asked) -> Iterator[Check]:
    """The checks of a run, in the order of the options."""
    run, rules, figures = asked.run, asked.rules, asked.run.figures
    if figures is None:
        message = "The baseline has this run, the candidate does not."
        yield Check("tasks", CheckState.UNJUDGED, message, run.pairing)
        return
    if run.tasks is not None:
        yield _all_tasks(asked, run.tasks)
    if rules.min_results is not None:
        yield _enough(asked, figures, rules.min_results)
    if rules.min_pass_rate is not None:
        yield _pass_rate(asked, figures, rules.min_pass_rate)
    if rules.max_error_rate is not None:
        yield _error_rate(asked, figures, rules.max_error_rate)
    if rules.max_regressions is not None:
        yield _regressions(asked, rules.max_regressions)
    if rules.significance is not None:
        yield _significance(asked, rules.significance)
    if rules.max_cost is not None:
        yield _cost(asked, figures, rules.max_cost)


def percent(rate: Fraction | Decimal) -> str:
    """A rate as people read it: `89.5 %`."""
    return f"{float(rate * 100):.2f}".rstrip("0").rstrip(".") + " %"


def _all_tasks(asked: Asked, tasks: ComparedTasks) -> Check:
    missing, pairing = tasks.missing_count, asked.run.pairing
    counts = {"pairs": tasks.pairs.pairs, "missing": missing}
    if not missing:
        message = f"Every task that has an outcome in the baseline has one here: {tasks.pairs.pairs} pairs."
        return Check("tasks", CheckState.PASSED, message, pairing, missing, None, counts, _compared(asked))
    message = f"Tasks of the baseline without an outcome here (absent or skipped): {missing}."
    address = _compared(asked, "not-here")
    return Check("tasks", CheckState.UNJUDGED, message, pairing, missing, None, counts, address)


def _enough(asked: Asked, figures: ColumnFigures, least: int) -> Check:
    n = figures.outcomes.counted
    state = CheckState.PASSED if n >= least else CheckState.UNJUDGED
    message = f"Results that count: {n}; asked for: at least {least}."
    address = _results(asked)
    return Check("min_results", state, message, asked.run.pairing, n, Decimal(least), {"n": n}, address)


def _pass_rate(asked: Asked, figures: ColumnFigures, least: Decimal) -> Check:
    rate = figures.outcomes.pass_rate
    is_met = rate.hits >= least * rate.n
    counts = {"passed": rate.hits, "n": rate.n}
    said = _rate_words(rate, "passed", f"at least {percent(least)}")
    return _rated(asked, "min_pass_rate", rate, least, is_met, said, counts, _results(asked, "failed", "error"))


def _error_rate(asked: Asked, figures: ColumnFigures, most: Decimal) -> Check:
    rate = figures.outcomes.error_rate
    is_met = rate.hits <= most * rate.n
    counts = {"error": rate.hits, "n": rate.n}
    said = _rate_words(rate, "are errors", f"at most {percent(most)}")
    return _rated(asked, "max_error_rate", rate, most, is_met, said, counts, _results(asked, "error"))


def _rate_words(rate: Rate, verb: str, limit: str) -> str:
    share = percent(Fraction(rate.hits, rate.n)) if rate.n else "none"
    return f"{share} {verb} ({rate.hits} of {rate.n}); allowed: {limit}."


def _rated(  # noqa: PLR0913, PLR0917 (what two rules have in common)
    asked: Asked,
    rule: str,
    rate: Rate,
    threshold: Decimal,
    is_met: bool,
    said: str,
    counts: Mapping[str, int],
    address: str,
) -> Check:
    least = asked.rules.min_results or 1
    state = CheckState.PASSED if is_met else CheckState.FAILED
    if not rate.n:
        state, said = CheckState.UNJUDGED, "No result counts: there are none, or all are skipped."
    elif rate.n < least:
        state, said = CheckState.UNJUDGED, f"{said} Too few results to judge: {rate.n} of {least}."
    return Check(rule, state, said, asked.run.pairing, rate.value, threshold, counts, address)


def _regressions(asked: Asked, most: int) -> Check:
    tasks, rule = asked.run.tasks, "max_regressions"
    if tasks is None:
        return _unpaired(asked, rule, Decimal(most))
    pairs, least = tasks.pairs, asked.rules.min_results or 1
    counts = {"regressed": pairs.regressed, "uncertain": tasks.uncertain, "pairs": pairs.pairs}
    said = f"{pairs.regressed} of {pairs.pairs} pairs regressed; allowed: at most {most}."
    state = CheckState.PASSED
    if pairs.regressed > most:
        state = CheckState.FAILED
    elif pairs.pairs < least:
        state, said = CheckState.UNJUDGED, f"{said} Too few pairs to judge: {pairs.pairs} of {least}."
    elif pairs.regressed + tasks.uncertain > most:
        more = f"More that may have (missing, or with other accepted answers): {tasks.uncertain}."
        state, said = CheckState.UNJUDGED, f"{said} {more}"
    address = _compared(asked, "regressed")
    return Check(rule, state, said, asked.run.pairing, pairs.regressed, Decimal(most), counts, address)


def _significance(asked: Asked, level: Decimal) -> Check:
    tasks, rule, p_value = asked.run.tasks, "significance", asked.p_value
    if tasks is None:
        return _unpaired(asked, rule, level)
    pairs = tasks.pairs
    least = max(asked.rules.min_results or 1, fewest_differences(float(level) / max(1, asked.tests)))
    counts = {
        "improved": pairs.improved,
        "regressed": pairs.regressed,
        "same": pairs.same,
        "pairs": pairs.pairs,
        "tests": asked.tests,
    }
    moved = f"{pairs.improved} improved, {pairs.regressed} regressed of {pairs.pairs} pairs"
    corrected = f" (corrected for {asked.tests} runs)" if asked.tests > 1 else ""
    state = CheckState.PASSED
    if p_value is None or pairs.pairs < least:
        state, said = CheckState.UNJUDGED, f"{moved}: too few pairs to tell, {least} are needed."
    elif p_value < level and pairs.regressed > pairs.improved:
        state, said = CheckState.FAILED, f"Clearly worse: {moved}, p = {p_value:.3g}{corrected}, below {level:f}."
    else:
        said = f"Not clearly worse: {moved}, p = {p_value:.3g}{corrected}; level {level:f}."
    return Check(rule, state, said, asked.run.pairing, p_value, level, counts, _compared(asked))


def _unpaired(asked: Asked, rule: str, threshold: Decimal) -> Check:
    message = "There is no run in a baseline to compare with."
    return Check(rule, CheckState.UNJUDGED, message, asked.run.pairing, None, threshold)


def _cost(asked: Asked, figures: ColumnFigures, most: Money) -> Check:
    costs = figures.costs
    meant = [one for one in costs.amounts if most.currency in (None, one.currency)]
    unknown = costs.unpriced + costs.inconsistent + (asked.run.unmetered or 0)
    foreign = len(costs.amounts) - len(meant)
    known = sum((one.total for one in meant), Decimal(0))
    amount = f"{plain(known)}{_currency(meant[0].currency)}" if meant else "Not known"
    said = f"{amount} for {figures.outcomes.total} results; allowed: at most {most.words}."
    counts = {"priced": sum(one.priced for one in meant), "unknown": unknown, "results": figures.outcomes.total}
    state = CheckState.PASSED
    if len(meant) > 1:
        names = ", ".join(one.currency or "(not said)" for one in meant)
        state, known_or_none = CheckState.UNJUDGED, None
        said = f"The cost is in several currencies ({names}), which cannot be added: name one, as in 2.50 USD."
    else:
        known_or_none = known if meant else None
        if known > most.amount:
            state = CheckState.FAILED
        elif unknown or foreign or not meant:
            state = CheckState.UNJUDGED
            other = f" Other currencies: {foreign}." if foreign else ""
            said = f"{said} Results without a known cost: {unknown}.{other}"
    address = _results(asked)
    return Check("max_cost", state, said, asked.run.pairing, known_or_none, most.amount, counts, address)


def _currency(name: str | None) -> str:
    return f" {name}" if name else ""


def _results(asked: Asked, *outcomes: str) -> str:
    return results_address(asked.chosen, asked.run.pairing.named, *outcomes)


def _compared(asked: Asked, shown: str = "") -> str:
    candidate, baseline = asked.run.pairing.candidate, asked.run.pairing.baseline
    return "" if candidate is None or baseline is None else compare_address(baseline, candidate, shown)
