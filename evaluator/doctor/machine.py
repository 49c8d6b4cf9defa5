"""What lies below: room on the disk, rights of files, versions of Python and packages, settings that are not safe."""

import shutil
import stat
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from ipaddress import ip_address
from pathlib import Path

from django.conf import settings

from evaluator.findings import Finding, ok, problem, warning

LEAST_PYTHON = (3, 11)
LITTLE_BYTES, SCARCE_BYTES = 200 * 10**6, 2 * 10**9  # an import of 1 GB takes twice that for a while
OTHERS = stat.S_IRWXG | stat.S_IRWXO
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
PINS = ("base.txt", "live.txt")


def check_disk() -> Iterator[Finding]:
    """Room for what comes next."""
    free = shutil.disk_usage(settings.VAR_DIR).free
    text = f"{free / 10**9:.1f} GB are free on the disk of {settings.VAR_DIR}."
    remedy = "Make room: delete evaluations that nobody needs, or move the state folder to a larger disk."
    if free < LITTLE_BYTES:
        yield problem("disk", text, remedy)
    elif free < SCARCE_BYTES:
        yield warning("disk", text, remedy)
    else:
        yield ok("disk", text)


def check_rights() -> Iterator[Finding]:
    """Nobody else may write into the state folder, or look into its secrets."""
    var = Path(settings.VAR_DIR)
    secrets = var / "secrets"
    open_to_others = [path for path in (secrets, *secrets.glob("*")) if path.stat().st_mode & OTHERS]
    for path in open_to_others:
        mode = "700" if path.is_dir() else "600"
        yield problem(
            "secrets", f"Others may look into {path}.", f"chmod {mode} {path}; consider what it held as known."
        )
    if not open_to_others:
        yield ok("secrets", "Only their owner may look into them.")
    if var.stat().st_mode & OTHERS_WRITE:
        yield problem("state folder", f"Others may write into {var}.", f"chmod go-w {var}")
    else:
        yield ok("state folder", f"{var} can be written by its owner only.")


def check_versions() -> Iterator[Finding]:
    """Python and every pinned package."""
    python = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < LEAST_PYTHON:
        yield problem("Python", f"This is {python}; 3.11 or newer is needed.", "Make .venv anew with a newer one.")
    else:
        yield ok("Python", python)
    other = [text for name, wanted in pins() if (text := _difference(name, wanted))]
    if other:
        shown = "; ".join(other[:5]) + ("; …" if other[5:] else "")
        remedy = ".venv/bin/pip install -r requirements/live.txt, then restart."
        yield warning("packages", f"{len(other)} are not the pinned ones: {shown}.", remedy)
    else:
        yield ok("packages", "All are the pinned ones.")


def pins() -> Iterator[tuple[str, str]]:
    """Name and version of each pinned package that running needs."""
    for name in PINS:
        for line in (Path(settings.BASE_DIR) / "requirements" / name).read_text(encoding="utf-8").splitlines():
            package, equal, wanted = line.partition("==")
            if equal and not line.startswith("#"):
                yield package.partition("[")[0], wanted.strip()


def check_settings() -> Iterator[Finding]:
    """What is set in a way that is not safe, or does not fit together."""
    found = list(_unsafe())
    yield from found or [ok("settings", "Nothing is unsafe.")]


def _unsafe() -> Iterator[Finding]:
    if settings.DEBUG:
        text = "EVALBOARD_DEBUG is 1: errors show code and values in the browser."
        yield problem("settings", text, "Unset it wherever others can look.")
    names = [name for name in settings.ALLOWED_HOSTS if not is_loopback(name)]
    if names and not settings.ACCOUNTS:
        text = f"Browsers may ask for {names[0]}, and nobody has to log in."
        yield problem("settings", text, "Set EVALBOARD_ACCOUNTS=1, or take the name out of EVALBOARD_ALLOWED_HOSTS.")
    if settings.ACCOUNTS and not settings.HTTPS:
        text = "Passwords and sessions travel in the clear: EVALBOARD_HTTPS is 0."
        yield warning("settings", text, "Put a proxy in front that speaks HTTPS, and set EVALBOARD_HTTPS=1.")
    if settings.ACCOUNTS and not settings.HAS_OWN_SECRET:
        text = "SECRET_KEY is this host's own: sessions made here are worth nothing on another one."
        yield warning("settings", text, "Set the same SECRET_KEY for every process.")


def is_loopback(name: str) -> bool:
    """Whether a name or address means this machine only."""
    try:
        return name == "localhost" or ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


def _difference(name: str, wanted: str) -> str:
    try:
        installed = version(name)
    except PackageNotFoundError:
        return f"{name} is missing"
    return "" if installed == wanted else f"{name} is {installed}, not {wanted}"
