"""The sets of strategies by the kind of a project."""

PRESETS: dict[str, dict[str, bool]] = {
    # strategy -> whether it is required; the first four sets are those of agent-bober's document
    "nextjs": {"typecheck": True, "lint": True, "build": True, "playwright": False},
    "react-vite": {"typecheck": True, "lint": True, "build": True, "playwright": False},
    "brownfield": {"typecheck": True, "lint": True, "unit-test": True},
    "generic": {"build": True, "lint": False},
    "python": {"lint": True, "unit-test": True, "typecheck": False},
    "go": {"build": True, "typecheck": True, "unit-test": True, "lint": False},
    "rust": {"build": True, "typecheck": True, "unit-test": True, "lint": False},
}

# For the fastest word on what is wrong: what breaks everything else comes first, what takes longest comes last.
ORDER = ("build", "typecheck", "lint", "unit-test", "api-check", "playwright", "custom")


def place_of(strategy: str) -> int:
    """Where a strategy stands in the order; one that is not documented is a check of the project's own, at the end."""
    return ORDER.index(strategy) if strategy in ORDER else len(ORDER) - 1
