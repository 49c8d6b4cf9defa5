"""The environment of the programs that a project brings: ours without what is secret or steers Evalboard itself."""

import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

# Evalboard's own settings, and whatever is named or shaped like a secret.
OURS = re.compile(r"EVALBOARD_.*|SECRET_KEY|DATABASE_URL|CELERY_.*|DJANGO_.*|C_FORCE_ROOT", re.IGNORECASE)
SECRET_WORDS = re.compile(
    r"API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|TOKEN|SECRET|PASSW(OR)?D|PASSPHRASE|CREDENTIAL|SSH_AUTH_SOCK|_AUTH$|_DSN$|"
    r"KEYS?$|(^|_)KEYS?_|PASS$|(^|_)(PAT|SK|JWT|BEARER|COOKIE)(_|$)|JWT$|^(?!(OLD)?PWD$).*PWD$",
    re.IGNORECASE,
)
SHORTEST_SECRET = 8  # characters: what is shorter may be any word in an output
HIDDEN = "[hidden]"
LOGIN_IN_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s:@]*:[^/\s@]+@", re.IGNORECASE)
# What makes programs speak plainly and never ask; npx must not download what is not installed.
PLAIN = {
    "NO_COLOR": "1",
    "TERM": "dumb",
    "PYTHONUNBUFFERED": "1",
    "npm_config_yes": "false",
    "npm_config_update_notifier": "false",
    "npm_config_fund": "false",
}
NOISY = frozenset({"FORCE_COLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES"})


def is_hidden(name: str, value: str) -> bool:
    """Whether a variable stays with us."""
    return bool(OURS.fullmatch(name) or SECRET_WORDS.search(name) or LOGIN_IN_ADDRESS.search(value))


def let_through(names: Iterable[str]) -> dict[str, str]:
    """The variables that a project asks for by name; none of Evalboard's own."""
    return {name: os.environ[name] for name in names if name in os.environ and not OURS.fullmatch(name)}


def without_secrets(text: str) -> str:
    """A text without the values of variables that are secret, whoever printed them."""
    for value in _secrets(tuple(os.environ.items())):
        text = text.replace(value, HIDDEN)
    return text


@lru_cache(maxsize=1)
def _secrets(variables: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """The values to hide, the longest first."""
    found = {value for name, value in variables if SECRET_WORDS.search(name) or LOGIN_IN_ADDRESS.search(value)}
    return tuple(sorted((value for value in found if len(value) >= SHORTEST_SECRET), key=len, reverse=True))


def clean_environment(
    extra: Mapping[str, str] | None = None, source: Mapping[str, str] | None = None
) -> dict[str, str]:
    """What a project's program gets to see.

    Args:
        extra: variables that the configuration or a strategy sets; nothing of them is hidden.
        source: the environment to start from; that of this process when None.
    """
    given = os.environ if source is None else source
    kept = {name: value for name, value in given.items() if not is_hidden(name, value) and name not in NOISY}
    return {**kept, **PLAIN, **(extra or {})}
