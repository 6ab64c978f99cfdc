"""Commands of a newer release beside a data file: its tables change only while no service runs, and once."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import apsw
import pytest

from dialoom.errors import StoreError
from dialoom.storage.sqlite.connection import FolderLock
from dialoom.storage.sqlite.migrate import migrate, migrate_beside, steps
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import LoginRow, ScheduledJob
from tests.storage.row_makers import ANN, write

if TYPE_CHECKING:
    from pathlib import Path

STEPS = len(steps())


def file_at(tmp_path: Path, number: int) -> Path:
    """Return a data file on which the first so many steps have run."""
    older = tmp_path / "older"
    older.mkdir()
    for step in steps()[:number]:
        (older / step.name).write_text(step.read_text("utf-8"), "utf-8")
    made = tmp_path / "data.sqlite"
    connection = apsw.Connection(str(made))
    connection.pragma("journal_mode", "wal")
    migrate(connection, made, older)
    connection.close()
    return made


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A data file at the step before the last."""
    return file_at(tmp_path, STEPS - 1)


@pytest.fixture
def file_with_job(tmp_path: Path) -> Path:
    """A data file of the release that had its jobs in the table ``chores``, with one of them."""
    made = file_at(tmp_path, 10)
    connection = apsw.Connection(str(made))
    connection.execute("insert into chores (bot, name, due) values ('salon', 'retention', 10)")
    connection.close()
    return made


def step_of(file: Path) -> int:
    connection = apsw.Connection(str(file))
    at = int(connection.pragma("user_version"))
    connection.close()
    return at


def test_beside_a_service_of_an_older_release_nothing_is_changed(file: Path) -> None:
    service = FolderLock(file)
    service.take()
    before = file.read_bytes()
    connection = apsw.Connection(str(file))
    with pytest.raises(StoreError, match=r"service of an older release is running .* Stop that service first, or use"):
        migrate_beside(connection, file, patience=0)
    connection.close()
    service.release()
    assert file.read_bytes() == before


async def test_without_a_service_a_command_migrates_and_lets_go_of_the_folder(file: Path) -> None:
    beside = SqliteStore(file, is_beside=True)
    await beside.open()
    assert step_of(file) == STEPS
    service = SqliteStore(file)
    await service.open()
    assert await service.commit(write()) is None
    await service.close()
    await beside.close()


async def test_beside_a_service_of_this_release_a_command_needs_no_lock(tmp_path: Path, sqlite: SqliteStore) -> None:
    beside = SqliteStore(tmp_path / "data.sqlite", is_beside=True)
    await beside.open()
    assert await beside.bots() == []
    await beside.close()
    assert await sqlite.commit(write()) is None


async def test_commands_that_start_at_once_migrate_once(file: Path) -> None:
    stores = [SqliteStore(file, is_beside=True) for _ in range(6)]
    await asyncio.gather(*[store.open() for store in stores])
    assert step_of(file) == STEPS
    for store in stores:
        await store.close()


def test_a_command_waits_for_another_one_that_is_at_the_tables(file: Path) -> None:
    other = FolderLock(file)
    other.take()
    connection = apsw.Connection(str(file))
    connection.set_busy_timeout(60_000)
    waiting = threading.Thread(target=migrate_beside, args=(connection, file), kwargs={"patience": 60})
    waiting.start()
    first = apsw.Connection(str(file))
    first.set_busy_timeout(60_000)
    migrate(first, file)
    first.close()
    other.release()
    waiting.join()
    connection.close()
    assert step_of(file) == STEPS


async def test_a_chat_of_the_release_before_can_have_login_links(file: Path) -> None:
    connection = apsw.Connection(str(file))
    values = (*ANN, b"sealed", 1, 0)
    connection.execute(
        "insert into chats (bot, channel, user, state, revision, position) values (?, ?, ?, ?, ?, ?)", values
    )
    connection.close()
    store = SqliteStore(file)
    await store.open()
    row = LoginRow(ANN, "l1", b"sealed", 1000)
    assert await store.open_login(row) == row
    assert await store.login(ANN, "l1") == row
    await store.close()


async def test_scheduled_jobs_of_the_release_before_are_taken_at_their_time(file_with_job: Path) -> None:
    store = SqliteStore(file_with_job)
    await store.open()
    assert await store.take_jobs(10, 100, 10) == [ScheduledJob("salon", "retention", 10)]
    await store.close()
