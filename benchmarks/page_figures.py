"""What is measured of pages, and how it stands in the table."""

from dataclasses import dataclass

from benchmarks.report import Figure

VISIBLE_MS = 400  # from a click


@dataclass(frozen=True, slots=True)
class PageTime:
    """Milliseconds of one page; CPU is that of the server's process, all its threads together."""

    name: str
    target_ms: float
    median_ms: float
    p95_ms: float
    cpu_median_ms: float
    cpu_p95_ms: float
    size_bytes: int

    @property
    def figure(self) -> Figure:
        """The line of the table."""
        wall = f"{self.median_ms:.0f} / {self.p95_ms:.0f} ms"
        return Figure(
            name=self.name,
            ours=f"{wall} (CPU {self.cpu_median_ms:.0f} / {self.cpu_p95_ms:.0f} ms)",
            target=f"≤ {self.target_ms:.0f} ms",
            is_met=self.median_ms <= self.target_ms,
        )


@dataclass(frozen=True, slots=True)
class Seen:
    """Milliseconds from a click until rows were visible."""

    name: str
    median_ms: float
    longest_ms: float

    @property
    def figure(self) -> Figure:
        """The line of the table."""
        return Figure(
            name=f"visible after a click: {self.name}",
            ours=f"{self.median_ms:.0f} ms, at most {self.longest_ms:.0f} ms",
            target=f"≤ {VISIBLE_MS} ms",
            is_met=self.median_ms <= VISIBLE_MS,
        )
