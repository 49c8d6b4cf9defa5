"""The explorer: facets, chips, columns, sizes and links hold the whole state of the page in its address."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from results.text.index import forget
from tests.documents import START_MS, result, trace_id
from tests.frontend.factories import an_evaluation
from tests.frontend.test_evaluations_pages import page_text

pytestmark = pytest.mark.django_db

EXPLORER_QUERIES = (
    9  # visible set, jobs, manifest, names of evaluations for rows, facets and total; none per row or facet
)
NAMES = [
    "a/b",
    "a?b=c",
    "a#b",
    "100%",
    "%2F",
    "a&b;c",
    "a+b",
    "..",
    "with space",
    "任务 一",
    "مهمة",
    "a\x00b",
    "a\u202eb",
    '"quoted"',
    "-dash",
    "\\back",
    "(unspecified)",
    "a..b",
    "a,b",
    "",
]


def tasks_of(text: str) -> list[str]:
    """The names in the first column, as a reader sees them."""
    return [unescape(re.sub(r"<.*?>", "", cell)) for cell in re.findall(r'<th scope="row">(.*?)</th>', text)]


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


def test_a_facet_counts_under_the_other_filters(client: Client, tmp_path: Path) -> None:
    rows = [result(0), result(1, Kind="Failed"), result(2, Kind="Failed", Run="other")]
    an_evaluation(tmp_path, *rows)
    text = page_text(client, "/results/?outcome=failed&run=other")
    assert facet_of(text, "outcome") == [("Passed", 0), ("Failed", 1), ("Error", 0), ("Skipped", 0)]
    assert facet_of(text, "run") == [("gpt", 1), ("other", 1)]


def test_a_facet_shows_the_most_frequent_first_and_leads_to_the_rest(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, *(result(number, Run=f"run {max(number, 4)}") for number in range(14)))
    text = page_text(client, "/results/")
    assert facet_of(text, "run")[0] == ("run 4", 5)
    assert len(facet_of(text, "run")) == 8
    assert ">2 more</a>" in text
    assert len(facet_of(page_text(client, f"/results/{href_of(text, 'more-run')}"), "run")) == 10


def test_a_long_facet_is_searched(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, *(result(number, Run=f"Run {number:02}") for number in range(12)))
    text = page_text(client, "/results/?more=run&find=run+1")
    assert facet_of(text, "run") == [("Run 10", 1), ("Run 11", 1)]


def test_a_chosen_value_is_always_listed(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, *(result(number, Run=f"Run {number:02}") for number in range(12)))
    assert ("Run 11", 1) in facet_of(page_text(client, "/results/?run=Run+11"), "run")


def test_a_folded_facet_is_opened_by_a_link(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/results/")
    assert 'data-facet="task"' not in text
    opened = page_text(client, f"/results/{href_of(text, 'fold-task')}")
    assert facet_of(opened, "task") == [("task 0", 1)]
    assert href_of(opened, "fold-task") == "?"


def test_tags_are_wanted_all_or_any(client: Client, tmp_path: Path) -> None:
    rows = [result(number, TaskMetadata={"Tags": tags}) for number, tags in enumerate((["a"], ["a", "b"], ["b"]))]
    an_evaluation(tmp_path, *rows)
    text = page_text(client, "/results/?tag=a&tag=b")
    assert len(tasks_of(text)) == 3
    every = page_text(client, f"/results/{href_of(text, 'mode-all')}")
    assert tasks_of(every) == ["task 1"]
    assert chips_of(every) == ["tag a and b"]


def test_a_chip_reads_as_a_sentence(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/results/?outcome=passed&outcome=failed&outcome=-error&tag=-x&tag=-y&duration=1s..2s")
    assert chips_of(text) == [
        "outcome passed or failed",
        "outcome not error",
        "tag neither x nor y",
        "model time 1 s to 2 s",
    ]


def test_a_chip_names_its_evaluation(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path, name="weekly.json")
    assert chips_of(page_text(client, f"/results/?evaluation={evaluation.pk}")) == [f"evaluation {evaluation.name}"]


def test_a_chip_is_turned_round_and_taken_away(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, result(0), result(1, Run="other"))
    text = page_text(client, "/results/?run=gpt&sort=task")
    turned = href_of(text, "chip-flip-run")
    assert tasks_of(page_text(client, f"/results/{turned}")) == ["task 1"]
    back = href_of(page_text(client, f"/results/{turned}"), "chip-flip-run-not")
    assert query_of(back) == {"run": ["gpt"], "sort": ["task"]}
    assert query_of(href_of(text, "chip-remove-run")) == {"sort": ["task"]}


def test_clearing_keeps_order_columns_and_size(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/results/?run=gpt&q=blue&tags=all&duration=1..&sort=task&cols=task,run&size=100&page=3")
    assert query_of(href_of(text, "filter-clear")) == {"sort": ["task"], "cols": ["task,run"], "size": ["100"]}


def test_a_form_leads_to_a_tidy_address(client: Client) -> None:
    sent = {"q": "", "duration.from": "0.5", "duration.to": "", "started.from": "2026-05-28", "cost.to": ""}
    response = client.get("/results/", sent)
    assert response.status_code == 302
    assert query_of(response["Location"]) == {"duration": ["500ms.."], "started": ["2026-05-28T00:00:00Z.."]}


def test_htmx_is_told_the_tidy_address_with_the_answer(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    response = client.get("/results/?q=&cols=task&cols=run", headers={"HX-Request": "true"})
    assert (response.status_code, response["HX-Push-Url"]) == (200, "/results/?cols=task%2Crun")
    assert "<html" not in response.content.decode()


def test_an_emptied_form_leads_to_the_bare_page(client: Client) -> None:
    assert client.get("/results/?q=&duration.from=")["Location"] == "/results/"


@pytest.mark.parametrize(
    "query",
    [
        "outcome=failed&outcome=-error&run=a%2Fb&q=%22x+y%22&duration=250ms..2s&tool_calls=3..",
        "started=2026-05-28T00:00:00Z..2026-05-28T23:59:59.999999Z",
        "started=2026-05-28T12:30:00Z..",
        "duration=1234567ns..90m&cost=0.000000001..1.50&input_tokens=..9223372036854775807",
        "tag=%28unspecified%29&tag=-%5C-x&tags=all&cols=task%2Crun&size=25&sort=-duration",
        "run=x&run=-x",
        "open=tool&open=task",
    ],
)
def test_the_form_sends_back_the_filter_that_it_shows(client: Client, tmp_path: Path, query: str) -> None:
    an_evaluation(tmp_path)
    sent = urlencode(form_query(page_text(client, f"/results/?{query}")))
    location = client.get(f"/results/?{sent}")["Location"]
    again = page_text(client, location)
    assert chips_of(again) == chips_of(page_text(client, f"/results/?{query}"))
    assert sorted(form_query(again)) == sorted(parse_qsl(sent, keep_blank_values=True))


@pytest.mark.parametrize("name", NAMES)
def test_any_name_can_be_filtered_by_and_left_out(client: Client, tmp_path: Path, name: str) -> None:
    an_evaluation(tmp_path, result(0, Run=name), result(1, Run="plain"))
    text = page_text(client, "/results/")
    boxes = [unescape(value) for value in re.findall(r'name="run" value="([^"]*)"', text)]
    [value] = [value for value in boxes if value != "plain"]
    chosen = page_text(client, f"/results/?{urlencode({'run': value})}")
    assert tasks_of(chosen) == ["task 0"]
    assert tasks_of(page_text(client, f"/results/{href_of(chosen, 'chip-flip-run')}")) == ["task 1"]
    sent = client.get(f"/results/?{urlencode(form_query(chosen))}", follow=True).content.decode()
    assert tasks_of(sent) == ["task 0"]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_leads_to_its_result(client: Client, tmp_path: Path, name: str) -> None:
    an_evaluation(tmp_path, result(0, Task=name, Run=name))
    [link] = re.findall(r'<th scope="row"><a href="([^"]*)"', page_text(client, "/results/?sort=-task"))
    assert client.get(unescape(link)).status_code == 200


def test_names_that_look_alike_are_different_values(client: Client, tmp_path: Path) -> None:
    names = ["a b", "a-b", "задача 1", "задача 2", "A B"]
    an_evaluation(tmp_path, *(result(number, Task=name) for number, name in enumerate(names)))
    assert sorted(facet_of(page_text(client, "/results/?open=task"), "task")) == sorted((name, 1) for name in names)
    assert tasks_of(page_text(client, "/results/?task=a+b")) == ["a b"]


def test_text_of_files_is_never_markup_in_facets_and_chips(client: Client, tmp_path: Path) -> None:
    text = "</pre><img src=x onerror=alert(1)>"
    an_evaluation(tmp_path, result(Task=text, Run=text, TaskMetadata={"Tags": [text], "Category": text}))
    page = page_text(client, f"/results/?{urlencode({'tag': text, 'run': '-' + text, 'q': text, 'open': text})}")
    assert "<img src=x" not in page
    assert page.count("&lt;img src=x") > 4


def test_an_override_in_a_value_is_named(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, result(Run="a\u202eb"))
    text = page_text(client, "/results/?run=a%E2%80%AEb")
    assert text.count('a<span class="bidi">U+202E</span>b') == 3  # facet, chip, row


def test_only_skipped_results_are_counted_as_such(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, result(0, Kind="Skipped"), result(1, Kind="Skipped"))
    text = page_text(client, "/results/")
    assert facet_of(text, "outcome") == [("Passed", 0), ("Failed", 0), ("Error", 0), ("Skipped", 2)]
    assert '<span class="muted">2 skipped</span>' in text


def test_the_page_shows_exactly_the_matching_rows_in_order(client: Client, tmp_path: Path) -> None:
    rows = []
    for number in range(150):
        usage = {"InputTokens": (number * 7) % 150, "OutputTokens": 1}
        answer = {"Usage": usage, "Explanation": ["needle" if number % 5 else "hay"]}
        rows.append(result(number, Details={"Answer": answer}))
    an_evaluation(tmp_path, *rows)
    address = "/results/?q=needle&sort=-input_tokens&cols=task,input_tokens,category&size=200"
    text = page_text(client, address)
    wanted = sorted((number for number in range(150) if number % 5), key=lambda number: -((number * 7) % 150))
    assert tasks_of(text) == [f"task {number}" for number in wanted]
    assert len(wanted) == 120
    assert re.findall(r'id="sort-(\w+)"', text) == ["task", "input_tokens", "category"]


def test_columns_are_chosen_and_ordered(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/results/?cols=task,suite,run,nothing,run")
    assert re.findall(r'id="sort-(\w+)"', text) == ["task", "suite", "run"]
    moved = href_of(text, "down-suite")
    assert query_of(moved) == {"cols": ["task,run,suite"]}
    assert query_of(href_of(text, "columns-reset")) == {}


def test_every_column_can_be_shown_and_sorted(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/results/")
    keys = re.findall(r'name="cols" value="(\w+)"', text)
    shown = page_text(client, f"/results/?cols={','.join(keys)}&sort=-{keys[-1]}")
    assert re.findall(r'id="sort-(\w+)"', shown) == keys
    cells = re.findall(r"<t[dh]\b", shown.partition("<tbody")[2].partition("</tr>")[0])
    assert len(cells) == len(keys)
    assert 'aria-sort="descending"' in shown


def test_a_page_has_the_size_that_is_asked_for(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, *(result(number) for number in range(60)))
    text = page_text(client, "/results/?page=2&run=gpt")
    larger = href_of(text, "size-100")
    assert query_of(larger) == {"run": ["gpt"], "size": ["100"]}
    assert len(tasks_of(page_text(client, f"/results/{larger}"))) == 60


@pytest.mark.parametrize("size", ["0", "-1", "7", "1e9", "99999999999999999999", "x"])
def test_a_size_that_is_not_offered_is_the_usual_one(client: Client, tmp_path: Path, size: str) -> None:
    an_evaluation(tmp_path, *(result(number) for number in range(60)))
    assert len(tasks_of(page_text(client, f"/results/?size={size}"))) == 50


def test_a_row_carries_the_list_it_is_in(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path, result(0), result(1))
    asked = f"evaluation={evaluation.pk}&run=gpt&run=-x&cols=task,run&sort=-task&open=tool&more=run"
    text = page_text(client, f"/results/?{asked}")
    [link, _] = re.findall(r'<th scope="row"><a href="([^"]*)"', text)
    assert query_of(unescape(link)) == {
        "evaluation": [str(evaluation.pk)],
        "run": ["gpt", "-x"],
        "sort": ["-task"],
        "cols": ["task,run"],
    }


def test_a_row_of_an_evaluation_without_a_filter_needs_no_query(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path)
    assert f'href="/results/{evaluation.result_id(0)}/"' in page_text(client, f"/evaluations/{evaluation.pk}/")


def test_an_evaluations_page_keeps_to_its_evaluation(client: Client, tmp_path: Path) -> None:
    first = an_evaluation(tmp_path, result(0, Run="mine"), name="a.json")
    an_evaluation(tmp_path, result(1, Run="theirs"), name="b.json")
    text = page_text(client, f"/evaluations/{first.pk}/?run=mine")
    assert facet_of(text, "run") == [("mine", 1)]
    assert 'data-facet="evaluation"' not in text
    [link] = re.findall(r'<th scope="row"><a href="([^"]*)"', text)
    assert query_of(unescape(link))["evaluation"] == [str(first.pk)]


def test_nothing_matches_offers_to_take_each_filter_away(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/results/?outcome=failed&q=blue")
    assert "Nothing matches" in text
    for words in (">Without outcome<", ">Without text<", ">Clear all<"):
        assert words in text


def test_nothing_imported_leads_to_the_import(client: Client) -> None:
    text = page_text(client, "/results/")
    assert "No results" in text
    assert 'href="/import/"' in text.partition("<main")[2]


def test_a_search_says_what_it_cannot_find_yet(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path)
    forget(evaluation.pk)
    assert "is still being read" in page_text(client, "/results/?q=blue")
    assert "is still being read" not in page_text(client, "/results/")


def test_a_scan_of_too_many_results_is_refused_in_words(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_evaluation(tmp_path, result(0), result(1))
    monkeypatch.setattr("results.text.search.MAX_SCANNED", 1)
    response = client.get('/results/?q=exact:"blue"')
    assert response.status_code == 200
    assert 'class="callout"' in response.content.decode()


@pytest.mark.parametrize(
    "query",
    [
        "outcome=purple&evaluation=x&duration=long&tool_calls=1..2..3&started=never",
        "started=9999-12-31T23:59:59-12:00..&duration=..99999999999999999999h",
        "evaluation=99999999999999999999",
        "q=%22%22%22+((+-+in:+exact:%22&sort=-&page=-1&size=&cols=,,&more=nothing&open=nothing&find=%00",
        "run=%00&task=%ED%A0%80&q=%00&tags=some&cost=1e999999..",
        "duration.from=1..2&duration.to=%00&unknown.from=1&cols=task&cols=%2C",
    ],
)
def test_an_address_that_makes_no_sense_is_no_error(client: Client, tmp_path: Path, query: str) -> None:
    an_evaluation(tmp_path)
    assert client.get(f"/results/?{query}", follow=True).status_code == 200


def test_what_could_not_be_read_is_said(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/results/?duration=long&tool_calls=1..2..3")
    assert text.count('<div class="callout" data-kind="warning"') == 2


def test_the_explorer_asks_few_questions(
    client: Client, tmp_path: Path, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(4):
        rows = (result(100 * number + place, TraceID=trace_id(place, START_MS + number)) for place in range(15))
        an_evaluation(tmp_path, *rows, name=f"{number}.json")
    everything = "&".join(f"open={name}" for name in ("model", "suite", "task", "tool"))
    for address in ("/results/", f"/results/?{everything}&run=gpt&q=blue&size=200"):
        client.get(address)  # a process reads the names once
        with django_assert_max_num_queries(EXPLORER_QUERIES):
            client.get(address)
