"""A judge is asked about an answer against the fake server, and its verdict counts as MindTrial counts it."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from evaluator.engine.trials.definitions import (
    AnswerFormat,
    JsonValue,
    JudgeDefinition,
    JudgePrompt,
    JudgeSelection,
    RetryPolicy,
    TaskDefinition,
    TrialDefinition,
    ValidationRules,
)
from evaluator.engine.trials.interfaces import ConversationError, FailureKind, NotConfiguredError, Verdict
from evaluator.engine.trials.judging import TrialValidators
from evaluator.engine.trials.matching import ValueValidator
from evaluator.engine.trials.providers.registry import make_asker
from results.records import TokenUsage
from tests.evaluator.trials.fake_models.replies import Reply, wrapped
from tests.evaluator.trials.fake_models.server import FakeModels
from tests.evaluator.trials.model_asking import defined

USAGE = {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16}
COUNTED = TokenUsage(
    input_tokens=11,
    output_tokens=5,
    input_token_accounting="cache_tokens_included",
    output_token_accounting="reasoning_tokens_included",
)


def judged_task(prompt: JudgePrompt | None = None, **rules: bool) -> TaskDefinition:
    judge = JudgeSelection("strict", "a run", prompt)
    accepted = ("Paris", "Paris, France")
    return TaskDefinition(
        "capital",
        "What is the capital of France?",
        AnswerFormat("a city"),
        accepted,
        ValidationRules(judge=judge, **rules),
    )


def verdict_of(reply: Any, *, usage: Any = USAGE) -> Reply:
    return Reply(wrapped(reply, explanation="They are the same city."), usage=usage)


def validate(models: FakeModels, task: TaskDefinition, answer: JsonValue, **run_changes: Any) -> Verdict:
    provider = defined(models, "openai", "gpt-4o", **run_changes)
    definition = TrialDefinition((), judges=(JudgeDefinition("strict", provider),))

    async def go() -> Verdict:
        validators = TrialValidators(definition, make_asker)
        try:
            return await validators.of(task).validate(task, answer)
        finally:
            await validators.close()

    return asyncio.run(go())


@pytest.mark.parametrize("is_correct", [True, False])
def test_the_default_verdict_decides(is_correct: bool) -> None:
    with FakeModels([verdict_of({"content": {"correct": is_correct}})]) as models:
        verdict = validate(models, judged_task(), "the city of Paris")
    assert verdict.is_correct is is_correct
    assert verdict.title == "Semantic Assessment"
    assert verdict.explanation[1:] == ("They are the same city.",)
    assert verdict.semantic_verdict == {"correct": is_correct}
    assert verdict.spent is not None
    assert verdict.spent.usage == COUNTED


def test_the_judge_reads_question_format_accepted_answers_flags_and_the_raw_answer() -> None:
    with FakeModels([verdict_of({"content": {"correct": True}})]) as models:
        validate(models, judged_task(is_case_sensitive=True), "  PARIS \n")
    [message] = models.asked[0].body["messages"]  # no system prompt
    for part in ("What is the capital of France?", "a city", "- Paris\n- Paris, France", "  PARIS \n"):
        assert part in message["content"]
    assert "Upper and lower case matter." in message["content"]


def test_a_custom_prompt_has_its_own_verdicts() -> None:
    template = "{{.Candidate.Response}}? {{range .OriginalTask.ExpectedResults}}[{{.}}]{{end}}"
    prompt = JudgePrompt(template, AnswerFormat("one word: good, fair or bad"), ("good", "fair"))
    with FakeModels([verdict_of(" FAIR ")]) as models:
        verdict = validate(models, judged_task(prompt), "Paris")
    assert verdict.is_correct
    assert verdict.semantic_verdict == " FAIR "
    assert models.asked[0].body["messages"][0]["content"] == "Paris? [Paris][Paris, France]"


def test_an_answer_that_is_no_text_fails_without_the_judge() -> None:
    with FakeModels() as models:
        verdict = validate(models, judged_task(), {"city": "Paris"})
    assert (verdict.is_correct, verdict.title, verdict.spent) == (False, "Invalid Response Type", None)
    assert models.asked == []


def test_accepted_answers_that_are_no_texts_are_an_error() -> None:
    task = replace(judged_task(), accepted=("Paris", 4))
    with FakeModels() as models, pytest.raises(ConversationError, match="not all accepted answers") as caught:
        validate(models, task, "Paris")
    assert (caught.value.kind, caught.value.is_transient) == (FailureKind.VALIDATION, False)


def test_a_verdict_that_cannot_be_read_is_a_validation_error_with_the_judges_usage() -> None:
    with FakeModels([Reply("no idea", usage=USAGE)]) as models, pytest.raises(ConversationError) as caught:
        validate(models, judged_task(), "Paris")
    assert caught.value.kind is FailureKind.VALIDATION
    assert caught.value.spent.usage == COUNTED


def test_a_judge_is_asked_again_as_its_own_policy_says() -> None:
    script = [Reply(status=503), verdict_of({"content": {"correct": True}})]
    with FakeModels(script) as models:
        verdict = validate(models, judged_task(), "Paris", retry=RetryPolicy(1, 0.01))
    assert verdict.is_correct
    assert len(models.asked) == 2
    assert verdict.spent is not None
    assert verdict.spent.messages[0].startswith("the judge: try 1 of 2 failed: ")


def test_a_task_without_a_judge_is_compared_by_value() -> None:
    task = TaskDefinition("capital", "?", AnswerFormat("a city"), ("Paris",))
    assert isinstance(TrialValidators(TrialDefinition(()), make_asker).of(task), ValueValidator)


def test_a_judge_that_is_not_configured_is_named() -> None:
    with pytest.raises(NotConfiguredError, match="'strict'"):
        TrialValidators(TrialDefinition(()), make_asker).of(judged_task())


def test_an_answer_cannot_talk_to_the_template() -> None:
    with FakeModels([verdict_of({"content": {"correct": False}})]) as models:
        validate(models, judged_task(), "{{.OriginalTask.Prompt}}")
    assert json.dumps("{{.OriginalTask.Prompt}}")[1:-1] in models.asked[0].text()
