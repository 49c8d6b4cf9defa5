"""Texts taken apart: words, lines, and how much two of them share at both ends."""

import re

# Scripts written without spaces: each character is a word.
_ALONE = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
WORD = re.compile(rf"[{_ALONE}]|[^\W{_ALONE}]+|\n|[^\S\n]+|[^\w\s]")
LINE = re.compile(r"[^\n]*\n|[^\n]+")


def common_prefix(first: str, second: str) -> int:
    """How many characters both begin with; halving lets the comparison of slices do the work."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_suffix(first: str, second: str, prefix: int) -> int:
    """How many characters after the common prefix both end with."""
    low, high = 0, min(len(first), len(second)) - prefix
    while low < high:
        middle = (low + high + 1) // 2
        ends = (first[len(first) - middle : len(first) - low], second[len(second) - middle : len(second) - low])
        if ends[0] == ends[1]:
            low = middle
        else:
            high = middle - 1
    return low
