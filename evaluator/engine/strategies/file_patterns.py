"""Globs with `**` and `{a,b}`, and the files of a project that they match."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from evaluator.engine.patterns import Pattern, PatternError

MOST_FILES = 2_000  # that a glob may match; more would not fit into a command
MOST_LOOKED_AT = 200_000
LEFT_OUT = frozenset(
    [
        "node_modules",
        ".git",
        ".hg",
        ".svn",
        ".venv",
        "venv",
        "dist",
        "build",
        "target",
        "coverage",
        "__pycache__",
        ".next",
        ".bober",
        ".tox",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
    ]
)

# The longest come first.
TRANSLATED = {
    "**/": "(?:[^/]+/)*",
    "**": ".*",
    "*": "[^/]*",
    "?": "[^/]",
    "{": "(?:",
    ",": "|",
    "}": ")",
}
CLOSING = frozenset({",", "}"})  # plain characters outside of braces


def matching_files(folder: Path, pattern: str) -> list[str]:
    """Files that match a glob, relative to the folder, in order of their names.

    Folders of packages, builds and version control are not looked into.

    Raises:
        PatternError: it has a bracket too many, or matches too many files.
    """
    wanted = compile_glob(pattern)
    found = [name for name in _names(folder) if wanted.is_whole(name)]
    if len(found) > MOST_FILES:
        raise PatternError(f"{pattern!r} matches {len(found):,} files, more than {MOST_FILES:,}. Narrow it")
    return sorted(found)


def compile_glob(pattern: str) -> Pattern:
    """A glob as an expression for whole relative paths: `*` and `?` stay within a folder, `**/` is any folders.

    Raises:
        PatternError: a brace is not closed, or it is too long.
    """
    text, position, braces = "", 0, 0
    cleaned = pattern.removeprefix("./")
    while position < len(cleaned):
        rest = cleaned[position:]
        token = next((token for token in TRANSLATED if rest.startswith(token)), rest[0])
        if token in CLOSING and not braces:
            text += re.escape(token)
        else:
            text += TRANSLATED.get(token) or re.escape(token)
            braces += {"{": 1, "}": -1}.get(token, 0)
        position += len(token)
    if braces:
        raise PatternError(f"a brace is not closed in {pattern!r}. Close it")
    return Pattern(text)


def _names(folder: Path) -> Iterator[str]:
    seen = 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in LEFT_OUT)
        for name in files:
            seen += 1
            if seen > MOST_LOOKED_AT:
                return
            yield (Path(place) / name).relative_to(folder).as_posix()
