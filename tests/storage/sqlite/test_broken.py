"""A full disk, a folder without rights, a damaged, newer or foreign file: a clear error, and nothing is lost."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from dialoom.errors import StoreError
from dialoom.query import Selection, parse_query
from dialoom.storage.sqlite.connection import OURS
from dialoom.storage.sqlite.migrate import steps
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import Chat
from tests.storage.disks import folder_without_rights, small_disk
from tests.storage.row_makers import ANN, BEN, message, outgoing, record, write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence
    from pathlib import Path

    from dialoom.storage.store import TurnWrite
    from tests.storage.disks import SmallDisk

NEWEST = len(steps())
NO_LIMIT = 1 << 40
FULL = r"The disk of .*data\.sqlite is full; nothing of this was written\. Make room"


def long_turn(revision: int) -> TurnWrite:
    """It grows the file by more than 30 kB."""
    said = tuple(message(number, "x" * 3000) for number in range(1, 13))
    return write(revision, records=(record(1),), messages=said, position=12, outbox=(outgoing(1),))


# -- a full disk


@pytest.fixture
def disk() -> Iterator[SmallDisk]:
    with small_disk() as made:
        yield made


@pytest.fixture
async def on_disk(disk: SmallDisk, tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(tmp_path / "data.sqlite")
    await store.open()
    yield store
    disk.room = NO_LIMIT
    await store.close()


@pytest.mark.parametrize("room", [0, 3000, 10_000, 30_000])
async def test_a_disk_that_is_full_in_the_middle_of_a_turn_is_told_and_the_turn_is_stored_once_there_is_room(
    disk: SmallDisk, on_disk: SqliteStore, room: int
) -> None:
    await on_disk.commit(write())
    disk.room = room
    with pytest.raises(StoreError, match=FULL):
        await on_disk.commit(long_turn(1))
    assert await on_disk.chat(ANN) == Chat(b"state 1", 1, 0)
    assert await on_disk.said(ANN, 0, 100) == []
    assert await on_disk.count("conversations", "salon", Selection(parse_query(None))) == 0
    assert await on_disk.outbox_counts() == []
    disk.room = NO_LIMIT
    assert await on_disk.commit(long_turn(1)) is None
    assert len(await on_disk.said(ANN, 0, 100)) == 12


async def test_a_full_disk_takes_no_event_that_it_does_not_keep(disk: SmallDisk, on_disk: SqliteStore) -> None:
    disk.room = 2000
    for _ in range(3):
        with pytest.raises(StoreError, match=FULL):
            await on_disk.accept(ANN, "e1", b"sealed" * 2000, None, 1)
    assert await on_disk.orphans() == []
    disk.room = NO_LIMIT
    await on_disk.accept(ANN, "e1", b"sealed" * 2000, None, 1)
    assert await on_disk.orphans() == [ANN]


async def test_a_store_that_stops_on_a_full_disk_loses_nothing(disk: SmallDisk, tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "data.sqlite")
    await store.open()
    await store.commit(write())
    await store.commit(long_turn(1))
    disk.room = 0
    await store.close()
    disk.room = NO_LIMIT
    await store.open()
    assert await store.chat(ANN) == Chat(b"state 2", 2, 12)
    assert len(await store.said(ANN, 0, 100)) == 12
    await store.close()


async def test_a_disk_that_is_full_at_the_first_start_is_told_and_the_next_start_works(
    disk: SmallDisk, tmp_path: Path
) -> None:
    store = SqliteStore(tmp_path / "data.sqlite")
    disk.room = 5000
    with pytest.raises(StoreError, match=FULL):
        await store.open()
    disk.room = NO_LIMIT
    await store.open()
    assert await store.commit(write()) is None
    await store.close()


async def test_a_file_that_may_grow_no_more_is_told_and_nothing_is_written_by_half(sqlite: SqliteStore) -> None:
    await sqlite.commit(write())

    def limit(extra: int) -> Any:
        def task(connection: apsw.Connection, payloads: Sequence[None]) -> list[None]:
            pages = connection.pragma("page_count")
            connection.pragma("max_page_count", pages + extra)
            return [None] * len(payloads)

        return task

    await sqlite.writer.submit(limit(2), None)
    with pytest.raises(StoreError, match=FULL):
        await sqlite.commit(long_turn(1))
    assert await sqlite.chat(ANN) == Chat(b"state 1", 1, 0)
    assert await sqlite.said(ANN, 0, 100) == []
    await sqlite.writer.submit(limit(1000), None)
    assert await sqlite.commit(long_turn(1)) is None


# -- a folder and a file without rights


async def written(folder: Path) -> SqliteStore:
    """A closed store with a turn in it."""
    store = SqliteStore(folder / "data.sqlite")
    await store.open()
    await store.commit(write())
    await store.close()
    return store


def test_a_read_only_folder_is_told_at_the_first_start() -> None:
    with folder_without_rights() as folder:
        folder.chmod(0o500)
        with pytest.raises(StoreError, match=r"cannot be written .* service's user may write there"):
            asyncio.run(SqliteStore(folder / "data.sqlite").open())


async def test_a_folder_that_became_read_only_is_told_and_loses_nothing() -> None:
    with folder_without_rights() as folder:
        store = await written(folder)
        folder.chmod(0o500)
        with pytest.raises(StoreError, match=r"cannot be written\. Give the service's user the right"):
            await store.open()
        folder.chmod(0o700)
        await store.open()
        assert await store.chat(ANN) == Chat(b"state 1", 1, 0)
        await store.close()


async def test_a_folder_that_becomes_read_only_does_not_stop_who_has_it_open() -> None:
    with folder_without_rights() as folder:
        store = SqliteStore(folder / "data.sqlite")
        await store.open()
        folder.chmod(0o500)
        assert await store.commit(write()) is None
        await store.close()
        folder.chmod(0o700)
        await store.open()
        assert await store.chat(ANN) == Chat(b"state 1", 1, 0)
        await store.close()


async def test_a_file_that_became_read_only_is_told_and_loses_nothing() -> None:
    with folder_without_rights() as folder:
        store = await written(folder)
        (folder / "data.sqlite").chmod(0o400)
        with pytest.raises(StoreError, match=r"cannot be opened for writing .* user may write there"):
            await store.open()
        (folder / "data.sqlite").chmod(0o600)
        await store.open()
        assert await store.chat(ANN) == Chat(b"state 1", 1, 0)
        await store.close()


# -- a damaged file


@pytest.mark.parametrize(
    ("start", "end", "told"),
    [
        (0, None, r"data\.sqlite is no database.*backup"),
        (0, 16, r"data\.sqlite is no database.*backup"),
        (16, 18, r"data\.sqlite is no database.*backup"),
        (100, 4096, r"data\.sqlite is damaged.*backup"),
    ],
)
async def test_a_file_whose_beginning_is_damaged_is_told_at_the_start_and_left_as_it_is(
    tmp_path: Path, start: int, end: int | None, told: str
) -> None:
    store = await written(tmp_path)
    file = tmp_path / "data.sqlite"
    content = bytearray(file.read_bytes())
    content[start:end] = b"\xff" * len(content[start:end])
    file.write_bytes(content)
    with pytest.raises(StoreError, match=told):
        await store.open()
    assert file.read_bytes() == content


async def damaged_behind(folder: Path, page: int) -> SqliteStore:
    """The first pages hold the roots of tables and indexes; behind them lie the messages."""
    store = SqliteStore(folder / "data.sqlite")
    await store.open()
    await store.commit(write(messages=tuple(message(number, "x" * 900) for number in range(1, 90))))
    await store.close()
    file = folder / "data.sqlite"
    content = bytearray(file.read_bytes())
    content[4096 * page :] = b"\xff" * (len(content) - 4096 * page)
    file.write_bytes(content)
    return store


async def test_a_file_whose_pages_are_damaged_is_told_when_they_are_read(tmp_path: Path) -> None:
    store = await damaged_behind(tmp_path, 64)
    await store.open()
    with pytest.raises(StoreError, match=r"is damaged.*backup"):
        await store.find("messages", "salon", Selection(parse_query('{"Text": {"$gt": "a"}}')))
    await store.close()


async def test_a_turn_that_meets_a_damaged_page_is_refused_whole_and_those_that_do_not_go_on(tmp_path: Path) -> None:
    store = await damaged_behind(tmp_path, 64)
    await store.open()
    with pytest.raises(StoreError, match=r"is damaged.*backup"):
        await store.commit(write(1, messages=tuple(message(number, "x" * 900) for number in range(100, 190))))
    assert await store.chat(ANN) == Chat(b"state 1", 1, 0)
    assert await store.commit(write(key=BEN)) is None
    assert await store.chat(BEN) == Chat(b"state 1", 1, 0)
    await store.close()


async def test_a_file_that_was_cut_off_is_told(tmp_path: Path) -> None:
    store = await damaged_behind(tmp_path, 64)
    file = tmp_path / "data.sqlite"
    file.write_bytes(file.read_bytes()[: 4096 * 20])
    with pytest.raises(StoreError, match=r"is damaged.*backup"):
        await store.open()


# -- a newer release, another program


@pytest.mark.parametrize("ahead", [1, 900])
async def test_a_file_of_a_newer_release_is_refused_and_left_as_it_is(tmp_path: Path, ahead: int) -> None:
    store = await written(tmp_path)
    file = tmp_path / "data.sqlite"
    newer = NEWEST + ahead
    connection = apsw.Connection(str(file))
    connection.pragma("user_version", newer)
    connection.close()
    content = file.read_bytes()
    with pytest.raises(StoreError, match=rf"newer release .* step {newer}.*Start that release"):
        await store.open()
    assert file.read_bytes() == content


async def test_a_database_of_another_program_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "data.sqlite"
    connection = apsw.Connection(str(file))
    connection.execute("create table bookmarks (url text)")
    connection.close()
    content = file.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        await SqliteStore(file).open()
    assert file.read_bytes() == content


async def test_an_empty_file_is_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "data.sqlite").touch()
    store = SqliteStore(tmp_path / "data.sqlite")
    await store.open()
    assert await store.commit(write()) is None
    connection = apsw.Connection(str(tmp_path / "data.sqlite"))
    assert connection.pragma("application_id") == OURS
    connection.close()
    await store.close()


async def test_what_is_told_holds_no_text_of_a_user(disk: SmallDisk, on_disk: SqliteStore) -> None:
    disk.room = 0
    with pytest.raises(StoreError) as told:
        await on_disk.commit(write(messages=(message(1, "my secret wish"),)))
    assert "secret" not in str(told.value)
