"""What stands at a secret address that opens nothing."""

from dataclasses import dataclass

from results.report_links import LinkState, OpenedLink


@dataclass(frozen=True)
class SharedGonePage:
    """What `shared_gone.html` reads."""

    title: str
    text: str

    @classmethod
    def of(cls, opened: OpenedLink | None) -> "SharedGonePage":
        """The page of a link that never was, or is not open any more."""
        if opened is None:
            return cls("Not found", "There is no report at this address.")
        word = "was revoked" if opened.state == LinkState.REVOKED else "has expired"
        return cls("No longer shared", f"This link {word}. Whoever gave it to you can make a new one.")
