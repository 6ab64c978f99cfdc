"""A PostgreSQL server that is killed, silent, wrong or full: clear words within seconds, and work goes on by itself."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import warnings
from typing import TYPE_CHECKING

import asyncpg
import pytest

from dialoom.errors import StoreError
from dialoom.storage.postgres.connection import Connections, connect, refuse_old
from dialoom.storage.postgres.failures import explain, name_of
from dialoom.storage.postgres.heartbeat import HeartbeatTimes
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sql_files import Query
from dialoom.storage.store import Answered, Chat, ChatKey, Dedupe, Inbound, Notice, TooSlow
from tests.postgres import own_server
from tests.storage.row_makers import ANN, BEN, commit, message, write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from tests.postgres import OwnServer

ONE = Query("one", "", "select 1")
SLEEP = Query("sleep", "", "select pg_sleep(20)")


@pytest.fixture(scope="module")
def server() -> Iterator[OwnServer]:
    """One of our own: it is killed, again and again."""
    with own_server(in_memory=True) as running:
        yield running


@pytest.fixture
async def store(server: OwnServer) -> AsyncIterator[PostgresStore]:
    made = PostgresStore(server.database(), rhythm=HeartbeatTimes(beat=0.1, retry=0.05))
    await made.open()
    yield made
    await made.close()


@pytest.fixture
def closed_port() -> Iterator[int]:
    """Nobody listens there, and nobody else can."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        yield int(door.getsockname()[1])


async def ready(store: PostgresStore) -> None:
    """Wait until the store works again, by itself."""
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(StoreError):
                await store.bots()
                await store.hold(ANN)
                return
            await asyncio.sleep(0.01)


async def test_a_connection_that_is_given_up_while_it_is_made_is_closed(server: OwnServer) -> None:
    url = server.database()
    for moment in range(40):
        making = asyncio.create_task(connect(url))
        await asyncio.wait([making], timeout=moment / 2000)
        if making.done():
            making.result().terminate()
        making.cancel()
        await asyncio.gather(making, return_exceptions=True)
    del making
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        gc.collect()
    assert [str(warning.message) for warning in told if warning.category is ResourceWarning] == []


async def test_a_killed_server_is_an_error_with_words_and_after_its_start_the_store_works_again(
    server: OwnServer, store: PostgresStore
) -> None:
    await commit(store, write(messages=(message(1),)))
    server.kill()
    for _ in range(2):
        with pytest.raises(StoreError, match=r"cut the connection|cannot be reached"):
            await store.chat(ANN)
        with pytest.raises(StoreError, match=r"cut the connection|cannot be reached"):
            await store.commit(write(1))
        with pytest.raises(StoreError, match=r"cut the connection|cannot be reached"):
            await store.accept(BEN, "e1", b"sealed", None, 1)
    store.tell(Notice("said", ANN))
    server.start()
    await ready(store)
    assert await store.chat(ANN) == Chat(b"state 1", 1, 0)
    assert await store.said(ANN, 0, 10) == [message(1)]
    assert await store.commit(write(1)) is None


async def test_what_was_committed_is_there_and_what_was_not_known_can_be_asked_for_again(
    server: OwnServer, store: PostgresStore
) -> None:
    """The server is killed while turns are written: each is there or not, and a second try finds out."""
    keys = [ChatKey("salon", "web", f"user {number}") for number in range(40)]
    numbers = {}
    for key in keys:
        row = await store.accept(key, "e1", b"sealed", Dedupe("k1", b"h"), 1)
        assert isinstance(row, Inbound)
        await store.hold(key)
        numbers[key] = row.number
    turns = [
        write(key=key, number=numbers[key], dedupe=Dedupe("k1", b"h"), answer=b"hi", messages=(message(1, key=key),))
        for key in keys
    ]
    running = [asyncio.ensure_future(store.commit(turn)) for turn in turns]
    await running[0]
    server.kill()
    results = await asyncio.gather(*running, return_exceptions=True)
    server.start()
    await ready(store)
    for turn, result in zip(turns, results, strict=True):
        await store.hold(turn.key)
        again = await store.commit(turn)
        assert again in (None, Answered(b"h", b"hi"))
        if result is None:
            assert again is not None, "it was told to be durable"
        assert await store.chat(turn.key) == Chat(b"state 1", 1, 0)
        assert len(await store.said(turn.key, 0, 10)) == 1
    assert await store.orphans() == []


async def test_a_process_whose_server_is_away_for_long_is_told_that_it_lost_its_chats(server: OwnServer) -> None:
    store = PostgresStore(server.database(), rhythm=HeartbeatTimes(beat=0.1, retry=0.05, lost=2.0))
    await store.open()
    told: asyncio.Queue[Notice] = asyncio.Queue()
    store.listen(told.put_nowait)
    await store.hold(ANN)
    server.kill()
    assert await asyncio.wait_for(told.get(), 60) == Notice("lost")
    with pytest.raises(StoreError):
        await store.hold(ANN)
    server.start()
    await ready(store)
    assert await store.commit(write()) is None
    await store.close()


async def test_a_store_can_be_closed_while_its_server_is_away(server: OwnServer) -> None:
    store = PostgresStore(server.database())
    await store.open()
    await store.hold(ANN)
    server.kill()
    await store.close()
    server.start()
    with pytest.raises(StoreError, match="Open"):
        await store.chat(ANN)


async def test_a_silent_server_is_given_up_and_asked_again(server: OwnServer) -> None:
    connections = Connections(server.database(), seconds=1.0)
    await connections.open()
    server.pause()
    try:
        with pytest.raises(StoreError, match="hangs: nothing comes back"):
            await connections.fetch(ONE)
    finally:
        server.go_on()
    assert await connections.fetch(ONE) == [(1,)]
    await connections.close()


