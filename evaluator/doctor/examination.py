"""All checks of `manage.py doctor`, one after the other; none of them stops the rest."""

from collections.abc import Iterator

from evaluator.doctor.copies import check_facts, check_text_index
from evaluator.doctor.database import check_database_health
from evaluator.doctor.machine import check_disk, check_rights, check_settings, check_versions
from evaluator.doctor.workers import check_uploads, check_workers
from evaluator.findings import Check, Finding, Level, first_line, problem
from evaluator.readiness import check_broker, check_database, check_facts_folder

FIRST: tuple[tuple[str, Check], ...] = (
    ("versions", check_versions),
    ("settings", check_settings),
    ("rights", check_rights),
    ("disk", check_disk),
    ("facts folder", check_facts_folder),
    ("broker", check_broker),
    ("database", check_database),
)
WITH_TABLES: tuple[tuple[str, Check], ...] = (  # what makes no sense without a database whose tables are right
    ("database", check_database_health),
    ("workers", check_workers),
    ("uploads", check_uploads),
    ("facts", check_facts),
    ("text index", check_text_index),
)


def examine() -> list[Finding]:
    """Everything that is found; what asks the tables only where they are there."""
    found = [finding for name, check in FIRST for finding in _run(name, check)]
    is_usable = all(finding.level is not Level.PROBLEM for finding in found if finding.about in {"database", "tables"})
    if is_usable:
        found += [finding for name, check in WITH_TABLES for finding in _run(name, check)]
    return found


def _run(name: str, check: Check) -> Iterator[Finding]:
    try:
        yield from check()
    except Exception as error:  # noqa: BLE001  (whatever it is, the other checks go on)
        text = f"It could not be looked at ({type(error).__name__}: {first_line(error)})."
        yield problem(name, text, "See to what the error names, then run the doctor again.")
