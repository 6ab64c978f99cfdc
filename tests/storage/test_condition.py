"""The condition of a database is told without changing anything in it or beside it."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import apsw
import pytest

from dialoom.errors import StoreError
from dialoom.storage.condition import LATE, Condition, Late, Waiting, late_before
from dialoom.storage.postgres.condition import condition as of_server
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.condition import condition as of_file
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import ChatKey, Outgoing, TokenRow, TurnWrite, Version
from tests.postgres import query

if TYPE_CHECKING:
    from pathlib import Path

    from dialoom.storage.store import Store

KEY = ChatKey("echo", "rest", "ada")
TOKEN = TokenRow(bot="echo", id="first", kind="server", hash=b"hash", sealed=b"sealed", created_at=50)


def outgoing(number: int, **other: int) -> Outgoing:
    return Outgoing(
        key=KEY, id=str(number), receiver="callback", body=b"", created_at=number, due=other.get("due", number)
    )


async def fill(store: Store) -> None:
    for version, at in (("a", 10), ("b", 20)):
        await store.publish(Version("echo", version, b"files", at))
    await store.add_token(TOKEN)
    if store.is_shared:
        await store.hold(KEY)
    turn = TurnWrite(
        key=KEY, number=None, dedupe=None, answer=None, state=b"", revision=0, position=0,
        outbox=tuple(outgoing(number) for number in (1, 2, 3)), now=1,
    )  # fmt: skip
    await store.commit(turn)
    (first,) = await store.take_outgoing(5, 10, 10)
    await store.bury(first, 6, "refused")
    for number, at in enumerate((7, 8, late_before() + LATE)):
        await store.accept(KEY, f"e{number}", b"sealed", None, at)
    await store.accept(KEY._replace(user="grace"), "e3", b"sealed", None, late_before() + LATE)


def check(found: Condition) -> None:
    assert found.step == found.known > 0
    assert not found.is_too_new
    assert found.tokens == (TOKEN,)
    assert [(version.bot, version.version, version.files) for version in found.versions] == [("echo", "b", b"files")]
    assert found.outbox == (Waiting("echo", 2, 1, 2),)
    assert found.late == (Late("echo", 1, 7),)
    assert found.newest == 50
    assert found.risks == ()


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


async def test_of_a_data_file_beside_its_service_and_after_it(tmp_path: Path) -> None:
    file = tmp_path / "data.sqlite"
    store = SqliteStore(file)
    await store.open()
    await fill(store)
    check(await asyncio.to_thread(of_file, file))
    await store.close()
    before = contents(tmp_path)
    check(await asyncio.to_thread(of_file, file))
    assert contents(tmp_path) == before


async def clock(url: str) -> float:
    """The server's, in seconds since 1970."""
    ((at,),) = await asyncio.to_thread(query, url, "select extract(epoch from clock_timestamp())::float8")
    return float(at)


async def test_of_a_server_beside_its_services(database: str) -> None:
    before = await of_server(database)
    assert (before.step, before.tokens) == (0, ())
    store = PostgresStore(database)
    await store.open()
    try:
        await fill(store)
        ours, theirs = time.time(), await clock(database)
        found = await of_server(database)
        theirs_after, ours_after = await clock(database), time.time()
    finally:
        await store.close()
    check(found)
    assert found.ahead is not None
    assert theirs - ours_after <= found.ahead <= theirs_after - ours
    assert found.connections is not None
    assert 0 < found.connections[0] < found.connections[1]


def test_of_tables_of_another_release_only_the_step_is_told(tmp_path: Path) -> None:
    file = tmp_path / "data.sqlite"
    with apsw.Connection(str(file)) as connection:
        connection.pragma("application_id", 0x4449414C)
        connection.pragma("user_version", 99)
    connection.close()
    found = of_file(file)
    assert (found.step, found.is_too_new, found.versions) == (99, True, ())


def test_another_program_s_and_a_damaged_file_are_refused(tmp_path: Path) -> None:
    other, damaged = tmp_path / "other.sqlite", tmp_path / "damaged.sqlite"
    with apsw.Connection(str(other)) as connection:
        connection.execute("create table t (a)")
    connection.close()
    with pytest.raises(StoreError, match="another program"):
        of_file(other)
    damaged.write_bytes(b"no database" * 500)
    with pytest.raises(StoreError, match="Restore it from a backup"):
        of_file(damaged)
