"""What a reader sees on the explorer, read from its markup."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit


def tasks_of(text: str) -> list[str]:
    """The names in the first column, as a reader sees them."""
    return [unescape(re.sub(r"<.*?>", "", cell)) for cell in re.findall(r'<th scope="row">(.*?)</th>', text)]


def row_links_of(text: str) -> list[str]:
    """Where the rows lead to; those of other tables lead to no single result."""
    return [unescape(link) for link in re.findall(r'<th scope="row"><span class="row">.*?<a href="([^"]*)"', text)]


def facet_of(text: str, name: str) -> list[tuple[str, int]]:
    """A facet's labels with their counts, from top to bottom."""
    body = re.search(rf'<fieldset class="facet" data-facet="{name}">(.*?)</fieldset>', text, re.DOTALL)
    assert body, f"no facet {name}"
    options = re.findall(r'<label class="facet-option".*?</label>', body[1], re.DOTALL)
    return [(_words(option), int(_count(option))) for option in options]


def chips_of(text: str) -> list[str]:
    """The active filters as a reader sees them."""
    chips = re.findall(r'<span class="chip-key">(.*?)</span><span title="[^"]*">(.*?)</span>', text)
    return [unescape(f"{key} {words}") for key, words in chips]


def _words(option: str) -> str:
    return unescape(re.sub(r"<.*?>", "", option.partition('<span class="facet-count">')[0]))


def _count(option: str) -> str:
    return str(re.findall(r'facet-count">([\d,]+)<', option)[0]).replace(",", "")


def form_query(text: str) -> list[tuple[str, str]]:
    """What the form of the filters sends when nothing is changed."""
    form = re.search(r'<form class="facets".*?</form>', text, re.DOTALL)
    assert form
    inputs = re.findall(r"<input[^>]*>", form[0]) + re.findall(r'<input[^>]*form="filters"[^>]*>', text)
    sent = [tag for tag in inputs if 'type="checkbox"' not in tag or " checked" in tag]
    return [(_attribute(tag, "name"), unescape(_attribute(tag, "value"))) for tag in sent]


def _attribute(tag: str, name: str) -> str:
    return str(re.findall(rf' {name}="([^"]*)"', tag)[0])


def href_of(text: str, element_id: str) -> str:
    """Where the link with an id leads to."""
    found = re.search(rf'<a [^>]*id="{element_id}"[^>]*>', text)
    assert found, f"no link {element_id}"
    return unescape(_attribute(found[0], "href"))


def query_of(address: str) -> dict[str, list[str]]:
    """The keys and values of an address."""
    return parse_qs(urlsplit(address).query, keep_blank_values=True)
