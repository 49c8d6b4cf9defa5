"""Demo tasks about numbers and logic."""

from results.demo.tasks.task import DemoTask, Reply, ToolStep

REASONING = (
    DemoTask(
        name="Two trains, one meeting point",
        suite="reasoning",
        category="arithmetic",
        difficulty="easy",
        tags=("numeric", "smoke"),
        title="Where the trains meet",
        hardness=0.2,
        right=Reply(
            "240 km",
            (
                "The trains close the gap of 420 km at 80 + 60 = 140 km/h, so they meet after 3 hours.",
                "In 3 hours the first train covers 3 · 80 = 240 km from its station.",
            ),
        ),
        wrong=(
            Reply("210 km", ("The stations are 420 km apart.", "The trains meet in the middle, after 210 km.")),
            Reply("180 km", ("They meet after 3 hours.", "3 · 60 = 180 km.")),
        ),
        also_right=("240",),
    ),
    DemoTask(
        name="A discount on a discounted coat",
        suite="reasoning",
        category="arithmetic",
        difficulty="easy",
        tags=("numeric", "smoke"),
        title="Price after both discounts",
        hardness=0.3,
        right=Reply(
            "170.00",
            ("20 % off 250 leaves 200.", "The second discount applies to the reduced price: 200 · 0.85 = 170."),
        ),
        wrong=(Reply("162.50", ("20 % and 15 % make 35 %.", "250 · 0.65 = 162.50")),),
        also_right=("170", "170 euros"),
    ),
    DemoTask(
        name="Angle of the clock hands at 3:40",
        suite="reasoning",
        category="arithmetic",
        difficulty="medium",
        tags=("numeric", "geometry"),
        title="Angle between the hands",
        hardness=0.9,
        right=Reply(
            "130",
            (
                "At 40 minutes the minute hand stands at 40 · 6 = 240 degrees.",
                "The hour hand moved on from 90 by 40 · 0.5 = 20 degrees and stands at 110.",
                "The difference is 130 degrees.",
            ),
        ),
        wrong=(
            Reply(
                "150", ("The minute hand stands at 240 degrees.", "The hour hand at 3 stands at 90: 240 − 90 = 150.")
            ),
            Reply("230", ("The hands stand at 110 and 240 degrees.", "Going round the other way gives 230 degrees.")),
        ),
        also_right=("130 degrees",),
    ),
    DemoTask(
        name="Filling a tank that leaks",
        suite="reasoning",
        category="arithmetic",
        difficulty="medium",
        tags=("numeric", "multi-step"),
        title="Time to fill the tank",
        hardness=0.7,
        right=Reply(
            "3 hours",
            (
                "Each hour the pipes add 1/6 and 1/4 of the tank, and the drain takes 1/12.",
                "Together: 2/12 + 3/12 − 1/12 = 4/12, a third of the tank an hour.",
                "It is full after 3 hours.",
            ),
        ),
        wrong=(
            Reply("2.4 hours", ("The pipes add 1/6 + 1/4 = 5/12 an hour.", "12 / 5 = 2.4 hours.")),
            Reply("5 hours", ("The mean of 6 and 4 hours is 5 hours.", "The drain hardly matters.")),
        ),
        also_right=("3", "3 h"),
    ),
    DemoTask(
        name="Remainder of 7 to the power of 100, divided by 13",
        suite="reasoning",
        category="number theory",
        difficulty="hard",
        tags=("numeric", "multi-step", "tool-use"),
        title="Remainder",
        hardness=1.7,
        right=Reply(
            "9",
            (
                "By Fermat, 7^12 leaves 1 when divided by 13.",
                "100 = 8 · 12 + 4, so only 7^4 = 2401 counts.",
                "2401 = 184 · 13 + 9, so the remainder is 9.",
            ),
        ),
        wrong=(
            Reply("3", ("The powers of 7 repeat every 12 steps.", "100 leaves 8 when divided by 12; 7^8 leaves 3.")),
            Reply("7", ("7^99 leaves 1.", "So 7^100 leaves 7.")),
        ),
        tools=(ToolStep("python", "9\n"),),
    ),
    DemoTask(
        name="The heavy ball among eight",
        suite="reasoning",
        category="logic",
        difficulty="easy",
        tags=("puzzle", "smoke"),
        title="Number of weighings",
        hardness=0.5,
        right=Reply(
            "2",
            (
                "Weigh three balls against three.",
                "If they balance, weigh the two that are left against each other.",
                "If not, weigh two of the heavier three; the heavier one, or the third if they balance, is the ball.",
            ),
        ),
        wrong=(Reply("3", ("Halve the balls each time: 4 and 4, then 2 and 2, then 1 and 1.", "That takes 3.")),),
        also_right=("two",),
    ),
    DemoTask(
        name="Three islanders, knights and knaves",
        suite="reasoning",
        category="logic",
        difficulty="medium",
        tags=("puzzle", "multi-step"),
        title="What the third islander is",
        hardness=1.2,
        right=Reply(
            "knave",
            (
                "If A is a knight, B is a knave, so A and C differ and C is a knave.",
                "If A is a knave, B is a knight, so A and C are alike and C is a knave.",
                "Either way C is a knave.",
            ),
        ),
        wrong=(
            Reply("knight", ("Suppose A is a knight; then B lies.", "B's claim about C is false, so C is a knight.")),
            Reply("cannot be known", ("Both cases for A are possible.", "So nothing follows about C.")),
        ),
        also_right=("a knave", "C is a knave"),
    ),
    DemoTask(
        name="Rolling a die until both 1 and 6 have come",
        suite="reasoning",
        category="probability",
        difficulty="hard",
        tags=("numeric", "estimation"),
        title="Expected number of rolls",
        hardness=2.0,
        right=Reply(
            "9",
            (
                "Until the first of the two numbers comes it takes 6 / 2 = 3 rolls on average.",
                "Until the other one comes it takes 6 more.",
                "3 + 6 = 9.",
            ),
        ),
        wrong=(
            Reply("12", ("Each number takes 6 rolls on average.", "6 + 6 = 12.")),
            Reply("6", ("A given number comes after 6 rolls on average.", "Both are waited for at once, so 6.")),
        ),
        also_right=("9 rolls",),
    ),
    DemoTask(
        name="Five guests at a round table, two not speaking",
        suite="reasoning",
        category="combinatorics",
        difficulty="hard",
        tags=("numeric", "counting"),
        title="Number of seatings",
        hardness=1.8,
        right=Reply(
            "12",
            (
                "Five people sit around a table in 4! = 24 ways.",
                "With the two side by side as one block there are 3! · 2 = 12 ways.",
                "24 − 12 = 12.",
            ),
        ),
        wrong=(
            Reply("72", ("Five people sit in 5! = 120 ways; 48 have the two side by side.", "120 − 48 = 72.")),
            Reply("18", ("24 seatings in all.", "The two are neighbours in 3! = 6 of them, so 18.")),
        ),
    ),
    DemoTask(
        name="Weekday of 1 March 2028",
        suite="reasoning",
        category="calendar",
        difficulty="medium",
        tags=("temporal",),
        title="Weekday",
        hardness=0.8,
        right=Reply(
            "Wednesday",
            (
                "1 January 2028 is a Saturday.",
                "2028 is a leap year, so 1 March comes 31 + 29 = 60 days later.",
                "60 leaves 4 when divided by 7: Saturday and four days is Wednesday.",
            ),
        ),
        wrong=(
            Reply("Tuesday", ("1 January 2028 is a Saturday.", "59 days later it is a Tuesday.")),
            Reply("Thursday", ("1 January 2028 is a Sunday.", "60 days later it is a Thursday.")),
        ),
        earlier_key="Tuesday",
    ),
)
