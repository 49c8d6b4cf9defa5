"""Stored evaluations for tests of facts and queries: a few lines of a document, imported as a user would."""

from pathlib import Path
from typing import Any

from results.intake import ImportOptions, import_file
from tests import documents


def stored(folder: Path, name: str, *results: dict[str, Any], project: str = "default") -> int:
    """Import a document with these results; gives the evaluation's id."""
    path = documents.write(folder, f"{name}.json", documents.document(*results))
    (report,) = import_file(path, ImportOptions(project=project)).files
    assert report.state == "stored", report.error
    assert report.evaluation is not None
    return report.evaluation


def row(number: int = 0, **fields: Any) -> dict[str, Any]:
    """One result; lower-case fields are short for what tests vary: usage, error, validation, tools, suite and so on."""
    details: dict[str, Any] = {}
    if "usage" in fields or "tools" in fields or "tool_calls" in fields:
        details["Answer"] = {}
    if (usage := fields.pop("usage", None)) is not None:
        details["Answer"]["Usage"] = usage
    if (tools := fields.pop("tools", None)) is not None:
        details["Answer"]["ToolUsage"] = {name: {"CallCount": count} for name, count in tools.items()}
    if (calls := fields.pop("tool_calls", None)) is not None:
        details["Answer"]["ToolCalls"] = [{"Tool": name, "CallID": "c", "Status": status} for name, status in calls]
    for key in ("validation", "error"):
        if (section := fields.pop(key, None)) is not None:
            details[key.capitalize()] = section
    metadata = {
        key.capitalize(): fields.pop(key) for key in ("suite", "category", "difficulty", "tags") if key in fields
    }
    model = fields.pop("model", None)
    extra = {"RunConfig": {"Model": model}} if model else {}
    names = {"kind": "Kind", "task": "Task", "provider": "Provider", "run": "Run", "duration": "DurationNS"}
    renamed = {names.get(key, key): value for key, value in fields.items()}
    return documents.result(number, Details=details, TaskMetadata=metadata, **extra, **renamed)
