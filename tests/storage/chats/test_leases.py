"""Chats that a process has and lets go, and what waits in them: the same on every store."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.store import Chat, Dedupe, Held, Inbound, Notice, Overtaken, Refused
from tests.storage.row_makers import ANN, BEN, commit, message, write

if TYPE_CHECKING:
    from dialoom.storage.store import Store


async def test_a_chat_that_never_was_is_held_empty(store: Store) -> None:
    assert await store.hold(ANN) == Held(None, ())


async def test_a_held_chat_comes_with_its_memory_and_what_waits_in_its_order(store: Store) -> None:
    await commit(store, write(position=3))
    for number in (1, 2, 3):
        await store.accept(ANN, f"e{number}", b"sealed %d" % number, Dedupe(f"k{number}", b"hash"), number)
    await store.accept(BEN, "b1", b"sealed", None, 4)
    held = await store.hold(ANN)
    assert held is not None
    assert held.chat == Chat(b"state 1", 1, 3)
    assert [(row.key, row.id, row.event, row.dedupe, row.accepted_at) for row in held.waiting] == [
        (ANN, f"e{number}", b"sealed %d" % number, Dedupe(f"k{number}", b"hash"), number) for number in (1, 2, 3)
    ]
    assert [row.number for row in held.waiting] == sorted(row.number for row in held.waiting)


async def test_a_chat_may_be_held_again_by_who_has_it(store: Store) -> None:
    assert await store.hold(ANN) is not None
    assert await store.hold(ANN) is not None
    await store.let_go([ANN, BEN])
    await store.let_go([])
    assert await store.hold(ANN) is not None


async def test_chats_with_events_that_nobody_has_are_orphans_until_their_turns_are_done(store: Store) -> None:
    assert await store.orphans() == []
    rows = [await store.accept(key, f"e{number}", b"sealed", None, 1) for number, key in enumerate((BEN, ANN, BEN))]
    await store.let_go([ANN, BEN])
    assert sorted(await store.orphans()) == [ANN, BEN]
    for revision, row in enumerate((rows[0], rows[2])):
        assert isinstance(row, Inbound)
        assert await commit(store, write(revision, BEN, number=row.number)) is None
    assert await store.orphans() == [ANN]


async def test_an_event_tells_how_many_were_ahead_only_where_others_may_accept(store: Store) -> None:
    rows = [await store.accept(ANN, f"e{number}", b"sealed", None, 1, most=None) for number in range(3)]
    assert [row.ahead for row in rows if isinstance(row, Inbound)] == ([0, 1, 2] if store.is_shared else [0, 0, 0])


async def test_telling_never_raises(store: Store) -> None:
    store.listen(lambda _: None)
    store.tell(Notice("said", ANN))
    await store.close()
    store.tell(Notice("typing", ANN))


# -- results of calls


async def test_a_result_is_not_kept_for_an_event_whose_turn_is_done_and_the_others_are(store: Store) -> None:
    rows = [await store.accept(key, f"e{number}", b"sealed", None, 1) for number, key in enumerate((ANN, BEN))]
    done, waits = [row.number for row in rows if isinstance(row, Inbound)]
    for key in (ANN, BEN):
        await store.hold(key)
    await store.journal(ANN, done, "call 1", b"result")
    assert await commit(store, write(number=done)) is None
    late, kept = await asyncio.gather(
        store.journal(ANN, done, "call 2", b"late"),
        store.journal(BEN, waits, "call 1", b"result"),
        return_exceptions=True,
    )
    assert isinstance(late, Overtaken)
    assert kept is None
    assert await store.journaled(ANN, done) == {}
    assert await store.journaled(BEN, waits) == {"call 1": b"result"}


async def test_a_result_is_not_kept_for_an_event_that_never_was(store: Store) -> None:
    await store.hold(ANN)
    with pytest.raises(Overtaken, match="not kept"):
        await store.journal(ANN, 7, "call", b"result")
    assert await store.journaled(ANN, 7) == {}


async def test_no_result_is_kept_of_a_chat_that_another_process_has(emptied_database: str) -> None:
    one, other = PostgresStore(emptied_database), PostgresStore(emptied_database)
    for store in (one, other):
        await store.open()
    row = await one.accept(ANN, "e1", b"sealed", None, 1)
    assert isinstance(row, Inbound)
    with pytest.raises(Overtaken):
        await one.journal(ANN, row.number, "call", b"held by nobody")
    await other.hold(ANN)
    with pytest.raises(Overtaken):
        await one.journal(ANN, row.number, "call", b"held by the other")
    await other.journal(ANN, row.number, "call", b"its own")
    assert await one.journaled(ANN, row.number) == {"call": b"its own"}
    for store in (other, one):
        await store.close()


# -- what a store refuses


async def test_rows_that_can_never_go_in_are_told_from_a_store_that_is_away(store: Store) -> None:
    await commit(store, write(messages=(message(1),)))
    with pytest.raises(Refused):
        await commit(store, write(1, messages=(message(1),)))
    assert await store.chat(ANN) == Chat(b"state 1", 1, 0)
