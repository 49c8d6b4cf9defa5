"""How a leaderboard is grouped: one or several levels, each inside the one before."""

from dataclasses import dataclass

from django.http import QueryDict

from frontend.contexts.columns import replaced

NAMES = {
    "run": "Run",
    "provider": "Provider",
    "model": "Model",
    "suite": "Suite",
    "category": "Category",
    "difficulty": "Difficulty",
    "tag": "Tag",
}
USUAL = ("run",)
KEY = "by"
MOST_LEVELS = 4


@dataclass(frozen=True)
class GroupLink:
    """A way to group: what it is called, and the page grouped so."""

    key: str
    label: str
    href: str
    is_current: bool


@dataclass(frozen=True)
class GroupMenus:
    """What the leaderboard's tools read.

    Attributes:
        first: ways to group at the outermost level; each gives up the levels inside.
        inner: the levels inside, each with the page without it.
        then_by: what a further level could be; empty when there can be none.
    """

    first: tuple[GroupLink, ...]
    inner: tuple[GroupLink, ...]
    then_by: tuple[GroupLink, ...]

    @classmethod
    def build(cls, levels: tuple[str, ...], params: QueryDict) -> "GroupMenus":
        """The menus of a leaderboard with these levels."""
        possible = [name for name in NAMES if name not in levels and not (name == "provider" and "run" in levels)]
        return cls(
            first=tuple(_link(name, (name,), params, name == levels[0]) for name in NAMES),
            inner=tuple(
                _link(name, tuple(other for other in levels if other != name), params, True) for name in levels[1:]
            ),
            then_by=tuple(_link(name, (*levels, name), params, False) for name in possible)
            if len(levels) < MOST_LEVELS
            else (),
        )


def levels_of(params: QueryDict) -> tuple[str, ...]:
    """The levels that the address asks for as `by=category&by=run`, or the usual one; no provider inside its run."""
    asked = [name for text in params.getlist(KEY) for name in text.split(",") if name in NAMES]
    levels: list[str] = []
    for name in dict.fromkeys(asked):
        if not (name == "provider" and "run" in levels):
            levels.append(name)
    return tuple(levels[:MOST_LEVELS]) or USUAL


def groupings(levels: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """What is grouped by at each level: the levels down to it, with the provider before a run that has none."""
    found: list[tuple[str, ...]] = []
    names: list[str] = []
    for name in levels:
        names += ["provider"] if name == "run" and "provider" not in names else []
        names.append(name)
        found.append(tuple(names))
    return tuple(found)


def _link(name: str, levels: tuple[str, ...], params: QueryDict, is_current: bool) -> GroupLink:
    return GroupLink(name, NAMES[name], _href(levels, params), is_current)


def _href(levels: tuple[str, ...], params: QueryDict) -> str:
    return f"{replaced(params, KEY, () if levels == USUAL else levels)}#leaderboard"
