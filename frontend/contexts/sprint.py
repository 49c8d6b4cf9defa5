"""One sprint: what was agreed, and how its iterations went."""

from dataclasses import dataclass

from frontend.contexts.shell import Shell
from frontend.contexts.sprint_sides import SidesPanel
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
        sides: iterations beside each other; None when there are none.
        warnings: what does not follow between the iterations.
    """

    shell: Shell
    row: SprintRow
    contract: Contract | None
    source: bytes
    iterations: tuple[IterationSummary, ...]
    sides: SidesPanel | None
    warnings: tuple[ImportWarning, ...]

    @classmethod
    def build(cls, shell: Shell, sprint_id: int) -> "SprintPage | None":
        """The page of a sprint; None when there is no such one."""
        detail = sprint_detail(sprint_id)
        if detail is None:
            return None
        return cls(
            shell=shell,
            row=detail.row,
            contract=detail.contract,
            source=detail.source,
            iterations=detail.iterations,
            sides=SidesPanel.build(detail.iterations),
            warnings=detail.warnings,
        )
