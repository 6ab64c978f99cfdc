"""Deliveries of several processes on one PostgreSQL: by the server's clock, in order, each line with one that is first."""

from __future__ import annotations

import asyncio
import contextlib
from time import time_ns
from typing import TYPE_CHECKING

import asyncpg
import pytest

from dialoom.storage.postgres.connection import SCHEMA
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.store import OutboxCount
from tests.storage.row_makers import ANN, BEN, commit, outgoing, write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

HOUR = 3600 * 1000
MINUTE = 60_000
LINES = f"""
select bot, channel, "user", receiver, count(*) filter (where is_first) from {SCHEMA}.outbox
where dead_at is null group by bot, channel, "user", receiver
"""
DEAD = f"select count(*) from {SCHEMA}.outbox where dead_at is not null and is_first"


@pytest.fixture
async def stores(emptied_database: str) -> AsyncIterator[list[PostgresStore]]:
    async with contextlib.AsyncExitStack() as ends:
        made = [PostgresStore(emptied_database) for _ in range(3)]
        for store in made:
            await store.open()
            ends.push_async_callback(store.close)
        yield made


def now() -> int:
    return time_ns() // 1_000_000


@pytest.mark.parametrize("off", [-2 * HOUR, 2 * HOUR])
async def test_a_process_whose_clock_is_off_writes_and_takes_as_the_others_do(
    stores: list[PostgresStore], off: int
) -> None:
    mine, theirs = now(), now() + off
    await commit(stores[0], write(outbox=(outgoing(1, created_at=theirs, due=theirs),)))
    await commit(stores[1], write(key=BEN, outbox=(outgoing(2, BEN, created_at=mine, due=mine),)))
    taken = await stores[0].take_outgoing(theirs, theirs + MINUTE, 10)
    assert [row.id for row in taken] == ["d000001", "d000002"]
    # Neither is a claim over for somebody who is ahead, nor what is put off due for him, nor far for who is behind.
    assert await stores[1].take_outgoing(mine + 2 * MINUTE, mine + 3 * MINUTE, 10) == []
    await stores[0].postpone(taken[0], theirs, theirs + MINUTE, "away")
    await stores[0].postpone(taken[1], theirs, theirs - 1, "away")
    again = await stores[1].take_outgoing(mine, mine + MINUTE, 10)
    assert [(row.id, row.attempts) for row in again] == [("d000002", 1)]


async def test_letters_and_what_is_given_back_are_due_by_the_servers_clock(stores: list[PostgresStore]) -> None:
    theirs = now() + 2 * HOUR
    await commit(stores[0], write(outbox=(outgoing(1, created_at=theirs, due=theirs),)))
    (taken,) = await stores[0].take_outgoing(theirs, theirs + MINUTE, 10)
    await stores[0].bury(taken, theirs, "gone")
    assert await stores[0].resend("salon", None, theirs) == 1
    taken = await stores[1].take_outgoing(now(), now() + MINUTE, 10)
    await stores[0].give_back(taken, theirs, theirs)
    assert len(await stores[1].take_outgoing(now(), now() + MINUTE, 10)) == 1


async def test_only_what_lies_further_ahead_of_the_server_than_any_may_is_brought_forward(
    stores: list[PostgresStore],
) -> None:
    at = now()
    await commit(stores[0], write(outbox=(outgoing(1, created_at=at, due=at + 2 * HOUR),)))
    assert await stores[1].bring_forward(at - 24 * HOUR, 3 * HOUR, 10) == 0
    assert await stores[1].bring_forward(at + 24 * HOUR, HOUR, 10) == 1
    assert len(await stores[1].take_outgoing(at, at + MINUTE, 10)) == 1


async def test_turns_and_settling_at_the_same_moment_leave_each_line_with_one_that_is_first(
    stores: list[PostgresStore], emptied_database: str
) -> None:
    keys = [ANN._replace(user=f"user {number}") for number in range(4)]
    turns = 25
    got: dict[str, list[str]] = {key.user: [] for key in keys}

    async def talk(user: int) -> None:
        for number in range(turns):
            # Ids fall, as of machines whose clocks differ.
            await commit(stores[0], write(number, keys[user], outbox=(outgoing(turns - number, keys[user]),)))

    async def post(store: PostgresStore) -> None:
        while sum(map(len, got.values())) < turns * len(keys):
            for row in await store.take_outgoing(0, MINUTE, 3):
                if row.attempts == 0 and row.id.endswith("5"):
                    await store.postpone(row, 0, 0, "away")
                else:
                    got[row.key.user].append(row.id)
                    await store.delivered(row, 0)

    async with asyncio.timeout(120):
        await asyncio.gather(*[talk(user) for user in range(len(keys))], post(stores[1]), post(stores[2]))
    assert set(map(tuple, got.values())) == {tuple(f"d{turns - number:06d}" for number in range(turns))}
    assert await stores[0].outbox_counts() == []


async def test_letters_that_come_back_while_others_are_settled_leave_each_line_with_one_that_is_first(
    stores: list[PostgresStore], emptied_database: str
) -> None:
    keys = [ANN._replace(user=f"user {number}") for number in range(6)]
    for key in keys:
        await commit(stores[0], write(key=key, outbox=tuple(outgoing(number, key) for number in range(8))))

    async def bury(store: PostgresStore) -> None:
        for _ in range(12):
            for row in await store.take_outgoing(0, MINUTE, 4):
                await store.bury(row, 1000, "gone")

    async def resend(store: PostgresStore) -> None:
        for _ in range(12):
            await store.resend("salon", None, 0)

    await asyncio.gather(bury(stores[0]), bury(stores[1]), resend(stores[2]))
    looking = await asyncpg.connect(emptied_database)
    lines = await looking.fetch(LINES)
    assert {row[-1] for row in lines} <= {1}
    assert await looking.fetchval(DEAD) == 0
    await looking.close()
    await stores[0].resend("salon", None, 0)
    assert await stores[0].outbox_counts() == [OutboxCount("salon", 48, 0)]
