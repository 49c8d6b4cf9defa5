"""Trace ids."""

from evaluator.engine.trials.timing import Timing
from evaluator.engine.trials.trace_ids import TraceIds
from results.answers import trace_time_us


def test_a_trace_id_begins_with_the_time_of_the_specification_s_example() -> None:
    ids = TraceIds(Timing(unix_ns=lambda: 1469918176385 * 10**6), random_bits=lambda _: 0)
    assert ids.new() == "01ARYZ6S410000000000000000"  # ULID specification: 1469918176385 is 01ARYZ6S41


def test_ids_of_one_millisecond_and_of_a_clock_that_goes_back_still_grow() -> None:
    times = iter([5_000_000, 5_000_000, 4_000_000, 6_000_000])
    ids = TraceIds(Timing(unix_ns=lambda: next(times)))
    made = [ids.new() for _ in range(4)]
    assert made == sorted(set(made))


def test_a_result_s_start_can_be_read_from_its_trace_id() -> None:
    ids = TraceIds(Timing(unix_ns=lambda: 1_800_000_000_123 * 10**6))
    assert trace_time_us(ids.new()) == 1_800_000_000_123_000
