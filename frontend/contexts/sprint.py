"""One sprint: what was agreed, and how its iterations went."""

from dataclasses import dataclass

from frontend.contexts.shell import Shell
from results.importers.agent_bober_folder import Contract
from results.importers.source import ImportWarning
from results.queries.iterations import IterationSummary, sprint_detail
from results.queries.sprints import SprintRow


@dataclass(frozen=True)
class SprintPage:
    """What `sprint_show.html` reads.

    Attributes:
        contract: None when it was never imported; then `source` is empty.
        iterations: in their order.
        warnings: what does not follow between the iterations.
    """

    shell: Shell
    row: SprintRow
    contract: Contract | None
    source: bytes
    iterations: tuple[IterationSummary, ...]
    warnings: tuple[ImportWarning, ...]

    @classmethod
    def build(cls, shell: Shell, sprint_id: int) -> "SprintPage | None":
        """The page of a sprint; None when there is no such one."""
        detail = sprint_detail(sprint_id)
        if detail is None:
            return None
        return cls(shell, detail.row, detail.contract, detail.source, detail.iterations, detail.warnings)
