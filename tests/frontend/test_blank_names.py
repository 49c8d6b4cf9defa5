"""A name from a file that reads like our word for a missing one is told apart from it, and filtered apart."""

from pathlib import Path

import pytest
from django.test import Client

from frontend import formats
from results.models.dimensions import Run
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db
BLANK, LITERAL = "category=%28unspecified%29", "category=%5C%28unspecified%29"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "(unspecified)"),
        ("chess", "chess"),
        ("(unspecified)", "“(unspecified)”"),
        ("unspecified", "“unspecified”"),
    ],
)
def test_only_a_missing_name_reads_as_missing(value: str | None, shown: str) -> None:
    assert formats.named(value, "(unspecified)") == shown


def test_a_run_called_like_a_blank_one_is_quoted_wherever_it_is_named(client: Client, tmp_path: Path) -> None:
    number = stored(
        tmp_path, "one", row(0, run="(unspecified)", provider="(no name)"), row(0, run="", provider="", TraceID="")
    )
    for address in ("/runs/", "/costs/", f"/evaluations/{number}/?by=run", f"/evaluations/{number}/?by=provider", "/"):
        text = client.get(address).content.decode()
        name = "(no name)" if address.endswith("by=provider") else "(unspecified)"
        assert f"“{name}”" in text, address


def test_pages_tell_a_blank_category_from_one_of_that_name(client: Client, tmp_path: Path) -> None:
    number = stored(
        tmp_path, "one", row(0, task="a", category="", TraceID=""), row(1, task="b", category="(unspecified)")
    )

    def page(address: str) -> str:
        return client.get(address).content.decode()

    for address in (f"/evaluations/{number}/?by=category", f"/runs/{Run.objects.get().pk}/"):
        text = page(address)
        assert "“(unspecified)”" in text, address
        assert LITERAL in text, address
        assert BLANK in text, address
    assert 'value="(unspecified)"' in page("/results/")
    assert 'value="\\(unspecified)"' in page("/results/")
    assert ">“(unspecified)”</span>" in page(f"/results/?{LITERAL}")
    assert ">(unspecified)</span>" in page(f"/results/?{BLANK}")
