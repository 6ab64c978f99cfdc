"""A folder that the studio has changed waits for a publish, on both stores and for each process of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.live import echo_bot
from tests.stores import TemporaryStore

from dialoom.auth.vault import Vault
from dialoom.service.bots.bots import Bots, Unpublished
from dialoom.service.edited_folders import EditedFolders
from dialoom.storage.postgres.store import PostgresStore
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from dialoom.storage.store import Store


@pytest.fixture(params=["sqlite", "postgres"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    if request.param == "sqlite":
        store: Store = TemporaryStore()
    else:
        request.getfixturevalue("tables")  # empties it
        store = PostgresStore(request.getfixturevalue("shared_database"))
    await store.open()
    yield store
    await store.close()


class Process:
    """The parts of one process on the store."""

    def __init__(self, store: Store, key: bytes) -> None:
        clock, vault = MovedClock(), Vault.from_keys([key])
        self.bots = Bots(store, vault, clock)
        self.folders = EditedFolders(store, vault, clock, self.bots)

    async def is_waiting(self, folder: Path) -> bool:
        try:
            await self.folders.check(folder)
        except Unpublished:
            return True
        return False


async def test_a_folder_waits_from_the_first_save_until_what_it_holds_is_active(store: Store, tmp_path: Path) -> None:
    key, folder = os.urandom(32), echo_bot(tmp_path / "bot", "first")
    one, other = Process(store, key), Process(store, key)
    assert not await one.is_waiting(folder)
    await one.bots.publish(folder)
    await one.folders.note("echo", folder)
    echo_bot(folder, "second")
    assert await one.is_waiting(folder)
    assert await other.is_waiting(folder)
    copy = echo_bot(tmp_path / "copy", "third")
    assert await other.is_waiting(copy)  # one bot has one truth, wherever its folder lies
    await one.bots.publish(copy)
    await one.folders.settle("echo", folder)
    assert await other.is_waiting(folder)
    await one.bots.publish(folder)
    assert not await other.is_waiting(folder)
    echo_bot(folder, "fourth")
    assert not await one.is_waiting(folder)


async def test_a_folder_that_holds_the_active_version_again_waits_no_more(store: Store, tmp_path: Path) -> None:
    process, folder = Process(store, os.urandom(32)), echo_bot(tmp_path / "bot", "first")
    await process.bots.publish(folder)
    for text in ("second", "first"):
        await process.folders.note("echo", folder)
        echo_bot(folder, text)
    await process.folders.settle("echo", folder)
    echo_bot(folder, "third")
    assert not await process.is_waiting(folder)
    await process.folders.note("echo", folder)
    assert await process.is_waiting(folder)


async def test_a_save_at_the_moment_of_a_publish_waits(store: Store, tmp_path: Path) -> None:
    key, folder = os.urandom(32), echo_bot(tmp_path / "bot", "first")
    publisher, studio = Process(store, key), Process(store, key)
    await publisher.bots.publish(folder)
    await studio.folders.note("echo", folder)

    class Saving(Bots):
        """The studio saves after the folder was compared."""

        async def files(self, bot: str, version: str) -> dict[str, str] | None:
            found = await super().files(bot, version)
            await studio.folders.note("echo", folder)
            return found

    publisher.bots.__class__ = Saving
    await publisher.folders.settle("echo", folder)
    echo_bot(folder, "second")
    assert await studio.is_waiting(folder)
