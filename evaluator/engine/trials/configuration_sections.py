"""A mapping of a configuration file, read key by key: values are checked, and a key that nothing knows is a problem."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeVar

import yaml

from evaluator.engine.trials.configuration_nodes import (
    Source,
    is_null,
    joined,
    json_value,
    pairs_of,
    scalar_value,
)
from evaluator.engine.trials.definitions import JsonValue

Choice = TypeVar("Choice", bound=StrEnum)

_SWITCHES = {  # what Go's reader takes for a boolean where one is wanted
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF"), False),
}
_DURATION = re.compile(r"(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+")
_DURATION_PART = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)")
_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_LARGE = 1_000_000  # bounds beyond are those of a machine word, which nobody wants to read
_SHOWN = 60  # characters of a value that a problem quotes


@dataclass(frozen=True)
class Section:
    """A mapping, its place, and the keys that may stand in it."""

    source: Source
    node: yaml.Node
    path: str
    pairs: Mapping[str, tuple[yaml.Node, yaml.Node]]  # key -> its node, its value's node; those left empty are gone

    def at(self, key: str) -> str:
        """The path of a key."""
        return joined(self.path, key)

    def value_node(self, key: str) -> yaml.Node | None:
        """The node of a key's value; None when it is not given."""
        pair = self.pairs.get(key)
        return None if pair is None else pair[1]

    def complain(self, key: str, wrong: str, remedy: str) -> None:
        """Note what is wrong with a key's value, or with the section when the key is not given."""
        self.source.complain(self.value_node(key) or self.node, self.at(key), wrong, remedy)

    def text(self, key: str, *, is_required: bool = False) -> str | None:
        """A text; numbers and the like are taken as they are written."""
        node = self.value_node(key)
        if node is not None and not isinstance(node, yaml.ScalarNode):
            self.complain(key, "it is a list or a mapping", "write a text")
            return None
        if is_required and (node is None or not node.value.strip()):
            self.complain(key, "it is missing" if node is None else "it is blank", f"write a text after `{key}:`")
            return None
        return None if node is None else node.value

    def boolean(self, key: str) -> bool | None:
        """A switch."""
        node = self.value_node(key)
        if node is None:
            return None
        value = self._scalar(node)
        if isinstance(value, str) and isinstance(node, yaml.ScalarNode) and not node.style and value in _SWITCHES:
            return _SWITCHES[value]
        if not isinstance(value, bool):
            self.complain(key, f"{shown(node)} is no switch", "write true or false")
            return None
        return value

    def integer(self, key: str, *, least: int = 0, most: int = 2**63 - 1) -> int | None:
        """A whole number within bounds."""
        node = self.value_node(key)
        if node is None:
            return None
        value = self._scalar(node)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.complain(key, f"{shown(node)} is not allowed", f"write a whole number {_range_words(least, most)}")
            return None
        return value

    def number(self, key: str, *, least: float | None = None, most: float | None = None) -> int | float | None:
        """A number within bounds, as it is written."""
        node = self.value_node(key)
        if node is None:
            return None
        value = self._scalar(node)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or (least is not None and value < least) or (most is not None and value > most):  # type: ignore[operator]
            self.complain(key, f"{shown(node)} is not allowed", f"write a number {_range_words(least, most)}".rstrip())
            return None
        return value  # type: ignore[return-value]

    def duration_seconds(self, key: str) -> float | None:
        """A time such as `90s` or `1h30m`, above 0."""
        node = self.value_node(key)
        if node is None:
            return None
        text = node.value.strip() if isinstance(node, yaml.ScalarNode) else ""
        seconds = sum(float(found[1]) * _SECONDS[found[2]] for found in _DURATION_PART.finditer(text))
        if not _DURATION.fullmatch(text) or seconds <= 0:
            self.complain(key, f"{shown(node)} is no time", "write a number with its unit, such as 90s, 15m or 1h30m")
            return None
        return seconds

    def choice(self, key: str, choices: Collection[str]) -> str | None:
        """One of a few words."""
        node = self.value_node(key)
        if node is None:
            return None
        if not isinstance(node, yaml.ScalarNode) or node.value not in choices:
            self.complain(key, f"{shown(node)} is not one of its words", f"write {_one_of(choices)}")
            return None
        word: str = node.value
        return word

    def texts(self, key: str) -> tuple[str, ...] | None:
        """A list of texts."""
        found: list[str] = []
        for index, node in enumerate(self.items(key) or ()):
            if isinstance(node, yaml.ScalarNode) and not is_null(node):
                found.append(node.value)
            else:
                self.source.complain(node, f"{self.at(key)}[{index}]", "it is not a text", "write a text")
        return tuple(found) if self.value_node(key) is not None else None

    def text_map(self, key: str) -> dict[str, str]:
        """A mapping of texts; empty when it is not given."""
        section = self.section(key, None)
        return {} if section is None else {name: section.text(name) or "" for name in section.pairs}

    def json(self, key: str) -> JsonValue:
        """Any value; None when it is not given."""
        node = self.value_node(key)
        return None if node is None else json_value(self.source, node, self.at(key))

    def items(self, key: str, *, is_required: bool = False) -> list[yaml.Node] | None:
        """The nodes of a list; None when it is not given."""
        node = self.value_node(key)
        if isinstance(node, yaml.SequenceNode):
            return list(node.value)
        if node is not None:
            self.complain(key, "it is no list", "write a list, each entry behind a dash")
        elif is_required:
            self.complain(key, "it is missing", f"write a list after `{key}:`")
        return None

    def section(self, key: str, known: Collection[str] | None, *, is_required: bool = False) -> "Section | None":
        """A mapping below this one; None when it is not given. `known` None = any key may stand in it."""
        node = self.value_node(key)
        if node is not None:
            return read_section(self.source, node, self.at(key), known)
        if is_required:
            self.complain(key, "it is missing", f"write a mapping after `{key}:`")
        return None

    def sections(self, key: str, known: Collection[str], *, is_required: bool = False) -> "Iterator[Section]":
        """The mappings of a list."""
        for index, node in enumerate(self.items(key, is_required=is_required) or ()):
            section = read_section(self.source, node, f"{self.at(key)}[{index}]", known)
            if section is not None:
                yield section

    def _scalar(self, node: yaml.Node) -> JsonValue:
        try:
            return scalar_value(self.source, node) if isinstance(node, yaml.ScalarNode) else None
        except ValueError:
            return None


