"""What several processes on one PostgreSQL do at the same moment comes out as if they had done it one after the other."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import asyncpg
import pytest

from dialoom.query import Selection
from dialoom.storage.postgres import retention
from dialoom.storage.postgres.connection import SCHEMA
from dialoom.storage.postgres.store import MAX_ROWS, PostgresStore
from dialoom.storage.store import Dedupe, FileLimit, FileRow, Overtaken, ScheduledJob, Version
from tests.storage.postgres.opened import opened
from tests.storage.row_makers import ANN, BEN, commit, forget, message, outgoing, record, time, token, write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

LIMIT = FileLimit(since=0, size=1000, count=5, channel_size=10_000, channel_count=100)


@pytest.fixture
async def stores(emptied_database: str) -> AsyncIterator[list[PostgresStore]]:
    async with opened(emptied_database) as one, opened(emptied_database) as other, opened(emptied_database) as third:
        yield [one, other, third]


async def test_a_delivery_comes_to_one_process(stores: list[PostgresStore]) -> None:
    keys = [ANN._replace(user=f"user {number}") for number in range(60)]
    await asyncio.gather(*[commit(stores[0], write(key=key, outbox=(outgoing(1, key),))) for key in keys])
    taken = await asyncio.gather(*[store.take_outgoing(1000, 61_000, 10) for store in stores * 4])
    users = [delivery.key.user for deliveries in taken for delivery in deliveries]
    assert len(users) == len(set(users))
    left = await stores[0].take_outgoing(1000, 61_000, 100)
    assert sorted(users + [delivery.key.user for delivery in left]) == sorted(key.user for key in keys)


async def test_a_job_comes_to_one_process(stores: list[PostgresStore]) -> None:
    for number in range(30):
        await stores[0].plan(ScheduledJob("salon", f"job {number}", number))
    taken = await asyncio.gather(*[store.take_jobs(1000, 61_000, 5) for store in stores * 4])
    names = [job.name for jobs in taken for job in jobs]
    assert len(names) == len(set(names))
    names += [job.name for job in await stores[0].take_jobs(1000, 61_000, 100)]
    assert len(names) == len(set(names)) == 30


async def test_one_text_becomes_one_token(stores: list[PostgresStore]) -> None:
    made = [token(f"t{number}", bot=f"bot {number}", hash=b"the same") for number in range(6)]
    results = await asyncio.gather(
        *[store.add_token(one) for store, one in zip(stores * 2, made, strict=True)], return_exceptions=True
    )
    assert sorted(type(result).__name__ for result in results) == ["NoneType", *["StoreError"] * 5]


async def test_no_more_files_are_kept_than_may_be(stores: list[PostgresStore]) -> None:
    rows = [FileRow(ANN, f"f{number}", b"sealed", 10, 1000) for number in range(12)]
    kept = await asyncio.gather(
        *[store.keep_file(row, b"content", LIMIT) for store, row in zip(stores * 4, rows, strict=True)]
    )
    assert sum(kept) == 5


async def test_versions_published_at_once_leave_one_active_and_all_kept(stores: list[PostgresStore]) -> None:
    made = [Version("salon", f"v{number}", b"files", number) for number in range(9)]
    await asyncio.gather(*[store.publish(one) for store, one in zip(stores * 3, made, strict=True)])
    rows = await stores[0].versions("salon")
    assert [row.is_active for row in rows] == [True, *[False] * 8]
    assert sorted(row.version for row in rows) == [one.version for one in made]


async def test_a_chat_that_is_written_just_now_is_not_forgotten_and_nobody_waits(
    stores: list[PostgresStore], emptied_database: str
) -> None:
    store = stores[0]
    for number, key in enumerate((ANN, BEN)):
        await commit(store, write(key=key, records=(record(number, key),), messages=(message(1, key=key),)))
    writing = await asyncpg.connect(emptied_database)
    async with writing.transaction():
        await writing.execute(f"select * from {SCHEMA}.leases where \"user\" = 'ann' for no key update")
        assert await forget(stores[1], time(100), 10) == 1
        assert await store.chat(BEN) is None
    await writing.close()
    assert await store.chat(ANN) is not None
    assert await forget(stores[1], time(100), 10) == 1
    assert await store.chat(ANN) is None


async def test_a_process_that_leaves_locks_its_chats_in_the_order_of_all_others(
    stores: list[PostgresStore], emptied_database: str
) -> None:
    for key in (BEN, ANN):
        assert await stores[0].hold(key) is not None
    lock = f'select from {SCHEMA}.leases where "user" = $1 for no key update'
    waiting = "select count(*) from pg_stat_activity where query like '%gone as%' and wait_event_type = 'Lock'"
    writing, watching = [await asyncpg.connect(emptied_database) for _ in range(2)]
    async with writing.transaction():
        await writing.execute(lock, "ann")
        leaving = asyncio.create_task(stores[0].close())
        while not await watching.fetchval(waiting):
            assert not leaving.done()
        # It waits for the first, and so has not got the second.
        await writing.execute(lock + " nowait", "ben")
    await leaving
    assert await stores[1].hold(ANN) is not None
    assert await stores[1].hold(BEN) is not None
    await writing.close()
    await watching.close()


async def test_what_the_database_undid_for_another_is_forgotten_all_the_same(
    stores: list[PostgresStore], emptied_database: str
) -> None:
    for number, key in enumerate((ANN, BEN)):
        await commit(stores[0], write(key=key, records=(record(number, key),)))
    writing = await asyncpg.connect(emptied_database)
    await writing.execute(f"set search_path = {SCHEMA}")
    try:
        # Fails the first time as a deadlock does.
        await writing.execute("create sequence tries")
        await writing.execute(
            "create function fail_once() returns trigger language plpgsql as $$ begin "
            "if nextval('tries') = 1 then raise 'deadlock' using errcode = '40P01'; end if; return old; end $$"
        )
        await writing.execute(
            "create trigger once before delete on conversations for each row execute function fail_once()"
        )
        assert await forget(stores[1], time(100), 10) == 2
    finally:
        # The database is the next test's, too.
        await writing.execute("drop function if exists fail_once cascade; drop sequence if exists tries")
        await writing.close()
    assert await stores[0].chat(ANN) is None


async def test_a_chat_that_a_process_has_is_forgotten_with_its_lease(
    stores: list[PostgresStore], emptied_database: str
) -> None:
    await commit(stores[0], write(records=(record(1),)))
    assert await forget(stores[1], time(100), 10) == 1
    reading = await asyncpg.connect(emptied_database)
    assert await reading.fetchval(f"select count(*) from {SCHEMA}.leases") == 0
    await reading.close()
    with pytest.raises(Overtaken):
        await stores[0].commit(write(1))
    assert await commit(stores[0], write()) is None


async def test_turns_and_forgetting_at_once_do_not_stop_each_other(stores: list[PostgresStore]) -> None:
    keys = [ANN._replace(user=f"user {number}") for number in range(3 * retention.MAX_CONVERSATIONS)]

    async def talk(store: PostgresStore, mine: list[int]) -> None:
        for number in mine:
            key = keys[number]
            for _ in range(2):
                held = await store.hold(key)
                assert held is not None
                revision = 0 if held.chat is None else held.chat.revision
                # Forgotten since it was held: it would be computed again.
                with contextlib.suppress(Overtaken):
                    await store.commit(write(revision, key, records=(record(number, key),)))

    async def forget_all(store: PostgresStore) -> int:
        return sum([await forget(store, time(1000), 20) for _ in range(30)])

    numbers = list(range(len(keys)))
    *_, gone = await asyncio.gather(
        talk(stores[0], numbers[::2]), talk(stores[1], numbers[1::2]), forget_all(stores[2])
    )
    left = await forget(stores[2], time(1000), 10_000)
    assert gone + left >= len(keys)
    assert await stores[0].count("conversations", "salon", Selection()) == 0
    assert {await stores[0].chat(key) for key in keys} == {None}


async def test_many_answers_are_forgotten_in_steps(stores: list[PostgresStore], emptied_database: str) -> None:
    rows = [
        ("salon", "web", "ann", f"k{number}", b"hash", b"hi", 1) for number in range(2 * MAX_ROWS["forget_answers"] + 1)
    ]
    names = ["bot", "channel", "user", "dedupe", "body", "answer", "seen_at"]
    writing = await asyncpg.connect(emptied_database)
    await writing.copy_records_to_table("answers", records=rows, schema_name=SCHEMA, columns=names)
    # From here on the planner takes the table for empty: once that led to a plan of 10 s.
    await writing.execute(f"delete from {SCHEMA}.answers")
    await writing.execute(f"analyze {SCHEMA}.answers")
    await writing.copy_records_to_table("answers", records=rows, schema_name=SCHEMA, columns=names)
    await writing.close()
    await commit(stores[0], write(dedupe=Dedupe("new", b"hash"), answer=b"hi", now=10))
    assert await stores[1].forget_answers("salon", 5) == len(rows)
    assert await stores[0].answered(ANN, "new") is not None
