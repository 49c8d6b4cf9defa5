"""What results cost at prices that their files do not have, in place of the columns of the facts."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from results.facts.links import Numbers
from results.facts.places import Places
from results.facts.tables import Part

# Columns of the facts -> what they are with an overlay, whose own columns begin with `priced_`.
PRICED = {
    "cost_nano": "CASE WHEN priced_reason = 0 THEN cost_nano WHEN priced_nano >= 0 THEN priced_nano END",
    "cost_reason": "CASE WHEN priced_reason = 0 THEN cost_reason ELSE priced_reason END",
    "currency_id": "CASE WHEN priced_reason = 0 THEN currency_id ELSE nullif(priced_currency, 0) END",
}
FIRST_OWN = -2  # and down from there: -1 stands for a missing id elsewhere
# The same as the file alone says it.
RECORDED = {"file_cost_nano": "cost_nano", "file_cost_reason": "cost_reason", "file_currency_id": "currency_id"}


@dataclass(frozen=True)
class OverlaidCost:
    """The cost of one result: an amount in 10^-9 with its currency (an id of `terms`), or None and the reason."""

    nano: int | None
    reason: int
    currency_id: int | None
    origin: int


@dataclass(frozen=True, eq=False)
class CostOverlay:
    """Costs by result; arrays of one length.

    Attributes:
        result_ids: sorted and distinct.
        reasons: a `Reason`, never 0. nanos: -1 = no amount. origins: an `Origin`.
        currencies: ids of `terms`; 0 = none; those of `own_names` are ids of this overlay alone.
        names: of currencies that no file has named yet.
    """

    result_ids: Numbers
    reasons: "NDArray[np.uint8]"
    nanos: Numbers
    currencies: "NDArray[np.int32]"
    origins: "NDArray[np.uint8]"
    names: tuple[str, ...]
    _known: dict[Part, dict[str, Any]] = field(default_factory=dict)

    def columns(self, part: Part, places: Places) -> dict[str, Any]:
        """A value for each row of a part; `priced_reason` is 0 where the facts' own cost holds."""
        found = self._known.get(part)
        if found is None:
            ranks = places.ranks(self.result_ids)
            found = self._known[part] = {
                "priced_reason": np.append(self.reasons, np.uint8(0))[ranks],
                "priced_nano": np.append(self.nanos, np.int64(-1))[ranks],
                "priced_currency": np.append(self.currencies, np.int32(0))[ranks],
            }
        return found

    def at(self, result_id: int) -> OverlaidCost | None:
        """The cost of one result; None where the facts' own holds."""
        place = int(np.searchsorted(self.result_ids, result_id))
        if place == len(self.result_ids) or int(self.result_ids[place]) != result_id:
            return None
        nano, currency = int(self.nanos[place]), int(self.currencies[place])
        return OverlaidCost(
            None if nano < 0 else nano, int(self.reasons[place]), currency or None, int(self.origins[place])
        )

    def ids_of(self, names: list[str]) -> list[int]:
        """The ids that some currencies have here alone."""
        return [pk for pk, name in self.own_names.items() if name in names]

    @property
    def own_names(self) -> dict[int, str]:
        """The names of currencies that no file has named yet, by ids that no term has."""
        return {FIRST_OWN - place: name for place, name in enumerate(self.names)}
