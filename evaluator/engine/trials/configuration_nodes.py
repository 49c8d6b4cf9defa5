"""Reads YAML into nodes that know their line, within bounds, and collects what is wrong with a file.

Nodes instead of values, because every problem names its line, and because plain scalars mean what they mean to Go's
reader (`yes` is a text unless a switch is wanted), for which the files are written.
"""

import re
from dataclasses import dataclass, field, replace
from typing import NoReturn, Protocol

import yaml

from evaluator.engine.trials.definitions import JsonValue

MOST_BYTES = 16 * 2**20
MOST_NODES = 500_000  # with every alias counted as often as it is used
MOST_DEPTH = 100

_TAG = "tag:yaml.org,2002:"
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INTEGERS = (
    (re.compile(r"[-+]?(?:0|[1-9][0-9]*)"), 10),
    (re.compile(r"[-+]?0[xX][0-9a-fA-F]+"), 16),
    (re.compile(r"[-+]?0[bB][01]+"), 2),
    (re.compile(r"[-+]?0[oO]?[0-7]+"), 8),
)
_MOST_DIGITS = 400  # Python refuses to convert thousands, and nobody means a number by so many


class _Mark(Protocol):
    """A place in a text; the two parsers of the library have each their own."""

    @property
    def line(self) -> int: ...

    @property
    def column(self) -> int: ...


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a file. `path` is the key's, such as `config.providers[0].name`."""

    file: str
    line: int  # from 1; 0 = the file as a whole
    column: int
    path: str
    wrong: str
    remedy: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return ": ".join(part for part in (place, self.path, f"{self.wrong}; {self.remedy}") if part)


class ConfigurationError(ValueError):
    """Files cannot be used; every problem that was found."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


@dataclass
class Source:
    """A file that is being read, and what is wrong with it so far."""

    name: str  # as the user knows it
    text: str
    problems: list[Problem] = field(default_factory=list)

    def complain(self, node: yaml.Node | None, path: str, wrong: str, remedy: str) -> None:
        """Note a problem at a node; None = in the file as a whole."""
        self.problems.append(self.problem(node, path, wrong, remedy))

    def problem(self, node: yaml.Node | None, path: str, wrong: str, remedy: str) -> Problem:
        """Say what is wrong at a node, without counting it as a problem of the file."""
        mark = None if node is None else node.start_mark
        return Problem(self.name, mark.line + 1 if mark else 0, mark.column + 1 if mark else 0, path, wrong, remedy)

    def is_tagged(self, node: yaml.Node) -> bool:
        """Whether a tag is written before the node's value, perhaps behind an anchor."""
        return re.match(r"(?:&\S+\s+)?!", self.text[node.start_mark.index : node.start_mark.index + 300]) is not None


