"""Times that all processes share: the same on every store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.storage.store import CLOCK_DOUBTED, HEARTBEAT

if TYPE_CHECKING:
    from dialoom.storage.store import Store


async def test_a_new_store_has_no_marks(store: Store) -> None:
    assert await store.marks() == {}


async def test_a_mark_takes_the_place_of_the_one_before(store: Store) -> None:
    await store.set_mark(HEARTBEAT, 1)
    await store.set_mark(CLOCK_DOUBTED, 2**40)
    await store.set_mark(HEARTBEAT, 3)
    assert await store.marks() == {HEARTBEAT: 3, CLOCK_DOUBTED: 2**40}


async def test_a_mark_that_does_not_hold_any_more_is_gone(store: Store) -> None:
    await store.set_mark(HEARTBEAT, 1)
    await store.set_mark(HEARTBEAT, None)
    await store.set_mark(CLOCK_DOUBTED, None)
    assert await store.marks() == {}
