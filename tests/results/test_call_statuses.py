"""The six statuses of a tool call are stated once, with the table's numbers; whatever speaks of them speaks of all."""

from frontend import formats
from frontend.contexts.tools_list import FIGURES
from results.figures.tools import FAILURES
from results.filters import WORDS
from results.importers.oddities import TOOL_STATUSES
from results.models.results import CALL_STATUSES, FAILED_STATUSES, CallStatus


def test_words_and_numbers_are_those_of_the_table() -> None:
    assert {word: CallStatus(number).label for word, number in CALL_STATUSES.items()} == {
        word: word for word in CALL_STATUSES
    }
    assert (*CALL_STATUSES,) == ("success", *FAILED_STATUSES)


def test_filter_importer_and_pages_speak_of_the_same_six() -> None:
    words = {*CALL_STATUSES}
    assert {*WORDS["call_status"]} == words | {"other"}
    assert words | {""} == TOOL_STATUSES
    assert {*formats.CALL_STATUSES} == words


def test_charts_and_columns_stand_in_the_order_of_the_failures() -> None:
    keys = [column.key for column in FIGURES]
    assert [key for key in keys if key in FAILED_STATUSES] == [*FAILED_STATUSES]
    assert len(FAILURES) == len(FAILED_STATUSES)
