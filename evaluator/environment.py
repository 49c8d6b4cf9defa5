"""Reads one environment variable: a typed value, or an error that names it and says what to write instead."""

import os
from collections.abc import Iterable

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off"}
SIZE_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}


def refusal(name: str, value: str, remedy: str) -> ImproperlyConfigured:
    """The error for a bad value: names the variable, the value and the remedy."""
    return ImproperlyConfigured(f"{name} is {value!r}: {remedy}")


def text(name: str, default: str) -> str:
    """The variable without surrounding white space; unset or blank means `default`."""
    return os.environ.get(name, "").strip() or default


def switch(name: str, default: bool) -> bool:
    """A yes or no.

    Raises:
        ImproperlyConfigured: it is neither a yes nor a no.
    """
    value = text(name, "1" if default else "0")
    if value.lower() in TRUE_WORDS:
        return True
    if value.lower() in FALSE_WORDS:
        return False
    raise refusal(name, value, "write 1 or 0.")


def choice(name: str, default: str, choices: Iterable[str]) -> str:
    """One of some upper-case words, in any case.

    Raises:
        ImproperlyConfigured: it is none of them.
    """
    value = text(name, default)
    if value.upper() not in choices:
        raise refusal(name, value, f"write one of {', '.join(choices)}.")
    return value.upper()


def whole_number(name: str, default: int, lowest: int, highest: int) -> int:
    """A whole number in [lowest, highest].

    Raises:
        ImproperlyConfigured: it is no number, or outside.
    """
    value = text(name, str(default))
    if not value.isascii() or not value.isdigit() or not lowest <= int(value) <= highest:
        raise refusal(name, value, f"write a whole number from {lowest} to {highest}.")
    return int(value)


def size_bytes(name: str, default: str) -> int:
    """A size such as `500MB` or `2GiB`, in bytes (1 KB = 1,000 bytes, 1 KiB = 1,024).

    Raises:
        ImproperlyConfigured: it is no size, or 0.
    """
    value = text(name, default)
    digits = value.rstrip("BbGgIiKkMm ")
    factor = SIZE_UNITS.get(value[len(digits) :].strip().upper())
    if factor is None or not digits.isascii() or not digits.isdigit() or int(digits) == 0:
        raise refusal(name, value, "write a size such as 500MB or 4GB.")
    return int(digits) * factor


def folders(name: str) -> list[str]:
    """Absolute folders separated by colons; none by default. They need not exist yet.

    Raises:
        ImproperlyConfigured: one is not absolute.
    """
    found = [folder for folder in text(name, "").split(os.pathsep) if folder]
    for folder in found:
        if not os.path.isabs(folder):  # noqa: PTH117 - a text stays a text
            raise refusal(name, folder, "write absolute folders, separated by colons.")
    return found


def words(name: str, default: str) -> list[str]:
    """A list separated by commas."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]
