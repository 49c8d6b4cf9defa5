"""A page's dataclass is a contract: a template reads what it has, and it has nothing that no template reads."""

import re
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from frontend.contexts.answers import Answers, Value
from frontend.contexts.columns import Header
from frontend.contexts.error import ErrorPage
from frontend.contexts.evaluation import EvaluationPage, ImportNote
from frontend.contexts.evaluations import EvaluationsPage
from frontend.contexts.filters import Chip, Field, Kept, Option, OutcomeLink, QuickFilters
from frontend.contexts.pager import PageLink, Pager
from frontend.contexts.result import ResultPage
from frontend.contexts.results import ResultsPage
from frontend.contexts.results_table import ResultsTable
from frontend.contexts.shell import Place, Shell, ThemeChoice
from frontend.contexts.tools import Call, Output, ToolPanel, Use
from frontend.contexts.usage import UsagePanel
from results.queries.evaluations import EvaluationRow
from results.queries.results import ResultRow
from results.records import ErrorDetails, RunResult, TokenUsage, ToolCallOutput, ToolCallSummary, ToolUsage

TEMPLATES = Path(__file__).resolve().parents[2] / "frontend" / "templates"
PARTS = re.compile(r'{% (?:include|extends) "([^"]+)"')
PAGES: dict[str, type] = {
    "error.html": ErrorPage,
    "evaluation_show.html": EvaluationPage,
    "evaluations_list.html": EvaluationsPage,
    "result_show.html": ResultPage,
    "results_list.html": ResultsPage,
}
# What each part, or loop in a page, calls a thing: (template, name) -> its type.
THINGS: dict[tuple[str, str], type] = {
    ("base.html", "place"): Place,
    ("base.html", "choice"): ThemeChoice,
    ("base.html", "page.shell"): Shell,
    ("evaluations_list.html", "row"): EvaluationRow,
    ("evaluations_list.html", "page.pager"): Pager,
    ("evaluation_show.html", "page.row"): EvaluationRow,
    ("evaluation_show.html", "warning"): ImportNote,
    ("result_show.html", "page.row"): ResultRow,
    ("result_show.html", "page.evaluation"): EvaluationRow,
    ("_answer_panels.html", "answers"): Answers,
    ("_answer_panels.html", "value"): Value,
    ("_answer_panels.html", "answers.got"): Value,
    ("_error_panel.html", "error"): ErrorDetails,
    ("_headers.html", "header"): Header,
    ("_pager.html", "pager"): Pager,
    ("_pager.html", "link"): PageLink,
    ("_quick_filters.html", "filters"): QuickFilters,
    ("_quick_filters.html", "link"): OutcomeLink,
    ("_quick_filters.html", "field"): Field,
    ("_quick_filters.html", "option"): Option,
    ("_quick_filters.html", "kept"): Kept,
    ("_quick_filters.html", "chip"): Chip,
    ("_result_facts.html", "row"): ResultRow,
    ("_result_facts.html", "record"): RunResult,
    ("_result_facts.html", "evaluation"): EvaluationRow,
    ("_results_table.html", "table"): ResultsTable,
    ("_results_table.html", "table.pager"): Pager,
    ("_results_table.html", "table.filters"): QuickFilters,
    ("_results_table.html", "row"): ResultRow,
    ("_results_table.html", "part"): Chip,
    ("_tool_call.html", "call"): Call,
    ("_tool_call.html", "record"): ToolCallSummary,
    ("_tool_call.html", "output"): Output,
    ("_tool_call.html", "record.stdout"): ToolCallOutput,
    ("_tool_call.html", "record.stderr"): ToolCallOutput,
    ("_tool_call.html", "output.stream"): ToolCallOutput,
    ("_tool_panel.html", "tools"): ToolPanel,
    ("_tool_panel.html", "call"): Call,
    ("_tool_panel.html", "use"): Use,
    ("_tool_panel.html", "use.usage"): ToolUsage,
    ("_usage_panel.html", "panel"): UsagePanel,
    ("_usage_panel.html", "panel.usage"): TokenUsage,
}
OURS: set[type] = {kind for kind in THINGS.values() if kind.__module__.startswith("frontend.")}


@cache
def source_of(template: str) -> str:
    """Only what the template engine reads: tags and variables."""
    text = re.sub(r"{% comment %}.*?{% endcomment %}", "", (TEMPLATES / template).read_text(), flags=re.DOTALL)
    return " ".join(re.findall(r"{[{%].*?[}%]}", re.sub(r'"[^"]*\.html"', "", text)))


def with_parts(template: str) -> set[str]:
    """A template, what it extends and what it includes."""
    found = {template}
    for part in PARTS.findall((TEMPLATES / template).read_text()):
        found |= with_parts(part)
    return found


def reads(template: str, name: str) -> set[str]:
    """The attributes that a template reads of a variable."""
    return set(re.findall(rf"(?<![\w.\"']){re.escape(name)}\.(\w+)", source_of(template)))


def attributes(kind: type[Any]) -> set[str]:
    """What a dataclass or Struct offers."""
    return {name for name in dir(kind) if not name.startswith("_")} | set(getattr(kind, "__annotations__", {}))


@pytest.mark.parametrize("template", PAGES)
def test_a_page_has_exactly_what_its_template_reads(template: str) -> None:
    read = set().union(*(reads(part, "page") for part in with_parts(template)))
    assert read == {field.name for field in fields(PAGES[template])}


@pytest.mark.parametrize(("template", "name"), THINGS)
def test_a_part_reads_only_what_there_is(template: str, name: str) -> None:
    read = reads(template, name)
    assert read, f"{template} reads nothing of {name}"
    assert read - attributes(THINGS[template, name]) == set()


@pytest.mark.parametrize("kind", sorted(OURS, key=str))
def test_a_part_is_given_nothing_that_nobody_reads(kind: type[Any]) -> None:
    read = set().union(*(reads(template, name) for (template, name), other in THINGS.items() if other is kind))
    assert {field.name for field in fields(kind)} - read == set()


def test_every_template_is_known_here() -> None:
    parts = {template for template, _ in THINGS} | set(PAGES)
    marks = {
        "_outcome.html",
        "_rate.html",
        "_outcome_bar.html",
        "_time.html",
        "_rate_tile.html",
        "_sprite.html",
        "500.html",
    }
    assert {path.name for path in TEMPLATES.iterdir()} - parts == marks


def test_a_sprite_holds_only_icons_in_use() -> None:
    used = {icon for path in TEMPLATES.iterdir() for icon in re.findall(r'href="#(i-\w+)"', path.read_text())}
    assert used == set(re.findall(r'id="(i-\w+)"', (TEMPLATES / "_sprite.html").read_text()))


def test_no_template_has_script_or_style_of_its_own() -> None:
    for path in TEMPLATES.iterdir():
        assert re.findall(r"<style|<script(?![^>]* src=)| style=| on\w+=|hx-on|hx-vals", path.read_text()) == [], (
            path.name
        )
