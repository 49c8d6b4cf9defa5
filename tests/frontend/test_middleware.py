"""What happens to every request and response."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "address", ["/sprints/?project=%00", "/results/?q=%00", "/evaluations/?q=a%00b", "/jobs/?batch=%00"]
)
def test_nul_in_an_address_neither_breaks_a_page_nor_comes_back(client: Client, address: str) -> None:
    response = client.get(address)
    assert (response.status_code, b"\x00" in response.content) == (200, False)
