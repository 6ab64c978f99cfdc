"""Several processes on one store, played by views of the twin in memory."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from dialoom.errors import StoreError
from dialoom.storage.memory import MemoryStore
from dialoom.storage.store import Answered, Chat, Dedupe, Inbound, InboxFull, Notice, Overtaken, ScheduledJob
from tests.storage.making import ANN, BEN, outgoing, timer, write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

Pair = tuple[MemoryStore, MemoryStore]


@pytest.fixture
async def pair() -> AsyncIterator[Pair]:
    first = MemoryStore()
    second = first.beside()
    await first.open()
    await second.open()
    yield first, second
    await second.close()
    await first.close()


async def test_both_see_what_one_wrote(pair: Pair) -> None:
    first, second = pair
    assert first.is_shared
    assert second.is_shared
    await first.hold(ANN)
    await first.commit(write())
    assert await second.chat(ANN) == Chat(b"state 1", 1, 0)


async def test_a_chat_is_held_by_one_until_it_lets_go(pair: Pair) -> None:
    first, second = pair
    assert await first.hold(ANN) is not None
    assert await second.hold(ANN) is None
    await second.let_go([ANN])
    assert await second.hold(ANN) is None
    await first.let_go([ANN])
    assert await second.hold(ANN) is not None
    assert await first.hold(ANN) is None


async def test_a_turn_of_a_chat_that_is_not_held_is_refused(pair: Pair) -> None:
    first, second = pair
    with pytest.raises(Overtaken, match="not held"):
        await first.commit(write())
    await second.hold(ANN)
    with pytest.raises(Overtaken, match="not held"):
        await first.commit(write())
    assert await first.chat(ANN) is None


async def test_a_turn_waits_for_the_events_before_it(pair: Pair) -> None:
    first, second = pair
    await first.hold(ANN)
    earlier = await second.accept(ANN, "e1", b"sealed", None, 1)
    later = await first.accept(ANN, "e2", b"sealed", None, 1)
    assert isinstance(earlier, Inbound)
    assert isinstance(later, Inbound)
    for number in (None, later.number):
        with pytest.raises(Overtaken, match="earlier event waits"):
            await first.commit(write(number=number))
    assert await first.commit(write(number=earlier.number)) is None
    assert await first.commit(write(1, number=later.number)) is None


async def test_a_key_that_another_process_answered_is_answered_alike(pair: Pair) -> None:
    first, second = pair
    hello = Dedupe("k", b"hash")
    await first.hold(ANN)
    await first.commit(write(dedupe=hello, answer=b"hi"))
    assert await second.accept(ANN, "e", b"sealed", hello, 1) == Answered(b"hash", b"hi")
    await first.let_go([ANN])
    await second.hold(ANN)
    assert await second.commit(write(1, dedupe=hello, answer=b"no")) == Answered(b"hash", b"hi")


async def test_no_more_events_are_accepted_than_may_wait(pair: Pair) -> None:
    first, second = pair
    for number, store in enumerate((first, second, first)):
        row = await store.accept(ANN, f"e{number}", b"sealed", Dedupe(f"k{number}", b"hash"), 1, most=3)
        assert isinstance(row, Inbound)
        assert row.ahead == number
    with pytest.raises(InboxFull):
        await second.accept(ANN, "e3", b"sealed", None, 1, most=3)
    assert await second.accept(ANN, "e4", b"sealed", Dedupe("k1", b"hash"), 1, most=3) == Answered(b"hash", None)
    assert isinstance(await second.accept(BEN, "e5", b"sealed", None, 1, most=3), Inbound)


async def test_a_killed_process_writes_no_more_and_its_chats_are_free(pair: Pair) -> None:
    first, second = pair
    await first.hold(ANN)
    await first.accept(ANN, "e1", b"sealed", None, 1)
    assert await second.orphans() == []
    first.die()
    for refused in (first.commit(write()), first.hold(BEN), first.chat(ANN), first.open()):
        with pytest.raises(StoreError, match="killed"):
            await refused
    assert await second.orphans() == [ANN]
    held = await second.hold(ANN)
    assert held is not None
    assert [row.id for row in held.waiting] == ["e1"]


async def test_a_process_that_stops_lets_go_of_its_chats(pair: Pair) -> None:
    first, second = pair
    await first.hold(ANN)
    await first.close()
    assert await second.hold(ANN) is not None


async def test_a_process_that_was_out_of_touch_is_told_and_has_lost_its_chats(pair: Pair) -> None:
    first, second = pair
    heard: list[Notice] = []
    first.listen(heard.append)
    await first.hold(ANN)
    first.lose()
    assert heard == [Notice("lost")]
    assert await second.hold(ANN) is not None
    with pytest.raises(Overtaken, match="not held"):
        await first.commit(write())


async def test_what_one_tells_the_others_hear_soon(pair: Pair) -> None:
    first, second = pair
    mine: list[Notice] = []
    theirs: list[Notice] = []
    first.listen(mine.append)
    second.listen(theirs.append)
    first.tell(Notice("said", ANN))
    assert theirs == []
    await asyncio.sleep(0)
    assert (mine, theirs) == ([], [Notice("said", ANN)])


async def test_a_process_that_is_gone_neither_tells_nor_hears(pair: Pair) -> None:
    first, second = pair
    heard: list[Notice] = []
    for store in pair:
        store.listen(heard.append)
    first.tell(Notice("said", ANN))
    second.die()
    first.tell(Notice("said", BEN))
    second.tell(Notice("said", ANN))
    await asyncio.sleep(0)
    assert heard == []


async def test_timers_of_a_chat_that_another_has_are_left_to_it(pair: Pair) -> None:
    first, second = pair
    await first.hold(ANN)
    await first.commit(write(timers=(timer("session", 100),)))
    assert await first.due(100, 10) == [timer("session", 100)]
    assert await second.due(100, 10) == []
    await first.let_go([ANN])
    assert await second.due(100, 10) == [timer("session", 100)]


async def test_deliveries_and_chores_come_to_one_of_them(pair: Pair) -> None:
    first, second = pair
    await first.hold(ANN)
    await first.commit(write(outbox=(outgoing(1),)))
    await first.plan(ScheduledJob("salon", "retention", 1000))
    assert len(await first.take_outgoing(1000, 2000, 10)) + len(await second.take_outgoing(1000, 2000, 10)) == 1
    assert len(await first.take_chores(1000, 2000, 10)) + len(await second.take_chores(1000, 2000, 10)) == 1
