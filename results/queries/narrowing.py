"""SQL that reads only the columns it names: planning a query over all of them takes longer than answering it."""

import re

from results.facts.tables import NARROW_RESULTS

_ALL = f"SELECT {', '.join(NARROW_RESULTS)} FROM"
_WORD = re.compile(r"\w+")


def narrowed(sql: str) -> str:
    """The same query with the tables of results cut down to the columns that it names.

    Args:
        sql: made with `Reading.table("results")`; every column that it needs is named in it.

    Returns:
        A query with the same answer. (Measured at 1,000,000 results: 2 ms in place of 5 ms.)
    """
    words = set(_WORD.findall(sql.replace(_ALL, "")))
    named = [column for column in NARROW_RESULTS if column in words] or ["result_id"]
    return sql.replace(_ALL, f"SELECT {', '.join(named)} FROM")
