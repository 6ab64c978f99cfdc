"""Damaged pages of an SQLite file are found table by table, beside whatever else goes on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import apsw
import pytest

from dialoom.errors import StoreError
from dialoom.storage.errors import Damaged
from dialoom.storage.sqlite import condition as page_check
from dialoom.storage.sqlite import connection as connections
from dialoom.storage.sqlite.condition import PageCheck, look_at_pages
from dialoom.storage.sqlite.connection import open_reader
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import Version

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

LARGE = b'{"flow.json": "' + b"x" * 400_000 + b'"}'
VERSION = Version("salon", "v1", LARGE, 1)


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    """Of a store in which a version lies on a hundred pages."""
    path = tmp_path / "data.sqlite"
    store = SqliteStore(path)
    await store.open()
    await store.publish(VERSION)
    await store.close()
    return path


@pytest.fixture
async def pages(file: Path) -> AsyncIterator[PageCheck]:
    made = PageCheck(file)
    made.open()
    yield made
    await made.close()


def overwrite(file: Path, page: int) -> None:
    size = 4096
    with file.open("r+b") as data:
        data.seek((page - 1) * size)
        data.write(b"\xa5" * size)


def root_of(file: Path, table: str) -> int:
    connection = apsw.Connection(str(file))
    root = int(connection.execute("select rootpage from sqlite_schema where name = ?", (table,)).get)
    connection.close()
    return root


async def test_a_sound_file_has_no_fault(file: Path, pages: PageCheck) -> None:
    assert await pages.size() == await asyncio.to_thread(lambda: file.stat().st_size)
    assert await pages.check() == ()
    look = await asyncio.to_thread(look_at_pages, file, 60.0)
    assert (look.faults, look.looked_at) == ((), look.tables)


async def test_a_page_that_was_overwritten_is_found_with_its_table(file: Path, pages: PageCheck) -> None:
    overwrite(file, root_of(file, "conversations"))
    faults = await pages.check()
    assert faults
    assert all(fault.startswith("conversations: ") for fault in faults)
    assert (await asyncio.to_thread(look_at_pages, file, 60.0)).faults == faults


async def test_a_page_that_is_damaged_after_a_pass_is_found_by_the_next(file: Path, pages: PageCheck) -> None:
    assert await pages.check() == ()
    overwrite(file, root_of(file, "conversations"))
    assert await pages.check() != ()


async def test_a_fault_of_one_table_does_not_hide_that_of_another(file: Path, pages: PageCheck) -> None:
    for table in ("chats", "versions"):
        overwrite(file, root_of(file, table))
    assert {fault.partition(":")[0] for fault in await pages.check()} == {"chats", "versions"}


async def test_a_file_whose_first_page_is_damaged_is_said_to_be(file: Path, pages: PageCheck) -> None:
    overwrite(file, 1)
    with pytest.raises(Damaged):
        await pages.check()
    with pytest.raises(Damaged):
        await asyncio.to_thread(look_at_pages, file, 60.0)


async def test_writing_goes_on_while_pages_are_read(
    file: Path, pages: PageCheck, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore(file)
    await store.open()
    loop, is_reading, goes_on = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()

    def faults_of(connection: apsw.Connection, table: str) -> list[str]:
        """Holds its read transaction until a version was published."""
        with connection:
            connection.execute("select count(*) from versions").fetchall()
            loop.call_soon_threadsafe(is_reading.set)
            asyncio.run_coroutine_threadsafe(goes_on.wait(), loop).result(60)
        return []

    monkeypatch.setattr(page_check, "faults_of", faults_of)
    checking = asyncio.create_task(pages.check())
    await is_reading.wait()
    await store.publish(Version("salon", "v2", b"{}", 2))
    active = await store.active("salon")
    assert active is not None
    assert active.version == "v2"
    goes_on.set()
    assert await checking == ()
    await store.close()


async def test_a_check_that_nobody_waits_for_is_broken_off(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_check, "STEPS_A_PAUSE", 1)
    rests: list[bool] = []
    rest = page_check.Pauses.rest

    def counted(pauses: page_check.Pauses) -> bool:
        rests.append(rest(pauses))
        if len(rests) == 1:
            loop.call_soon_threadsafe(checking.cancel)
            is_cancelled.result(60)
        return rests[-1]

    monkeypatch.setattr(page_check.Pauses, "rest", counted)
    loop = asyncio.get_running_loop()
    pages = PageCheck(file)
    pages.open()
    checking = asyncio.create_task(pages.check())
    is_cancelled = asyncio.run_coroutine_threadsafe(asyncio.wait([checking]), loop)
    with pytest.raises(asyncio.CancelledError):
        await checking
    await pages.close()
    assert rests == [False, True]


async def test_a_table_that_went_meanwhile_has_no_fault(file: Path) -> None:
    connection = open_reader(file)
    assert page_check.faults_of(connection, "property_gone") == []
    connection.close()


async def test_a_look_that_has_no_time_says_how_far_it_came(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "OPCODES_A_LOOK", 1)
    look = await asyncio.to_thread(look_at_pages, file, 0.0)
    assert (look.faults, look.looked_at) == ((), 0)


async def test_a_file_that_is_not_there_cannot_be_checked(tmp_path: Path) -> None:
    pages = PageCheck(tmp_path / "none.sqlite")
    pages.open()
    with pytest.raises(StoreError, match="cannot be opened"):
        await pages.check()
    await pages.close()
