"""Literal keys are taken out of a configuration before anything of it is kept; everything else stays as it was."""

import json
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evaluator.engine.trials.configuration import FileText, understand
from evaluator.engine.trials.configuration_keys import GUARDED_KEYS, take_out_keys
from evaluator.engine.trials.configuration_nodes import ConfigurationError
from evaluator.engine.trials.definitions import Secret
from evaluator.engine.trials.secrecy import Redactor
from evaluator.engine.trials.task_files import Folders

UPLOADED = """\
# für alle Läufe
config:
  providers:
    - name: openai # the key is sk-first-key, by the way
      client-config: &shared
        api-key: &key 'sk-first-key'   # ours
      runs: [{name: a, model: m}]
    - {name: anthropic, client-config: {api-key: "sk-\\u0061nt", endpoint: "https://x/?k=sk-first-key"}, runs: []}
    - name: openai
      client-config:
        # api-key: sk-old-one
        api-key: >-
          sk-second-key
      runs: []
    - {name: xai, client-config: {api-key: "${XAI_API_KEY}"}, runs: []}
    - {name: google, client-config: {api-key: ''}, runs: []}
  judges:
    - name: default
      provider:
        name: mistralai
        runs: []
        client-config: {api-key: sk-judge}
    - name: other
      provider: {name: openai, client-config: *shared, runs: []}
"""


def test_keys_are_replaced_and_the_rest_stays() -> None:
    taken = take_out_keys("config.yaml", UPLOADED)

    assert taken.text == UPLOADED.replace("'sk-first-key'", '"${EVALBOARD_KEY_OPENAI}"').replace(
        "sk-first-key", "${EVALBOARD_KEY_OPENAI}"
    ).replace('"sk-\\u0061nt"', '"${EVALBOARD_KEY_ANTHROPIC}"').replace(
        ">-\n          sk-second-key", '"${EVALBOARD_KEY_OPENAI_2}"'
    ).replace("# api-key: sk-old-one", "# api-key: ${REMOVED}").replace("sk-judge", '"${EVALBOARD_KEY_MISTRALAI}"')
    assert taken.secrets == {
        "EVALBOARD_KEY_OPENAI": "sk-first-key",
        "EVALBOARD_KEY_ANTHROPIC": "sk-ant",
        "EVALBOARD_KEY_OPENAI_2": "sk-second-key",
        "EVALBOARD_KEY_MISTRALAI": "sk-judge",
    }


def test_the_kept_text_means_the_same_once_the_keys_are_given_back() -> None:
    taken = take_out_keys("config.yaml", UPLOADED.replace("?k=sk-first-key", ""))
    tasks = FileText("tasks.yaml", "task-config: {tasks: []}")

    whole = understand(FileText("config.yaml", taken.text), tasks, taken.secrets, Folders(Path()))

    keys = [provider.definition.client.api_key.value for provider in whole.providers]
    assert keys == ["sk-first-key", "sk-ant", "sk-second-key", "", ""]
    assert [judge.provider.definition.client.api_key.value for judge in whole.judges] == ["sk-judge", "sk-first-key"]


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=40))
def test_any_key_is_taken_out_and_comes_back_as_it_was(key: str) -> None:
    assume(key.strip() == key and "${" not in key and "\x85" not in key and "\ufeff" not in key)
    quoted = json.dumps(key, ensure_ascii=False)
    config = f"config: {{providers: [{{name: xai, client-config: {{api-key: {quoted}}}, runs: []}}]}}"

    taken = take_out_keys("c", config)

    assert list(taken.secrets.values()) == [key]
    assert 'api-key: "${EVALBOARD_KEY_XAI}"' in taken.text
    tasks = FileText("t", "task-config: {tasks: []}")
    (provider,) = understand(FileText("c", taken.text), tasks, taken.secrets, Folders(Path())).providers
    assert provider.definition.client.api_key.value == key


