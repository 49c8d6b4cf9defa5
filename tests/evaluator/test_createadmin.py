"""`manage.py createadmin`: the first account."""

import io

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError

pytestmark = pytest.mark.django_db


def create(monkeypatch: pytest.MonkeyPatch, password: str, name: str = "ada") -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{password}\n"))
    call_command("createadmin", name)


def test_the_first_account_administers_the_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    create(monkeypatch, "a long and winding phrase")

    user = User.objects.get()
    assert (user.username, user.is_superuser) == ("ada", True)
    assert user.check_password("a long and winding phrase")


def test_a_weak_password_leaves_no_account_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match="too short"):
        create(monkeypatch, "short")

    assert not User.objects.exists()


def test_asked_again_it_gives_a_new_password(monkeypatch: pytest.MonkeyPatch) -> None:
    create(monkeypatch, "a long and winding phrase")
    create(monkeypatch, "another winding phrase")

    assert User.objects.get().check_password("another winding phrase")
