"""Writes a MindTrial results document of any size; the same arguments always give the same bytes.

`python -m benchmarks.generate --results 100000 --out results.json`. The document is streamed. It has 9 providers with
30 runs that do the same tasks; outcomes, tokens, tool calls and times follow from how able a run is, how hard a task.
About 4.4 KB a result, laid out as MindTrial does.
"""

import argparse
import math
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import BinaryIO

import orjson

from benchmarks.corpus import RUN_COUNT, RUNS, Corpus, GeneratedTask, Json, lines

START = datetime(2025, 6, 1, 12, tzinfo=UTC)
TOOLS = ["python", "calculator", "web_search", "files", "sql", "image_probe"]
ERRORS: list[tuple[str, bool | None]] = [
    ("the provider answered 429 too many requests", True),
    ("the deadline passed while waiting for headers", True),
    ("the provider answered 400 unsupported parameter", False),
    ("the reply is not the JSON that was asked for", None),
]
BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
INDENT = b"      "  # where a result stands in the document


class ResultMaker:
    """Makes the results of one run."""

    def __init__(self, corpus: Corpus, provider: str, run: str, random: Random) -> None:
        """Decide how able and how fast the run is."""
        self._corpus = corpus
        self._random = random
        self._identity: Json = {"Provider": provider, "Run": run}
        self._accounting = "cache_tokens_separate" if provider == "anthropic" else "cache_tokens_included"
        self._skill, self._slowness = random.gauss(1.6, 0.8), random.lognormvariate(0, 0.6)

    def make(self, task: GeneratedTask, when: datetime) -> Json:
        """Make the result of a task that was begun at `when`."""
        random = self._random
        luck = random.random()
        duration_ns = int(random.lognormvariate(23, 0.9) * self._slowness * (1 + max(task.hardness, 0)))
        result: Json = {"TraceID": ulid(random, when), "Kind": "", "Task": task.name, **self._identity, "Got": ""}
        result |= {"Want": task.want, "TaskMetadata": task.metadata, "Details": {}, "DurationNS": duration_ns}
        if luck < 0.05:
            return result | self._skipped()
        tools = _tools(self._calls(when, random.randint(0, 6)) if task.has_tools else [])
        return result | (self._error(tools) if luck < 0.12 else self._answered(task, tools))

    def _skipped(self) -> Json:
        message = "the task needs a feature that the run does not support"
        error: Json = {"Title": "Feature Not Supported", "Message": message, "Transient": False}
        error["Details"] = {"Feature": [self._random.choice(["vision", "tools", "structured output"])]}
        return {"Kind": "Skipped", "Got": message, "Details": {"Error": error}, "DurationNS": 0}

    def _error(self, tools: Json) -> Json:
        message, is_transient = self._random.choice(ERRORS)
        error: Json = {"Title": "Execution Error", "Message": message, "Usage": self._usage(0.3), **tools}
        if is_transient is not None:
            error["Transient"] = is_transient
        return {"Kind": "Error", "Got": message, "Details": {"Error": error}}

    def _answered(self, task: GeneratedTask, tools: Json) -> Json:
        random, sentences = self._random, self._corpus.sentences
        is_passed = random.random() < 1 / (1 + math.exp(task.hardness - self._skill))
        got = random.choice(task.accepted)
        if not is_passed:
            is_number = random.random() < 0.5
            got = str(random.randint(-999, 9_999)) if is_number else "\n".join(random.choices(sentences, k=3))
        answer: Json = {
            "Title": random.choice(sentences)[:48],
            "Explanation": random.choices(sentences, k=random.randint(3, 10)),
            "ActualAnswer": lines(got),
            "ExpectedAnswer": [lines(accepted) for accepted in task.accepted],
            "Usage": self._usage(1.5),
            **tools,
        }
        explanation = random.choices(sentences, k=random.randint(1, 3))
        validation: Json = {"Title": "Response Assessment", "Explanation": explanation}
        if random.random() < 0.4:
            validation["Usage"] = self._usage(0.4)
        details = {"Answer": answer, "Validation": validation}
        return {"Kind": "Passed" if is_passed else "Failed", "Got": got, "Details": details}

    def _usage(self, scale: float) -> Json:
        random = self._random
        tokens = int(random.lognormvariate(7.2, 0.9) * scale)
        usage: Json = {"InputTokens": tokens, "OutputTokens": int(random.lognormvariate(6.3, 1.1) * scale)}
        if random.random() < 0.6:
            usage["InputCacheReadTokens"] = int(tokens * random.random())
            if self._accounting == "cache_tokens_separate":
                usage["InputCacheWriteTokens"] = int(tokens * random.random() * 0.4)
        return usage | {"InputTokenAccounting": self._accounting}

    def _calls(self, when: datetime, count: int) -> list[Json]:
        calls = []
        for turn in range(1, count + 1):
            wall_ns = int(self._random.lognormvariate(19.5, 1.2))
            done = when + timedelta(microseconds=wall_ns // 1000)
            call: Json = {"Tool": self._random.choices(TOOLS, (8, 3, 3, 2, 2, 1))[0], "ConversationTurn": turn}
            call |= {"CallID": f"call_{self._random.getrandbits(48):012x}"}
            call |= {"StartedAt": _stamp(when), "CompletedAt": _stamp(done), "WallTimeNS": wall_ns}
            calls.append(call | self._outcome_of_call(wall_ns))
            when = done
        return calls

    def _outcome_of_call(self, wall_ns: int) -> Json:
        random, sentences = self._random, self._corpus.sentences
        luck = random.random()
        if luck < 0.86:
            preview = "\n".join(random.choices(sentences, k=random.randint(1, 8)))
            stdout: Json = {"Bytes": len(preview), "Preview": preview}
            if len(preview) > 700:
                stdout |= {"Bytes": len(preview) * random.randint(2, 40), "Truncated": True}
            return {"DurationNS": int(wall_ns * 0.85), "ExitCode": 0, "Status": "success", "Stdout": stdout}
        if luck < 0.95:
            preview = f'Traceback (most recent call last):\n  File "main.py", line 7\n{random.choice(sentences)}'
            stderr = {"Bytes": len(preview), "Preview": preview}
            ran: Json = {"DurationNS": int(wall_ns * 0.85), "ExitCode": 1, "Status": "nonzero_exit", "Stderr": stderr}
            return ran | {"ErrorMessage": "the tool ended with code 1"}
        return {"TimedOut": True, "Status": "timeout", "ErrorMessage": "the tool was stopped after 1m0s"}


def ulid(random: Random, when: datetime) -> str:
    """Make a trace id whose time is `when`."""
    value = int(when.timestamp() * 1000) << 80 | random.getrandbits(80)
    return "".join(BASE32[value >> shift & 31] for shift in range(125, -1, -5))


def generate_results(count: int, seed: int = 1, tasks: int | None = None, trial: int = 0) -> Iterator[Json]:
    """Generate results, grouped by provider and run, in the order of the tasks.

    Args:
        count: number of results.
        seed: documents of one seed share tasks and runs.
        tasks: size of the pool of tasks; None = as many as one run needs.
        trial: another evaluation of the same tasks and runs on a later day, with other outcomes.
    """
    per_run, extra = divmod(count, RUN_COUNT)
    corpus = Corpus(seed, tasks or per_run + 1)
    identities = [(provider, run) for provider, runs in RUNS.items() for run in runs]
    for position, (provider, run) in enumerate(identities):
        random = Random(f"{seed}-{provider}-{run}-{trial}")
        maker = ResultMaker(corpus, provider, run, random)
        when = START + timedelta(days=trial, minutes=7 * position)
        for number in range(per_run + (position < extra)):
            when += timedelta(seconds=random.randint(2, 30))
            yield maker.make(corpus.tasks[number % len(corpus.tasks)], when)


def write_document(out: BinaryIO, results: Iterator[Json], created_at: datetime = START) -> None:
    """Write results as one document, indented as MindTrial does.

    Args:
        out: an open file.
        results: grouped by provider.
        created_at: the document's own time.
    """
    head = {"FormatVersion": 1, "AppName": "MindTrial", "AppVersion": "(generated)"}
    head["CreatedAt"] = created_at.strftime("%a, %d %b %Y %H:%M:%S +0000")
    out.write(orjson.dumps(head, option=orjson.OPT_INDENT_2)[:-2] + b',\n  "Results": {')
    provider = None
    for result in results:
        if result["Provider"] == provider:
            out.write(b",\n")
        else:
            out.write(b"\n    ]," if provider else b"")
            provider = result["Provider"]
            out.write(b"\n    " + orjson.dumps(provider) + b": [\n")
        # Line feeds inside of texts are escaped, so every one found here is layout.
        out.write(INDENT + orjson.dumps(result, option=orjson.OPT_INDENT_2).replace(b"\n", b"\n" + INDENT))
    out.write((b"\n    ]" if provider else b"") + b"\n  }\n}\n")


def _tools(calls: list[Json]) -> Json:
    usage: dict[str, dict[str, int]] = {}
    for call in calls:
        entry = usage.setdefault(str(call["Tool"]), {"CallCount": 0, "TotalDurationNS": 0})
        entry["CallCount"] += 1
        duration_ns = call.get("DurationNS", 0)
        entry["TotalDurationNS"] += duration_ns if isinstance(duration_ns, int) else 0
    return {"ToolUsage": usage, "ToolCalls": calls} if calls else {}


def _stamp(when: datetime) -> str:
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def main() -> None:
    """Write a document to a file or to standard output."""
    parser = argparse.ArgumentParser(description="Write a MindTrial results document of any size.")
    parser.add_argument("--results", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tasks", type=int, help="size of the pool of tasks (default: as many as one run needs)")
    parser.add_argument("--trial", type=int, default=0, help="repeat the evaluation on a later day")
    parser.add_argument("--out", type=Path, help="file to write (default: standard output)")
    options = parser.parse_args()
    results = generate_results(options.results, options.seed, options.tasks, options.trial)
    created_at = START + timedelta(days=options.trial)
    if options.out is None:
        write_document(sys.stdout.buffer, results, created_at)
        return
    with options.out.open("wb", buffering=2**20) as out:
        write_document(out, results, created_at)


if __name__ == "__main__":
    main()
