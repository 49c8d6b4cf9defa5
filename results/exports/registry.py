"""The formats that a whole evaluation can be written in."""

from collections.abc import Callable, Iterator

from results.exports.live import export_live, export_mindtrial
from results.models.evaluations import Evaluation

EXPORTS: dict[str, Callable[[Evaluation], Iterator[bytes]]] = {
    "mindtrial": export_mindtrial,
    "live": export_live,
}
