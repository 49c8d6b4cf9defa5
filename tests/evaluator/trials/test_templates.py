"""Templates are filled in as Go does it, as far as MindTrial documents them; anything else is named."""

import pytest

from evaluator.engine.trials.templates import JUDGE_VARIABLES, SYSTEM_VARIABLES, TemplateError, TemplateValue, parse

VALUES: dict[str, TemplateValue] = {
    "OriginalTask.Prompt": "How many?",
    "OriginalTask.ResponseResultFormat": "a number",
    "OriginalTask.ExpectedResults": ("4", "four"),
    "Candidate.Response": "{{.not.a.template}}",
    "Rules.CaseSensitive": True,
    "Rules.IgnoreWhitespace": False,
    "Rules.TrimLines": False,
}


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("no braces } {", "no braces } {"),
        ("<{{.Candidate.Response}}>", "<{{.not.a.template}}>"),
        ("{{ .OriginalTask.Prompt }}", "How many?"),
        ("{{.Rules.CaseSensitive}}{{.OriginalTask.ExpectedResults}}", "true[4 four]"),
        ("{{if .Rules.CaseSensitive}}yes{{else}}no{{end}}", "yes"),
        ("{{if .Rules.TrimLines}}yes{{else}}no{{end}}", "no"),
        ("{{if .Rules.TrimLines}}yes{{end}}.", "."),
        ("any:\n{{- range .OriginalTask.ExpectedResults}}\n- {{.}}\n{{- end}}\nend", "any:\n- 4\n- four\nend"),
        ("a  {{- .OriginalTask.Prompt -}} \n b", "aHow many?b"),
        ("{{range .OriginalTask.ExpectedResults}}{{if .}}[{{.}}]{{end}}{{else}}none{{end}}", "[4][four]"),
        ("{{if .Rules.CaseSensitive}}{{if .Rules.TrimLines}}1{{else}}2{{end}}{{else}}3{{end}}", "2"),
    ],
)
def test_a_template_is_filled_in(text: str, filled: str) -> None:
    assert parse(text, JUDGE_VARIABLES).render(VALUES) == filled


def test_a_range_over_nothing_gives_its_else() -> None:
    template = parse("{{range .OriginalTask.ExpectedResults}}x{{else}}none{{end}}", JUDGE_VARIABLES)

    assert template.render(VALUES | {"OriginalTask.ExpectedResults": ()}) == "none"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a\n{{.Response}}", 2, "`.Response` is not a variable here"),
        ("{{.OriginalTask}}", 1, "`.OriginalTask` is not a variable here"),
        ("{{printf .Candidate.Response}}", 1, "`{{printf .Candidate.Response}}` is not understood"),
        ("{{.Candidate.Response | len}}", 1, "is not understood"),
        ("{{if eq .Rules.TrimLines true}}x{{end}}", 1, "`{{if eq .Rules.TrimLines true}}` is not understood"),
        ("{{with .Candidate}}x{{end}}", 1, "`{{with .Candidate}}` is not understood"),
        ("{{/* a note */}}", 1, "is not understood"),
        ("{{.}}", 1, "`.` is not a variable here"),
        ("\n\n{{if .Rules.TrimLines}}", 3, "`{{if .Rules.TrimLines}}` has no `{{end}}`"),
        ("{{if .Rules.TrimLines}}{{else}}{{else}}{{end}}", 1, "has a second `{{else}}`"),
        ("x{{end}}", 1, "`{{end}}` belongs to no `if` or `range`"),
        ("{{else}}", 1, "`{{else}}` belongs to no"),
        ("\n{{.Candidate", 2, "`{{` is not closed"),
        ("{{range .Candidate.Response}}x{{end}}", 1, "repeats over something that is no list"),
        ("{{range .OriginalTask.ExpectedResults}}{{.Rules.TrimLines}}{{end}}", 1, "inside `range`"),
        ("{{if .Rules.TrimLines}}" * 60, 1, "nested more than 50 deep"),
    ],
)
def test_anything_else_is_an_error_that_names_it(text: str, line: int, words: str) -> None:
    with pytest.raises(TemplateError) as caught:
        parse(text, JUDGE_VARIABLES)

    assert caught.value.line == line
    assert words in caught.value.reason


def test_the_system_prompt_knows_one_variable_only() -> None:
    assert parse("F: {{.ResponseResultFormat}}", SYSTEM_VARIABLES).render({"ResponseResultFormat": "x"}) == "F: x"
    with pytest.raises(TemplateError, match=r"write one of `\.ResponseResultFormat`"):
        parse("{{.Candidate.Response}}", SYSTEM_VARIABLES)
