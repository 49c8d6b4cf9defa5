"""What a project's programs get to see of our environment."""

import pytest

from evaluator.engine.strategies.child_environment import clean_environment, is_hidden, let_through, without_secrets


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("EVALBOARD_VAR", "/var/x"),
        ("SECRET_KEY", "x"),
        ("DATABASE_URL", "sqlite:///x"),
        ("CELERY_BROKER_URL", "redis://x"),
        ("DJANGO_SETTINGS_MODULE", "evaluator.settings"),
        ("OPENAI_API_KEY", "x"),
        ("GITHUB_TOKEN", "x"),
        ("aws_secret_access_key", "x"),
        ("PGPASSWORD", "x"),
        ("GOOGLE_APPLICATION_CREDENTIALS", "/x.json"),
        ("SSH_AUTH_SOCK", "/x"),
        *((name, "x") for name in ("DB_PASS", "OPENAI_KEY", "GH_PAT", "MYSQL_PWD", "STRIPE_SK", "SSH_KEY", "JWT")),
        ("CACHE", "redis://user:word@host/0"),
    ],
)
def test_secrets_and_our_own_settings_are_hidden(name: str, value: str) -> None:
    assert is_hidden(name, value)


@pytest.mark.parametrize(
    "name", ["PATH", "HOME", "LANG", "NODE_OPTIONS", "GOPATH", "CARGO_HOME", "KEYBOARD", "PWD", "OLDPWD", "PATH_INFO"]
)
def test_what_programs_need_is_kept(name: str) -> None:
    assert clean_environment(source={name: "/x"})[name] == "/x"


def test_a_variable_that_a_command_sets_itself_is_not_hidden() -> None:
    assert clean_environment({"API_TOKEN": "for tests"}, source={"API_TOKEN": "ours"})["API_TOKEN"] == "for tests"


def test_nothing_is_downloaded_and_nothing_is_coloured() -> None:
    seen = clean_environment(source={"FORCE_COLOR": "1"})
    assert (seen["npm_config_yes"], seen["NO_COLOR"], "FORCE_COLOR" in seen) == ("false", "1", False)


def test_a_project_may_ask_for_a_variable_but_not_for_one_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DB_PASS", "for-the-tests")
    monkeypatch.setenv("EVALBOARD_KEY_OPENAI", "sk-of-ours")
    assert let_through(["DB_PASS", "EVALBOARD_KEY_OPENAI", "NOT_SET"]) == {"DB_PASS": "for-the-tests"}


def test_values_of_secret_variables_are_hidden_in_what_was_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DB_PASS", "correct-horse")
    monkeypatch.setenv("JWT", "short")
    assert without_secrets("tried correct-horse, short") == "tried [hidden], short"
