"""Keys of services: where they come from, and how a literal one is taken out of a configuration before it is kept."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import yaml

from evaluator.engine.trials.configuration_nodes import ConfigurationError, Problem, Source, read_document
from evaluator.engine.trials.configuration_sections import Section
from evaluator.engine.trials.definitions import Client, Secret

CLIENT_KEYS = ("api-key", "endpoint", "request-timeout")
KEY_PREFIX = "EVALBOARD_KEY_"  # of the names that stand for keys taken out of files
# Set among the variables where whoever brings a file may not know the operator's keys: those go to no other address.
GUARDED_KEYS = "EVALBOARD_TRIAL_GUARDED_KEYS"

VARIABLES: Mapping[str, tuple[str, ...]] = {  # where a key is looked for when the file gives none
    "openai": ("OPENAI_API_KEY",),
    "openrouter": ("OPENROUTER_API_KEY",),
    "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "deepseek": ("DEEPSEEK_API_KEY",),
    "mistralai": ("MISTRAL_API_KEY",),
    "xai": ("XAI_API_KEY",),
    "alibaba": ("DASHSCOPE_API_KEY", "ALIBABA_API_KEY"),
    "moonshotai": ("MOONSHOT_API_KEY", "MOONSHOTAI_API_KEY"),
}

_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_KEY_NAMES = frozenset({"api-key", "api_key", "apikey"})
_PROPERTIES = re.compile(r"(?:[&!]\S*\s+)*")  # an anchor or a tag before a value
_COMMENT = re.compile(r"(?<!\S)#[^\n]*")
_KEY_IN_COMMENT = re.compile(r"(\bapi[-_]?key\s*[:=]\s*)(?!\"?\$\{)([\"']?)([^\s\"'#]{4,})\2", re.IGNORECASE)
# What looks like a key whatever its name, and names of what is one.
_KEY_LIKE = re.compile(
    r"\bBearer\s+[A-Za-z0-9._~+/=-]{8,}|\b(?:sk|rk|pk|xai|gsk|AIza)[-_](?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{8,}",
    re.IGNORECASE,
)
_SECRET_NAMES = re.compile(
    r"(?:[\w-]*-)?authorization|cookie|password|secret|token|credentials?|"
    r"(?:[\w-]*[-_])?(?:access|auth|bearer|api|secret|private|client)[-_]?(?:token|key|secret)",
    re.IGNORECASE,
)
_SHORTEST_SECRET = 8  # characters
_ENDPOINT_VARIABLE = re.compile(r"EVALBOARD_ENDPOINT_\w+")
_TELLING = re.compile(
    r"(?=.*[\d_-]).{8,}|.{16,}", re.DOTALL
)  # any other key may be an ordinary word elsewhere in the file


@dataclass(frozen=True)
class ReadClient:
    """How a service is reached, and what is wrong with that once one of its runs is picked."""

    client: Client
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class KeyedText:
    """A file's text without its keys, and the keys by the names that stand for them."""

    text: str
    secrets: Mapping[str, str]


def read_client(provider: Section, name: str, environment: Mapping[str, str]) -> ReadClient:
    """Read a provider's `client-config`.

    Args:
        provider: the section that has it.
        name: the provider's.
        environment: variables for `${NAME}`, and for a key that is absent or blank.

    Returns:
        A client whose key is empty when there is none; its `source` says where a key was looked for.
    """
    section = provider.section("client-config", CLIENT_KEYS, is_required=True)
    if section is None:
        return ReadClient(Client(Secret("", "")), ())
    later: list[Problem] = []
    endpoint = _filled_endpoint(section, environment, later)
    _check_endpoint(section, endpoint)
    written = (section.text("api-key") or "").strip()
    _check_owner(section, written, name)
    key = _key(written, name, environment)
    if GUARDED_KEYS in environment:
        _check_guarded(section, written, key)
    if not key.value and name not in VARIABLES and not written:
        key = Secret("none", "no key")  # a service of one's own may want none
    if not key.value:
        wrong = f"the key of {name} is missing: {key.source} is not set"
        remedy = "set that environment variable, or write the key as `api-key`"
        node = section.value_node("api-key") or section.node
        later.append(section.source.problem(node, section.at("api-key"), wrong, remedy))
    return ReadClient(Client(key, endpoint or None, section.duration_seconds("request-timeout")), tuple(later))


