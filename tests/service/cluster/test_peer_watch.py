"""What the log says of the other processes on a database."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import pytest
from tests.stores import TemporaryStore

from dialoom.auth.vault import Vault
from dialoom.service.cluster.peer_watch import SILENT_MS, PeerWatch
from dialoom.service.settings import Settings
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from dialoom.storage.store import Store


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    store = TemporaryStore()
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def clock() -> MovedClock:
    return MovedClock()


class Watches:
    def __init__(self, store: Store, clock: MovedClock) -> None:
        self._parts = (store, Vault.from_keys([bytes(32)]), clock)

    def make(self, **settings: Any) -> PeerWatch:
        return PeerWatch(*self._parts, Settings(**settings))


async def _look(*watches: PeerWatch) -> None:
    for _ in range(2):
        for watch in watches:
            await watch.look()


async def test_a_process_that_comes_and_stops_is_a_line_each(
    store: Store, clock: MovedClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    one, two = (Watches(store, clock).make(port=port) for port in (8080, 8081))
    await _look(one, two, one)
    assert (one.count, two.count) == (2, 2)
    await two.stop()
    await _look(one)
    assert one.count == 1
    said = [record.getMessage().split(" ", 2)[2] for record in caplog.records]
    assert said == [
        "(release 0.1.0) works on this database too; 2 do now",
        "(release 0.1.0) works on this database too; 2 do now",
        "has stopped; 1 work on this database now",
    ]
    assert {record.levelname for record in caplog.records} == {"INFO"}


async def test_a_process_that_dies_is_said_once_and_one_that_comes_back_too(
    store: Store, clock: MovedClock, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = Watches(store, clock).make(), Watches(store, clock).make()
    await _look(one, two, one)
    for _ in range(4):
        clock.move(SILENT_MS / 1000)
        await one.look()
    assert one.count == 1
    (died,) = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert "nothing was heard of it for 20 s" in died
    await _look(two, one)
    assert one.count == 2


async def test_a_row_that_a_killed_process_left_is_no_process(store: Store, clock: MovedClock) -> None:
    await Watches(store, clock).make().look()
    late = Watches(store, clock).make()
    await _look(late)
    assert late.count == 1


async def test_settings_that_differ_are_named_without_their_values(
    store: Store, clock: MovedClock, caplog: pytest.LogCaptureFixture
) -> None:
    one = Watches(store, clock).make(base_url="https://a.example", port=1)
    two = Watches(store, clock).make(base_url="https://b.example", port=2, log_level="debug")
    await _look(one, two, one)
    warned = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert len(warned) == 2
    assert all("(base_url)" in line and "example" not in line for line in warned)
