"""Tables of results, and the page of one result."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from results.models.evaluations import Evaluation
from tests.documents import result
from tests.frontend.factories import an_evaluation, first_result_id
from tests.frontend.test_evaluations_pages import page_text

pytestmark = pytest.mark.django_db

HOSTILE = [
    "</pre><img src=x onerror=alert(1)>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "</script><script>alert(1)</script>",
    "</title><svg onload=alert(1)>",
    '" onmouseover="alert(1)',
]
TABLE_QUERIES = 15  # at most: visible set, evaluation, manifests, merges, names, runs, documents; none per row


def result_text(client: Client, evaluation: Evaluation) -> str:
    """The page of an evaluation's first result."""
    return page_text(client, f"/results/{first_result_id(evaluation)}/")


def a_result_text(client: Client, folder: Path, **fields: Any) -> str:
    """The page of a result with these fields."""
    return result_text(client, an_evaluation(folder, result(**fields)))


def test_a_table_shows_outcome_provider_run_tokens_and_time(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path)
    text = page_text(client, f"/evaluations/{evaluation.pk}/").partition("<tbody")[2]
    for shown in ("task 0", "Passed", "openai", "gpt", ">10<", ">5<", "1.5 s"):
        assert shown in text


def test_tokens_beyond_53_bits_are_exact(client: Client, tmp_path: Path) -> None:
    usage = {"InputTokens": 9223372036854775807, "InputCacheReadTokens": 9223372036854775807}
    evaluation = an_evaluation(tmp_path, result(Details={"Answer": {"Usage": usage}}))
    assert "18,446,744,073,709,551,614" in page_text(client, f"/evaluations/{evaluation.pk}/")
    assert "9,223,372,036,854,775,807" in result_text(client, evaluation)


def test_a_count_that_the_file_does_not_say_is_unknown(client: Client, tmp_path: Path) -> None:
    usage = {"Answer": {"Usage": {"OutputTokens": 0}}}
    evaluation = an_evaluation(tmp_path, result(Details=usage))
    cells = page_text(client, f"/evaluations/{evaluation.pk}/").partition("<tbody")[2]
    assert '<td class="num"><span class="missing">unknown</span></td>' in cells
    assert '<td class="num">0</td>' in cells


def test_repeats_are_numbered(client: Client, tmp_path: Path) -> None:
    rows = [result(number, Task="same") for number in range(3)]
    evaluation = an_evaluation(tmp_path, *rows)
    text = page_text(client, f"/evaluations/{evaluation.pk}/")
    assert ("repeat 2" in text, "repeat 3" in text, "repeat 1" in text) == (True, True, False)


def test_filters_of_the_address_are_obeyed(client: Client, tmp_path: Path) -> None:
    rows = [result(0), result(1, Kind="Failed"), result(2, Kind="Failed", Run="other")]
    evaluation = an_evaluation(tmp_path, *rows)
    text = page_text(client, f"/evaluations/{evaluation.pk}/?outcome=failed&run=other").partition("<tbody")[2]
    assert ("task 0" in text, "task 1" in text, "task 2" in text) == (False, False, True)


def test_an_evaluation_never_shows_results_of_another(client: Client, tmp_path: Path) -> None:
    first = an_evaluation(tmp_path, result(0, Task="mine"), name="a.json")
    other = an_evaluation(tmp_path, result(1, Task="theirs"), name="b.json")
    assert "theirs" not in page_text(client, f"/evaluations/{first.pk}/?evaluation={other.pk}")


def test_all_results_name_their_evaluation(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path)
    assert f'href="/evaluations/{evaluation.pk}/"' in page_text(client, "/results/")