def read_document(source: Source) -> yaml.Node:
    """Read a file's only document.

    Raises:
        ConfigurationError: it is no YAML, or larger, deeper or more repetitive than we follow.
    """
    if len(source.text) > MOST_BYTES:
        _refuse(source, None, f"the file has more than {MOST_BYTES // 2**20} MB", "split it")
    try:
        _check_bounds(source)
        node = yaml.compose(source.text, Loader=yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        # The problem's words never quote the file, which may hold a key.
        mark = error.problem_mark or error.context_mark
        wrong = f"this is no YAML: {error.problem or error.context}"
        raise ConfigurationError(
            (Problem(source.name, *_position(mark), "", wrong, "check indentation, quotes and brackets here"),)
        ) from None
    except yaml.YAMLError:
        _refuse(source, None, "the file has characters that YAML does not allow", "save it as plain UTF-8 text")
    if node is None:
        _refuse(source, None, "the file is empty", "write its settings")
    return node


def pairs_of(source: Source, node: yaml.MappingNode, path: str) -> dict[str, tuple[yaml.Node, yaml.Node]]:
    """A mapping's keys with their key and value nodes, merge keys (`<<`) followed; keys given twice are problems."""
    own: dict[str, tuple[yaml.Node, yaml.Node]] = {}
    merged: dict[str, tuple[yaml.Node, yaml.Node]] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            source.complain(key_node, path, "a key is a list or a mapping", "write a text as the key")
        elif key_node.value == "<<" and not key_node.style:
            for base in value_node.value if isinstance(value_node, yaml.SequenceNode) else [value_node]:
                if isinstance(base, yaml.MappingNode):
                    merged = pairs_of(source, base, path) | merged
                else:
                    source.complain(base, path, "`<<` merges something that is no mapping", "merge `*an-anchor`")
        elif (first := own.get(key_node.value)) is not None:
            wrong = f"`{key_node.value}` is given twice, first in line {first[0].start_mark.line + 1}"
            source.complain(key_node, joined(path, key_node.value), wrong, "keep one of them")
        else:
            own[key_node.value] = (key_node, value_node)
    return merged | own


def scalar_value(source: Source, node: yaml.ScalarNode) -> JsonValue:
    """What a scalar is when nothing says what is wanted.

    Raises:
        ValueError: it is infinite, not a number, or tagged with something we do not know.
    """
    text: str = node.value
    if source.is_tagged(node) and (node.tag == _TAG + "str" or node.tag == "!"):
        return text
    if source.is_tagged(node) and node.tag not in {_TAG + kind for kind in ("int", "float", "bool", "null")}:
        raise ValueError("it has a tag that means nothing here")
    return text if node.style and not source.is_tagged(node) else _plain_value(text)


def is_null(node: yaml.Node) -> bool:
    """Whether a value is left empty or written as null, which is the same as leaving its key out."""
    return isinstance(node, yaml.ScalarNode) and not node.style and node.value in _NULLS


def json_value(source: Source, node: yaml.Node, path: str) -> JsonValue:
    """Any value as JSON has it; what JSON cannot hold is a problem, and None."""
    if isinstance(node, yaml.MappingNode):
        pairs = pairs_of(source, node, path)
        return {key: json_value(source, value, joined(path, key)) for key, (_, value) in pairs.items()}
    if isinstance(node, yaml.SequenceNode):
        return [json_value(source, part, f"{path}[{index}]") for index, part in enumerate(node.value)]
    try:
        return scalar_value(source, node) if isinstance(node, yaml.ScalarNode) else None
    except ValueError as error:
        source.complain(node, path, str(error), "write a text in quotes, a number, true, false or null")
        return None


def joined(path: str, key: str) -> str:
    """The path of a key below another."""
    return f"{path}.{key}" if path else key


def _plain_value(text: str) -> JsonValue:
    if text in _NULLS:
        return None
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if text.lower().lstrip("+-") in (".inf", ".nan"):
        raise ValueError("it is not a number that JSON knows")
    digits = text.replace("_", "") if text[:1] in "+-.0123456789" else text
    for pattern, base in _INTEGERS:
        if pattern.fullmatch(digits) and len(digits) <= _MOST_DIGITS:
            return int(digits, base)
    if _FLOAT.fullmatch(digits):
        number = float(digits)
        if number in (float("inf"), float("-inf")):
            raise ValueError("it is a number too large to hold")
        return number
    return text


@dataclass
class _Size:
    """How many nodes a value came to, and how deep it goes, with its aliases written out."""

    anchor: str | None = None
    nodes: int = 1
    depth: int = 1

    def take_in(self, part: "_Size") -> None:
        self.nodes += part.nodes
        self.depth = max(self.depth, part.depth + 1)


def _check_bounds(source: Source) -> None:
    """Refuse what would take long to walk, before anything is made of it: depth, nodes, aliases of aliases."""
    stack, anchored = [_Size(nodes=0)], dict[str, _Size]()
    for event in yaml.parse(source.text, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            stack.append(_Size(event.anchor))
            continue
        if isinstance(event, yaml.CollectionEndEvent):
            ended = stack.pop()
        elif isinstance(event, yaml.ScalarEvent):
            ended = _Size(event.anchor)
        elif isinstance(event, yaml.AliasEvent):
            if any(one.anchor == event.anchor for one in stack):
                _refuse(source, event.start_mark, "an alias stands inside its own anchor", "write the value out")
            ended = replace(anchored.get(event.anchor or "", _Size()), anchor=None)
        else:
            continue
        if ended.anchor:
            anchored[ended.anchor] = ended
        stack[-1].take_in(ended)
        if stack[-1].nodes > MOST_NODES:
            wrong = f"with its aliases the file has more than {MOST_NODES:,} values"
            _refuse(source, event.start_mark, wrong, "use fewer aliases of aliases")
        if len(stack) + ended.depth > MOST_DEPTH:
            _refuse(source, event.start_mark, f"it nests deeper than {MOST_DEPTH} levels", "flatten it")


def _refuse(source: Source, mark: _Mark | None, wrong: str, remedy: str) -> NoReturn:
    raise ConfigurationError((Problem(source.name, *_position(mark), "", wrong, remedy),))


def _position(mark: _Mark | None) -> tuple[int, int]:
    return (mark.line + 1, mark.column + 1) if mark else (0, 0)
