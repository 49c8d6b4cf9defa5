"""Which module speaks with which service; a module, and the SDK that it needs, is imported when it is first used."""

from importlib import import_module
from types import ModuleType

from evaluator.engine.trials.definitions import ProviderDefinition, RunDefinition
from evaluator.engine.trials.interfaces import Asker
from evaluator.engine.trials.secrecy import Redactor

_COMPATIBLE = "compatible"

MODULES = {
    "openai": "openai",
    "google": "google",
    "anthropic": "anthropic",
    "deepseek": _COMPATIBLE,
    "mistralai": _COMPATIBLE,
    "xai": _COMPATIBLE,
    "alibaba": _COMPATIBLE,
    "moonshotai": _COMPATIBLE,
    "openrouter": _COMPATIBLE,
}


def make_asker(provider: ProviderDefinition, run: RunDefinition) -> Asker:
    """The asker of a run of a provider.

    A name that is not among `MODULES` is a service of its own that follows OpenAI; it must have an endpoint.

    Raises:
        ValueError: such a service has none.
    """
    line = _module(f"providers.{MODULES.get(provider.name, _COMPATIBLE)}").connect(provider, run)
    asker: Asker = _module("conversation").ModelAsker(run, line, Redactor([provider.client.api_key]))
    return asker


def _module(name: str) -> ModuleType:
    return import_module(f"evaluator.engine.trials.{name}")
