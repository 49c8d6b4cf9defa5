"""The page that compares runs, as a browser without scripts gets it."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from frontend.contexts.compare_asked import Asked
from results.models.evaluations import Evaluation
from results.queries.compare_columns import runs_of
from results.queries.visibility import visible_evaluations
from results.store.describing import set_baseline
from results.store.removals import request_removal
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db


def results(run: str, outcomes: str, **fields: Any) -> list[dict[str, Any]]:
    """A run with a task for each letter: passed, failed, error or skipped; `.` = no result."""
    kinds = {"p": "Passed", "f": "Failed", "e": "Error", "s": "Skipped"}
    return [
        row(number, run=run, task=f"task {number}", kind=kinds[letter], TraceID=f"{run} {number}", **fields)
        for number, letter in enumerate(outcomes)
        if letter != "."
    ]


def query(*evaluation_ids: int) -> str:
    columns = runs_of(visible_evaluations(), evaluation_ids)
    return "&".join(f"column={column.key.text}" for column in columns)


def read(client: Client, address: str) -> str:
    """What a reader sees of a page, on one line."""
    response = client.get(f"/compare/{address}")
    assert response.status_code == 200
    text = re.sub(r"<(head|script)\b.*?</\1>", " ", response.content.decode(), flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", text).replace("\xa0", " ").replace("&#x27;", "'").split())


def test_a_clear_difference_is_said_first_with_its_numbers(client: Client, tmp_path: Path) -> None:
    evaluation = stored(
        tmp_path, "a", *results("a", "pppppppppf"), *results("b", "ppppfppppp"), *results("c", "f" * 10)
    )
    text = read(client, f"?{query(evaluation)}")
    worse = "c is worse than the baseline : 9 pairs regressed, 0 improved (Holm p 0.0078)."
    assert text.index(worse) < text.index(
        "b differs from the baseline in too few pairs to tell : 1 improved, 1 regressed"
    )


def test_too_few_pairs_are_said_plainly(client: Client, tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", *results("a", "pppp"), *results("b", "ffff"))
    said = "b has too few pairs to tell : 4 pairs. Even if all differed in one direction, it would take 6."
    assert said in read(client, f"?{query(evaluation)}")


def test_the_same_outcomes_are_called_no_difference(client: Client, tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", *results("a", "pppfff"), *results("b", "pppfff"))
    text = read(client, f"?{query(evaluation)}")
    assert "b does not differ from the baseline : all 6 pairs agree." in text
    assert "No task differs: every pair passed in both or in neither." in text


def test_a_count_leads_to_its_tasks(client: Client, tmp_path: Path) -> None:
    asked = query(stored(tmp_path, "a", *results("a", "ffpp"), *results("b", "pffp")))
    body = client.get(f"/compare/?{asked}").content.decode()
    tile, href = re.findall(r'<a href="([^"]*show=improved[^"]*)">1</a>', body)
    assert tile in href or href.startswith(tile.partition("#")[0])
    text = read(client, href.replace("&amp;", "&").partition("#")[0])
    assert [name for name in ("task 0", "task 1", "task 2", "task 3") if name in text] == ["task 0"]


def test_a_single_run_asks_for_another_one(client: Client, tmp_path: Path) -> None:
    text = read(client, f"?{query(stored(tmp_path, 'a', *results('a', 'pf')))}")
    assert "Compare 1 run" in text
    assert "One run alone: add another one below" in text


def test_the_same_column_twice_stands_once(client: Client, tmp_path: Path) -> None:
    asked = query(stored(tmp_path, "a", *results("a", "pf")))
    assert "a was asked for more than once; it stands here once." in read(client, f"?{asked}&{asked}")


def test_a_deleted_baseline_is_named_and_the_next_column_takes_its_place(client: Client, tmp_path: Path) -> None:
    first = stored(tmp_path, "a", *results("a", "pf"))
    second = stored(tmp_path, "b", *results("b", "pp"), *results("c", "ff"))
    asked = query(first, second)
    request_removal([first], "Delete")
    text = read(client, f"?{asked}")
    assert f"of evaluation {first} does not exist (any more), or may not be seen: left out." in text
    assert "The baseline was among them; now it is b." in text


@pytest.mark.parametrize(
    "address",
    ["", "?column=", "?column=x", "?column=1:1", "?result=99", "?evaluation=99", "?pick=99", "?find=zzz", "?page=-1"],
)
def test_an_address_without_runs_offers_to_choose_some(client: Client, address: str) -> None:
    assert "Choose two or more runs" in read(client, address)


def test_a_text_that_is_no_column_is_named(client: Client) -> None:
    assert "column=<b> does not name" in read(client, "?column=%3Cb%3E").replace("&lt;", "<").replace("&gt;", ">")


def test_more_than_twenty_runs_are_cut_and_it_says_so(client: Client, tmp_path: Path) -> None:
    document = [line for number in range(22) for line in results(f"run {number:02}", "p")]
    text = read(client, f"?evaluation={stored(tmp_path, 'a', *document)}")
    assert "Only the first 20 of 22 runs are compared." in text
    assert "Compare 20 runs" in text


def test_a_run_that_was_skipped_throughout_is_said_to_be_in_no_pair(client: Client, tmp_path: Path) -> None:
    text = read(client, f"?{query(stored(tmp_path, 'a', *results('a', 'pf'), *results('b', 'ss')))}")
    assert "Every result of b was skipped: it is in no pair." in text
    assert "b cannot be compared" in text


def test_columns_of_different_projects_are_said_to_have_no_task_in_common(client: Client, tmp_path: Path) -> None:
    first, second = (stored(tmp_path, name, *results("a", "pf"), project=name) for name in ("one", "two"))
    assert "columns of different projects have none in common" in read(client, f"?{query(first, second)}")


def test_changed_accepted_answers_are_counted_and_explained(client: Client, tmp_path: Path) -> None:
    before = stored(tmp_path, "a", *results("a", "pf", Want="blue"))
    after = stored(tmp_path, "b", *results("a", "fp", Want="green"))
    text = read(client, f"?{query(before, after)}&show=changed")
    assert "2 other answers" in text
    assert "not compared changed" in text


def test_answers_stand_side_by_side(client: Client, tmp_path: Path) -> None:
    document = [*results("a", "p", Got="blue sky"), *results("b", "f", Got="red sky")]
    asked = query(stored(tmp_path, "a", *document))
    task = re.findall(r"task=(\d+)", client.get(f"/compare/?{asked}").content.decode())[0]
    text = read(client, f"?{asked}&task={task}")
    assert text.index("Answers to task 0") < text.index("blue sky") < text.index("red sky")


def test_answers_are_compared_word_by_word_with_that_of_the_baseline(client: Client, tmp_path: Path) -> None:
    document = [*results("a", "p", Got="blue sky"), *results("b", "f", Got="red sky")]
    result_id = stored(tmp_path, "a", *document) * 2**24
    body = client.get(f"/compare/?result={result_id}&result={result_id + 1}&view=diff").content.decode()
    assert ("<ins>red</ins>" in body, "<del>blue</del>" in body) == (True, True)


def test_an_error_is_shown_as_the_message_that_it_is(client: Client, tmp_path: Path) -> None:
    failed = results("b", "e", error={"Title": "Timed out", "Message": "slow"}, Got="timed out: slow")
    result_id = stored(tmp_path, "a", *results("a", "p"), *failed) * 2**24
    text = read(client, f"?result={result_id}&result={result_id + 1}&view=diff")
    assert "Timed out timed out: slow" in text


def test_evaluations_are_compared_run_by_run(client: Client, tmp_path: Path) -> None:
    before = stored(tmp_path, "a", *results("a", "pppppppp"), *results("b", "ffffffff"), *results("old", "p"))
    after = stored(tmp_path, "b", *results("a", "pppppppp"), *results("b", "pppppppp"), *results("new", "p"))
    text = read(client, f"?evaluation={before}&evaluation={after}")
    assert "Compare 2 evaluations run by run" in text
    assert "+100.0 pp 8 pairs +100.0 to +100.0 0.0078 0.0156" in text
    assert "All runs 50.0 % n 16 100.0 % n 16 8 0 8 +50.0 pp 16 pairs +25.0 to +75.0" in text
    assert "Smallest Holm p 0.0156 b; corrected for 2 comparisons" in text
    assert "Not in every evaluation: new" in text


def test_evaluations_stand_in_the_order_of_the_address_unless_their_age_is_asked_for(
    client: Client, tmp_path: Path
) -> None:
    older = stored(tmp_path, "older", *results("a", "pf"), *results("b", "pf"))
    newer = stored(tmp_path, "newer", *results("a", "pp"), *results("b", "pp"))

    def regressed(query: str) -> str:
        text = read(client, query)
        return text[text.index("Regressed") :].split()[1]

    assert regressed(f"?evaluation={newer}&evaluation={older}") == "2"
    assert regressed(f"?evaluation={older}&evaluation={newer}") == "0"
    assert regressed(f"?evaluation={newer}&evaluation={older}&order=age") == "0"


def test_the_tasks_that_changed_are_listed_for_all_runs(client: Client, tmp_path: Path) -> None:
    before = stored(tmp_path, "x", *results("a", "pfp"), *results("b", "ppp"))
    after = stored(tmp_path, "y", *results("a", "ppp"), *results("b", "pfp"))
    both = f"?evaluation={before}&evaluation={after}"
    lines = read(client, both).partition("Tasks of all runs")[2]
    assert lines.index("task 1 b Passed Failed regressed") < lines.index("task 1 a Failed Passed improved")
    assert "regressed" not in read(client, f"{both}&show=improved").partition("Tasks of all runs")[2].split("Choose")[0]


def test_two_runs_have_tiles_with_their_figures(client: Client, tmp_path: Path) -> None:
    asked = query(stored(tmp_path, "a", *results("a", "pppppppppf"), *results("b", "ffffffffpp")))
    text = read(client, f"?{asked}")
    assert "Difference in pass rate −70.0 pp" in text
    assert "Improved 1 passed now, not in the baseline Regressed 8 passed in the baseline, not now" in text
    assert "McNemar p 0.0391 worse" in text  # 8 against 1: 2 · (1 + 9) / 512 = 0.0390625


def test_one_common_run_is_compared_at_once(client: Client, tmp_path: Path) -> None:
    before, after = stored(tmp_path, "a", *results("a", "pf")), stored(tmp_path, "b", *results("a", "pp"))
    assert "Compare 2 runs" in read(client, f"?evaluation={before}&evaluation={after}")


def test_the_pinned_baseline_comes_first_whatever_its_age(client: Client, tmp_path: Path) -> None:
    older, pinned = stored(tmp_path, "a", *results("a", "pf")), stored(tmp_path, "b", *results("a", "pp"))
    set_baseline(pinned, is_baseline=True)
    body = client.get(f"/compare/?evaluation={older}&with=baseline").content.decode()
    columns = re.findall(r'name="column" value="(\d+):', body)
    assert columns == [str(pinned), str(older)]


def test_a_project_without_a_baseline_says_how_to_get_one(client: Client, tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", *results("a", "pf"))
    text = read(client, f"?evaluation={evaluation}&with=baseline")
    assert "Project default has no baseline: pin one of its evaluations first" in text


def test_the_first_column_can_be_pinned_as_the_baseline_of_its_project(client: Client, tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", *results("a", "pf"), *results("b", "pf"))
    body = client.get(f"/compare/?{query(evaluation)}").content.decode()
    (action,) = re.findall(r'action="(/evaluations/\d+/baseline/)"', body)
    client.post(action, {"baseline": "yes"})
    assert Evaluation.objects.get(is_baseline=True).pk == evaluation


def test_a_candidate_can_take_the_place_of_the_baseline(client: Client, tmp_path: Path) -> None:
    asked = query(stored(tmp_path, "a", *results("a", "pf"), *results("b", "pf")))
    first, second = asked.split("&")
    assert f'class="menu-item" href="?{second}&amp;{first}"' in client.get(f"/compare/?{asked}").content.decode()


def test_names_from_files_are_text(client: Client, tmp_path: Path) -> None:
    nasty = '<script>alert("1")</script>\u202e'
    document = [line | {"Task": nasty} for run in (nasty, "b") for line in results(run, "p")]
    for number, line in enumerate(document):
        line["TraceID"] = str(number)
    asked = query(stored(tmp_path, "a", *document))
    task = re.findall(r"task=(\d+)", client.get(f"/compare/?{asked}&show=all").content.decode())[0]
    body = client.get(f"/compare/?{asked}&show=all&task={task}&view=diff").content.decode()
    assert ("<script>alert" in body, "\u202e" in body.replace("\\u202e", "")) == (False, False)


def test_a_comparison_needs_few_queries(client: Client, tmp_path: Path, django_assert_max_num_queries: Any) -> None:
    document = [line for number in range(8) for line in results(f"run {number}", "pf" * 10)]
    asked = query(stored(tmp_path, "a", *document))
    client.get(f"/compare/?{asked}")  # the names of runs and tasks are read once
    with django_assert_max_num_queries(14):
        client.get(f"/compare/?{asked}&show=all")


def test_of_evaluations_without_a_common_run_the_first_one_brings_the_baseline(client: Client, tmp_path: Path) -> None:
    early = stored(tmp_path, "early", *results("a", "pf"))
    late = stored(tmp_path, "late", *results("z", "fp"))
    columns = Asked.build(visible_evaluations(), QueryDict(f"evaluation={late}&evaluation={early}")).columns
    assert [column.run for column in columns] == ["z", "a"]


def test_evaluations_of_different_projects_are_said_to_have_no_task_in_common_run_by_run(
    client: Client, tmp_path: Path
) -> None:
    runs = [row(1, run=name) for name in ("a", "b")]
    first, second = (stored(tmp_path, name, *runs, project=name) for name in ("one", "two"))
    text = read(client, f"?evaluation={first}&evaluation={second}")
    assert "run by run" in text
    assert "evaluations of different projects have none in common that could be paired" in text
