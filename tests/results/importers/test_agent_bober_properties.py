"""Whatever stands in the file: it is read or refused, and reading it again says the same."""

import json
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from results.importers.agent_bober import read_bytes, sniff, top_level_keys
from results.importers.source import ImportRefused, IterationSource, Limits
from results.iteration_records import Shape, encode_eval_result
from tests.fixtures.agent_bober.documents import FILE_NAME, document

WORDS = st.sampled_from(["pass", "FAIL", "skipped", "pass-AMENDED", "maybe", "12", "-3", "2.0", "NaN", "a=pass", ""])
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text() | WORDS
)
OUTER_KEYS = st.sampled_from(
    ["evalId", "contractId", "specId", "timestamp", "iteration", "overallResult", "passed", "overall", "score"]
) | st.sampled_from(
    ["summary", "evaluator", "concerns", "feedback", "failedCriteria", "failureReason", "strategies", "unknown"]
)
SECTION_KEYS = st.sampled_from(
    ["strategyResults", "results", "criteriaResults", "regressions", "generatorFeedback", "score", "concerns"]
)
PART_KEYS = (
    st.sampled_from(
        ["strategy", "evaluator", "label", "result", "status", "passed", "required", "score", "summary", "details"]
    )
    | st.sampled_from(
        ["criterionId", "id", "description", "evidence", "line", "category", "exitCode", "failures", "failedCriteria"]
    )
    | st.sampled_from(
        ["criteriaTotal", "requiredFailed", "points", "affectedFiles", "extras", "resultText", "isAmended"]
    )
)
ANY = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(PART_KEYS | st.text(), inner, max_size=4)
)
PARTS = st.dictionaries(
    PART_KEYS, SCALARS | ANY | st.lists(st.dictionaries(PART_KEYS, SCALARS, max_size=4)), max_size=6
)
OBJECTS = st.builds(
    lambda outer, sections: outer | sections,
    st.dictionaries(OUTER_KEYS, ANY, max_size=5),
    st.dictionaries(SECTION_KEYS, PARTS | st.lists(PARTS | SCALARS, max_size=4), max_size=3),
)


def read(data: bytes) -> IterationSource | None:
    try:
        return read_bytes(data, FILE_NAME, Limits())
    except ImportRefused:
        return None


@given(OBJECTS | st.dictionaries(st.text(), ANY))
def test_any_object_is_read_or_refused(fields: dict[str, Any]) -> None:
    read(json.dumps(fields).encode())


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    sniff(data, FILE_NAME)
    read(data)


@given(OBJECTS)
def test_the_document_of_an_evaluation_reads_as_an_equal_record(changes: dict[str, Any]) -> None:
    first = read(json.dumps(document() | changes, indent=1).encode())
    if first is not None:
        assert read(first.source) == first


@given(OBJECTS)
def test_an_encoded_record_reads_as_an_equal_record(changes: dict[str, Any]) -> None:
    first = read(json.dumps(document() | changes).encode())
    if first is None:
        return
    again = read(encode_eval_result(first.record))
    expected = msgspec.structs.replace(first.record, shape=Shape.SKILL, is_verdict_derived=False)
    assert again is not None
    assert again.record == expected


@given(OBJECTS)
def test_the_outermost_keys_are_seen_without_reading_the_document(fields: dict[str, Any]) -> None:
    assert list(top_level_keys(json.dumps(fields).encode())) == list(fields)
