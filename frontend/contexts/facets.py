"""Facets: the values of each key of the filter with their counts, the most frequent ones first."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import QueryDict

from frontend import formats
from frontend.contexts.columns import changed, replaced
from frontend.contexts.filter_words import choice_names, choice_word
from results.filters import CHOICES, OUTCOMES, UNSPECIFIED, Choice, ResultFilter, written
from results.queries.facets import Facet, FacetOption

FEW = 8  # values shown at once
MANY = 200  # values shown of a facet that was asked for; the rest is found by searching
NO_NAME = "(no name)"


@dataclass(frozen=True)
class FacetChoice:
    """One value of a facet.

    Attributes:
        value: as the address writes it.
        share: of the facet's largest count, in percent.
        is_disabled: it has no results and is not chosen.
        outcome: for the facet of outcomes, its word; else empty.
    """

    value: str
    label: str
    count: int
    share: str
    is_checked: bool
    is_excluded: bool
    is_disabled: bool
    outcome: str


@dataclass(frozen=True)
class ModeLink:
    """Whether any or all of the chosen values are wanted."""

    label: str
    href: str
    is_current: bool


@dataclass(frozen=True)
class FacetGroup:
    """One facet.

    Attributes:
        fold_href: opens a folded facet or folds an open one; empty when it is always open.
        is_folded: its values are not shown, and were not counted.
        more: how many values are not shown.
        more_href: the page with all of them; empty when they are shown, or are only found by searching.
        fewer_href: back to the first ones.
        is_searchable: it has a field of its own that searches its values.
        find: what that field searches for.
    """

    name: str
    title: str
    options: tuple[FacetChoice, ...]
    modes: tuple[ModeLink, ...]
    fold_href: str
    is_folded: bool
    more: int
    more_href: str
    fewer_href: str
    is_searchable: bool
    find: str


def shown_facets(asked: ResultFilter, params: QueryDict, fixed: Iterable[str] = ()) -> tuple[str, ...]:
    """The keys whose values are counted: those that are always open, in use, or opened in the address.

    Args:
        asked: the filter of the address alone.
        params: the page's query: `open` is repeatable, `more` names the one that shows all its values.
        fixed: keys that the page itself has settled.
    """
    opened = {*params.getlist("open"), params.get("more", "")}
    return tuple(
        name
        for name in choice_names()
        if name not in fixed and (choice_word(name).is_open or asked.choice(name) or name in opened)
    )


def facet_groups(
    counted: Iterable[Facet], asked: ResultFilter, params: QueryDict, fixed: Iterable[str] = ()
) -> tuple[FacetGroup, ...]:
    """Every facet that the page has, the folded ones included."""
    by_name = {facet.name: facet for facet in counted}
    return tuple(
        _group(by_name[name], asked, params) if name in by_name else _folded(name, params)
        for name in choice_names()
        if name not in fixed
    )


def _folded(name: str, params: QueryDict) -> FacetGroup:
    href = _opened(params, name)
    return FacetGroup(name, choice_word(name).title, (), (), href, True, 0, "", "", False, "")


def _group(facet: Facet, asked: ResultFilter, params: QueryDict) -> FacetGroup:
    name, is_long = facet.name, len(facet.options) > FEW
    is_all = params.get("more") == name and is_long
    find = params.get("find", "") if is_all else ""
    chosen = [option for option in facet.options if option.selected or option.excluded]
    rest = [option for option in facet.options if not (option.selected or option.excluded)]
    if find:
        rest = [option for option in rest if find.casefold() in option.label.casefold()]
    options = _in_order(name, [*chosen, *rest[: max(0, (MANY if is_all else FEW) - len(chosen))]], facet.options)
    largest = max((option.count for option in facet.options), default=0) or 1
    return FacetGroup(
        name=name,
        title=choice_word(name).title,
        options=tuple(choice for option in options for choice in _choices(name, option, largest)),
        modes=_modes(asked, params) if name == "tag" else (),
        fold_href="" if choice_word(name).is_open or asked.choice(name) else _closed(params, name),
        is_folded=False,
        more=max(0, len(chosen) + len(rest) - len(options)),
        more_href="" if is_all else changed(params, more=name, find=None),
        fewer_href=changed(params, more=None, find=None) if is_all else "",
        is_searchable=is_all,
        find=find,
    )


def _in_order(name: str, options: list[FacetOption], all_options: tuple[FacetOption, ...]) -> list[FacetOption]:
    """The most frequent ones first, as they were counted; outcomes in the order in which every page names them."""
    if name == "outcome":
        known = {option.value: option for option in options}
        return [known.get(word) or FacetOption(word, word, 0, selected=False, excluded=False) for word in OUTCOMES]
    places = {option.value: place for place, option in enumerate(all_options)}
    return sorted(options, key=lambda option: places[option.value])


def _choices(name: str, option: FacetOption, largest: int) -> list[FacetChoice]:
    """A value, twice in the rare case that the address asks for it and leaves it out."""
    states = [(option.selected, False)] if option.selected or not option.excluded else []
    states += [(True, True)] if option.excluded else []
    return [_choice(name, option, largest, is_checked, is_excluded) for is_checked, is_excluded in states]


def _label(name: str, option: FacetOption) -> str:
    if name == "outcome":
        return formats.outcome(option.label)
    return option.label if option.value is None else formats.named(option.label or NO_NAME, UNSPECIFIED)


def _choice(name: str, option: FacetOption, largest: int, is_checked: bool, is_excluded: bool) -> FacetChoice:
    choice = Choice((), (option.value,)) if is_excluded else Choice((option.value,))
    return FacetChoice(
        value=written(choice)[0],
        label=_label(name, option),
        count=option.count,
        share=f"{100 * option.count / largest:.1f}",
        is_checked=is_checked,
        is_excluded=is_excluded,
        is_disabled=not option.count and not is_checked,
        outcome=option.value or "" if name == "outcome" else "",
    )


def _modes(asked: ResultFilter, params: QueryDict) -> tuple[ModeLink, ...]:
    return (
        ModeLink("any", replaced(params, "tags", ()), not asked.is_every_tag),
        ModeLink("all", replaced(params, "tags", ("all",)), asked.is_every_tag),
    )


def _opened(params: QueryDict, name: str) -> str:
    copy = params.copy()
    copy.setlist("open", [*_listed(params), name])
    return f"?{copy.urlencode()}"


def _closed(params: QueryDict, name: str) -> str:
    copy = params.copy()
    copy.setlist("open", [other for other in _listed(params) if other != name])
    if params.get("more") == name:
        copy.pop("more", None)
        copy.pop("find", None)
    return f"?{copy.urlencode()}"


def _listed(params: QueryDict) -> list[str]:
    return [name for name in dict.fromkeys(params.getlist("open")) if name in CHOICES]