def test_nothing_matches_names_the_filters(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/results/?outcome=failed&tag=audio")
    assert "No result has outcome <b>failed</b> and tag <b>audio</b>." in text


def test_a_filter_that_cannot_be_read_is_said(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    assert "outcome=purple is not one of" in page_text(client, "/results/?outcome=purple")


def test_a_run_called_like_a_filter_can_be_chosen(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, result(0, Run="-gpt"), result(1, Run="gpt"))
    assert 'name="run" value="\\-gpt"' in page_text(client, "/results/")


@pytest.mark.parametrize("sort", ["task", "evaluation", "outcome", "provider", "run", "input_tokens", "duration"])
def test_a_table_sorts_by_any_column(client: Client, tmp_path: Path, sort: str) -> None:
    an_evaluation(tmp_path, result(0), result(1))
    assert 'aria-sort="descending"' in page_text(client, f"/results/?sort=-{sort}")


def test_a_table_pages(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, *(result(number) for number in range(51)))
    text = page_text(client, "/results/?page=2&sort=-task")
    assert "51–51 of 51" in text
    assert 'href="?sort=-task&amp;page=1"' in text


def test_a_table_asks_few_questions(
    client: Client, tmp_path: Path, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    evaluation = an_evaluation(tmp_path, *(result(number) for number in range(60)))
    for address in ("/results/", f"/evaluations/{evaluation.pk}/", f"/evaluations/{evaluation.pk}/?outcome=passed"):
        client.get(address)  # a process reads the names once
        with django_assert_max_num_queries(TABLE_QUERIES):
            client.get(address)


def test_two_evaluations_cost_no_more_questions_than_one(
    client: Client, tmp_path: Path, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(4):
        an_evaluation(tmp_path, result(number), name=f"{number}.json")
    client.get("/results/")  # a process reads the names once
    with django_assert_max_num_queries(TABLE_QUERIES):
        client.get("/results/")


@pytest.mark.parametrize("text", HOSTILE)
def test_text_from_files_is_never_markup(client: Client, tmp_path: Path, text: str) -> None:
    call = {"Tool": text, "CallID": text, "Status": text, "ErrorMessage": text, "Stdout": {"Bytes": 1, "Preview": text}}
    details = {
        "Answer": {"Title": text, "Explanation": [text], "ActualAnswer": [text], "ExpectedAnswer": [[text], [text]]},
        "Validation": {
            "Title": text,
            "Explanation": [text],
            "ToolUsage": {text: {"CallCount": 1}},
            "ToolCalls": [call],
        },
        "Error": {"Title": text, "Message": text, "Details": {text: [text]}},
    }
    metadata = {"Suite": text, "Category": text, "Difficulty": text, "Tags": [text]}
    fields: dict[str, Any] = {"Task": text, "Provider": text, "Run": text, "Got": text, "Want": [text, text + "2"]}
    evaluation = an_evaluation(
        tmp_path, result(Details=details, TaskMetadata=metadata, **fields), AppName=text, CreatedAt=text
    )
    addresses = ("/evaluations/", "/results/", f"/evaluations/{evaluation.pk}/")
    pages = [page_text(client, address) for address in addresses] + [result_text(client, evaluation)]
    assert [page for page in pages if text in page] == []
    assert [page for page in pages if "<img src=x" in page or "<iframe" in page or "<svg onload" in page] == []


def test_an_override_in_a_name_is_named_on_every_page(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path, result(Task="a\u202eb"))
    for text in (page_text(client, "/results/"), result_text(client, evaluation)):
        assert "\u202e" not in text
        assert 'a<span class="bidi">U+202E</span>b' in text


def test_a_nul_in_a_name_is_shown_as_it_is_kept(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, result(Run="a\x00b"))
    assert "a\\u0000b" in page_text(client, "/results/")


@pytest.mark.parametrize("name", ["a/b", "a?b", "a#b", "50%", "..", ".", "задача 1", ""])
def test_any_name_can_be_opened(client: Client, tmp_path: Path, name: str) -> None:
    evaluation = an_evaluation(tmp_path, result(Task=name, Run=name, Provider=name or "p"))
    assert "Raw JSON" in result_text(client, evaluation)


def test_a_result_says_what_it_is(client: Client, tmp_path: Path) -> None:
    text = a_result_text(client, tmp_path)
    for fact in ("task 0", "openai", "gpt", "core", "colours", "easy", "smoke", "28 May 2026, 20:26:40 UTC", "1.5 s"):
        assert fact in text


def test_blank_metadata_is_unspecified(client: Client, tmp_path: Path) -> None:
    assert a_result_text(client, tmp_path, TaskMetadata={}).count('<span class="missing">unspecified</span>') == 3


@pytest.mark.parametrize(("transient", "badge"), [(True, "Transient"), (False, "Permanent")])
def test_an_error_says_whether_it_would_pass(client: Client, tmp_path: Path, transient: bool, badge: str) -> None:
    error = {"Error": {"Title": "Execution Error", "Transient": transient}}
    assert f">{badge}</span>" in a_result_text(client, tmp_path, Kind="Error", Details=error)


def test_an_error_that_does_not_say_has_no_badge(client: Client, tmp_path: Path) -> None:
    text = a_result_text(client, tmp_path, Kind="Error", Details={"Error": {"Title": "Execution Error"}})
    assert ("Transient" in text, "Permanent" in text) == (False, False)


def test_number_headings_say_what_is_counted(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/results/")
    whose = "(of its answer and of a failed try; never the judge&#x27;s)"
    assert f'title="Effective input tokens of the model {whose}' in text
    assert f'title="Effective output tokens of the model {whose}' in text
    assert 'title="Calls in the recorded total of the model&#x27;s tools' in text


def test_a_judge_without_an_explanation_is_shown(client: Client, tmp_path: Path) -> None:
    text = a_result_text(client, tmp_path, Details={"Validation": {"Usage": {"InputTokens": 4321}}})
    assert "4,321" in text


def test_an_error_without_a_message_is_shown(client: Client, tmp_path: Path) -> None:
    call = {
        "Tool": "python",
        "WallTimeNS": 60000000000,
        "TimedOut": True,
        "Status": "timeout",
        "StartedAt": "2025-06-01T12:00:00Z",
    }
    text = a_result_text(client, tmp_path, Kind="Error", Details={"Error": {"ToolCalls": [call]}})
    assert "Error without a title" in text
    for shown in ("python", "Timeout", "1 m 00 s"):
        assert shown in text


def test_an_ambiguous_list_is_said(client: Client, tmp_path: Path) -> None:
    text = a_result_text(client, tmp_path, Want=["a", "b"], Details={})
    assert '<span class="tag" data-kind="warning">ambiguous</span>' in text


def test_an_explanation_keeps_its_lines(client: Client, tmp_path: Path) -> None:
    text = a_result_text(client, tmp_path, Details={"Answer": {"Explanation": ["one", "", "  two"]}})
    assert '<div class="prose lines" dir="auto" data-copied>one\n\n  two</div>' in text


def test_a_picture_in_an_answer_does_not_fill_the_page(client: Client, tmp_path: Path) -> None:
    text = a_result_text(client, tmp_path, Got="data:image/png;base64," + "A" * 5_000_000)
    assert len(text) < 100_000


def test_an_unknown_field_is_in_the_raw_document(client: Client, tmp_path: Path) -> None:
    text = a_result_text(client, tmp_path, FutureField={"x": 1})
    assert '<span class="key">&quot;FutureField&quot;</span>' in text


@pytest.mark.parametrize("address", ["/results/1/", "/results/99999999999999999999/", "/results/x/"])
def test_a_result_that_does_not_exist_is_not_found(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404
