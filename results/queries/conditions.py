"""A filter as SQL conditions on the facts, one per key, so that a facet can leave its own out."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

import numpy as np

from results.facts.reading import Reading
from results.filters import SPANS, Choice, ResultFilter
from results.models.evaluations import Evaluation
from results.price_table import price_table
from results.queries.filter_columns import (
    CODED,
    MAX_LISTED,
    NAMED,
    SPAN_COLUMNS,
    Reach,
    bits_of,
    by_any_status,
    by_code,
    by_evaluation,
    by_result,
    by_truth,
    clause,
    in_ids,
    is_repeated,
    joined,
    listed_ids,
)
from results.queries.matches import Offer, offered_matches
from results.queries.offers import NO_OFFERS, Offers, offered
from results.queries.price_overlay import at_one_price
from results.queries.review_marks import REVIEW_KEYS
from results.queries.tokens import token_expression
from results.queries.visibility import VisibleSet
from results.text.query import parse

# Keys whose conditions take long to look up, a list of many ids each.
_SLOW = {"text", "tag", "tool", "call_status", "repeats", "task"}
CHEAP = 2  # conditions that are quicker met again and again than once with a copy


@dataclass(frozen=True)
class Plan:
    """What several questions about the results of one filter will read.

    Attributes:
        columns: SQL in which every column of the results occurs.
        keys: those that are counted under the conditions of all other keys.
    """

    columns: str
    keys: tuple[str, ...] = ()


class Conditions:
    """The conditions of one filter on one reading."""

    def __init__(self, reading: Reading, chosen: ResultFilter, offers: Offers = NO_OFFERS) -> None:
        """Turn all keys but the text into conditions.

        Args:
            reading: of the facts.
            chosen: the filter.
            offers: what stands beside the results.
        """
        self._reading = reading
        self.offers = offers
        self._tools = chosen.tool
        self._slow = _SLOW
        self.repeated = is_repeated(reading)  # as long as the reading still holds every result
        self._parts: dict[str, str] = {}
        self._marks: dict[str, int] | None = None
        for name, (column, table) in NAMED.items():
            self._add(name, chosen.choice(name), self._by_name(column, table))
        for name, (column, codes) in CODED.items():
            self._add(name, chosen.choice(name), by_code(column, codes))
        self._add("project", chosen.project, self._by_project)
        self._add("evaluation", chosen.evaluation, by_evaluation)
        self._add("result", chosen.result, by_result)
        self._add("tool", chosen.tool, self._by_tool)
        self._add("repeats", chosen.repeats, by_truth(self.repeated))
        self._add("cancelled", chosen.cancelled, by_truth(offers.cancelled))
        self._add("copies", chosen.copies, by_truth(offers.copied))
        for name in REVIEW_KEYS:
            self._add(name, chosen.choice(name), offers.reviews.condition(name))
        self._add("call_status", chosen.call_status, self._by_status)
        self._add_tags(chosen)
        for name in SPANS:
            span, column = chosen.span(name), self._span_column(name)
            limits = [f"{column} >= {span.low}"] if span.low is not None else []
            limits += [f"{column} <= {span.high}"] if span.high is not None else []
            if limits:
                self._parts[name] = " AND ".join(limits)
        # A call of one of the tools with one of the statuses: then one of the tools was called.
        statuses = chosen.call_status.included
        self._is_tool_implied = bool(statuses) and None not in statuses and bool(self.tool_ids())
        self._other_tools = joined(replace(chosen.tool, included=()), self._by_tool)

    def add_text(self, offer: Offer) -> None:
        """Keep only the results that a text search found; to copy a great part of all takes longer than to read it."""
        self._parts["text"] = offer.condition
        self._slow = _SLOW - {"text"} if offer.is_common else _SLOW

    def where(self, more: str = "") -> str:
        """A WHERE clause on the results, which may be held apart meanwhile; empty for no condition.

        Args:
            more: another condition.
        """
        listed = self._listed() if self._marks is None else (["marks = 0"] if self._marks else [])
        return clause([*listed, *([more] if more else [])])

    def reach(self, without: str) -> Reach:
        """The results that meet all conditions but that of one key.

        Without that of `tool`, that of `call_status` is left out too: of which tool the calls have to be is open then.
        """
        if without not in self._parts and not self._is_tied(without):
            return Reach(self.where())
        if self._marks is not None and without in self._marks:
            return Reach(f"WHERE marks IN (0, {self._marks[without]})")
        return Reach(clause(self._listed(without)), is_whole=self._marks is not None)

    def count(self) -> int:
        """Results that meet all conditions."""
        if not self._parts:
            return self._reading.count()
        where = self.where()
        sql = f"SELECT count(*) FROM {self._reading.table('results', f'outcome {where}')} {where}"
        found: int = self._reading.rows(sql)[0][0]
        return found

    @property
    def is_slow(self) -> bool:
        """Whether it pays to look for the results once and hold them apart, if several questions follow."""
        return len(self._parts) > CHEAP or not self._slow.isdisjoint(self._parts)

    @property
    def is_beside(self) -> bool:
        """Whether a column beside the results says what a search found, so that every look at them takes longer."""
        return "text" in self._parts and self._marks is None

    @contextmanager
    def held(self, plan: Plan) -> Iterator[None]:
        """Hold the results apart that meet all conditions, or all but one of those that a key is counted without.

        A column `marks` tells them apart: 0, or a bit for the condition that is not met.
        """
        optional = [name for name in plan.keys if name in self._parts and not self._is_tied(name)]
        needed = [name for name in self._parts if name not in optional]
        if not needed and not optional[1:]:  # without that one, these are all results
            needed, optional = [*self._parts], []
        bits = {name: 1 << place for place, name in enumerate(optional)}
        failed = " + ".join(f"CASE WHEN {self._parts[name]} THEN 0 ELSE {bit} END" for name, bit in bits.items())
        kept = f"marks IN ({listed_ids([0, *bits.values()])})"
        with self._reading.holding(plan.columns, clause(self._met(needed)), failed, kept):
            self._marks = bits
            try:
                yield
            finally:
                self._marks = None

    def _listed(self, without: str = "") -> list[str]:
        tied = "call_status" if self._is_tied(without) else ""
        return self._met([name for name in self._parts if name not in (without, tied)])

    def _met(self, names: list[str]) -> list[str]:
        """The conditions of some keys."""
        parts = {name: self._parts[name] for name in names}
        if self._is_tool_implied and {"tool", "call_status"} <= parts.keys():
            parts["tool"] = self._other_tools
        return [f"({part})" for part in parts.values() if part]

    def _is_tied(self, without: str) -> bool:
        """Whether another condition goes when this key's is left out."""
        return without == "tool" and "call_status" in self._parts

    def has(self, name: str) -> bool:
        """Whether a key has a condition."""
        return name in self._parts

    def tool_ids(self) -> list[int]:
        """The tools that are asked for."""
        return self._reading.ids("terms", [name for name in self._tools.included if name is not None])

    def _span_column(self, name: str) -> str:
        if name in ("input_tokens", "output_tokens"):
            return token_expression(f"model_{name}", self._reading.has_large_numbers)
        return SPAN_COLUMNS[name]

    def _add(self, name: str, choice: Choice, condition: Callable[[list[str], bool], str]) -> None:
        if met := joined(choice, condition):
            self._parts[name] = met

    def _by_name(self, column: str, table: str) -> Callable[[list[str], bool], str]:
        return lambda names, has_gap: in_ids(column, self._reading.ids(table, names), has_gap)

    def _by_project(self, slugs: list[str], has_gap: bool) -> str:
        del has_gap  # every evaluation has a project
        known = Evaluation.objects.values_list("project_id", "project__slug").distinct().order_by()
        projects = [pk for pk, slug in known if slug in slugs]
        return in_ids(
            "evaluation_id", list(Evaluation.objects.filter(project__in=projects).values_list("pk", flat=True))
        )

    def _by_tool(self, names: list[str], has_gap: bool) -> str:
        return self._among_tools(self._reading.ids("terms", names), has_gap)

    def _by_status(self, words: list[str], has_gap: bool) -> str:
        """Calls with a status; of the tools that are asked for, if any are."""
        tools = self.tool_ids()
        if not tools:
            return by_any_status(words, has_gap)
        parts = [self._among_tools(tools, has_gap=False, bits=bits_of(words))] if words else []
        if has_gap:
            parts.append(self._among_tools(tools, has_gap=None in self._tools.included, is_silent=True))
        return " OR ".join(parts)

    def _among_tools(self, tools: list[int], has_gap: bool, bits: int = 0, is_silent: bool = False) -> str:
        """Results that used one of some tools, with a call of some statuses (0 = any), or with no call of it."""
        links = self._reading.links("tools")
        is_met = np.isin(links.values["tool_id"], tools)
        if bits:
            is_met &= links.values["statuses"] & bits != 0
        if is_silent:
            is_met &= links.values["statuses"] == 0
        sets = np.unique(links.ids[is_met])
        if sets.size > MAX_LISTED:
            met = self._reading.in_sets(sets)
        else:
            quick = f"call_statuses & {bits} <> 0" if bits else "tool_set IS NOT NULL"  # leaves few to be looked up
            met = f"({quick} AND ({in_ids('tool_set', sets.tolist())}))"
        return f"{met} OR tool_set IS NULL" if has_gap else met

    def _add_tags(self, chosen: ResultFilter) -> None:
        wanted = chosen.tag.included
        if not chosen.is_every_tag or not wanted[1:]:  # one tag is any of them and all of them
            self._add("tag", chosen.tag, self._by_tag)
            return
        sets = [self._tag_sets([value]) if value is not None else set() for value in wanted]
        parts = [in_ids("tag_set_id", sorted(set.intersection(*sets)))]  # who has a tag does not lack them
        self._add("tag", replace(chosen.tag, included=()), self._by_tag)
        self._parts["tag"] = " AND ".join(f"({part})" for part in [*parts, *filter(None, [self._parts.get("tag")])])

    def _tag_sets(self, names: list[str]) -> set[int]:
        """The sets that hold any of these tags."""
        links = self._reading.links("set_terms")
        is_met = np.isin(links.values["term_id"], self._reading.ids("terms", names))
        return set(links.ids[is_met].tolist())

    def _by_tag(self, names: list[str], has_gap: bool) -> str:
        return in_ids("tag_set_id", sorted(self._tag_sets(names)), has_gap)


