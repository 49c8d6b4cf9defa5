"""The programs that are known, and how one is recognised behind wrappers and scripts of package.json."""

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaluator.engine.strategies.command_lines import CommandLine, CommandLineError, Step, read_command
from evaluator.engine.strategies.project_files import ProjectFiles
from evaluator.engine.strategies.tools import compiled, node, python
from evaluator.engine.strategies.tools.tool import Tool, without_flags

TOOLS: tuple[Tool, ...] = (
    node.TSC,
    node.ESLINT,
    node.BIOME,
    node.VITEST,
    node.JEST,
    node.MOCHA,
    node.PLAYWRIGHT,
    python.PYTEST,
    python.RUFF,
    python.MYPY,
    compiled.GO,
    compiled.GO_TEST,
    compiled.CARGO,
    compiled.CARGO_TEST,
)
# Words that only say where a program comes from.
WRAPPERS = (
    ("npx",),
    ("bunx",),
    ("pnpm", "exec"),
    ("yarn", "exec"),
    ("npm", "exec", "--"),
    ("uv", "run"),
    ("poetry", "run"),
    ("pipenv", "run"),
    ("hatch", "run"),
    ("cross-env",),
)
NPX_FLAGS = frozenset({"--no-install", "--no", "--yes", "-y", "--"})
DOWNLOADS = frozenset({"--yes", "-y", "-p", "--package"})
# `|| true`, `; exit 0`, `| tee log` and their like at the end of a command, perhaps within quotes or brackets
SWALLOWED = re.compile(
    r"(?:(?:\|\||[;\n|]|(?<!&)&(?!&))[ \t]*(?:(?:/usr)?/bin/)?(?:true|:|exit[ \t]+0|(?:echo|printf)\b[^;&|\n]*)|"
    r"\|[ \t]*(?:tee|cat|head|tail|sort|less)\b[^;&|\n]*)[ \t]*[;)}\"'\s]*$"
)
MOST_SEARCHED = 1_000  # characters at the end of a command
PYTHON = re.compile(r"python[0-9.]*")
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
SCRIPT_RUNNERS = {"npm": ("run", "run-script"), "yarn": ("run",), "pnpm": ("run",), "bun": ("run",)}
SHORT_SCRIPTS = {"npm": ("test", "t", "start"), "yarn": (), "pnpm": ("test", "t", "start")}
YARN_COMMANDS = frozenset({"add", "install", "exec", "dlx", "node", "workspace", "workspaces", "npm"})


@dataclass(frozen=True)
class Recognised:
    """The known program that a command ends in.

    Attributes:
        words: its own words, without wrappers.
        is_script: it stands in a script of package.json, where arguments can only be added.
        separator: what stands between a script's command and arguments added to it.
    """

    tool: Tool
    words: tuple[str, ...]
    is_script: bool = False
    separator: tuple[str, ...] = ()

    @property
    def can_be_asked(self) -> bool:
        """Whether it can be asked for a report of ours; a script may have settled that otherwise."""
        return not self.is_script or without_flags(self.words, self.tool.report_flags) == self.words


def recognise(line: CommandLine, project: ProjectFiles) -> Recognised | None:
    """Find the known program that a command ends in; None in a shell's command, and where it is not known."""
    if line.is_shell:
        return None
    step = line.steps[-1]
    script = script_of(step)
    if script is None:
        return _known(step.words)
    text = project.scripts.get(script)
    try:
        inner = read_command(text) if text else None
    except CommandLineError:  # it needs a shell, which npm has
        return None
    separator = ("--",) if step.words[0] == "npm" and "--" not in step.words else ()
    found = _known(inner.steps[-1].words) if inner else None
    return replace(found, is_script=True, separator=separator) if found else None


def script_of(step: Step) -> str | None:
    """The script of package.json that a step runs; None if it runs none."""
    runner = Path(step.words[0]).name
    rest = [word for word in step.words[1:] if not word.startswith("-")]
    if runner not in SCRIPT_RUNNERS or not rest:
        return None
    if rest[0] in SCRIPT_RUNNERS[runner]:
        return rest[1] if len(rest) > 1 else None
    if rest[0] in SHORT_SCRIPTS.get(runner, ()):
        return "test" if rest[0] == "t" else rest[0]
    return rest[0] if runner == "yarn" and rest[0] not in YARN_COMMANDS else None


def swallows_exit_codes(line: CommandLine, project: ProjectFiles) -> bool:
    """Whether a command, or the script that it runs, ends with exit code 0 whatever happens in it."""
    script = None if line.is_shell else script_of(line.steps[-1])
    texts = (line.text, project.scripts.get(script, "") if script else "")
    return any(SWALLOWED.search(text[-MOST_SEARCHED:]) for text in texts)


def missing_program(step: Step, project: ProjectFiles) -> str | None:
    """The program that npx would have to download, which is not done; None if it is there or npx is not used."""
    words = step.words
    if Path(words[0]).name != "npx" or DOWNLOADS & set(words):
        return None
    name = next((word for word in words[1:] if not word.startswith("-")), None)
    if name is None or "/" in name or "@" in name or project.installed_program(name) or shutil.which(name):
        return None
    return name


def _known(words: Sequence[str]) -> Recognised | None:
    own = _unwrapped(words)
    tool = next((tool for tool in TOOLS if tool.matches(own)), None)
    return Recognised(tool, own) if tool else None


def _unwrapped(words: Sequence[str]) -> tuple[str, ...]:
    rest = tuple(words)
    for wrapper in WRAPPERS:
        if rest[: len(wrapper)] == wrapper:
            rest = rest[len(wrapper) :]
            while rest and (rest[0] in NPX_FLAGS or VARIABLE.match(rest[0])):
                rest = rest[1:]
    if len(rest) > 2 and PYTHON.fullmatch(Path(rest[0]).name) and rest[1] == "-m":  # noqa: PLR2004 - python -m NAME
        rest = rest[2:]
    return rest
