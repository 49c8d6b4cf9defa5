"""How priorities look in the bars of feedback."""

# Of a priority, the most urgent first: a colour and a pattern, as colour is never the only sign.
PRIORITY_FILLS = {
    "critical": ("--failed-solid", "/"),
    "high": ("--error-solid", "."),
    "medium": ("--warning-solid", "x"),
    "low": ("--skipped-solid", ""),
    "other": ("--line-strong", "|"),
}


def priority_fill(priority: str) -> dict[str, object]:
    """The `marker` of a priority's bars."""
    colour, shape = PRIORITY_FILLS[priority]
    fill: dict[str, object] = {"color": colour, "line": {"width": 0}}
    if shape:
        fill["pattern"] = {"shape": shape, "fgcolor": "--page", "bgcolor": colour, "size": 6, "solidity": 0.2}
    return fill