async def test_a_long_statement_is_stopped_by_the_server_and_its_connection_goes_on(server: OwnServer) -> None:
    connections = Connections(server.database(), most=1, seconds=1.0)
    await connections.open()
    with pytest.raises(TooSlow, match="took too long"):
        await connections.fetch(SLEEP)
    assert await connections.fetch(ONE) == [(1,)]
    await connections.close()


async def test_a_statement_that_nobody_waits_for_any_more_leaves_no_connection_behind(server: OwnServer) -> None:
    connections = Connections(server.database(), most=1)
    await connections.open()
    waiting = asyncio.ensure_future(connections.fetch(SLEEP))
    await asyncio.sleep(0.05)
    waiting.cancel()
    await asyncio.wait([waiting])
    assert await connections.fetch(ONE) == [(1,)]
    await connections.close()


async def test_a_statement_that_met_another_in_a_deadlock_is_done_after_it(server: OwnServer) -> None:
    url = server.database()
    # It looks for one once, so long after it began to wait: the other has to wait for it by then.
    server.administer(f'alter database "{url.partition("?")[0].rpartition("/")[2]}" set deadlock_timeout = 2000')
    connections = Connections(url, seconds=60)
    await connections.open()
    in_the_way = await asyncpg.connect(url)
    # It waits for good: the other one is who finds the deadlock.
    await in_the_way.execute("set deadlock_timeout = '1h'")
    await in_the_way.execute("begin; select pg_advisory_xact_lock(1)")
    both = Query("both", "", "select pg_advisory_xact_lock(2), pg_advisory_xact_lock(1)")
    asked = asyncio.ensure_future(connections.fetch(both))
    held = "select count(*) from pg_locks where locktype = 'advisory' and objid = 2 and granted"
    while not await in_the_way.fetchval(held):
        assert not asked.done()
    await in_the_way.execute("select pg_advisory_xact_lock(2); commit")
    assert len(await asked) == 1
    await in_the_way.close()
    await connections.close()


async def test_a_wrong_address_is_told_without_its_password(server: OwnServer, closed_port: int) -> None:
    wrong = {
        f"postgresql://ann:geheim@127.0.0.1:{closed_port}/x": "cannot be reached",
        "postgresql://ann:geheim@127.0.0.1:many/x": "cannot be read",
        "postgresql://ann:geheim@[::1/x": "cannot be read",
        "mysql://ann:geheim@127.0.0.1/x": "cannot be read",
        server.url.replace("/postgres?", "/nothing?password=geheim&"): "does not exist",
        server.url.replace("user=dialoom", "user=ann&password=geheim"): "wrong user or password",
    }
    for url, words in wrong.items():
        with pytest.raises(StoreError, match=words) as raised:
            await PostgresStore(url).open()
        assert "geheim" not in str(raised.value)
        assert raised.value.__cause__ is None


async def test_a_database_that_takes_no_writes_says_so(server: OwnServer) -> None:
    url = server.database()
    name = url.partition("?")[0].rpartition("/")[2]
    server.administer(f'alter database "{name}" set default_transaction_read_only = on')
    with pytest.raises(StoreError, match="replica, or set to read only"):
        await PostgresStore(url).open()


async def test_a_user_without_rights_is_told_which(server: OwnServer) -> None:
    url = server.database()
    server.administer("create role guest login")
    with pytest.raises(StoreError, match="lacks a right"):
        await PostgresStore(url.replace("user=dialoom", "user=guest")).open()


async def test_a_server_without_free_connections_says_so(server: OwnServer) -> None:
    url = server.database()
    name = url.partition("?")[0].rpartition("/")[2]
    server.administer("create role few login connection limit 1")
    server.administer(f'alter database "{name}" owner to few')
    with pytest.raises(StoreError, match="no connection left"):
        await PostgresStore(url.replace("user=dialoom", "user=few")).open()


async def test_commits_are_durable_whatever_the_server_is_set_to(server: OwnServer) -> None:
    url = server.database()
    name = url.partition("?")[0].rpartition("/")[2]
    for given, used in (("off", "on"), ("local", "on"), ("remote_apply", "remote_apply")):
        server.administer(f'alter database "{name}" set synchronous_commit = {given}')
        connections = Connections(url)
        await connections.open()
        assert await connections.fetchrow(Query("s", "", "show synchronous_commit")) == (used,)
        await connections.close()


def test_an_older_server_is_refused() -> None:
    with pytest.raises(StoreError, match="PostgreSQL 14; 15 or newer is needed"):
        refuse_old(14, "the server")
    refuse_old(15, "the server")


def test_a_failure_of_the_servers_holds_no_value_of_a_row() -> None:
    error = asyncpg.UniqueViolationError("duplicate key of ann@example.com")
    assert str(explain(error, "the database")) == "The database refused a statement (23505). Please report this."
    full = explain(asyncpg.DiskFullError("could not extend file"), "the database x")
    assert str(full).startswith("The disk of the database x is full")


def test_who_tries_again_after_a_failure_is_true_for_services_and_commands() -> None:
    for error in (TimeoutError(), asyncpg.InterfaceError("closed"), asyncpg.CannotConnectNowError("starting")):
        assert str(explain(error, "the database")).endswith(
            "A service tries again by itself; a command has to be given again."
        )


def test_a_database_is_named_without_user_and_password() -> None:
    assert name_of("postgresql://ann:geheim@db.example.com:5433/bots") == (
        "the PostgreSQL database bots on db.example.com:5433"
    )
    assert name_of("postgresql:///bots?host=/run/pg&password=geheim") == "the PostgreSQL database bots on /run/pg"