def test_a_key_that_is_an_ordinary_word_is_left_alone_elsewhere() -> None:
    text = "providers: [{name: anthropic, client-config: {api-key: anthropic}}]"

    assert take_out_keys("c", text).text == text.replace("api-key: anthropic", 'api-key: "${EVALBOARD_KEY_ANTHROPIC}"')


def test_a_name_that_stands_for_a_key_already_is_not_given_again() -> None:
    text = 'a: {name: xai, api-key: "${EVALBOARD_KEY_XAI}"}\nb: {name: xai, api-key: new-key-1}\n'

    assert take_out_keys("c", text).secrets == {"EVALBOARD_KEY_XAI_2": "new-key-1"}


def test_a_text_without_keys_stays_byte_for_byte() -> None:
    text = "a: 1\r\nb: {api-key: '${X}'}\r\n# the api-key is elsewhere\n"

    assert take_out_keys("c", text).text == text
    assert take_out_keys("c", text).secrets == {}


def test_a_text_that_is_no_yaml_is_refused_without_being_quoted() -> None:
    with pytest.raises(ConfigurationError) as caught:
        take_out_keys("c", "api-key: 'sk-broken\n")

    assert "sk-broken" not in str(caught.value)


@pytest.mark.parametrize(
    ("written", "environment", "source"),
    [
        ("", {}, "${GEMINI_API_KEY} or ${GOOGLE_API_KEY}"),
        ("", {"GOOGLE_API_KEY": "k"}, "${GOOGLE_API_KEY}"),
        ("", {"GEMINI_API_KEY": " ", "GOOGLE_API_KEY": "k"}, "${GOOGLE_API_KEY}"),
        ("${MINE}", {"GOOGLE_API_KEY": "no", "MINE": "k"}, "${MINE}"),
        ("${MINE}", {"GOOGLE_API_KEY": "no"}, "${MINE}"),
        ("k", {}, "the configuration file"),
    ],
)
def test_a_key_says_where_it_came_from_or_was_looked_for(
    written: str, environment: dict[str, str], source: str
) -> None:
    config = f"config: {{providers: [{{name: google, client-config: {{api-key: '{written}'}}, runs: []}}]}}"
    tasks = FileText("t", "task-config: {tasks: []}")

    (provider,) = understand(FileText("c", config), tasks, environment, Folders(Path())).providers

    key = provider.definition.client.api_key
    assert key.source == source
    assert (key.value == "k") is not bool(provider.problems)


def test_a_service_of_one_s_own_needs_an_endpoint_but_no_key() -> None:
    config = (
        "config: {providers: [{name: ollama, client-config: {endpoint: 'http://localhost:11434/v1'}, "
        "runs: [{name: a, model: m, model-parameters: {seed: 1, keep_alive: 5m}}]}]}"
    )
    tasks = FileText("t", "task-config: {tasks: []}")

    whole = understand(FileText("c", config), tasks, {}, Folders(Path()))

    (provider,) = whole.picked().providers
    assert (provider.name, provider.client.endpoint) == ("ollama", "http://localhost:11434/v1")
    assert provider.runs[0].parameters == {"seed": 1, "keep_alive": "5m"}


@pytest.mark.parametrize(
    ("client", "wrong"),
    [
        ("{endpoint: 'http://x/${OPENAI_API_KEY}'}", "an endpoint is shown on pages and holds no key"),
        ("{endpoint: 'http://x/${EVALBOARD_TRIAL_KEY}'}", "an endpoint is shown on pages and holds no key"),
        ("{endpoint: 'http://x/', api-key: '${OPENAI_API_KEY}'}", "OPENAI_API_KEY is the key of openai"),
        ("{endpoint: 'http://x/', api-key: 'Bearer ${OPENAI_API_KEY}'}", "OPENAI_API_KEY is the key of openai"),
    ],
)
def test_a_key_of_the_environment_goes_to_no_other_service_and_into_no_address(client: str, wrong: str) -> None:
    config = f"config: {{providers: [{{name: mine, client-config: {client}, runs: []}}]}}"
    environment = {"OPENAI_API_KEY": "sk-from-outside", "EVALBOARD_TRIAL_KEY": "k"}
    with pytest.raises(ConfigurationError, match=wrong) as caught:
        understand(FileText("c", config), FileText("t", "task-config: {tasks: []}"), environment, Folders(Path()))
    assert "sk-from-outside" not in str(caught.value)