def take_out_keys(name: str, text: str) -> KeyedText:
    """Replace every literal key of a file by a `${…}` that stands for it; all else stays, comments and layout included.

    Args:
        name: the file's, for problems.
        text: a configuration in YAML.

    Returns:
        The text, and the keys by the variable names that replaced them.

    Raises:
        ConfigurationError: the text is no YAML, or a key stands where it cannot be replaced; then nothing of it should
            be kept.
    """
    names: dict[str, str] = {}  # key -> the name that stands for it
    taken = set(_REFERENCE.findall(text))
    changes: dict[int, tuple[int, str]] = {}  # where a value starts -> where it ends, what replaces it
    root = read_document(Source(name, text))
    if misplaced := tuple(_misplaced(Source(name, text), root, set())):
        raise ConfigurationError(misplaced)
    for service, node in _key_nodes(root, "", set()):
        start, end = node.start_mark.index, node.end_mark.index
        key = node.value.strip()
        if not key or _REFERENCE.fullmatch(key):
            continue
        variable = names.setdefault(key, _free_name(service, taken | set(names.values())))
        kept = _PROPERTIES.match(text, start, end)
        tail = text[start:end][len(text[start:end].rstrip()) :]
        changes[start] = (end, f'{kept[0] if kept else ""}"${{{variable}}}"{tail}')
    for start, (end, replacement) in sorted(changes.items(), reverse=True):
        text = text[:start] + replacement + text[end:]
    for key, variable in names.items():
        if _TELLING.fullmatch(key):
            text = text.replace(key, f"${{{variable}}}")
    text = _COMMENT.sub(_without_key, text)
    return KeyedText(text, {variable: key for key, variable in names.items()})


def _key(written: str, name: str, environment: Mapping[str, str]) -> Secret:
    if (reference := _REFERENCE.fullmatch(written)) is not None:
        return Secret(environment.get(reference[1], "").strip(), written)
    if written:
        filled = _REFERENCE.sub(lambda found: environment.get(found[1], ""), written)
        parts = tuple(environment.get(variable, "") for variable in _REFERENCE.findall(written))
        return Secret(filled, "the configuration file", parts)
    variables = VARIABLES.get(name, ())
    for variable in variables:
        if value := environment.get(variable, "").strip():
            return Secret(value, f"${{{variable}}}")
    return Secret("", " or ".join(f"${{{variable}}}" for variable in variables))


def _check_owner(section: Section, written: str, name: str) -> None:
    """The key of one service is no other service's business."""
    for variable in _REFERENCE.findall(written):
        owner = next((service for service, variables in VARIABLES.items() if variable in variables), name)
        if owner != name:
            wrong = f"{variable} is the key of {owner}, and this provider is {name}"
            section.complain("api-key", wrong, "name a variable of its own, such as EVALBOARD_TRIAL_KEY")


def _check_guarded(section: Section, written: str, key: Secret) -> None:
    """A key of the operator goes to the service itself, or to an address that the operator chose."""
    endpoint = section.text("endpoint") or ""
    named = _REFERENCE.match(endpoint)
    is_chosen = named is not None and _ENDPOINT_VARIABLE.fullmatch(named[1]) is not None
    variables = _REFERENCE.findall(written or key.source) if key.value else []
    own = [variable for variable in variables if not variable.startswith(KEY_PREFIX)]
    if endpoint and own and not is_chosen:
        wrong = f"{own[0]} is a key of this server, which is not sent to an address that a file brings"
        remedy = "leave the endpoint out, write a key of your own, or have the operator set EVALBOARD_ENDPOINT_…"
        section.complain("endpoint", wrong, remedy)


