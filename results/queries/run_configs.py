"""What the file says a run was: its model, parameters and prices, and when they changed."""

from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from results.json_surrogates import has_lone_surrogates, without_lone_surrogates
from results.models.dimensions import RunVersion
from results.queries.version_uses import VersionChange, run_version_uses, version_changes
from results.queries.versions import Change, config_changes, run_changes
from results.queries.visibility import VisibleSet

MOST_STEPS = 20  # that are told, the newest
MOST_VALUES = 60  # of a configuration that are listed
MOST_LOOKED_AT = 1_000


@dataclass(frozen=True)
class ConfigValue:
    """One value of a recorded configuration; `path` names it, such as `ModelParameters.temperature`."""

    path: str
    text: str


@dataclass(frozen=True)
class ConfigStep:
    """An evaluation that used another configuration than the one before it."""

    evaluation_id: int
    evaluation: str
    started_at: datetime
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class RunConfigs:
    """A run's configurations through time.

    Attributes:
        model: of the latest evaluation; None = not recorded.
        values: its configuration, without the model; empty = not recorded. `more` are left out.
        since: the evaluation from which on it has been this one, in a row up to the latest; None without any.
        steps: changes, the newest first; `more_steps` older ones are left out.
    """

    model: str | None
    values: tuple[ConfigValue, ...]
    more: int
    since: datetime | None
    steps: tuple[ConfigStep, ...]
    more_steps: int


def run_configs(visible: VisibleSet, run_id: int) -> RunConfigs:
    """Follow a run's configurations through the visible evaluations."""
    uses = run_version_uses(visible, run_id)
    if not uses:
        return RunConfigs(None, (), 0, None, (), 0)
    found = version_changes(uses)
    version = RunVersion.objects.select_related("model").get(pk=uses[-1].version_id)
    values = _values(version.config)
    return RunConfigs(
        model=None if version.model is None else version.model.text,
        values=tuple(values[:MOST_VALUES]),
        more=max(0, len(values) - MOST_VALUES),
        since=found[0].after.started_at if found else uses[0].started_at,
        steps=tuple(_step(change) for change in found[:MOST_STEPS]),
        more_steps=max(0, len(found) - MOST_STEPS),
    )


def _step(change: VersionChange) -> ConfigStep:
    changes = run_changes(change.before.version_id, change.after.version_id)
    return ConfigStep(change.after.evaluation_id, change.after.evaluation, change.after.started_at, tuple(changes))


def _values(config: str) -> list[ConfigValue]:
    """Every value of a configuration, as the file writes it; the model stands apart."""
    source = config.encode()
    if has_lone_surrogates(source):
        source = without_lone_surrogates(source)
    found = islice(config_changes(b"{}", source or b"{}"), MOST_LOOKED_AT)
    return [ConfigValue(change.what, change.after or "") for change in found if change.what != "Model"]
