"""How a report file looks and what it may do: its style sheet, its script, and the policy that allows just these."""

from base64 import b64encode
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.exceptions import ImproperlyConfigured

SCRIPT = Path(__file__).with_name("report.js")


@dataclass(frozen=True)
class Look:
    """The two texts that stand in the file, and its content security policy: nothing is loaded, sent or framed."""

    style: str
    script: str
    policy: str


@lru_cache(maxsize=1)
def look() -> Look:
    """The look of every report: the style sheets that the settings name, in their order, and the script beside this."""
    style = "\n".join(_sheet(name) for name in settings.REPORT_STYLES)
    script = SCRIPT.read_text()
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
    )
    return Look(style, script, policy)


def _sheet(name: str) -> str:
    path = finders.find(name)
    if not isinstance(path, str):
        raise ImproperlyConfigured(f"REPORT_STYLES: there is no static file {name}.")
    return Path(path).read_text()


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