def _filled_endpoint(section: Section, environment: Mapping[str, str], later: list[Problem]) -> str:
    """An endpoint with its variables filled in; those that are not set are problems for later.

    It is shown, and sent to whoever stands in it: only variables that are meant for it may be named.
    """
    text = section.text("endpoint") or ""
    for variable in dict.fromkeys(_REFERENCE.findall(text)):
        if _ENDPOINT_VARIABLE.fullmatch(variable) is None:
            wrong = f"it names the variable {variable}, and an endpoint is shown on pages and holds no key"
            section.complain("endpoint", wrong, "write the address itself, or a variable EVALBOARD_ENDPOINT_…")
        elif variable not in environment:
            node = section.value_node("endpoint")
            wrong = f"the environment variable {variable} is not set"
            later.append(
                section.source.problem(node, section.at("endpoint"), wrong, "set it, or write the value itself")
            )
    return _REFERENCE.sub(
        lambda found: environment.get(found[1], found[0]) if _ENDPOINT_VARIABLE.fullmatch(found[1]) else found[0], text
    )


def _check_endpoint(section: Section, endpoint: str) -> None:
    """An endpoint is shown on pages and in messages, so it must hold no password."""
    if not endpoint or _REFERENCE.search(endpoint):
        return
    try:
        parts = urlsplit(endpoint)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        has_password = parts.username is not None or parts.password is not None
    except ValueError:
        is_good = has_password = False
    if has_password:
        section.complain("endpoint", "it holds a user's name or password", "write the key as `api-key`")
    elif not is_good:
        section.complain("endpoint", "it is no address", "write one such as https://host/v1")


def _misplaced(source: Source, node: yaml.Node, seen: set[int], name: str = "") -> Iterator[Problem]:
    """Every value outside of `api-key` that is a key by its name or by its looks."""
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for part in node.value:
            yield from _misplaced(source, part, seen, name)
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _misplaced(source, value, seen, key.value if isinstance(key, yaml.ScalarNode) else "")
    if isinstance(node, yaml.ScalarNode) and name.lower() not in _KEY_NAMES:
        is_named = _SECRET_NAMES.fullmatch(name) is not None and len(node.value.strip()) >= _SHORTEST_SECRET
        if (is_named and not _REFERENCE.fullmatch(node.value.strip())) or _KEY_LIKE.search(node.value):
            wrong = f"`{name}` holds what looks like a key, which would be kept and shown"
            yield source.problem(node, name, wrong, "write keys as `api-key` below `client-config` only")


def _without_key(comment: re.Match[str]) -> str:
    return _KEY_LIKE.sub("${REMOVED}", _KEY_IN_COMMENT.sub(r"\1${REMOVED}", comment[0]))


def _key_nodes(node: yaml.Node, service: str, seen: set[int]) -> Iterator[tuple[str, yaml.ScalarNode]]:
    """Every value of an `api-key`, wherever it stands, with the name of the provider around it."""
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for part in node.value:
            yield from _key_nodes(part, service, seen)
    if isinstance(node, yaml.MappingNode):
        named = [value.value for key, value in node.value if _is(key, "name") and isinstance(value, yaml.ScalarNode)]
        service = named[0] if named else service
        for key, value in node.value:
            if (
                isinstance(value, yaml.ScalarNode)
                and isinstance(key, yaml.ScalarNode)
                and key.value.lower() in _KEY_NAMES
            ):
                yield service, value
            else:
                yield from _key_nodes(value, service, seen)


def _is(node: yaml.Node, word: str) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.value == word


def _free_name(service: str, taken: set[str]) -> str:
    stem = KEY_PREFIX + (re.sub(r"\W", "_", service.upper(), flags=re.ASCII) or "SERVICE")
    name, number = stem, 1
    while name in taken:
        number += 1
        name = f"{stem}_{number}"
    return name
