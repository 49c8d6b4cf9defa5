"""Fills in the placeholders of prompts: the part of Go's templates that MindTrial documents, and nothing else.

`{{.Name}}` prints a value, `{{if .Name}}…{{else}}…{{end}}` asks whether it is true or filled, `{{range .Name}}…{{end}}`
repeats its inside for each of a list's texts, printed by `{{.}}`. `{{-` and `-}}` take away the white space beside.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

SYSTEM_VARIABLES = frozenset({"ResponseResultFormat"})
JUDGE_LISTS = frozenset({"OriginalTask.ExpectedResults"})
JUDGE_VARIABLES = JUDGE_LISTS | {
    "OriginalTask.Prompt",
    "OriginalTask.ResponseResultFormat",
    "Candidate.Response",
    "Rules.CaseSensitive",
    "Rules.IgnoreWhitespace",
    "Rules.TrimLines",
}

MOST_DEPTH = 50

TemplateValue = str | bool | tuple[str, ...]

_ACTION = re.compile(r"\{\{(-(?=[ \t\r\n]))?(.*?)((?<=[ \t\r\n])-)?\}\}", re.DOTALL)
_TRIMMED = " \t\r\n"
_PATH = re.compile(r"\.(?:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)?")
_BLOCKS = ("if", "range")


class TemplateError(ValueError):
    """A template says something that we do not understand: what, and in which line of it, from 1."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(f"line {line} of the template: {reason}")
        self.reason = reason
        self.line = line


@dataclass(frozen=True)
class Template:
    """A template that was understood; `parts` are texts, values and blocks in their order."""

    parts: "tuple[_Part, ...]"

    def render(self, values: Mapping[str, TemplateValue]) -> str:
        """Fill in.

        Args:
            values: a value per variable by its whole name, such as `Candidate.Response`; every variable that the
                template was parsed with.
        """
        return "".join(_rendered(self.parts, values, ""))


def parse(text: str, variables: Collection[str]) -> Template:
    """Understand a template.

    Args:
        text: as it stands in a task file.
        variables: whole names that it may use, without the leading dot.

    Raises:
        TemplateError: it uses anything else.
    """
    parser = _Parser(list(_tokens(text)), frozenset(variables))
    parts = parser.read_parts(opened=None, is_in_range=False)
    return Template(parts)


@dataclass(frozen=True)
class _Value:
    path: str  # empty = the element of a range


@dataclass(frozen=True)
class _If:
    path: str
    then: "tuple[_Part, ...]"
    otherwise: "tuple[_Part, ...]"


@dataclass(frozen=True)
class _Range:
    path: str
    inside: "tuple[_Part, ...]"
    otherwise: "tuple[_Part, ...]"


_Part = str | _Value | _If | _Range


@dataclass(frozen=True)
class _Token:
    """A stretch of text, or an action with the braces taken off."""

    text: str
    line: int
    is_action: bool = False


def _tokens(text: str) -> Iterator[_Token]:
    position, is_trimming = 0, False
    end = text.rfind("}}") + 2  # beyond it nothing can be closed, and each try would look to the end
    for found in _ACTION.finditer(text, 0, end if end > 1 else 0):
        literal = text[position : found.start()]
        yield _Token(_trimmed(literal, at_start=is_trimming, at_end=found[1] is not None), _line(text, position))
        yield _Token(found[2].strip(_TRIMMED), _line(text, found.start()), is_action=True)
        position, is_trimming = found.end(), found[3] is not None
    rest = text[position:]
    if (open_at := rest.find("{{")) >= 0:
        raise TemplateError("`{{` is not closed by `}}`", _line(text, position + open_at))
    yield _Token(_trimmed(rest, at_start=is_trimming, at_end=False), _line(text, position))


def _trimmed(literal: str, *, at_start: bool, at_end: bool) -> str:
    if at_start:
        literal = literal.lstrip(_TRIMMED)
    return literal.rstrip(_TRIMMED) if at_end else literal


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


@dataclass
class _Parser:
    tokens: list[_Token]
    variables: frozenset[str]
    position: int = 0
    depth: int = 0
    ended_by: str = ""  # the word that ended the last stretch: `else`, `end`, or nothing at the end

    def read_parts(self, *, opened: _Token | None, is_in_range: bool) -> "tuple[_Part, ...]":
        """Read up to the `else` or `end` that belongs to `opened`, or to the end of the text."""
        parts: list[_Part] = []
        while self.position < len(self.tokens):
            token = self.tokens[self.position]
            self.position += 1
            if not token.is_action:
                parts.append(token.text)
            elif token.text in ("else", "end"):
                if opened is None:
                    raise TemplateError(f"`{{{{{token.text}}}}}` belongs to no `if` or `range`", token.line)
                self.ended_by = token.text
                return tuple(parts)
            else:
                parts.append(self._read_action(token, is_in_range=is_in_range))
        if opened is not None:
            raise TemplateError(f"`{{{{{opened.text}}}}}` has no `{{{{end}}}}`", opened.line)
        return tuple(parts)

    def _read_action(self, token: _Token, *, is_in_range: bool) -> _Part:
        word, _, rest = token.text.replace("\n", " ").partition(" ")
        if word not in _BLOCKS:
            return _Value(self._path(token.text, token, is_in_range=is_in_range))
        path = self._path(rest.strip(_TRIMMED), token, is_in_range=is_in_range)
        if word == "range" and path not in JUDGE_LISTS:
            raise TemplateError(f"`{{{{{token.text}}}}}` repeats over something that is no list", token.line)
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise TemplateError(f"blocks are nested more than {MOST_DEPTH} deep", token.line)
        inside = self.read_parts(opened=token, is_in_range=is_in_range or word == "range")
        otherwise: tuple[_Part, ...] = ()
        if self.ended_by == "else":
            otherwise = self.read_parts(opened=token, is_in_range=is_in_range)
            if self.ended_by == "else":
                raise TemplateError(f"`{{{{{token.text}}}}}` has a second `{{{{else}}}}`", token.line)
        self.depth -= 1
        if word == "if":
            return _If(path, inside, otherwise)
        return _Range(path, inside, otherwise)

    def _path(self, text: str, token: _Token, *, is_in_range: bool) -> str:
        if not _PATH.fullmatch(text):
            raise TemplateError(f"`{{{{{token.text}}}}}` is not understood; {_KNOWN}", token.line)
        path = text[1:]
        if is_in_range and path:
            raise TemplateError(f"`.{path}` cannot be used inside `range`, where `.` is the element", token.line)
        if not is_in_range and path not in self.variables:
            known = ", ".join(f"`.{name}`" for name in sorted(self.variables))
            raise TemplateError(f"`.{path}` is not a variable here; write one of {known}", token.line)
        return path


_KNOWN = "only `{{.Name}}`, `{{if .Name}}`, `{{range .Name}}`, `{{else}}` and `{{end}}` are"


def _rendered(parts: "tuple[_Part, ...]", values: Mapping[str, TemplateValue], element: str) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield part
            continue
        value: TemplateValue = values[part.path] if part.path else element
        if isinstance(part, _Value):
            yield _printed(value)
        elif isinstance(part, _If):
            yield from _rendered(part.then if value else part.otherwise, values, element)
        elif isinstance(value, tuple) and value:
            for item in value:
                yield from _rendered(part.inside, values, item)
        else:
            yield from _rendered(part.otherwise, values, element)


def _printed(value: TemplateValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else f"[{' '.join(value)}]"  # as Go prints a list
