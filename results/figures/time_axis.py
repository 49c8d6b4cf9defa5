"""Where an axis of time begins: what lies long before everything else would leave no room for it."""

from collections.abc import Sequence
from datetime import datetime

FEWEST = 3  # moments that an axis is worth
GAP = 3  # times the length of all that follows, from which on what lies before is left out


def early(moments: Sequence[datetime]) -> int:
    """How many of some moments lie so long before the others that an axis should begin after them.

    At least 3 moments are left, and at least half of them.

    Args:
        moments: in order, the earliest first.
    """
    most = min(len(moments) // 2, len(moments) - FEWEST)
    for place in range(most, 0, -1):
        rest = moments[-1] - moments[place]
        if moments[place] - moments[place - 1] > GAP * rest:
            return place
    return 0
