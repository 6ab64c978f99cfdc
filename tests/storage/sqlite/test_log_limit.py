"""The write-ahead log leaves the disk the room that it takes to put it into the data file."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import apsw
import pytest

from dialoom.storage.errors import DiskFull
from dialoom.storage.sqlite.connection import PAGE_BYTES, make_durable, open_writer
from dialoom.storage.sqlite.store import SqliteStore
from tests.storage.disks import SmallDisk, small_disk
from tests.storage.row_makers import write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MB = 1 << 20


@pytest.fixture
def disk() -> Iterator[SmallDisk]:
    with small_disk() as made:
        yield made


@pytest.fixture
def connection(disk: SmallDisk, tmp_path: Path) -> Iterator[apsw.Connection]:
    opened = open_writer(tmp_path / "data.sqlite")
    make_durable(opened, lambda: disk.room)
    opened.execute("create table rows (number integer primary key, content blob)")
    yield opened
    disk.room = 1 << 40
    opened.close()


def _sizes(folder: Path) -> tuple[int, int]:
    return (folder / "data.sqlite").stat().st_size, (folder / "data.sqlite-wal").stat().st_size


def test_a_small_disk_is_full_of_data_and_not_of_the_log(
    disk: SmallDisk, connection: apsw.Connection, tmp_path: Path
) -> None:
    disk.room = 20 * MB
    with contextlib.suppress(apsw.FullError):
        while True:
            connection.execute("insert into rows (content) values (randomblob(8000))")
    data, log = _sizes(tmp_path)
    assert data > 16 * MB
    assert log < 4 * MB


def test_the_room_of_the_log_is_given_back_on_a_disk_that_is_nearly_full(
    disk: SmallDisk, connection: apsw.Connection, tmp_path: Path
) -> None:
    disk.room = 20 * MB
    for _ in range(50):
        connection.execute("replace into rows values (1, randomblob(1000000))")
        assert _sizes(tmp_path)[1] < 15 * MB
    assert disk.room > 4 * MB


def test_on_a_large_disk_the_log_grows_before_it_is_put_into_the_data_file(
    connection: apsw.Connection, tmp_path: Path
) -> None:
    for _ in range(30):
        connection.execute("replace into rows values (1, randomblob(1000000))")
    data, log = _sizes(tmp_path)
    assert log > 28 * MB
    assert data <= 2 * PAGE_BYTES


async def test_a_disk_that_others_filled_is_written_again_with_the_room_of_the_log(
    disk: SmallDisk, tmp_path: Path
) -> None:
    store = SqliteStore(tmp_path / "data.sqlite")
    await store.open()
    # What is on its way to the data file fits in there: its pages are there already.
    connection = apsw.Connection(str(tmp_path / "data.sqlite"))
    connection.execute("create table rows (number integer primary key, content blob)")
    connection.execute("insert into rows values (1, randomblob(1000000))")
    connection.pragma("wal_checkpoint")
    connection.execute("delete from rows")
    connection.close()
    disk.room = 0
    revision = 0
    with contextlib.suppress(DiskFull):
        while True:
            await store.commit(write(revision))
            revision += 1
    state = await store.chat(write(0).key)
    await store.commit(write(0 if state is None else state.revision))
    disk.room = 1 << 40
    await store.close()
