"""The formats that can be imported: one line each."""

from results.importers import agent_bober, agent_bober_plans, mindtrial
from results.importers.source import Importer

IMPORTERS: dict[str, Importer] = {
    importer.name: importer
    for importer in (
        mindtrial.IMPORTER,
        agent_bober.IMPORTER,
        agent_bober_plans.CONTRACT_IMPORTER,
        agent_bober_plans.SPEC_IMPORTER,
    )
}


def detect(head: bytes, file_name: str) -> Importer | None:
    """Find the first format that takes a file for its own.

    Args:
        head: the first bytes of the file; a few kilobytes, or all of a shorter file.
        file_name: as the user knows it.

    Returns:
        Its importer; None when no format knows the file.
    """
    return next((importer for importer in IMPORTERS.values() if importer.sniff(head, file_name)), None)
