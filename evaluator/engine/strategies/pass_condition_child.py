"""Evaluates one JavaScript expression in QuickJS; a process of its own, so that it can be killed whatever it does.

Reads one JSON object with the condition, the values of its names as JSON texts and the limits, and prints one with its
value or error. QuickJS's own time limit does not cover regular expressions, so the kernel's alarm ends the process.
"""

import json
import resource
import signal
import sys

import quickjs

ADDRESS_SPACE_BYTES = 1 << 30  # of the whole process; the engine's own limit is far below
STACK_BYTES = 256 * 1024


def main() -> None:
    """Read, evaluate, print."""
    request = json.load(sys.stdin)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, request["seconds"])
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE_BYTES, ADDRESS_SPACE_BYTES))
    context = quickjs.Context()
    context.set_memory_limit(request["memory_bytes"])
    context.set_max_stack_size(STACK_BYTES)
    try:
        for name, text in request["values"].items():
            context.set(name, context.parse_json(text))
        value = context.eval(f"({request['condition']}\n)")
    except (quickjs.JSException, quickjs.StackOverflow, MemoryError) as error:
        answer: dict[str, object] = {"error": str(error).strip() or "out of memory"}
    else:
        is_plain = value is None or isinstance(value, bool | int | float | str)
        answer = {"value": value if is_plain else None, "kind": type(value).__name__}
    json.dump(answer, sys.stdout)


main()
