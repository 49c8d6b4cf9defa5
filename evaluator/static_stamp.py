"""Collects static files, but only when they could have changed."""

import hashlib
from importlib.metadata import version
from pathlib import Path

from django.conf import settings
from django.core.management import call_command

PACKAGES = ("django", "django-htmx", "django-ninja", "plotly", "whitenoise")
OWN_FOLDERS = ("frontend/static", "evaluator/static", "results/static")
STAMP = ".collected"


def current_stamp() -> str:
    """A digest of everything that decides what is served: versions, and the content of our own files."""
    digest = hashlib.blake2b(digest_size=16)
    digest.update(settings.VERSION.encode())
    for package in PACKAGES:
        digest.update(f"{package}=={version(package)}\n".encode())
    for folder in OWN_FOLDERS:
        root = Path(settings.BASE_DIR) / folder
        for path in sorted(path for path in root.rglob("*") if path.is_file()):
            content = path.read_bytes()
            digest.update(f"{path.relative_to(root)} {len(content)}\n".encode())
            digest.update(content)
    return digest.hexdigest()


def collect_if_changed() -> bool:
    """Run `collectstatic` unless the stamp in the static root says that nothing changed.

    Returns:
        True when files were collected.
    """
    stamp = Path(settings.STATIC_ROOT) / STAMP
    wanted = current_stamp()
    if stamp.is_file() and stamp.read_text(encoding="ascii") == wanted:
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(wanted, encoding="ascii")
    return True
