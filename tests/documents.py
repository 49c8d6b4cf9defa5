"""MindTrial documents for tests: every field has a default, so that a test names only what it is about."""

import json
from pathlib import Path
from typing import Any

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
START_MS = 1_780_000_000_000  # 28 May 2026, 20:26:40 UTC


def trace_id(number: int, at_ms: int = START_MS) -> str:
    """Make a ULID that started at `at_ms` and differs by `number`."""
    value = (at_ms << 80) | number
    return "".join(CROCKFORD[(value >> shift) & 31] for shift in range(125, -1, -5))


def result(number: int = 0, **fields: Any) -> dict[str, Any]:
    """Make one result; `number` gives its trace id and task name."""
    defaults: dict[str, Any] = {
        "TraceID": trace_id(number),
        "Kind": "Passed",
        "Task": f"task {number}",
        "Provider": "openai",
        "Run": "gpt",
        "Got": "blue",
        "Want": "blue",
        "TaskMetadata": {"Suite": "core", "Category": "colours", "Difficulty": "easy", "Tags": ["smoke"]},
        "Details": {"Answer": {"Usage": {"InputTokens": 10, "OutputTokens": 5}}},
        "DurationNS": 1_500_000_000,
    }
    return defaults | fields


def document(*results: dict[str, Any], **fields: Any) -> bytes:
    """Make a document around results, grouped by provider in order of appearance."""
    by_provider: dict[str, list[dict[str, Any]]] = {}
    for row in results:
        by_provider.setdefault(row["Provider"], []).append(row)
    envelope: dict[str, Any] = {
        "FormatVersion": 1,
        "AppName": "MindTrial",
        "AppVersion": "v0.22.0",
        "CreatedAt": "Fri, 29 May 2026 09:00:00 +0200",
        "Results": by_provider,
    }
    return json.dumps(envelope | fields, indent=2, ensure_ascii=False).encode()


def write(folder: Path, name: str, body: bytes) -> Path:
    """Write a file for a test to import."""
    path = folder / name
    path.write_bytes(body)
    return path
