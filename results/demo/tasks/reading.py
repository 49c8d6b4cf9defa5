"""Demo tasks about understanding texts; half of them are judged by a model."""

from results.demo.tasks.task import DemoTask, Reply

READING = (
    DemoTask(
        name="End of a lease after notice in May",
        suite="reading",
        category="contracts",
        difficulty="medium",
        tags=("temporal", "long-input"),
        title="Last day of the lease",
        hardness=1.0,
        right=Reply(
            "31 August",
            (
                "Clause 7 asks for three full calendar months after the month in which notice arrives.",
                "Notice arrived on 4 May, so the months are June, July and August.",
            ),
        ),
        wrong=(
            Reply("4 August", ("Clause 7 asks for three months.", "Three months after 4 May is 4 August.")),
            Reply("31 July", ("The three months are May, June and July.",)),
        ),
        also_right=("August 31",),
    ),
    DemoTask(
        name="Who chaired the second meeting",
        suite="reading",
        category="minutes",
        difficulty="easy",
        tags=("retrieval", "smoke", "long-input"),
        title="Chair of the second meeting",
        hardness=0.3,
        right=Reply(
            "Ines Duarte",
            ("The minutes of 14 March begin: “In Paul Okafor's absence Ines Duarte took the chair.”",),
        ),
        wrong=(Reply("Paul Okafor", ("Paul Okafor is named as chair at the head of the minutes.",)),),
        also_right=("Duarte",),
    ),
    DemoTask(
        name="Single dose for a child of 18 kg",
        suite="reading",
        category="tables",
        difficulty="medium",
        tags=("numeric", "table"),
        title="Single dose",
        hardness=0.8,
        right=Reply(
            "270 mg",
            ("The table gives 15 mg per kg and dose for children from 10 to 25 kg.", "15 · 18 = 270 mg."),
        ),
        wrong=(
            Reply("1080 mg", ("15 · 18 = 270 mg, up to four times a day.", "4 · 270 = 1080 mg.")),
            Reply("500 mg", ("The first row of the table says 500 mg a dose.",)),
        ),
        also_right=("270",),
    ),
    DemoTask(
        name="One-sentence summary of a refund policy",
        suite="reading",
        category="summaries",
        difficulty="medium",
        tags=("judge", "short-answer"),
        title="The refund policy in one sentence",
        hardness=0.9,
        right=Reply(
            "You get your money back within 30 days if the item is unused and you show the receipt.",
            ("The policy has one period and two conditions.", "All three must stand in the summary."),
        ),
        wrong=(
            Reply("You get your money back within 30 days.", ("The policy is about a period of 30 days.",)),
            Reply(
                "Unused items can be returned at any time with the receipt.",
                ("The receipt and the condition of the item are the two points of the policy.",),
            ),
        ),
        is_judged=True,
        verdict="The summary leaves out something that the customer must know: the period and both conditions matter.",
    ),
    DemoTask(
        name="What the writer of a complaint wants",
        suite="reading",
        category="letters",
        difficulty="easy",
        tags=("judge", "short-answer"),
        title="The writer's request",
        hardness=0.4,
        right=Reply(
            "A new delivery date in writing; she does not ask for money.",
            ("She declines the voucher in the third paragraph.", "Her last sentence asks for a date in writing."),
        ),
        wrong=(Reply("A refund for the late delivery.", ("The letter complains about a delivery that came late.",)),),
        is_judged=True,
        verdict="The letter says in so many words that the writer does not want money back.",
    ),
    DemoTask(
        name="The contradiction in a remote-work policy",
        suite="reading",
        category="contracts",
        difficulty="hard",
        tags=("judge", "long-input", "multi-step"),
        title="Sections that contradict each other",
        hardness=1.8,
        right=Reply(
            "Section 2 allows 30 days of work from abroad a year; section 5 forbids any work outside the country.",
            (
                "Sections 1, 3 and 4 deal with hours and equipment and agree with each other.",
                "Section 2 grants what section 5 rules out, and neither names the other as an exception.",
            ),
        ),
        wrong=(
            Reply(
                "Sections 1 and 4 name different core hours.",
                ("Section 1 speaks of 10 to 15 o'clock, section 4 of reachability until 16 o'clock.",),
            ),
            Reply("The policy does not contradict itself.", ("Each section is clear when it is read alone.",)),
        ),
        is_judged=True,
        verdict="The answer misses that sections 2 and 5 cannot both hold.",
    ),
)
