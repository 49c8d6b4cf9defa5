"""Demo tasks about programs."""

from results.demo.tasks.task import DemoTask, Reply, ToolStep

CODE = (
    DemoTask(
        name="Repair: binary search that misses the last element",
        suite="code",
        category="repair",
        difficulty="easy",
        tags=("python", "tool-use", "smoke"),
        title="The corrected line",
        hardness=0.4,
        right=Reply(
            "while lo <= hi:",
            (
                "hi is the index of the last element, so the range is still one element long when lo equals hi.",
                "With < that element is never looked at.",
            ),
        ),
        wrong=(Reply("while lo < hi - 1:", ("The loop runs once too often at the end of the list.",)),),
        tools=(ToolStep("python", "4 passed in 0.02s\n"),),
    ),
    DemoTask(
        name="Repair: a list that remembers earlier calls",
        suite="code",
        category="repair",
        difficulty="easy",
        tags=("python",),
        title="The corrected signature",
        hardness=0.5,
        right=Reply(
            "def add(item, items=None):",
            ("A default value is made once, when the function is defined, and then shared.", "None is safe to share."),
        ),
        wrong=(
            Reply("def add(item, items=list()):", ("list() makes a new list, unlike the literal [].",)),
            Reply("def add(item, items=[].copy()):", ("A copy is made, so the original stays empty.",)),
        ),
    ),
    DemoTask(
        name="Repair: lost updates in a visit counter",
        suite="code",
        category="concurrency",
        difficulty="hard",
        tags=("python", "judge", "multi-step"),
        title="Cause and repair",
        hardness=1.7,
        right=Reply(
            "Reading and writing are two steps; hold one lock around both, or let the database add in a single UPDATE.",
            (
                "Two threads can read the same old value before either writes.",
                "The lock in the code is taken for the write only, so it does not help.",
            ),
        ),
        wrong=(
            Reply(
                "Make the lock reentrant (RLock) so that both threads may hold it.",
                ("The threads block each other at the lock.",),
            ),
            Reply(
                "Sleep for a millisecond before each write so that the threads take turns.",
                ("The threads are too fast for each other.",),
            ),
        ),
        is_judged=True,
        verdict="The repair leaves the gap between reading and writing open, so updates can still be lost.",
    ),
    DemoTask(
        name="Regex: dates like 2026-10-31 and nothing else",
        suite="code",
        category="patterns",
        difficulty="medium",
        tags=("regex", "short-answer"),
        title="A pattern for dates",
        hardness=1.1,
        right=Reply(
            r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$",
            ("Months run from 01 to 12 and days from 01 to 31.", "Both ends are anchored, so nothing may follow."),
        ),
        wrong=(
            Reply(r"^\d{4}-\d{2}-\d{2}$", ("Four digits, two digits and two digits with hyphens between them.",)),
            Reply(r"\d{4}-(0[1-9]|1[0-2])-\d{2}", ("The month is between 01 and 12.",)),
        ),
    ),
    DemoTask(
        name="Running time of a loop that doubles",
        suite="code",
        category="analysis",
        difficulty="medium",
        tags=("complexity", "short-answer"),
        title="Running time",
        hardness=0.9,
        right=Reply(
            "O(n log n)",
            ("The outer loop runs n times.", "The inner index doubles, so the inner loop runs log n times."),
        ),
        wrong=(
            Reply("O(n^2)", ("There are two loops, one inside the other, and both go up to n.",)),
            Reply("O(log n)", ("The index doubles in each step, which is logarithmic.",)),
        ),
    ),
    DemoTask(
        name="Shell: the newest file below a folder",
        suite="code",
        category="shell",
        difficulty="medium",
        tags=("shell", "judge", "tool-use"),
        title="A command for the newest file",
        hardness=1.0,
        right=Reply(
            r"find . -type f -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d' ' -f2-",
            ("find walks all folders and prints each file's time.", "Sorting by number puts the newest last."),
        ),
        wrong=(
            Reply("ls -t | head -n 1", ("ls -t sorts by time, newest first.",)),
            Reply("ls -lR | sort | tail -n 1", ("ls -R lists all folders; the last line is the newest.",)),
        ),
        tools=(ToolStep("shell", "./notes/2026/october.md\n"),),
        is_judged=True,
        verdict="The command does not look into folders below the first one by time of change.",
    ),
    DemoTask(
        name="Git: take back a commit that others already pulled",
        suite="code",
        category="tools",
        difficulty="easy",
        tags=("short-answer", "smoke"),
        title="The command",
        hardness=0.5,
        right=Reply(
            "git revert HEAD",
            ("Others have the commit, so history must not be rewritten.", "revert adds a commit that undoes it."),
        ),
        wrong=(
            Reply("git reset --hard HEAD~1", ("reset moves the branch back by one commit.", "Then push with --force.")),
        ),
        also_right=("git revert HEAD --no-edit",),
    ),
)
