"""The runs, tasks and sentences that every generated document shares, fixed by a seed."""

import json
from dataclasses import dataclass
from random import Random

Json = dict[str, object]

RUNS = {
    "openai": ["large", "large-high", "mini", "nano", "reasoner"],
    "anthropic": ["large", "large-thinking", "medium", "small"],
    "google": ["pro", "pro-deep", "flash", "flash-lite"],
    "deepseek": ["chat", "reasoner"],
    "mistralai": ["large", "medium", "small"],
    "xai": ["full", "fast", "mini"],
    "alibaba": ["max", "plus", "coder"],
    "moonshotai": ["base", "thinking"],
    "openrouter": ["open-large", "open-small", "open-coder", "open-vision"],
}
RUN_COUNT = sum(len(names) for names in RUNS.values())
SUITES = {
    "core": ["math", "logic", "reading", "coding"],
    "visual": ["charts", "puzzles", "ocr", "geometry"],
    "tools": ["coding", "data", "web", "files"],
    "safety": ["refusal", "privacy", "injection", "bias"],
    "long-context": ["reading", "retrieval", "summaries", "coding"],
    "multilingual": ["translation", "reading", "grammar", "math"],
    "science": ["physics", "chemistry", "biology", "math"],
    "regression": ["math", "logic", "formatting", "coding"],
}
DIFFICULTIES = ["easy", "medium", "hard", "extreme"]
TAGS = [f"tag-{number:02d}" for number in range(25)]
SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe qui ra se ti vo xa ye zi sta tri plo cre dra gle ment tion ter ous ing"
WORDS = 4_000
SENTENCES = 20_000


@dataclass(frozen=True, slots=True)
class GeneratedTask:
    """One task; `accepted` holds one entry per accepted answer, texts or objects."""

    name: str
    metadata: Json
    hardness: float
    accepted: list[str | Json]
    has_tools: bool

    @property
    def want(self) -> object:
        """The accepted answers as a document writes them: a single one stands alone."""
        return self.accepted[0] if len(self.accepted) == 1 else self.accepted


class Corpus:
    """Sentences with word frequencies as in real text, and tasks made of them."""

    def __init__(self, seed: int, tasks: int) -> None:
        """Make the corpus; the same arguments always make the same one."""
        random = Random(f"corpus-{seed}")
        syllables = SYLLABLES.split()
        self.words = sorted({"".join(random.choices(syllables, k=random.randint(1, 4))) for _ in range(WORDS)})
        random.shuffle(self.words)
        weights = [1 / rank for rank in range(1, len(self.words) + 1)]  # Zipf: few common words, a long tail
        texts = (random.choices(self.words, weights, k=random.randint(6, 22)) for _ in range(SENTENCES))
        self.sentences = [" ".join(words).capitalize() + "." for words in texts]
        self.tasks = [self._task(random, number) for number in range(tasks)]

    def _task(self, random: Random, number: int) -> GeneratedTask:
        suite = list(SUITES)[min(int(random.expovariate(0.45)), len(SUITES) - 1)]
        category = random.choice(SUITES[suite])
        level = random.choices(range(4), (3, 4, 2, 1))[0]
        metadata: Json = {"Suite": suite, "Category": category, "Difficulty": DIFFICULTIES[level]}
        tags = random.sample(TAGS, random.choices(range(5), (1, 3, 3, 2, 1))[0])
        if tags:
            metadata["Tags"] = sorted(tags)
        return GeneratedTask(
            name=f"{category} {number:05d}: {random.choice(self.sentences)[:40].strip()}",
            metadata=metadata,
            hardness=level * 0.55 + random.gauss(0, 0.5),
            accepted=self._accepted(random),
            has_tools=suite == "tools" or random.random() < 0.4,
        )

    def _accepted(self, random: Random) -> list[str | Json]:
        kind = random.random()
        if kind < 0.35:
            return [str(random.randint(-999, 99_999))]
        if kind < 0.75:
            return [random.choice(self.sentences)]
        if kind < 0.9:
            return [random.choice(self.sentences) for _ in range(random.randint(2, 3))]
        word = random.choice(self.words)
        return [{"label": word, "value": random.randint(0, 500), "items": random.sample(self.words, 3)}]


def lines(value: str | Json) -> list[str]:
    """Split an answer into lines as a document writes them."""
    return (value if isinstance(value, str) else json.dumps(value, indent=2)).split("\n")
