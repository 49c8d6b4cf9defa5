"""The copies of the documents, facts and text index: made again by themselves; here is said what is lacking."""

from collections.abc import Iterator

from evaluator.findings import Finding, ok, warning
from results.facts import manifest
from results.facts.rebuild import is_whole
from results.models.evaluations import VISIBLE_STATES, Evaluation
from results.text.index import lagging


def check_facts() -> Iterator[Finding]:
    """Read every file that the manifest names, to its end."""
    members = manifest.current().members
    broken = [member.name for member in members if not is_whole(member)]
    if broken:
        text = f"{len(broken)} of {len(members)} file sets are missing or damaged here, the first is {broken[0]}."
        yield warning("facts", text, "The next page makes them again, or `manage.py rebuild_facts` now.")
        return
    yield ok("facts", f"{len(members)} file sets, all whole.")


def check_text_index() -> Iterator[Finding]:
    """Whether searching finds everything."""
    visible = list(Evaluation.objects.filter(state__in=VISIBLE_STATES).values_list("pk", flat=True))
    behind = lagging(visible)
    if behind:
        text = f"Searching does not find all of {len(behind)} of {len(visible)} evaluations yet."
        yield warning("text index", text, "The housekeeping worker goes on with it, or `manage.py index_text` now.")
        return
    yield ok("text index", f"Searching finds all of {len(visible)} evaluations.")
