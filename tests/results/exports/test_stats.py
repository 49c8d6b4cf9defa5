"""The stats command: text, CSV, JSON and JSON Lines, with exact numbers and harmless names."""

import csv
import io
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from results.exports.stats import column_names
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db
LARGEST = 2**63 - 1


def stats(*words: str) -> str:
    output = io.StringIO()
    call_command("stats", *words, stdout=output)
    return output.getvalue()


def records(*words: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(stats("--format", "csv", *words))))


def keep(folder: Path, *values: dict[str, Any], name: str = "a") -> int:
    return stored(folder, name, *(row(number, **fields) for number, fields in enumerate(values)))


def test_a_csv_line_holds_the_figures_of_a_group(tmp_path: Path) -> None:
    keep(
        tmp_path,
        {"run": "r", "duration": 2_000_000_000, "usage": {"InputTokens": 10}},
        {"run": "r", "kind": "Failed", "duration": 6_000_000_000},
        {"run": "r", "kind": "Error", "error": {"Title": "x", "Transient": True}},
        {"run": "r", "kind": "Skipped"},
    )
    (record,) = records()
    wanted = {
        "provider": "openai",
        "run": "r",
        "count": "3",
        "passed": "1",
        "skipped": "1",
        "pass_rate": str(1 / 3),
        "accuracy": "0.5",
        "duration_ns": "9500000000",
        "duration_ns_median": "2000000000",
        "input_tokens": "10",
        "input_tokens_unknown": "2",
        "input_tokens_deviation": "",
        "output_tokens": "",
        "transient": "1",
        "parsing": "0",
        "cost": "",
        "unpriced": "3",
    }
    assert {name: record[name] for name in wanted} == wanted


def test_the_header_names_every_column() -> None:
    assert stats("--format", "csv") == ",".join(["provider", "run", *column_names()]) + "\n"


def test_sums_beyond_64_bits_are_exact_in_every_format(tmp_path: Path) -> None:
    usage = {"InputTokens": LARGEST}
    keep(tmp_path, {"usage": usage}, {"usage": usage}, {"usage": usage})
    exact = "27670116110564327421"
    assert records()[0]["input_tokens"] == exact
    for format_name in ("json", "jsonl", "text"):
        assert exact in stats("--format", format_name)


def test_json_keeps_unknown_zero_and_no_denominator_apart(tmp_path: Path) -> None:
    keep(tmp_path, {"run": "r", "kind": "Error", "usage": {"InputTokens": 0}, "duration": 7})
    document = json.loads(stats("--format", "json", "--group-by", "run,suite"))
    (group,) = document["groups"]
    assert document["group_by"] == ["run", "suite"]
    assert group["group"] == {"run": "r", "suite": None}
    assert (group["input_tokens"]["total"], group["output_tokens"]["total"]) == (0, None)
    assert (group["output_tokens"]["unknown"], group["accuracy"], group["pass_rate"]) == (1, None, 0.0)


def test_a_line_of_json_per_group(tmp_path: Path) -> None:
    keep(tmp_path, {"run": "a"}, {"run": "b"})
    lines = stats("--format", "jsonl", "--group-by", "run").splitlines()
    assert [json.loads(line)["group"] for line in lines] == [{"run": "a"}, {"run": "b"}]


def test_text_is_aligned_and_says_what_is_missing(tmp_path: Path) -> None:
    keep(tmp_path, {"run": "a", "duration": 61_638_233_400}, {"run": "long name", "kind": "Skipped"})
    columns = "count,pass_rate,duration_ns,output_tokens,cost"
    assert stats("--group-by", "run", "--columns", columns).splitlines() == [
        "run        count  pass_rate  duration_s  output_tokens      cost",
        "a              1    100.00%      61.638        unknown  unpriced",
        "long name      0        n/a         n/a            n/a      none",
    ]


def test_blank_metadata_is_named_and_can_be_filtered(tmp_path: Path) -> None:
    keep(tmp_path, {"suite": "s"}, {"tags": ["x", "y"]})
    found = records("--group-by", "suite,tag", "--filter", "suite=(unspecified)&outcome=passed")
    assert [(record["suite"], record["tag"]) for record in found] == [("(unspecified)", "x"), ("(unspecified)", "y")]


@pytest.mark.parametrize("style", ["text", "csv"])
def test_a_name_that_reads_like_a_blank_one_is_written_as_filters_take_it(tmp_path: Path, style: str) -> None:
    keep(tmp_path, {"category": "(unspecified)"}, {"category": ""}, {"category": "\\(unspecified)"})
    lines = stats("--group-by", "category", "--columns", "count", "--format", style).splitlines()[1:]
    names = [line.split("," if style == "csv" else " ")[0] for line in lines]
    assert sorted(names) == ["(unspecified)", "\\(unspecified)", "\\\\(unspecified)"]
    asked = ("--group-by", "category", "--columns", "count", "--format", style, "--filter", f"category={names[1]}")
    assert stats(*asked).splitlines()[1:] == [lines[1]]


