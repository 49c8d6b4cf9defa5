"""The formats that a whole evaluation can be written in."""

from collections.abc import Callable, Iterator

from results.exports.documents import export_document
from results.models.evaluations import Evaluation

EXPORTS: dict[str, Callable[[Evaluation], Iterator[bytes]]] = {
    "mindtrial": export_document,
}
