"""One environment variable: what is taken, and how a bad value is refused."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from evaluator import environment

NAME = "EVALBOARD_EXAMPLE"


@pytest.mark.parametrize(
    ("written", "bytes_meant"),
    [
        ("1", 1),
        ("500MB", 500_000_000),
        ("4GB", 4_000_000_000),
        ("2GiB", 2_147_483_648),
        ("64 kib", 65_536),
        (" 7B ", 7),
    ],
)
def test_a_size_is_read_with_its_unit(monkeypatch: pytest.MonkeyPatch, written: str, bytes_meant: int) -> None:
    monkeypatch.setenv(NAME, written)
    assert environment.size_bytes(NAME, "1GB") == bytes_meant


@pytest.mark.parametrize("written", ["0", "GB", "-1", "4 TB", "1.5GB", "many", "4BG", "٣MB"])
def test_a_bad_size_is_refused_by_name_and_value(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv(NAME, written)
    with pytest.raises(ImproperlyConfigured, match=rf"{NAME} is '{written}': write a size such as"):
        environment.size_bytes(NAME, "1GB")


@pytest.mark.parametrize("written", ["1", "true", "YES", "on"])
def test_a_switch_is_on(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv(NAME, written)
    assert environment.switch(NAME, default=False) is True


@pytest.mark.parametrize("written", ["0", "False", "no", "OFF"])
def test_a_switch_is_off(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv(NAME, written)
    assert environment.switch(NAME, default=True) is False


def test_a_blank_variable_means_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "  ")
    assert environment.switch(NAME, default=True) is True


def test_a_switch_refuses_other_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "maybe")
    with pytest.raises(ImproperlyConfigured, match=f"{NAME} is 'maybe': write 1 or 0"):
        environment.switch(NAME, default=True)


@pytest.mark.parametrize("written", ["0", "65536", "eighty", "-1", "8000.0"])
def test_a_number_outside_its_range_is_refused(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv(NAME, written)
    with pytest.raises(ImproperlyConfigured, match=f"{NAME} is '{written}': write a whole number from 1 to 65535"):
        environment.whole_number(NAME, 8000, lowest=1, highest=65535)


def test_the_ends_of_a_range_belong_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "65535")
    assert environment.whole_number(NAME, 8000, lowest=1, highest=65535) == 65535


def test_a_choice_is_taken_in_any_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "warning")
    assert environment.choice(NAME, "INFO", ["INFO", "WARNING"]) == "WARNING"


def test_a_choice_refuses_and_lists_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "loud")
    with pytest.raises(ImproperlyConfigured, match=f"{NAME} is 'loud': write one of INFO, WARNING"):
        environment.choice(NAME, "INFO", ["INFO", "WARNING"])


def test_a_list_is_split_at_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "a, b,,c ")
    assert environment.words(NAME, "x") == ["a", "b", "c"]


def test_folders_are_split_at_colons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "/srv/runs:/data/my files")
    assert environment.folders(NAME) == ["/srv/runs", "/data/my files"]


def test_no_folder_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(NAME, raising=False)
    assert environment.folders(NAME) == []


def test_a_relative_folder_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "/srv/runs:data")
    with pytest.raises(ImproperlyConfigured, match=f"{NAME} is 'data': write absolute folders"):
        environment.folders(NAME)
