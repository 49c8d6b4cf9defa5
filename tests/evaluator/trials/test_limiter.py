"""Token buckets."""

import asyncio

import pytest

from evaluator.engine.trials.limiter import TokenBucket
from tests.evaluator.trials.doubles import FakeTime


def test_a_full_bucket_gives_its_whole_minute_at_once_and_then_one_token_per_interval() -> None:
    time = FakeTime()

    async def take_five() -> None:
        bucket = TokenBucket(3, time.timing())
        for _ in range(5):
            await bucket.acquire()

    asyncio.run(take_five())
    assert time.slept == pytest.approx([20, 20])  # 60 s / 3


def test_those_who_wait_together_get_their_tokens_one_after_the_other() -> None:
    time = FakeTime()

    async def take_three() -> None:
        bucket = TokenBucket(1, time.timing())
        first = bucket.acquire()
        await asyncio.gather(first, bucket.acquire(), bucket.acquire())

    asyncio.run(take_three())
    assert time.slept == pytest.approx([60, 60])  # the second began to wait when the first had waited already


def test_who_is_cancelled_while_waiting_gives_the_token_back() -> None:
    async def cancel_one() -> float:
        bucket = TokenBucket(1)
        await bucket.acquire()
        waiting = asyncio.create_task(bucket.acquire())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        return bucket._tokens

    assert asyncio.run(cancel_one()) == pytest.approx(0, abs=0.01)


def test_a_pause_fills_the_bucket_no_further_than_its_minute() -> None:
    time = FakeTime()

    async def take_after_an_hour() -> None:
        bucket = TokenBucket(2, time.timing())
        time.now_ns += 3600 * 10**9
        for _ in range(3):
            await bucket.acquire()

    asyncio.run(take_after_an_hour())
    assert time.slept == pytest.approx([30])
