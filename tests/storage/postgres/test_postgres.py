"""What only the store of many processes has: chats that one process has at a time, notices, and a server that goes away.

Two stores on one database are two processes to each other.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import TYPE_CHECKING

import asyncpg
import msgspec
import pytest

from dialoom.errors import StoreError
from dialoom.query import Selection, parse_query
from dialoom.storage.postgres.heartbeat import HeartbeatTimes
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.store import (
    Answered,
    Chat,
    ChatKey,
    Dedupe,
    Held,
    Inbound,
    InboxFull,
    Notice,
    Overtaken,
    Refused,
)
from tests.postgres import query
from tests.storage.postgres.opened import SLOW, opened
from tests.storage.row_makers import ANN, BEN, commit, message, record, timer, write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

FAST = HeartbeatTimes(beat=0.02, void=3600, lost=1800, retry=0.02)

TIME_GOES_BY = "update dialoom.processes set beat_at = beat_at - interval '2 h' where process = $1"


class Heard:
    """What a store's receiver was told."""

    def __init__(self, store: PostgresStore) -> None:
        self._notices: asyncio.Queue[Notice] = asyncio.Queue()
        store.listen(self._notices.put_nowait)

    async def next(self) -> Notice:
        return await asyncio.wait_for(self._notices.get(), 60)


@pytest.fixture
async def one(emptied_database: str) -> AsyncIterator[PostgresStore]:
    async with opened(emptied_database) as store:
        yield store


@pytest.fixture
async def other(emptied_database: str) -> AsyncIterator[PostgresStore]:
    async with opened(emptied_database) as store:
        yield store


def fall_silent(url: str, store: PostgresStore) -> None:
    """For the database it is two hours later, and the process has not said anything meanwhile."""
    query(url, TIME_GOES_BY, store.process)


async def accepted(store: PostgresStore, key: ChatKey = ANN, dedupe: Dedupe | None = None) -> Inbound:
    row = await store.accept(key, "e", b"sealed", dedupe, 1)
    assert isinstance(row, Inbound)
    return row


# -- which process has a chat


async def test_a_chat_is_had_by_one_process_at_a_time(one: PostgresStore, other: PostgresStore) -> None:
    assert await one.hold(ANN) == Held(None, ())
    assert await other.hold(ANN) is None
    assert await one.hold(ANN) == Held(None, ())
    await other.let_go([ANN])
    assert await other.hold(ANN) is None
    await one.let_go([ANN, BEN])
    assert await other.hold(ANN) == Held(None, ())


async def test_who_takes_a_chat_gets_its_memory_and_what_waits_in_order(
    one: PostgresStore, other: PostgresStore
) -> None:
    await commit(one, write(position=2))
    rows = [await other.accept(ANN, f"e{number}", b"sealed", Dedupe(f"k{number}", b"h"), number) for number in range(3)]
    numbers = [row.number for row in rows if isinstance(row, Inbound)]
    assert numbers == list(range(numbers[0], numbers[0] + 3))
    assert [row.ahead for row in rows if isinstance(row, Inbound)] == [0, 1, 2]
    await one.let_go([ANN])
    held = await other.hold(ANN)
    assert held is not None
    assert held.chat == Chat(b"state 1", 1, 2)
    assert [(row.id, row.number, row.dedupe, row.accepted_at) for row in held.waiting] == [
        (f"e{number}", numbers[number], Dedupe(f"k{number}", b"h"), number) for number in range(3)
    ]


async def test_the_chats_of_a_process_that_stops_are_free_at_once(emptied_database: str, one: PostgresStore) -> None:
    async with opened(emptied_database) as stopping:
        await stopping.hold(ANN)
        await accepted(one)
        assert await one.orphans() == []
    assert await one.orphans() == [ANN]
    assert await one.hold(ANN) is not None


async def test_the_chats_of_a_process_that_fell_silent_can_be_taken(
    emptied_database: str, one: PostgresStore, other: PostgresStore
) -> None:
    await one.hold(ANN)
    await one.hold(BEN)
    await accepted(one)
    assert await other.hold(ANN) is None
    assert await other.orphans() == []
    fall_silent(emptied_database, one)
    assert await other.orphans() == [ANN]
    assert await other.hold(ANN) is not None
    assert await other.orphans() == []


async def test_events_of_chats_that_nobody_has_are_orphans_until_they_are_done(one: PostgresStore) -> None:
    row = await accepted(one)
    assert await one.orphans() == [ANN]
    await one.hold(ANN)
    assert await one.orphans() == []
    await one.commit(write(number=row.number))
    await one.let_go([ANN])
    assert await one.orphans() == []


# -- numbers and keys


