"""The tool calls that a run makes on the way to an answer, some of which go wrong."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from results.demo.chance import Chance
from results.demo.runs import DemoRun, Json
from results.demo.tasks.task import DemoTask, ToolStep

SECOND_NS = 1_000_000_000
TIMEOUT_NS = 30 * SECOND_NS
SLIP_RATE = 0.2  # how often a step is preceded by a call that fails
WEAK_SLIP_RATE = 0.8
SLIPS = ("nonzero_exit", "nonzero_exit", "empty_output", "timeout", "infrastructure_error", "invalid_arguments")
COMPLAINTS = {
    "python": "Traceback (most recent call last):\n  File \"main.py\", line 3\nNameError: name 'rows' is not defined",
    "sql": "Error: near line 1: no such column: customer.order_id",
    "shell": "find: unknown predicate '-newest'",
}


@dataclass(slots=True)
class ToolLog:
    """Calls in the order they ended, and the time after the last one."""

    until: datetime
    calls: list[Json] = field(default_factory=list)

    def fields(self) -> Json:
        """The two fields of a document; none when no tool was used. Totals count calls whose program ran."""
        if not self.calls:
            return {}
        usage: dict[str, dict[str, int]] = {}
        for call in self.calls:
            entry = usage.setdefault(str(call["Tool"]), {"CallCount": 0, "TotalDurationNS": 0})
            duration_ns = call.get("DurationNS")
            if isinstance(duration_ns, int):
                entry["CallCount"] += 1
                entry["TotalDurationNS"] += duration_ns
        return {"ToolUsage": dict(sorted(usage.items())), "ToolCalls": self.calls}


def use_tools(task: DemoTask, run: DemoRun, chance: Chance, when: datetime) -> ToolLog:
    """Make the calls of one try, from `when` on."""
    log = ToolLog(until=when)
    is_weak = run.weak_tag in task.tags
    for number, step in enumerate(task.tools):
        slip_rate = WEAK_SLIP_RATE if is_weak else SLIP_RATE
        if chance.share(f"slip {number}") < slip_rate:
            status = "invalid_arguments" if is_weak else chance.pick(f"slip kind {number}", SLIPS)
            _log(log, step, status, chance)
        _log(log, step, "success", chance)
    return log


def _log(log: ToolLog, step: ToolStep, status: str, chance: Chance) -> None:
    turn = len(log.calls) + 1
    work_ns = int(chance.between(f"work {turn}", 0.12, 1.9) * SECOND_NS)
    setup_ns = int(chance.between(f"setup {turn}", 0.25, 0.6) * SECOND_NS)
    outcome, has_run = _outcome(step, status)
    if status == "timeout":
        work_ns = TIMEOUT_NS
    wall_ns = setup_ns + work_ns if has_run else setup_ns
    done = log.until + timedelta(microseconds=wall_ns // 1000)
    call: Json = {"Tool": step.tool, "CallID": f"call_{chance.bits(f'id {turn}', 48):012x}", "ConversationTurn": turn}
    call |= {"StartedAt": stamp(log.until), "CompletedAt": stamp(done)}
    if has_run:
        call["DurationNS"] = work_ns
    log.calls.append(call | {"WallTimeNS": wall_ns} | outcome)
    log.until = done


def _outcome(step: ToolStep, status: str) -> tuple[Json, bool]:
    """What a call records beside its times, and whether its program ran at all."""
    if status == "success":
        return {"ExitCode": 0, "Status": status, "Stdout": _output(step.output)}, True
    if status == "nonzero_exit":
        complaint = COMPLAINTS[step.tool]
        message = f"The program ended with code 1: {complaint.splitlines()[-1]}"
        return {"ExitCode": 1, "Status": status, "Stderr": _output(complaint), "ErrorMessage": message}, True
    if status == "empty_output":
        message = "The program printed nothing."
        return {"ExitCode": 0, "Status": status, "Stdout": {"Bytes": 0}, "ErrorMessage": message}, True
    if status == "timeout":
        return {"TimedOut": True, "Status": status, "ErrorMessage": "The program was stopped after 30 s."}, True
    if status == "invalid_arguments":
        return {"Status": status, "ErrorMessage": "The field 'code' is missing from the arguments."}, False
    return {"Status": status, "ErrorMessage": "The sandbox could not be started: no free slot."}, False


def _output(text: str) -> Json:
    return {"Bytes": len(text.encode()), "Preview": text}


def stamp(when: datetime) -> str:
    """Write a time as documents do."""
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")
