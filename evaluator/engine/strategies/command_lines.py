"""Reads a command as it is typed, without a shell: words with quotes, leading variables, and steps joined by `&&`."""

import re
import shlex
from dataclasses import dataclass, field

# An operator, or a word: unquoted characters, backslash escapes, and quoted parts, glued together.
TOKEN = re.compile(
    r"""[^\S\n]*(?:(?P<operator>&&|\|\||>>|[|;&<>()\n])"""
    r"""|(?P<word>(?:[^\s"'\\|;&<>()]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+))"""
)
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
SINGLE_QUOTED = re.compile(r"'[^']*'|\\.")
CHAIN = "&&"
NEEDS_SHELL = 'Write it into a script of the project, or set "shell": true in the strategy\'s config'


class CommandLineError(ValueError):
    """The command cannot be run as it is written; the text says what to write instead."""


@dataclass(frozen=True)
class Step:
    """One program with its arguments; `environment` holds the variables written before it."""

    words: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class CommandLine:
    """Steps that run one after the other while they succeed; a shell's command is one step."""

    text: str
    steps: tuple[Step, ...]
    is_shell: bool = False


def read_command(text: str, *, is_shell: bool = False) -> CommandLine:
    """Read a command.

    Args:
        text: as a person would type it.
        is_shell: give it to a shell as it is.

    Raises:
        CommandLineError: it is empty, a quote is not closed, or it needs a shell.
    """
    if not text.strip():
        raise CommandLineError("the command is empty. Write a command, or leave the key out")
    if "\0" in text:
        raise CommandLineError("the command has a NUL character. Remove it")
    if is_shell:
        return CommandLine(text, (Step(("/bin/sh", "-c", text)),), is_shell=True)
    steps: list[Step] = []
    words: list[str] = []
    typed, position = text.strip(), 0
    while position < len(typed):
        token = TOKEN.match(typed, position)
        if token is None:
            raise CommandLineError(f"a quote is not closed in {text!r}. Close it")
        position = token.end()
        if token["operator"] == CHAIN:
            steps.append(_step(words, text))
            words = []
        elif token["operator"]:
            raise CommandLineError(f"{text!r} has {token['operator']!r}, which only a shell understands. {NEEDS_SHELL}")
        else:
            words.append(token["word"])
    steps.append(_step(words, text))
    return CommandLine(text, tuple(steps))


def _step(words: list[str], text: str) -> Step:
    environment: dict[str, str] = {}
    rest = list(words)
    while rest and VARIABLE.match(rest[0]):
        name, _, value = rest.pop(0).partition("=")
        environment[name] = _plain(value, text) if value else ""
    if not rest:
        raise CommandLineError(f"a step of {text!r} has no program. Write one on both sides of {CHAIN}")
    return Step(tuple(_plain(word, text) for word in rest), environment)


def _plain(word: str, text: str) -> str:
    """A word without its quotes."""
    live = SINGLE_QUOTED.sub("", word)
    if "$" in live or "`" in live:
        raise CommandLineError(f"{text!r} uses {word!r}, which only a shell can fill in. {NEEDS_SHELL}")
    return "".join(shlex.split(word)) if word else ""
