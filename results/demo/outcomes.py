"""What becomes of one run at one task: solved or not, in what time, with how many tokens."""

from dataclasses import dataclass

from results.demo.chance import Chance, logistic
from results.demo.runs import DemoRun, Json
from results.demo.schedule import DemoEvaluation
from results.demo.tasks.task import DemoTask, Reply

STEEPNESS = 1.7  # how sharply skill separates tasks
CONSTANCY = 0.8  # share of luck that a run keeps from one evaluation to the next
WEAKNESS = 2.2
STRENGTH = 1.0
PLAIN_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Trial:
    """One run at one task; `repeat` counts from 1."""

    evaluation: DemoEvaluation
    run: DemoRun
    task: DemoTask
    repeat: int

    @property
    def chance(self) -> Chance:
        """Luck of this trial alone."""
        return Chance(self.evaluation.name, self.run.name, self.task.name, self.repeat)

    @property
    def lasting(self) -> Chance:
        """Luck that this run always has with this task."""
        return Chance(self.run.name, self.task.name)

    def is_solved(self) -> bool:
        """Whether the answer is right."""
        task, run = self.task, self.run
        edge = run.skill - task.hardness
        edge -= WEAKNESS if run.weak_tag in task.tags else 0
        edge += STRENGTH if run.strong_suite == task.suite else 0
        luck = CONSTANCY * self.lasting.share("luck") + (1 - CONSTANCY) * self.chance.share("luck")
        return luck < logistic(STEEPNESS * edge)

    def reply(self) -> Reply:
        """What the run answers; a run that errs tends to err in the same way."""
        return self.task.right if self.is_solved() else self.lasting.pick("error", self.task.wrong)

    def explanation(self, reply: Reply) -> list[str]:
        """The reasons it gives; small models only give the last one."""
        is_brief = self.run.slowness < 1
        return list(reply.explanation[-1:] if is_brief else reply.explanation)

    def model_ns(self) -> int:
        """Time that the model takes."""
        seconds = PLAIN_SECONDS * self.run.slowness * (0.6 + 0.5 * self.task.hardness)
        return int(seconds * self.chance.between("time", 0.75, 1.6) * 1e9)

    def usage(self, reply: Reply, calls: int) -> Json:
        """Token counters, each provider in its own manner."""
        run, task, chance = self.run, self.task, self.chance
        prompt = 190 + int(Chance(task.name).share("prompt") * 420)
        prompt += 3600 * ("long-input" in task.tags) + 1150 * task.needs_vision
        tokens = prompt * (1 + calls) + 340 * calls
        written = 40 + 24 * len(reply.explanation) + int(chance.between("written", 0, 60)) + 70 * calls
        thought = int(run.reasoning_tokens * (0.4 + task.hardness / 2) * chance.between("thought", 0.7, 1.5))
        usage: Json = {"InputTokens": tokens, "OutputTokens": written}
        if run.input_accounting is None:
            return usage
        if run.reasoning_tokens:
            is_separate = run.output_accounting == "reasoning_tokens_separate"
            usage |= {"OutputTokens": written if is_separate else written + thought, "ReasoningTokens": thought}
        usage |= self._cached(prompt, tokens, calls)
        return usage | {"InputTokenAccounting": run.input_accounting, "OutputTokenAccounting": run.output_accounting}

    def _cached(self, prompt: int, tokens: int, calls: int) -> Json:
        read = prompt * calls  # each turn after the first finds the beginning of the conversation
        written = prompt if calls else 0
        if self.run.input_accounting == "cache_tokens_separate":
            return {
                "InputTokens": tokens - read - written,
                "InputCacheWriteTokens": written,
                "InputCacheReadTokens": read,
            }
        return {"InputCacheReadTokens": read}
