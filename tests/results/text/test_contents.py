"""What the index knows of a result."""

import json

import pytest

from results.records import decode_result
from results.text.contents import MAX_COLUMN_CHARACTERS, IndexedText, indexable, readable, texts_of
from tests.results.text.factories import document


def texts(**changes: object) -> IndexedText:
    return texts_of(decode_result(json.dumps(document(**changes)).encode()))


def test_the_raw_answer_counts_once_when_got_only_differs_in_case() -> None:
    answer = {"Title": "Sum", "ActualAnswer": ["Forty Two"]}
    assert texts(Got="forty two", Details={"Answer": answer}).answer == "Sum\nForty Two"


def test_got_is_added_when_it_says_something_else() -> None:
    assert texts(Got="42", Details={"Answer": {"ActualAnswer": ["forty two"]}}).answer == "\nforty two\n42"


def test_the_judges_words_are_explanations() -> None:
    details = {
        "Answer": {"Explanation": ["I added."]},
        "Validation": {"Title": "Semantic", "Explanation": ["It fits."]},
    }
    assert texts(Details=details).explanation == "I added.\nSemantic\nIt fits."


def test_an_error_is_a_title_a_message_and_its_details() -> None:
    error = {"Title": "Execution Error", "Message": "429", "Details": {"Stop Reason": ["length"]}}
    assert (
        texts(Kind="Error", Got="429", Details={"Error": error}).error == "429\nExecution Error\n\nStop Reason\nlength"
    )


def test_the_reason_of_a_failed_try_is_not_an_answer() -> None:
    assert texts(Kind="Error", Got="context deadline exceeded").answer == ""


def test_the_answer_before_a_validation_error_is_an_answer() -> None:
    details = {"Answer": {"ActualAnswer": ["7"]}, "Error": {"Title": "Validation Error", "Message": "judge failed"}}
    assert texts(Kind="Error", Got="7", Details=details).answer == "\n7"


def test_a_result_without_details_has_its_got_as_answer() -> None:
    assert texts(Got="42") == IndexedText("42", "", "")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (b'"a\\u00e9"', "aé"),
        (b'{"n":1e21,"big":123456789012345678901}', '{"n":1e21,"big":123456789012345678901}'),
        (b'["caf\\u00e9"]', '["café"]'),
        (b'"\\ud800"', "\ud800"),
        (b"", ""),
        (b"null", "null"),
    ],
)
def test_json_values_read_as_text(source: bytes, text: str) -> None:
    assert readable(source) == text


def test_scripts_without_spaces_are_indexed_sign_by_sign() -> None:
    assert indexable("東京 tower").split() == ["東", "京", "tower"]


def test_what_sqlite_cannot_hold_is_replaced() -> None:
    assert indexable("a\x00b\ud800é") == "a b\ufffdé"


def test_a_text_is_cut_at_the_limit() -> None:
    assert len(indexable("x" * (MAX_COLUMN_CHARACTERS + 5))) == MAX_COLUMN_CHARACTERS