@contextmanager
def filtered(
    reading: Reading,
    chosen: ResultFilter,
    visible: VisibleSet,
    plan: Plan | None = None,
    *,
    with_reviews: bool = False,
) -> Iterator[Conditions]:
    """Turn a filter into conditions, with the text search done and every cost at the one price rule.

    Args:
        reading: of the facts.
        chosen: the filter.
        visible: evaluations that may be seen.
        plan: of the questions that follow; None = a single one.
        with_reviews: what is said of results is read, whether or not the filter asks for it.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    at_one_price(reading, visible)
    query, keys = parse(chosen.text), () if plan is None else plan.keys
    with ExitStack() as stack:
        offers = stack.enter_context(offered(reading, chosen, visible, keys, with_reviews=with_reviews))
        conditions = Conditions(reading, chosen, offers)
        if not query.is_empty:
            conditions.add_text(stack.enter_context(offered_matches(reading, query, visible, conditions.where())))
        if plan is not None and conditions.is_slow:
            stack.enter_context(conditions.held(plan))
        yield conditions


def question(name: str, chosen: ResultFilter, *details: object, keys: Sequence[str] = ()) -> tuple[object, ...] | None:
    """What tells a question apart; None where texts decide, whose index is still being filled, or what people say.

    Args:
        name: of the question.
        chosen: the filter.
        details: whatever else the answer depends on.
        keys: of the filter, whose values are counted.
    """
    is_open = chosen.text or any(chosen.choice(name) or name in keys for name in ("cancelled", *REVIEW_KEYS))
    return None if is_open else (name, chosen, price_table().key, *details, keys)