def test_names_are_exact_unless_any_case_will_do(tmp_path: Path) -> None:
    keep(tmp_path, {"suite": "Core", "run": "a"}, {"suite": "core", "run": "b"}, {"suite": "other", "run": "c"})
    asked = ("--group-by", "run", "--filter", "suite=CORE&run=-B")
    assert [record["run"] for record in records(*asked)] == []
    assert [record["run"] for record in records(*asked, "--ignore-case")] == ["a"]


def test_evaluations_can_be_named(tmp_path: Path) -> None:
    first = keep(tmp_path, {"run": "a"})
    keep(tmp_path, {"run": "b"}, name="b")
    assert [record["run"] for record in records("--evaluation", str(first))] == ["a"]


def test_costs_have_their_currency_and_nine_places(tmp_path: Path) -> None:
    pricing = {"Currency": "EUR", "InputPerMillion": 1, "OutputPerMillion": 1}
    results = [
        row(number, usage={"InputTokens": 1, "OutputTokens": 0}) | {"RunConfig": {"Pricing": pricing}}
        for number in range(3)
    ]
    stored(tmp_path, "a", *results)
    (record,) = records()
    assert (record["cost"], record["currency"], record["cost_per_pass"]) == ("0.000003", "EUR", "0.000001")
    (group,) = json.loads(stats("--format", "json"), parse_float=Decimal)["groups"]
    assert group["costs"][0]["total"] == Decimal("0.000003")


def test_each_of_several_amounts_names_its_currency(tmp_path: Path) -> None:
    def paid(number: int, currency: str, tokens: int, **fields: Any) -> dict[str, Any]:
        pricing = {"Currency": currency, "InputPerMillion": 1}
        return row(number, usage={"InputTokens": tokens}, **fields) | {"RunConfig": {"Pricing": pricing}}

    million = 10**6
    stored(tmp_path, "a", paid(1, "USD", million), paid(2, "EUR", 3 * million), paid(3, "EUR", million, kind="Failed"))
    stored(tmp_path, "b", paid(4, "CHF", million, kind="Failed"))
    (record,) = records()
    assert record["cost"] == "1 CHF + 4 EUR + 1 USD"
    assert record["cost_per_pass"] == "4 EUR + 1 USD"  # nothing passed in CHF
    assert record["currency"] == "CHF + EUR + USD"
    columns = ("--columns", "cost,currency,cost_per_pass")
    assert stats(*columns).splitlines()[1].endswith("1 CHF + 4 EUR + 1 USD  CHF + EUR + USD  4 EUR + 1 USD")


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x"])
def test_a_name_never_becomes_a_formula(tmp_path: Path, name: str) -> None:
    keep(tmp_path, {"run": name})
    assert records()[0]["run"] == f"'{name}"


def test_a_name_cannot_steer_a_terminal(tmp_path: Path) -> None:
    keep(tmp_path, {"run": "a\x1b[31m\nb"})
    assert r"a\x1b[31m\x0ab" in stats()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--group-by", "colour"), "colour is not one of provider"),
        (("--columns", "colour"), "colour is not one of count"),
        (("--filter", "outcome=green"), "outcome=green is not one of"),
        (("--evaluation", "99"), "There is no evaluation 99"),
    ],
)
def test_a_wrong_option_says_what_is_possible(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        stats(*words)


# Four results of a published document, and the line that MindTrial v0.22's own stats command writes about them:
# 1m1.6382334s, 15.79219225s, 5.47807224s; 5722, 1388.50, 327.45; 3055, 820.00, 379.67.
REAL = ((1273, 1235, 22741666400), (1504, 759, 15335585000), (1917, 180, 7312182500), (1028, 881, 16248799500))


def test_sums_medians_and_deviations_are_those_of_mindtrials_own_command(tmp_path: Path) -> None:
    usages = ({"usage": {"InputTokens": read, "OutputTokens": written}, "duration": ns} for read, written, ns in REAL)
    keep(tmp_path, *usages)
    measures = ("duration_ns", "input_tokens", "output_tokens")
    columns = ",".join(f"{measure}{end}" for measure in measures for end in ("", "_median", "_deviation"))
    text = stats("--group-by", "", "--columns", columns)
    assert text.splitlines()[1].split() == [
        "61.638",
        "15.792",
        "5.478",
        "5722",
        "1388.5",
        "327.45",
        "3055",
        "820",
        "379.67",
    ]
