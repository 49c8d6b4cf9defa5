"""Demo tasks about data: databases, files, charts and pictures."""

from results.demo.tasks.task import DemoTask, Reply, ToolStep

DATA = (
    DemoTask(
        name="SQL: customers who never ordered",
        suite="data",
        category="sql",
        difficulty="medium",
        tags=("sql", "tool-use"),
        title="Customers without orders",
        hardness=1.0,
        right=Reply(
            "17",
            (
                "orders.customer_id holds NULLs, so NOT IN would never be true.",
                "NOT EXISTS finds 17 customers without an order.",
            ),
        ),
        wrong=(
            Reply("0", ("SELECT count(*) FROM customer WHERE id NOT IN (SELECT customer_id FROM orders) gives 0.",)),
            Reply("21", ("A LEFT JOIN on orders gives 21 rows without an amount.",)),
        ),
        tools=(ToolStep("sql", "id|customer_id|amount\n1|4|20.00\n2||15.50\n"), ToolStep("sql", "count(*)\n17\n")),
    ),
    DemoTask(
        name="SQL: second highest salary in each department",
        suite="data",
        category="sql",
        difficulty="hard",
        tags=("sql", "structured", "tool-use"),
        title="Second highest salaries",
        hardness=1.6,
        right=Reply(
            {"engineering": 98000, "sales": 71000},
            (
                "Two engineers share the highest salary, so rows must be ranked by distinct salary.",
                "DENSE_RANK() = 2 gives 98,000 in engineering and 71,000 in sales.",
            ),
        ),
        wrong=(
            Reply(
                {"engineering": 104000, "sales": 71000},
                ("ROW_NUMBER() = 2 within each department, highest first.", "Engineering has 104,000 in second place."),
            ),
            Reply({"engineering": 98000}, ("The query returns one row, for engineering.",)),
        ),
        tools=(
            ToolStep("sql", "department|salary\nengineering|104000\nengineering|104000\nengineering|98000\n"),
            ToolStep("sql", "department|salary\nengineering|98000\nsales|71000\n"),
        ),
    ),
    DemoTask(
        name="CSV: median delivery time in days",
        suite="data",
        category="files",
        difficulty="easy",
        tags=("numeric", "tool-use", "smoke"),
        title="Median delivery time",
        hardness=0.4,
        right=Reply(
            "3.5",
            ("The file has 212 rows with a delivery date.", "The two in the middle took 3 and 4 days: 3.5."),
        ),
        wrong=(
            Reply("4.1", ("I divided the sum of the column by the number of rows: 4.1 days.",)),
            Reply("3", ("The row in the middle of the file says 3 days.",)),
        ),
        tools=(ToolStep("python", "rows 212\nmedian 3.5\n"),),
    ),
    DemoTask(
        name="JSON: merge two price lists, newer wins",
        suite="data",
        category="files",
        difficulty="medium",
        tags=("json", "structured"),
        title="Merged price list",
        hardness=0.7,
        right=Reply(
            {"apple": 1.2, "pear": 0.95, "plum": 2.4},
            (
                "Apple stands in both lists and takes the price of the newer one.",
                "Pear and plum stand in one list each.",
            ),
        ),
        wrong=(
            Reply(
                {"apple": 1.1, "pear": 0.95, "plum": 2.4},
                ("All entries of the first list are kept.", "Plum is added from the second list."),
            ),
            Reply("apple 1.20, pear 0.95, plum 2.40", ("The merged list has three fruits.",)),
        ),
    ),
    DemoTask(
        name="Log: the first request that failed",
        suite="data",
        category="files",
        difficulty="medium",
        tags=("retrieval", "tool-use", "long-input"),
        title="First failing request",
        hardness=0.9,
        right=Reply(
            "req-7f31",
            (
                "The lines are not in order of time, so they must be sorted first.",
                "The earliest line with status 500 belongs to req-7f31.",
            ),
        ),
        wrong=(Reply("req-7f2e", ("The first line with status 500 in the file belongs to req-7f2e.",)),),
        tools=(ToolStep("shell", "4112 app.log\n"), ToolStep("python", "2026-10-02T07:13:58.114Z req-7f31 500\n")),
    ),
    DemoTask(
        name="Chart: the year of the steepest fall",
        suite="data",
        category="charts",
        difficulty="medium",
        tags=("vision", "table"),
        title="Year of the steepest fall",
        hardness=1.0,
        right=Reply(
            "2021",
            ("The line falls from about 62 to 41 between 2020 and 2021.", "No other year loses more than 12."),
        ),
        wrong=(
            Reply("2020", ("The line begins to fall at the mark of 2020.",)),
            Reply("2023", ("The lowest point of the line is at 2023.",)),
        ),
        needs_vision=True,
    ),
    DemoTask(
        name="Chart: share of solar power in a stacked bar",
        suite="data",
        category="charts",
        difficulty="hard",
        tags=("vision", "estimation"),
        title="Share of solar power",
        hardness=1.7,
        right=Reply(
            "18 %",
            ("The yellow part of the bar begins at 46 % and ends at 64 %.", "64 − 46 = 18 %."),
        ),
        wrong=(
            Reply("64 %", ("The yellow part reaches up to the line of 64 %.",)),
            Reply("23 %", ("The yellow part is about a quarter of the bar, a little less.",)),
        ),
        also_right=("18", "18%"),
        needs_vision=True,
    ),
    DemoTask(
        name="Receipt: the total before tax",
        suite="data",
        category="documents",
        difficulty="medium",
        tags=("vision", "numeric"),
        title="Total before tax",
        hardness=0.9,
        right=Reply(
            "34.58",
            ("The receipt shows a total of 41.15 with 19 % tax included.", "41.15 / 1.19 = 34.58."),
        ),
        wrong=(
            Reply("41.15", ("The last line of the receipt says 41.15.",)),
            Reply("33.33", ("19 % of 41.15 is 7.82.", "41.15 − 7.82 = 33.33")),
        ),
        needs_vision=True,
    ),
)