async def test_numbers_are_in_the_order_of_the_commits_whoever_accepts(
    one: PostgresStore, other: PostgresStore
) -> None:
    """Whoever gets a number sees all lower ones in the inbox: none of them comes up later."""
    tried = [store.accept(ANN, f"e{at}", b"sealed", None, at) for at in range(30) for store in (one, other)]
    rows = [row for row in await asyncio.gather(*tried) if isinstance(row, Inbound)]
    first = min(row.number for row in rows)
    assert sorted(row.number for row in rows) == list(range(first, first + 60))
    assert all(row.ahead == row.number - first for row in rows)


async def test_a_key_that_two_processes_accept_at_once_is_accepted_once(
    one: PostgresStore, other: PostgresStore
) -> None:
    dedupe = Dedupe("k1", b"hash")
    for number in range(10):
        key = ChatKey("salon", "web", f"user {number}")
        results = await asyncio.gather(*[store.accept(key, "e", b"s", dedupe, 1) for store in (one, other)])
        assert [type(result) for result in results].count(Inbound) == 1
        assert Answered(b"hash", None) in results


async def test_no_more_events_wait_than_may_whoever_accepts(one: PostgresStore, other: PostgresStore) -> None:
    tried = [store.accept(ANN, f"e{at}", b"sealed", None, at, most=20) for at in range(15) for store in (one, other)]
    results = await asyncio.gather(*tried, return_exceptions=True)
    assert [type(result) for result in results].count(Inbound) == 20
    assert [type(result) for result in results].count(InboxFull) == 10


