"""The runs of the demo: invented providers and models, so that no figure is taken for a claim about a real one."""

from dataclasses import dataclass, replace

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars per million tokens; None = the provider does not say."""

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None
    reasoning: float | None = None


@dataclass(frozen=True, slots=True)
class DemoRun:
    """A configuration of a model. `skill` is compared with a task's hardness; `slowness` 1 is about 6 s an answer."""

    provider: str
    name: str
    model: str
    skill: float
    slowness: float
    prices: Prices | None
    parameters: tuple[tuple[str, object], ...] = ()
    input_accounting: str | None = None
    output_accounting: str | None = None
    reasoning_tokens: int = 0  # of a task of middling hardness
    has_vision: bool = True
    weak_tag: str = ""  # tasks with this tag are much harder for it
    strong_suite: str = ""  # tasks of this suite are much easier for it

    def config(self) -> Json:
        """The run's configuration as a document records it."""
        config: Json = {"Model": self.model, "MaxRequestsPerMinute": 30, "ModelParameters": dict(self.parameters)}
        config["RetryPolicy"] = {"MaxRetryAttempts": 3, "InitialDelaySeconds": 20}
        if self.prices is not None:
            config["Pricing"] = self._pricing(self.prices)
        return config

    def _pricing(self, prices: Prices) -> Json:
        rates: Json = {
            "InputPerMillion": prices.input,
            "OutputPerMillion": prices.output,
            "CacheReadPerMillion": prices.cache_read,
            "CacheWritePerMillion": prices.cache_write,
            "ReasoningPerMillion": prices.reasoning,
        }
        return {"Currency": "USD", **{name: rate for name, rate in rates.items() if rate is not None}}


BOREAL = DemoRun(
    provider="boreal",
    name="Boreal 3",
    model="boreal-3-2026-08-20",
    skill=1.4,
    slowness=1.0,
    prices=Prices(3.0, 15.0, cache_read=0.3, cache_write=3.75),
    parameters=(("temperature", 0.2), ("max-tokens", 8192)),
    input_accounting="cache_tokens_separate",
    output_accounting="reasoning_tokens_included",
)
BOREAL_THINKING = replace(
    BOREAL,
    name="Boreal 3 (thinking)",
    skill=1.7,
    slowness=4.5,
    parameters=(("thinking-budget", 8000), ("max-tokens", 16384)),
    reasoning_tokens=2600,
)
BOREAL_THINKING_LONGER = replace(
    BOREAL_THINKING,
    skill=2.2,
    slowness=6.5,
    parameters=(("thinking-budget", 24000), ("max-tokens", 32768)),
    reasoning_tokens=6800,
    strong_suite="reasoning",
)
CINDER_LARGE = DemoRun(
    provider="cinder",
    name="Cinder Large",
    model="cinder-large-2026-07",
    skill=1.8,
    slowness=1.6,
    prices=Prices(2.5, 10.0, cache_read=0.25),
    parameters=(("temperature", None), ("reasoning-effort", "medium"), ("seed", 7)),
    input_accounting="cache_tokens_included",
    output_accounting="reasoning_tokens_included",
    reasoning_tokens=900,
)
CINDER_LARGE_NEXT = replace(CINDER_LARGE, model="cinder-large-2026-11", slowness=1.1, weak_tag="tool-use")
CINDER_MINI = replace(
    CINDER_LARGE,
    name="Cinder Mini",
    model="cinder-mini-2026-07",
    skill=0.9,
    slowness=0.5,
    prices=Prices(0.15, 0.6, cache_read=0.015),
    reasoning_tokens=0,
    parameters=(("temperature", 0.0), ("seed", 7)),
)
MERIDIAN_PRO = DemoRun(
    provider="meridian",
    name="Meridian Pro",
    model="meridian-2-pro",
    skill=1.9,
    slowness=2.4,
    prices=Prices(1.25, 10.0, cache_read=0.125, reasoning=10.0),
    parameters=(("thinking-level", "high"), ("temperature", 1.0)),
    input_accounting="cache_tokens_included",
    output_accounting="reasoning_tokens_separate",
    reasoning_tokens=1800,
)
MERIDIAN_FLASH = replace(
    MERIDIAN_PRO,
    name="Meridian Flash",
    model="meridian-2-flash",
    skill=1.1,
    slowness=0.4,
    prices=Prices(0.3, 2.5, cache_read=0.03, reasoning=2.5),
    parameters=(("thinking-level", "low"), ("temperature", 1.0)),
    reasoning_tokens=350,
)
TAMARIND = DemoRun(  # on a server of one's own: nobody sends a bill, and only two counters are reported
    provider="tamarind",
    name="Tamarind 70B (self-hosted)",
    model="tamarind-70b-instruct-q4",
    skill=0.8,
    slowness=3.1,
    prices=None,
    parameters=(("temperature", 0.3), ("top-p", 0.9)),
    has_vision=False,
)

FIRST_LINE_UP = (BOREAL, BOREAL_THINKING, CINDER_LARGE, CINDER_MINI, MERIDIAN_PRO, MERIDIAN_FLASH)
WITH_TAMARIND = (*FIRST_LINE_UP, TAMARIND)
WITH_NEXT_CINDER = (BOREAL, BOREAL_THINKING, CINDER_LARGE_NEXT, CINDER_MINI, MERIDIAN_PRO, MERIDIAN_FLASH, TAMARIND)
WITH_LONGER_THINKING = (
    BOREAL,
    BOREAL_THINKING_LONGER,
    CINDER_LARGE_NEXT,
    CINDER_MINI,
    MERIDIAN_PRO,
    MERIDIAN_FLASH,
    TAMARIND,
)