def test_an_endpoint_may_name_a_variable_that_is_meant_for_it() -> None:
    config = "config: {providers: [{name: mine, client-config: {endpoint: '${EVALBOARD_ENDPOINT_A}/v1'}, runs: []}]}"
    tasks = FileText("t", "task-config: {tasks: []}")
    whole = understand(FileText("c", config), tasks, {"EVALBOARD_ENDPOINT_A": "http://a"}, Folders(Path()))
    assert whole.providers[0].definition.client.endpoint == "http://a/v1"


@pytest.mark.parametrize(
    ("client", "is_refused"),
    [
        ("{endpoint: 'http://evil'}", True),
        ("{endpoint: 'http://evil', api-key: '${OPENAI_API_KEY}'}", True),
        ("{endpoint: 'http://evil', api-key: 'x ${EVALBOARD_TRIAL_KEY}'}", True),
        ("{endpoint: 'http://evil/${EVALBOARD_ENDPOINT_A}'}", True),
        ("{endpoint: '${EVALBOARD_ENDPOINT_A}/v1'}", False),
        ("{endpoint: 'http://mine', api-key: '${EVALBOARD_KEY_OPENAI}'}", False),
        ("{endpoint: 'http://mine', api-key: my-own-key}", False),
        ("{}", False),
    ],
)
def test_where_people_have_accounts_a_key_of_the_server_goes_to_no_address_of_theirs(
    client: str, is_refused: bool
) -> None:
    config = FileText("c", f"config: {{providers: [{{name: openai, client-config: {client}, runs: []}}]}}")
    known = {"OPENAI_API_KEY": "sk-a", "EVALBOARD_TRIAL_KEY": "sk-b", "EVALBOARD_ENDPOINT_A": "http://a"}
    known |= {"EVALBOARD_KEY_OPENAI": "sk-c"}
    tasks = FileText("t", "task-config: {tasks: []}")

    assert understand(config, tasks, known, Folders(Path())).providers  # a file of the operator's own

    def guarded() -> None:
        understand(config, tasks, {**known, GUARDED_KEYS: "1"}, Folders(Path()))

    if is_refused:
        with pytest.raises(ConfigurationError, match="is a key of this server"):
            guarded()
    else:
        guarded()


def test_what_a_key_was_put_together_from_is_hidden_too() -> None:
    assert Redactor([Secret("id:sk-outside-1", "c", ("sk-outside-1",))]).text("bad sk-outside-1") == "bad [key]"


@pytest.mark.parametrize(
    "parameters",
    ["{headers: {Authorization: Basic dXNlcjpwYXNz}}", "{access-token: a-long-secret}", "{user: sk-live-0123456789}"],
)
def test_a_key_that_stands_elsewhere_is_refused_and_not_quoted(parameters: str) -> None:
    config = f"config: {{providers: [{{name: mine, runs: [{{name: a, model: m, model-parameters: {parameters}}}]}}]}}"
    with pytest.raises(ConfigurationError, match="looks like a key") as caught:
        take_out_keys("c", config)
    assert not any(word in str(caught.value) for word in ("dXNlcjpwYXNz", "a-long-secret", "0123456789"))


def test_keys_in_comments_are_removed_and_numbers_of_tokens_are_no_keys() -> None:
    text = "# old key: sk-live-0123456789\nconfig: {a: {max-tokens: 123456789}} # Bearer abcdefgh1\n"
    kept = "# old key: ${REMOVED}\nconfig: {a: {max-tokens: 123456789}} # ${REMOVED}\n"
    assert take_out_keys("c", text).text == kept
