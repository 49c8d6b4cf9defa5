"""The parts of a demo task: what is asked, what is right, and how runs go wrong."""

from dataclasses import dataclass

Answer = str | dict[str, float]


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer that a run may give, with its reasons."""

    answer: Answer
    explanation: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolStep:
    """One call that a run makes on the way, and what the tool prints when it works."""

    tool: str
    output: str


@dataclass(frozen=True, slots=True)
class DemoTask:
    """One question. `hardness` 0 is solved by most runs, 3 by few; `title` is what a run calls its answer."""

    name: str
    suite: str
    category: str
    difficulty: str
    tags: tuple[str, ...]
    title: str
    hardness: float
    right: Reply
    wrong: tuple[Reply, ...]
    also_right: tuple[Answer, ...] = ()
    tools: tuple[ToolStep, ...] = ()
    is_judged: bool = False
    needs_vision: bool = False
    verdict: str = ""  # what the judge says of a wrong answer
    earlier_key: Answer | None = None  # the accepted answer before it was corrected

    @property
    def accepted(self) -> tuple[Answer, ...]:
        """Every accepted answer."""
        return (self.right.answer, *self.also_right)