async def test_a_full_inbox_does_not_keep_the_events_of_others_out(one: PostgresStore) -> None:
    await accepted(one)
    results = await asyncio.gather(
        one.accept(ANN, "e2", b"sealed", None, 1, most=1),
        one.accept(BEN, "e3", b"sealed", None, 1, most=1),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [InboxFull, Inbound]


# -- overtaken


async def test_a_turn_of_a_chat_that_the_process_does_not_have_is_not_written(
    one: PostgresStore, other: PostgresStore
) -> None:
    with pytest.raises(Overtaken):
        await one.commit(write())
    await other.hold(ANN)
    with pytest.raises(Overtaken):
        await one.commit(write())
    assert await one.chat(ANN) is None
    assert await other.commit(write()) is None


async def test_a_turn_whose_chat_was_taken_over_meanwhile_is_not_written(
    emptied_database: str, one: PostgresStore, other: PostgresStore
) -> None:
    row = await accepted(one)
    await one.hold(ANN)
    fall_silent(emptied_database, one)
    await other.hold(ANN)
    with pytest.raises(Overtaken):
        await one.commit(write(number=row.number))
    with pytest.raises(Overtaken):
        await one.journal(ANN, row.number, "call", b"late")
    assert await other.journaled(ANN, row.number) == {}
    assert await other.commit(write(number=row.number)) is None
    assert await one.commit(write(1, number=row.number)) == Answered(b"", b"")


async def test_a_turn_of_a_later_event_is_not_written_before_those_that_wait(one: PostgresStore) -> None:
    first, second = await accepted(one), await accepted(one)
    await one.hold(ANN)
    with pytest.raises(Overtaken):
        await one.commit(write(number=second.number))
    with pytest.raises(Overtaken):
        await one.commit(write())
    assert await one.commit(write(number=first.number)) is None
    assert await one.commit(write(1, number=second.number)) is None
    assert await one.commit(write(2)) is None


async def test_those_that_are_in_the_way_of_a_group_are_told_apart(one: PostgresStore) -> None:
    keys = [ChatKey("salon", "web", f"user {number}") for number in range(20)]
    await asyncio.gather(*[one.hold(key) for key in keys[1:]])
    dedupe = Dedupe("k1", b"hash")
    await one.commit(write(key=keys[1], dedupe=dedupe, answer=b"hi"))
    await one.commit(write(key=keys[2], messages=(message(1),)))
    turns = [write(key=key, messages=(message(1, key=key),)) for key in keys]
    turns[1] = write(1, keys[1], dedupe=dedupe, answer=b"no")
    turns[2] = write(1, keys[2], files=("gone",))
    turns[3] = write(key=keys[3], messages=(message(1),))
    turns[4] = write(key=keys[4], number=7)
    turns[5] = write(8, key=keys[5])
    results = await asyncio.gather(*[one.commit(turn) for turn in turns], return_exceptions=True)
    kinds = [type(result).__name__ for result in results[:6]]
    assert kinds == ["Overtaken", "Answered", "FilesGone", "Refused", "Answered", "Overtaken"]
    assert results[6:] == [None] * 14
    assert await one.chat(keys[3]) is None
    assert [await one.chat(key) for key in keys[6:]] == [Chat(b"state 1", 1, 0)] * 14


async def test_turns_of_many_bots_and_processes_at_once_are_each_stored(
    one: PostgresStore, other: PostgresStore
) -> None:
    keys = [ChatKey(f"bot {number % 3}", "web", f"user {number}") for number in range(60)]
    owners = {key: (one, other)[number % 2] for number, key in enumerate(keys)}
    await asyncio.gather(*[store.hold(key) for key, store in owners.items()])

    async def talk(key: ChatKey) -> None:
        for revision in range(5):
            said = (message(revision + 1, key=key),)
            assert await owners[key].commit(write(revision, key, messages=said, position=revision + 1)) is None

    await asyncio.gather(*[talk(key) for key in keys])
    assert [await one.chat(key) for key in keys] == [Chat(b"state 5", 5, 5)] * 60
    assert {len(await other.said(key, 0, 100)) for key in keys} == {5}


# -- timers


async def test_timers_are_due_to_the_process_that_has_the_chat_or_to_all_while_nobody_has_it(
    emptied_database: str, one: PostgresStore, other: PostgresStore
) -> None:
    await commit(one, write(timers=(timer("session", 100),)))
    await commit(other, write(key=BEN, timers=(timer("session", 200, BEN),)))
    assert await one.due(1000, 10) == [timer("session", 100)]
    assert await other.due(1000, 10) == [timer("session", 200, BEN)]
    assert await other.next_due() == 200
    await one.let_go([ANN])
    assert await other.due(1000, 10) == [timer("session", 100), timer("session", 200, BEN)]
    assert await one.next_due() == 100
    fall_silent(emptied_database, other)
    assert await one.due(1000, 10) == [timer("session", 100), timer("session", 200, BEN)]


# -- notices


async def test_a_notice_reaches_the_other_processes_and_not_its_own(one: PostgresStore, other: PostgresStore) -> None:
    mine, theirs = Heard(one), Heard(other)
    other.tell(Notice("said", ANN))
    other.tell(Notice("inbox", BEN))
    assert [await mine.next(), await mine.next()] == [Notice("said", ANN), Notice("inbox", BEN)]
    one.tell(Notice("typing", ANN))
    assert await theirs.next() == Notice("typing", ANN)


async def test_thousands_of_notices_and_ids_in_any_script_arrive(one: PostgresStore, other: PostgresStore) -> None:
    heard = Heard(one)
    keys = [ChatKey("salon", "web", f"{'名前' * 20} {number}") for number in range(2000)]
    for key in keys:
        other.tell(Notice("said", key))
        other.tell(Notice("said", key))
    other.tell(Notice("said", ChatKey("salon", "web", "x" * 9000)))
    other.tell(Notice("quiet", ANN))
    assert [await heard.next() for _ in range(2001)] == [*(Notice("said", key) for key in keys), Notice("quiet", ANN)]


async def test_what_others_send_on_the_channel_is_left_alone(
    emptied_database: str, one: PostgresStore, other: PostgresStore
) -> None:
    heard = Heard(one)
    for payload in ("hello", "{}", '["p", [["dance", "a", "b", "c"]]]'):
        query(emptied_database, "select pg_notify('dialoom', $1)", payload)
    other.tell(Notice("said", ANN))
    assert await heard.next() == Notice("said", ANN)


async def test_after_a_cut_link_events_that_came_meanwhile_are_told(
    emptied_database: str, one: PostgresStore, other: PostgresStore
) -> None:
    await one.hold(ANN)
    heard = Heard(one)
    await accepted(other)
    query(
        emptied_database,
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
        " and pid <> pg_backend_pid() and query like 'select is_known%' order by backend_start limit 1",
    )
    assert await heard.next() == Notice("inbox", ANN)
    other.tell(Notice("typing", ANN))
    assert await heard.next() == Notice("typing", ANN)


# -- lost


async def test_a_process_that_was_taken_for_dead_is_told_and_goes_on_under_another_name(
    emptied_database: str, other: PostgresStore
) -> None:
    async with opened(emptied_database, rhythm=FAST) as paused:
        await paused.hold(ANN)
        heard, name = Heard(paused), paused.process
        query(emptied_database, "delete from dialoom.processes where process = $1", name)
        assert await heard.next() == Notice("lost")
        with pytest.raises(Overtaken):
            await paused.commit(write())
        assert await paused.hold(ANN) is not None
        assert paused.process != name
        assert await other.hold(ANN) is None


async def test_a_process_out_of_touch_with_its_server_is_told_and_takes_its_chats_again(
    emptied_database: str,
) -> None:
    alone = PostgresStore(emptied_database, rhythm=HeartbeatTimes(beat=3600, lost=2.0))
    heard = Heard(alone)
    await alone.open()
    name = alone.process
    assert await heard.next() == Notice("lost")
    assert await alone.hold(ANN) is not None
    assert alone.process != name
    await alone.close()


async def test_a_closed_store_finishes_what_was_submitted(emptied_database: str, one: PostgresStore) -> None:
    store = PostgresStore(emptied_database, rhythm=SLOW)
    await store.open()
    await store.hold(ANN)
    turns = [asyncio.ensure_future(store.commit(write(revision))) for revision in range(10)]
    await asyncio.sleep(0)
    await store.close()
    assert [turn.result() for turn in turns] == [None] * 10
    assert await one.chat(ANN) == Chat(b"state 10", 10, 0)
    with pytest.raises(StoreError, match="Open"):
        await store.hold(ANN)


async def test_administration_beside_the_services_is_no_process_of_theirs(emptied_database: str) -> None:
    beside = PostgresStore(emptied_database, is_beside=True)
    await beside.open()
    assert await beside.bots() == []
    assert query(emptied_database, "select count(*) from dialoom.processes") == [(0,)]
    await beside.close()


# -- what PostgreSQL cannot keep


async def test_a_nul_is_kept_in_a_records_text_and_replaced_where_a_column_holds_it(one: PostgresStore) -> None:
    made = record(1, entities={"color": "a\0b", "path": "c:\\u0000"})
    kept, replaced = message(1, "one\0two"), message(2, client_id="x\0")
    await commit(one, write(records=(made,), messages=(kept, replaced)))
    assert await one.find("conversations", "salon", Selection()) == [msgspec.json.encode(made)]
    assert await one.said(ANN, 0, 10) == [kept, message(2, client_id="x\ufffd")]
    for asked, found in (('{"Data.entities.path": "c:\\\\u0000"}', 1), ('{"Data.entities.path": "c:\ufffd"}', 0)):
        assert await one.count("conversations", "salon", Selection(parse_query(asked))) == found


async def test_an_id_with_a_nul_is_refused_alone(one: PostgresStore) -> None:
    await one.hold(ANN)
    results = await asyncio.gather(
        one.commit(write()),
        one.commit(write(key=ChatKey("salon", "web", "b\0n"))),
        one.accept(BEN, "e1", b"sealed", Dedupe("k\0", b"h"), 1),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [type(None), Refused, Refused]


# -- all of it at once


async def run_turns(store: PostgresStore, key: ChatKey) -> None:
    """What a runner does with a chat that it can take."""
    held = await store.hold(key)
    if held is None:
        return
    revision, position = (held.chat.revision, held.chat.position) if held.chat else (0, 0)
    for row in held.waiting:
        said = (message(position + 1, row.id, key=key, id=f"{key.user} {row.id}"),)
        turn = write(
            revision, key, number=row.number, dedupe=row.dedupe, answer=b"a", messages=said, position=position + 1
        )
        if await store.commit(turn) is not None:
            return
        revision, position = revision + 1, position + 1
    await store.let_go([key])


@pytest.mark.parametrize("seed", range(3))
async def test_every_event_is_done_once_and_in_order_while_processes_take_chats_from_each_other(
    emptied_database: str, one: PostgresStore, other: PostgresStore, seed: int
) -> None:
    dice = random.Random(seed)
    keys = [ChatKey("salon", "web", f"user {number}") for number in range(6)]
    accepted: dict[ChatKey, dict[int, str]] = {key: {} for key in keys}
    async with (
        opened(emptied_database) as third,
        asyncpg.create_pool(emptied_database, min_size=1, max_size=1) as clock,
    ):
        stores = [one, other, third]

        async def client(name: int) -> None:
            for number in range(12):
                key, id = dice.choice(keys), f"{name}-{number}"
                for _ in range(dice.choice([1, 2])):
                    row = await dice.choice(stores).accept(key, id, b"sealed", Dedupe(id, b"h"), number)
                    if isinstance(row, Inbound):
                        accepted[key][row.number] = id

        async def runner(store: PostgresStore) -> None:
            while not is_over.is_set():
                with contextlib.suppress(Overtaken):
                    await run_turns(store, dice.choice(keys))
                if dice.random() < 0.2:
                    # Whoever it is, the others take it for dead from here on, and it does not know.
                    await clock.execute(TIME_GOES_BY, dice.choice(stores).process)

        is_over = asyncio.Event()
        runners = [asyncio.create_task(runner(store)) for store in stores for _ in range(2)]
        await asyncio.gather(*[client(name) for name in range(5)])
        is_over.set()
        await asyncio.gather(*runners)
        for store in stores:
            await clock.execute(TIME_GOES_BY, store.process)
        async with opened(emptied_database) as last:
            for key in keys:
                await run_turns(last, key)
                said = [stored.record.text for stored in await last.said(key, 0, 1000)]
                assert said == [accepted[key][number] for number in sorted(accepted[key])]
                chat = await last.chat(key)
                assert (chat.revision if chat else 0) == len(said)
            assert await last.orphans() == []
