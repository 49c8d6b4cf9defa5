"""The page of one result: neighbours, what stands beside it, documents to download, values of any size."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from results.models.evaluations import Evaluation
from tests.documents import START_MS, result, trace_id
from tests.frontend.factories import an_evaluation, first_result_id, unfinished
from tests.frontend.test_evaluations_pages import page_text

pytestmark = pytest.mark.django_db
PAGE_BYTES = 300_000
PAGE_SECONDS = 5.0  # on a busy machine; it takes a tenth of that
PAGE_QUERIES = 22  # at most, whatever stands beside the result
DAY_MS = 86_400_000


def opened(client: Client, address: str) -> str:
    """A page that must open at once."""
    began = time.process_time()
    text = page_text(client, address)
    assert time.process_time() - began < PAGE_SECONDS
    assert len(text.encode()) < PAGE_BYTES
    return text


def three(folder: Path) -> Evaluation:
    """Passed, failed, passed."""
    return an_evaluation(folder, result(0), result(1, Kind="Failed"), result(2))


def test_without_a_filter_the_neighbours_are_those_of_the_evaluation(client: Client, tmp_path: Path) -> None:
    second = three(tmp_path).result_id(1)
    text = page_text(client, f"/results/{second}/")
    assert "2 of 3 in this evaluation" in text
    assert f'href="/results/{second - 1}/" rel="prev"' in text
    assert f'href="/results/{second + 1}/" rel="next"' in text


def test_neighbours_stay_within_the_filter_and_keep_it(client: Client, tmp_path: Path) -> None:
    first = first_result_id(three(tmp_path))
    text = page_text(client, f"/results/{first}/?outcome=passed&sort=-task")
    assert "2 of 2 that match" in text
    assert f'href="/results/{first + 2}/?outcome=passed&amp;sort=-task" rel="prev"' in text


def test_a_view_of_the_answer_is_not_part_of_the_filter(client: Client, tmp_path: Path) -> None:
    first = first_result_id(three(tmp_path))
    text = page_text(client, f"/results/{first}/?outcome=passed&view=side")
    assert f'href="/results/{first + 2}/?outcome=passed" rel="next"' in text


def test_a_result_outside_of_the_filter_says_so(client: Client, tmp_path: Path) -> None:
    text = page_text(client, f"/results/{first_result_id(three(tmp_path))}/?outcome=failed")
    assert "not among the 1 that match" in text


def test_a_list_links_to_results_with_its_filter(client: Client, tmp_path: Path) -> None:
    evaluation = three(tmp_path)
    text = page_text(client, "/results/?outcome=passed")
    assert f'href="/results/{first_result_id(evaluation)}/?outcome=passed' in text


def test_the_history_shows_the_answers_of_other_evaluations(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, result(TraceID=trace_id(1, START_MS - DAY_MS), Got="red", Kind="Failed"), name="old.json")
    text = page_text(client, f"/results/{first_result_id(an_evaluation(tmp_path, name='new.json'))}/")
    assert "passed 1 of 2" in text
    assert '<td class="mono clip">red</td>' in text


def test_a_copy_in_another_evaluation_is_named(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, name="original.json")
    merged = an_evaluation(tmp_path, result(), result(1), name="merged.json")
    assert "also in original" in page_text(client, f"/results/{first_result_id(merged)}/")


def test_a_copy_with_other_values_is_not_treated_as_the_same(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, name="original.json")
    other = an_evaluation(tmp_path, result(Kind="Failed", DurationNS=7_000_000_000), name="other.json")
    text = page_text(client, f"/results/{first_result_id(other)}/").replace("\N{NO-BREAK SPACE}", " ")
    row = text.partition('<tr aria-selected="true">')[2].partition("</tr>")[0]
    assert "counted in original, differs there" in row
    assert "this one" in row
    assert "7.0 s" in row
    assert "one result, held by several evaluations" not in text


def test_a_copy_with_the_same_values_does_not_differ(client: Client, tmp_path: Path) -> None:
    original = an_evaluation(tmp_path, name="original.json")
    an_evaluation(tmp_path, result(), result(1), name="merged.json")
    text = page_text(client, f"/results/{first_result_id(original)}/")
    assert "also in merged</a>" in text
    assert "differs there" not in text


def panel(text: str, title: str) -> str:
    """The section below a heading."""
    return text.partition(f"<h2>{title}</h2>")[2].partition("</section>")[0]


def test_the_usage_of_a_validation_error_is_the_judges(client: Client, tmp_path: Path) -> None:
    details = {"Error": {"Title": "Validation Error", "Usage": {"InputTokens": 731, "OutputTokens": 5}}}
    evaluation = an_evaluation(tmp_path, result(Kind="Error", Details=details))
    text = page_text(client, f"/results/{first_result_id(evaluation)}/")
    assert ">731<" in panel(text, "Judge usage")
    assert "see “Judge usage”" in panel(text, "Validation Error")
    assert "<h2>Error usage</h2>" not in text
    assert "No judge" not in text


def test_an_answer_that_could_not_be_validated_is_compared(client: Client, tmp_path: Path) -> None:
    answer = {"ActualAnswer": ["green"], "ExpectedAnswer": [["blue"]]}
    error = {"Title": "Validation Error", "Message": "the judge timed out"}
    failed = result(Kind="Error", Got="green", Details={"Answer": answer, "Error": error})
    text = page_text(client, f"/results/{first_result_id(an_evaluation(tmp_path, failed))}/")
    assert "the judge timed out" in panel(text, "Validation Error")
    compared = panel(text, "Answer and accepted answer")
    assert "1 word only in the accepted answer; 1 word only in the answer" in compared
    assert "Message, as recorded" not in text


def test_a_validation_error_without_usage_had_a_judge_all_the_same(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path, result(Kind="Error", Details={"Error": {"Title": "Validation Error"}}))
    text = page_text(client, f"/results/{first_result_id(evaluation)}/")
    assert "not recorded" in panel(text, "Judge usage")
    assert "No judge" not in text


def test_the_cost_is_told_with_its_reason(client: Client, tmp_path: Path) -> None:
    config = {"Model": "m", "Pricing": {"Currency": "USD", "InputPerMillion": 1000, "OutputPerMillion": 2000}}
    evaluation = an_evaluation(tmp_path, result(RunConfig=config))
    text = page_text(client, f"/results/{first_result_id(evaluation)}/")
    assert "$0.0200" in panel(text, "Model usage")  # 10 at 0.001 and 5 at 0.002
    assert "Estimated: prices in the file" in panel(text, "Model usage")


def test_a_result_without_prices_is_unpriced_and_says_why(client: Client, tmp_path: Path) -> None:
    text = page_text(client, f"/results/{first_result_id(an_evaluation(tmp_path))}/")
    header = text.partition('class="page-meta"')[2].partition("</div>")[0]
    assert "unpriced" in header
    assert "(The file holds no prices for this run.)" in header


def test_two_counts_of_tool_calls_that_disagree_are_both_told(client: Client, tmp_path: Path) -> None:
    answer = {"ToolUsage": {"x": {"CallCount": 3}}, "ToolCalls": [{"Tool": "x", "CallID": "c", "Status": "success"}]}
    evaluation = an_evaluation(tmp_path, result(Details={"Answer": answer}))
    text = page_text(client, f"/results/{first_result_id(evaluation)}/")
    assert "tool calls: 1 recorded one by one, 3 in the recorded total" in text
    assert "they disagree" in text
    tile = page_text(client, f"/evaluations/{evaluation.pk}/").replace("\N{NO-BREAK SPACE}", " ")
    assert "recorded one by one · 3 in the recorded totals; they disagree in 1 result<" in tile


def test_a_changed_task_is_said(client: Client, tmp_path: Path) -> None:
    first = an_evaluation(tmp_path, name="one.json")
    later = result(TraceID=trace_id(1, START_MS + DAY_MS), TaskMetadata={"Suite": "other"})
    an_evaluation(tmp_path, later, name="two.json")
    text = page_text(client, f"/results/{first_result_id(first)}/")
    assert "Changed later, in" in text
    assert "suite: <del>core</del> → <ins>other</ins>" in text


def test_a_change_since_an_earlier_evaluation_counts_no_versions(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, name="one.json")
    later = result(TraceID=trace_id(1, START_MS + DAY_MS), TaskMetadata={"Suite": "other"})
    text = page_text(client, f"/results/{first_result_id(an_evaluation(tmp_path, later, name='two.json'))}/")
    assert "Changed since <a" in text
    assert "version 2 of 2" not in text


def test_the_page_asks_a_fixed_number_of_questions(
    client: Client, tmp_path: Path, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for day in range(4):
        row = result(TraceID=trace_id(day, START_MS + day * DAY_MS), TaskMetadata={"Suite": f"s{day}"})
        evaluation = an_evaluation(tmp_path, row, result(9, Task="task 0", Run="other"), name=f"{day}.json")
    address = f"/results/{first_result_id(evaluation)}/"
    client.get(address)  # names are read once
    with django_assert_max_num_queries(PAGE_QUERIES):
        client.get(address)


def test_a_document_is_downloaded_as_it_came(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path, result(DurationNS=9757309999902428, FutureField="</script>"))
    response = client.get(f"/results/{first_result_id(evaluation)}/document.json")
    expected = json.dumps(result(DurationNS=9757309999902428, FutureField="</script>"), separators=(",", ":"))
    assert response.content.decode() == expected
    assert response["Content-Disposition"].startswith("attachment")
    assert (response["X-Content-Type-Options"], response["Content-Type"]) == ("nosniff", "application/json")


def test_the_whole_document_is_downloaded_in_pieces(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path, result(0), result(1, Provider="other"), Unknown={"kept": 1.0})
    response: Any = client.get(f"/evaluations/{evaluation.pk}/document.json")
    pieces = response.streaming_content
    source = json.loads((tmp_path / "results.json").read_bytes())
    assert b"".join(pieces).decode() == json.dumps(source, separators=(",", ":"), ensure_ascii=False)


@pytest.mark.parametrize("address", ["/results/5/document.json", "/evaluations/5/document.json"])
def test_a_document_that_does_not_exist_is_not_found(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def test_a_document_that_may_not_be_seen_is_not_found(client: Client, tmp_path: Path) -> None:
    evaluation = unfinished(an_evaluation(tmp_path))
    addresses = (f"/results/{first_result_id(evaluation)}/document.json", f"/evaluations/{evaluation.pk}/document.json")
    assert [client.get(address).status_code for address in addresses] == [404, 404]


WORDS = "word " * 4_000_000


@pytest.mark.parametrize(
    ("view", "fields"),
    [
        ("diff", {"Got": WORDS, "Want": WORDS + "more"}),
        ("side", {"Got": WORDS, "Want": "more" + WORDS}),
        ("canonical", {"Got": WORDS, "Want": "x"}),
        ("raw", {"Details": {"Answer": {"ActualAnswer": [WORDS], "ExpectedAnswer": [["x"]]}}}),
        ("diff", {"Details": {"Answer": {"ActualAnswer": ["word"] * 1_000_000, "ExpectedAnswer": [["x"]]}}}),
    ],
    ids=["diff", "side", "canonical", "raw", "lines"],
)
def test_an_answer_of_20_megabytes_opens_at_once(
    client: Client, tmp_path: Path, view: str, fields: dict[str, Any]
) -> None:
    evaluation = an_evaluation(tmp_path, result(Kind="Failed", **fields))
    opened(client, f"/results/{first_result_id(evaluation)}/?view={view}")


@pytest.mark.parametrize("view", ["diff", "side", "canonical"])
def test_an_answer_of_a_million_values_opens_at_once(client: Client, tmp_path: Path, view: str) -> None:
    evaluation = an_evaluation(tmp_path, result(Kind="Failed", Got=[1] * 1_000_000, Want=[[1] * 1_000_000 + [2]]))
    opened(client, f"/results/{first_result_id(evaluation)}/?view={view}")


def test_a_deep_answer_opens(client: Client, tmp_path: Path) -> None:
    deep: Any = 1
    for _ in range(400):
        deep = [deep]
    evaluation = an_evaluation(tmp_path, result(Kind="Failed", Got=deep, Want={"a": deep}))
    opened(client, f"/results/{first_result_id(evaluation)}/")


def test_one_line_of_base64_opens_at_once(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path, result(Kind="Failed", Got="QUJD" * 5_000_000, Want="x"))
    opened(client, f"/results/{first_result_id(evaluation)}/")


def test_many_tool_calls_with_long_output_open_at_once(client: Client, tmp_path: Path) -> None:
    stream = {"Bytes": 50_000, "Preview": "line of output\n" * 3_000}
    call = {"Tool": "python", "CallID": "c", "Status": "timeout", "Stdout": stream, "ErrorMessage": "late " * 5_000}
    evaluation = an_evaluation(tmp_path, result(Details={"Answer": {"ToolCalls": [call] * 100}}))
    text = opened(client, f"/results/{first_result_id(evaluation)}/")
    assert "100 calls recorded one by one, 100 not successful" in text.replace("\N{NO-BREAK SPACE}", " ")


def test_a_giant_trace_id_is_cut_and_whole_in_the_document(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path, result(0, TraceID="T" * 2_000_000))
    address = f"/results/{evaluation.result_id(0)}/"
    text = opened(client, address)
    assert "2,000,000 characters, all in the document" in text
    assert f'<dt>Trace id</dt><dd class="mono">{"T" * 200}… <a href=' in text
    assert json.loads(client.get(f"{address}document.json").content)["TraceID"] == "T" * 2_000_000