def read_section(source: Source, node: yaml.Node, path: str, known: Collection[str] | None) -> Section | None:
    """Take a node as a mapping.

    Args:
        source: the file.
        node: the mapping's.
        path: the mapping's.
        known: the keys that may stand in it; None = any.

    Returns:
        None when it is no mapping, which is then a problem.
    """
    if not isinstance(node, yaml.MappingNode):
        source.complain(node, path, "it is no mapping", "write `key: value` lines below it")
        return None
    pairs = pairs_of(source, node, path)
    for key, (key_node, _) in pairs.items():
        if known is not None and key not in known:
            near = get_close_matches(key, known, 1)
            remedy = f"did you mean `{near[0]}`?" if near else f"write {_one_of(known)}, or take it out"
            source.complain(key_node, joined(path, key), "this key is not known here", remedy)
    return Section(source, node, path, {key: pair for key, pair in pairs.items() if not is_null(pair[1])})


LONGEST_NAME = 500  # characters: names stand on every page


class NameRegister:
    """Names that must not repeat, with the lines in which they stand."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._lines: dict[str, int] = {}

    def add(self, section: Section, name: str | None) -> None:
        """Note a name; one that was there before is a problem that names both lines."""
        if name is None:
            return
        if len(name) > LONGEST_NAME:
            node = section.value_node("name") or section.node
            wrong = f"the name has {len(name):,} characters"
            section.source.complain(node, section.at("name"), wrong, f"shorten it to {LONGEST_NAME:,} at most")
        if (first := self._lines.get(name)) is not None:
            node = section.value_node("name") or section.node
            wrong = f"there are two {self._what} named {name!r}, the first in line {first}"
            section.source.complain(node, section.at("name"), wrong, "give each its own name")
        else:
            self._lines[name] = section.node.start_mark.line + 1


def shown(node: yaml.Node) -> str:
    """A value as a problem quotes it."""
    if not isinstance(node, yaml.ScalarNode):
        return "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"
    return f"`{node.value[:_SHOWN]}`" + ("…" if len(node.value) > _SHOWN else "")


def _range_words(least: float | None, most: float | None) -> str:
    if least is None and most is None:
        return ""
    if least is not None and (most is None or (most > _LARGE and least > -_LARGE)):
        return f"of at least {least}"
    return f"from {least} to {most}"


def _one_of(words: Collection[str]) -> str:
    listed = sorted(words) if isinstance(words, set | frozenset) else list(words)
    return listed[0] if len(listed) == 1 else f"one of {', '.join(listed)}"
