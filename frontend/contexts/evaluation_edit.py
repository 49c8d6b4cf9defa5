"""The form for what users say about an evaluation: name, note, labels."""

from dataclasses import dataclass

from frontend.contexts.shell import Shell
from results.queries.evaluations import EvaluationRow, evaluation_choices, evaluation_row
from results.queries.visibility import VisibleSet
from results.store.describing import LABEL_CHARACTERS


@dataclass(frozen=True)
class EvaluationEditPage:
    """What `evaluation_edit.html` reads.

    Attributes:
        known: labels of other evaluations, to choose from.
        most_characters: of a label.
        back: where the form leads to when it is done.
    """

    shell: Shell
    row: EvaluationRow
    known: tuple[str, ...]
    most_characters: int
    back: str

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, evaluation_id: int, back: str) -> "EvaluationEditPage | None":
        """The form of an evaluation; None when it does not exist or may not be seen."""
        row = evaluation_row(visible, evaluation_id)
        if row is None:
            return None
        known = tuple(text for text in evaluation_choices(visible).labels if text not in row.labels)
        return cls(shell, row, known, LABEL_CHARACTERS, back)
