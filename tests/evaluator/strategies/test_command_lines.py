"""Commands as they are typed, read without a shell."""

import pytest

from evaluator.engine.strategies.command_lines import CommandLineError, Step, read_command


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("npx tsc --noEmit", [Step(("npx", "tsc", "--noEmit"))]),
        ("  npx   solhint 'contracts/**/*.sol' ", [Step(("npx", "solhint", "contracts/**/*.sol"))]),
        ("echo \"a b\"c 'd $e'", [Step(("echo", "a bc", "d $e"))]),
        ("echo a\\ b", [Step(("echo", "a b"))]),
        ("CI=1 NAME='x y' npm test", [Step(("npm", "test"), {"CI": "1", "NAME": "x y"})]),
        ("EMPTY= make", [Step(("make",), {"EMPTY": ""})]),
        ("a 1 && b 2", [Step(("a", "1")), Step(("b", "2"))]),
        ("echo '&&' \"a && b\"", [Step(("echo", "&&", "a && b"))]),
    ],
)
def test_words_quotes_variables_and_chains_are_understood(text: str, steps: list[Step]) -> None:
    assert list(read_command(text).steps) == steps


@pytest.mark.parametrize(
    "text", ["a | b", "a > f", "a; b", "a || b", "a & b", "echo $HOME", "echo `id`", "(a)", "a\nb"]
)
def test_what_only_a_shell_understands_is_refused_with_a_remedy(text: str) -> None:
    with pytest.raises(CommandLineError, match='"shell": true'):
        read_command(text)


@pytest.mark.parametrize("text", ["", "  ", "echo 'a", "a &&", "&& a", "A=1", "a\0b"])
def test_a_command_that_cannot_be_run_is_refused(text: str) -> None:
    with pytest.raises(CommandLineError):
        read_command(text)


def test_a_shell_gets_its_command_as_it_is() -> None:
    line = read_command("echo $HOME | wc && false", is_shell=True)
    assert line.steps == (Step(("/bin/sh", "-c", "echo $HOME | wc && false")),)
