"""Turns the demo's evaluations into MindTrial documents."""

import json
from datetime import datetime, timedelta

import msgspec

from results.demo.calls import ToolLog, use_tools
from results.demo.chance import Chance
from results.demo.outcomes import Trial
from results.demo.runs import Json
from results.demo.schedule import KEY_CORRECTED, DemoEvaluation
from results.demo.tasks.task import Answer, DemoTask, Reply

BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
TRANSIENT_RATE = 0.02
UNREADABLE_RATE = 0.03  # of runs below this skill
STEADY_SKILL = 1.2
JUDGE_FAILURE_RATE = 0.03
UNCONFIGURED = ("weekly-2026-10-26", "Boreal 3", "Shell: the newest file below a folder")
JUDGE_ACCOUNTING = {
    "InputTokenAccounting": "cache_tokens_included",
    "OutputTokenAccounting": "reasoning_tokens_included",
}


def evaluation_document(evaluation: DemoEvaluation) -> bytes:
    """Write one evaluation as its tool would have written it; always the same bytes."""
    by_provider: dict[str, list[Json]] = {}
    end = evaluation.started_at
    for position, run in enumerate(evaluation.runs):
        when = evaluation.started_at + timedelta(seconds=11 * position)
        for repeat in range(1, evaluation.repeats + 1):
            for task in evaluation.tasks:
                result, when = trial_result(Trial(evaluation, run, task, repeat), when)
                by_provider.setdefault(run.provider, []).append(result)
        end = max(end, when)
    document = {
        "FormatVersion": 1,
        "AppName": "MindTrial",
        "AppVersion": evaluation.app_version,
        "CreatedAt": f"{end:%a, %d %b %Y %H:%M:%S} +0000",
        "Results": dict(sorted(by_provider.items())),
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def trial_result(trial: Trial, when: datetime) -> tuple[Json, datetime]:
    """Make one result that begins at `when`; answers it and the time when it is done."""
    run, task = trial.run, trial.task
    result: Json = {
        "TraceID": trace_id(trial.chance, when),
        "Kind": "",
        "Task": task.name,
        "Provider": run.provider,
        "Run": run.name,
        "RunConfig": run.config(),
        "Got": "",
        "Want": want(trial),
        "TaskMetadata": metadata(task),
        "Details": {},
        "DurationNS": 0,
    }
    if task.needs_vision and not run.has_vision:
        return result | _skipped(), when + timedelta(seconds=1)
    if (trial.evaluation.name, run.name, task.name) == UNCONFIGURED:
        return result | _unconfigured(), when + timedelta(seconds=1)
    log = use_tools(task, run, trial.chance, when)
    duration_ns = trial.model_ns()
    result["DurationNS"] = duration_ns
    result |= _ended(trial, log)
    return result, log.until + timedelta(microseconds=duration_ns // 1000) + timedelta(seconds=1)


def accepted_answers(trial: Trial) -> tuple[Answer, ...]:
    """The accepted answers at the time of the evaluation."""
    task = trial.task
    if task.earlier_key is not None and trial.evaluation.started_at < KEY_CORRECTED:
        return (task.earlier_key,)
    return task.accepted


def want(trial: Trial) -> object:
    """The accepted answers in the form in which they are compared; a single one stands alone."""
    answers = list(dict.fromkeys(json.dumps(canonical(trial.task, answer)) for answer in accepted_answers(trial)))
    return json.loads(answers[0]) if len(answers) == 1 else [json.loads(answer) for answer in answers]


def canonical(task: DemoTask, answer: Answer) -> Answer:
    """An answer as it is compared: judges see it as it is, otherwise case does not matter."""
    return answer if task.is_judged or not isinstance(answer, str) else answer.lower()


def metadata(task: DemoTask) -> Json:
    """The task's labels."""
    return {"Suite": task.suite, "Category": task.category, "Difficulty": task.difficulty, "Tags": list(task.tags)}


def trace_id(chance: Chance, when: datetime) -> str:
    """A ULID whose time is the start."""
    value = round(when.timestamp() * 1000) << 80 | chance.bits("trace", 80)
    return "".join(BASE32[value >> shift & 31] for shift in range(125, -1, -5))


def _ended(trial: Trial, log: ToolLog) -> Json:
    reply = trial.reply()
    luck = trial.chance.share("trouble")
    usage = trial.usage(reply, len(log.calls))
    if luck < TRANSIENT_RATE:
        return _overloaded(usage, log)
    if luck > 1 - UNREADABLE_RATE and trial.run.skill < STEADY_SKILL:
        return _unreadable(reply, usage, log)
    answer: Json = {
        "Title": trial.task.title,
        "Explanation": trial.explanation(reply),
        "ActualAnswer": _lines(reply.answer),
        "ExpectedAnswer": [_lines(answer) for answer in accepted_answers(trial)],
        "Usage": usage,
        **log.fields(),
    }
    if trial.task.is_judged and trial.chance.share("judge") < JUDGE_FAILURE_RATE:
        return _unjudged(reply, answer)
    is_passed = canonical(trial.task, reply.answer) in [canonical(trial.task, a) for a in accepted_answers(trial)]
    got = canonical(trial.task, reply.answer)
    details = {"Answer": answer, "Validation": _validation(trial, is_passed)}
    return {"Kind": "Passed" if is_passed else "Failed", "Got": got, "Details": details}


def _validation(trial: Trial, is_passed: bool) -> Json:
    if not trial.task.is_judged:
        sentence = "The answer equals an accepted one." if is_passed else "The answer equals no accepted one."
        return {"Title": "Response Assessment", "Explanation": [sentence]}
    reason = "Both answers say the same in other words." if is_passed else trial.task.verdict
    chance = trial.chance
    usage = {
        "InputTokens": int(chance.between("judged", 420, 700)),
        "OutputTokens": int(chance.between("said", 60, 150)),
    }
    confidence = round(chance.between("confidence", 0.82, 0.99), 2)
    return {
        "Title": "Semantic Assessment",
        "Explanation": ["A judge compared the meaning of the answers.", "", "Judge reasoning:", reason],
        "Usage": usage | JUDGE_ACCOUNTING,
        "Semantic": {"Verdict": {"correct": is_passed, "confidence": confidence}},
    }


def _skipped() -> Json:
    message = "The task has pictures, and this run is set to text only."
    error = {"Title": "Feature Disabled", "Message": message, "Transient": False}
    return {"Kind": "Skipped", "Got": message, "Want": None, "Details": {"Error": error}}


def _unconfigured() -> Json:
    message = "The judge 'careful' has no variant 'v2'."
    error = {"Title": "Configuration Error", "Message": message, "Transient": False}
    return {"Kind": "Error", "Got": message, "Want": None, "Details": {"Error": error}}


def _overloaded(usage: Json, log: ToolLog) -> Json:
    message = "The provider answered 429: too many requests."
    error = {"Title": "Execution Error", "Message": message, "Usage": usage, **log.fields(), "Transient": True}
    return {"Kind": "Error", "Got": message, "Details": {"Error": error}}


def _unreadable(reply: Reply, usage: Json, log: ToolLog) -> Json:
    message = "The reply is not the JSON object that was asked for."
    raw = ["Sure! Here is the answer:", "", *_lines(reply.answer)]
    error: Json = {"Title": "Response Parsing Error", "Message": message, "Details": {"Raw Response": raw}}
    error |= {"Usage": usage, **log.fields(), "ResponseParsing": True}
    return {"Kind": "Error", "Got": message, "Details": {"Error": error}}


def _unjudged(reply: Reply, answer: Json) -> Json:
    error = {"Title": "Validation Error", "Message": "The judge did not answer within 60 s."}
    return {"Kind": "Error", "Got": reply.answer, "Details": {"Answer": answer, "Error": error}}


def _lines(answer: Answer) -> list[str]:
    return (answer if isinstance(answer, str) else json.dumps(answer, indent=2)).split("\n")
