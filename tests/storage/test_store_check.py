"""The store check says that a store cannot be written after a write has failed, and finds out when it can again."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import apsw
import asyncpg
import pytest

from dialoom.errors import StoreError
from dialoom.storage.errors import CannotRead, CannotWrite, DiskFailing, DiskFull, ReadOnly
from dialoom.storage.postgres.failures import explain
from dialoom.storage.postgres.heartbeat import HeartbeatTimes
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite import writes
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import Chat, ScheduledJob
from tests.postgres import query
from tests.storage.disks import SmallDisk
from tests.storage.row_makers import ANN, commit, message, write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence
    from pathlib import Path

    from dialoom.storage.store import Store
    from tests.postgres import Server

NO_LIMIT = 1 << 40


async def test_a_store_that_is_well_is_ready(store: Store) -> None:
    await store.check()
    await commit(store, write())
    await store.check()


async def test_a_store_that_is_closed_is_not(store: Store) -> None:
    await store.close()
    with pytest.raises(StoreError, match="Open"):
        await store.check()
    await store.open()
    await store.check()


# -- SQLite


class Disk(SmallDisk):
    """``fault``: what every write meets; ``read_fault``: what every look at it does."""

    fault: Exception | None = None
    read_fault: Exception | None = None

    def look(self) -> None:
        if self.read_fault is not None:
            raise self.read_fault

    def grow(self, more: int) -> None:
        if self.fault is not None:
            raise self.fault
        super().grow(more)


@pytest.fixture
def disk() -> Iterator[Disk]:
    made = Disk()
    yield made
    made.unregister()


@pytest.fixture
async def on_disk(disk: Disk, tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(tmp_path / "data.sqlite")
    await store.open()
    await store.commit(write())
    await store.check()  # the first look after a start writes
    yield store
    disk.room, disk.fault, disk.read_fault = NO_LIMIT, None, None
    await store.close()


async def written(store: SqliteStore) -> int:
    """Rows that the writer has changed so far."""

    def count(connection: apsw.Connection, _: Sequence[Any]) -> list[int]:
        return [connection.total_changes()]

    return int(await store.writer.submit(count, None))


def long_turn(revision: int) -> Any:
    said = tuple(message(number, "x" * 3000) for number in range(1, 13))
    return write(revision, messages=said, position=12)


async def test_nothing_is_written_to_find_out_while_no_write_has_failed(on_disk: SqliteStore) -> None:
    before = await written(on_disk)
    for _ in range(3):
        await on_disk.check()
    assert await written(on_disk) == before


async def test_a_full_disk_is_told_until_there_is_room(disk: Disk, on_disk: SqliteStore) -> None:
    disk.room = 0
    await on_disk.check()  # nobody has met it yet
    with pytest.raises(DiskFull):
        await on_disk.commit(long_turn(1))
    for _ in range(2):
        with pytest.raises(DiskFull, match=r"The disk of .*data\.sqlite is full.* Make room"):
            await on_disk.check()
    disk.room = NO_LIMIT
    await on_disk.check()
    before = await written(on_disk)
    await on_disk.check()
    assert await written(on_disk) == before
    assert await on_disk.commit(long_turn(1)) is None
    assert await on_disk.chat(ANN) == Chat(b"state 2", 2, 12)


async def test_room_for_less_than_some_turns_is_none(disk: Disk, on_disk: SqliteStore) -> None:
    disk.room = 0
    with pytest.raises(DiskFull):
        await on_disk.commit(long_turn(1))
    disk.room = writes.FILL_BYTES // 2
    with pytest.raises(DiskFull):
        await on_disk.check()


async def test_a_look_takes_no_turn_down_for_which_there_is_room(disk: Disk, on_disk: SqliteStore) -> None:
    disk.room = 0
    with pytest.raises(DiskFull):
        await on_disk.commit(long_turn(1))
    disk.room = writes.FILL_BYTES // 2
    begun, go_on = threading.Event(), threading.Event()

    def hold(_: apsw.Connection, payloads: Sequence[None]) -> Sequence[None]:
        begun.set()
        go_on.wait(60)
        return payloads

    held = on_disk.writer.submit(hold, None)
    await asyncio.to_thread(begun.wait, 60)
    look = asyncio.create_task(on_disk.check())
    while not on_disk.writer.handed_over():  # noqa: ASYNC110  # whose thread would take it is held: nobody tells
        await asyncio.sleep(0)
    turn = asyncio.create_task(on_disk.commit(write(1)))
    while on_disk.writer.handed_over() < 2:  # noqa: ASYNC110  # the same
        await asyncio.sleep(0)
    go_on.set()
    await held
    with pytest.raises(DiskFull):
        await look
    assert await turn is None


async def test_what_was_tried_leaves_nothing_behind(disk: Disk, on_disk: SqliteStore) -> None:
    disk.room = 0
    with pytest.raises(DiskFull):
        await on_disk.commit(long_turn(1))
    disk.room = NO_LIMIT
    await on_disk.check()

    def pieces(connection: apsw.Connection, _: Sequence[Any]) -> list[int]:
        return [connection.execute("select count(*) from file_pieces").get]

    assert await on_disk.writer.submit(pieces, None) == 0


@pytest.mark.parametrize(
    ("fault", "told"),
    [(apsw.ReadOnlyError("read-only"), ReadOnly), (apsw.IOError("disk I/O error"), DiskFailing)],
)
async def test_a_disk_that_became_read_only_or_fails_is_told_until_it_is_well(
    disk: Disk, on_disk: SqliteStore, fault: Exception, told: type[CannotWrite]
) -> None:
    disk.fault = fault
    for _ in range(2):
        with pytest.raises(told):
            await on_disk.commit(write(1))
        with pytest.raises(told):
            await on_disk.check()
    disk.fault = None
    await on_disk.check()
    assert await on_disk.commit(write(1)) is None


async def test_a_turn_that_is_refused_makes_nobody_doubt_the_disk(on_disk: SqliteStore) -> None:
    before = await written(on_disk)
    with pytest.raises(StoreError, match="changed by another turn"):
        await on_disk.commit(write(7))
    await on_disk.check()
    assert await written(on_disk) == before


@pytest.mark.parametrize(
    "fault",
    [
        apsw.TooBigError("string or blob too big"),
        apsw.MismatchError("datatype mismatch"),
        apsw.BusyError("database is locked"),
        apsw.CorruptError("database disk image is malformed"),
    ],
)
async def test_a_failure_that_says_nothing_of_the_disk_makes_nobody_doubt_it(
    on_disk: SqliteStore, fault: Exception
) -> None:
    def fail(_: apsw.Connection, payloads: Sequence[None]) -> Sequence[None]:
        raise fault

    before = await written(on_disk)
    with pytest.raises(StoreError):
        await on_disk.writer.submit(fail, None)
    await on_disk.check()
    assert await written(on_disk) == before


async def test_a_disk_that_fails_where_it_is_read_is_told_as_that_and_not_as_one_that_cannot_be_written(
    disk: Disk, on_disk: SqliteStore
) -> None:
    disk.read_fault = apsw.IOError("disk I/O error")
    for _ in range(2):
        with pytest.raises(CannotRead, match=r"The disk of .*data\.sqlite failed"):
            await on_disk.check()
    disk.read_fault = None
    await on_disk.check()


# -- PostgreSQL

FULL_TABLE = """
create function dialoom.full_disk() returns trigger language plpgsql as $$
begin raise exception 'no room' using errcode = '53100'; end $$;
"""
FULL_DISK = """
create function public.full_disk() returns event_trigger language plpgsql as $$
begin raise exception 'no room' using errcode = '53100'; end $$;
"""
CUT = "select pg_terminate_backend(pid) from pg_stat_activity where datname = '{}'"


@pytest.fixture
async def postgres(database: str) -> AsyncIterator[PostgresStore]:
    made = PostgresStore(database, rhythm=HeartbeatTimes(beat=0.1, retry=0.05))
    await made.open()
    await commit(made, write())
    await made.check()  # the first look after a start writes
    yield made
    await made.close()


async def test_a_full_disk_of_postgresql_is_told_until_there_is_room(postgres: PostgresStore, database: str) -> None:
    await asyncio.to_thread(query, database, FULL_TABLE)
    await asyncio.to_thread(
        query,
        database,
        "create trigger full_disk before insert on dialoom.scheduled_jobs execute function dialoom.full_disk()",
    )
    await asyncio.to_thread(query, database, FULL_DISK)
    await asyncio.to_thread(
        query,
        database,
        "create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE AS') "
        "execute function public.full_disk()",
    )
    await postgres.check()  # nobody has met it yet
    with pytest.raises(DiskFull):
        await postgres.plan(ScheduledJob("salon", "retention", 1))
    for _ in range(2):
        with pytest.raises(DiskFull, match=r"The disk of the PostgreSQL database .* is full.* Make room"):
            await postgres.check()
    await asyncio.to_thread(query, database, "drop event trigger full_disk")
    await postgres.check()
    assert query(database, "select to_regclass('dialoom.room')") == [(None,)]


async def test_a_user_who_may_make_no_tables_is_ready_again_all_the_same(
    postgres: PostgresStore, database: str
) -> None:
    await asyncio.to_thread(query, database, FULL_TABLE)
    await asyncio.to_thread(
        query,
        database,
        "create trigger full_disk before insert on dialoom.scheduled_jobs execute function dialoom.full_disk()",
    )
    with pytest.raises(DiskFull):
        await postgres.plan(ScheduledJob("salon", "retention", 1))
    await asyncio.to_thread(
        query,
        database,
        "create function public.no_right() returns event_trigger language plpgsql as "
        "$$ begin raise exception 'no right' using errcode = '42501'; end $$",
    )
    await asyncio.to_thread(
        query,
        database,
        "create event trigger no_right on ddl_command_start when tag in ('CREATE TABLE AS') "
        "execute function public.no_right()",
    )
    await postgres.check()
    await postgres.check()


async def test_a_disk_of_postgresql_that_fails_where_it_is_read_is_told_as_that(database: str) -> None:
    class Failing(PostgresStore):
        async def bots(self) -> list[str]:
            raise explain(asyncpg.PostgresIOError("could not read block 0"), "the database")

    with pytest.raises(CannotRead, match=r"The disk of the database failed\. Check disk and file system"):
        await Failing(database).check()


async def read_only(server: Server, database: str, *, on: bool) -> None:
    """As after a change to a replica and back: connections are cut, new ones meet the other state."""
    name = urlsplit(database).path[1:]
    state = "on" if on else "off"
    await asyncio.to_thread(server.administer, f'alter database "{name}" set default_transaction_read_only = {state}')
    await asyncio.to_thread(server.administer, CUT.format(name))


async def meets_read_only(postgres: PostgresStore) -> None:
    """Once it writes on a connection that was made since."""
    async with asyncio.timeout(60):
        while True:
            try:
                await postgres.plan(ScheduledJob("salon", "retention", 1))
            except ReadOnly:
                return
            except StoreError:
                continue  # that connection was cut


async def test_a_server_that_became_read_only_is_told_until_it_can_be_written(
    postgres: PostgresStore, postgres_server: Server, database: str
) -> None:
    await read_only(postgres_server, database, on=True)
    await meets_read_only(postgres)
    for _ in range(2):
        with pytest.raises(ReadOnly, match=r"it is a replica, or set to read only\. Name the primary server\."):
            await postgres.check()
    await read_only(postgres_server, database, on=False)
    async with asyncio.timeout(60):
        while True:
            try:
                await postgres.check()
                break
            except StoreError:
                await asyncio.sleep(0.01)
    assert await commit(postgres, write(1)) is None
