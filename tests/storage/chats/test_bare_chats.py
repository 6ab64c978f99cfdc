"""Chats in which nothing was ever said go as well, by the time when something last came into them: on every store."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import apsw
import asyncpg
import pytest

from dialoom.storage.postgres.connection import SCHEMA
from dialoom.storage.postgres.migrate import steps as postgres_steps
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.migrate import migrate, steps
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import Chat, Dedupe, FileLimit, FileRow, Inbound, LoginRow, Overtaken
from tests.postgres import query
from tests.storage.row_makers import ANN, BEN, commit, message, outgoing, record, timer, write

if TYPE_CHECKING:
    from pathlib import Path

    from dialoom.storage.store import Store

HELLO = Dedupe("k1", b"hash of hello")
LIMIT = FileLimit(since=0, size=10**9, count=100, channel_size=10**9, channel_count=100)
BEFORE = postgres_steps()[:3]
"""Of the release before, on PostgreSQL."""
EVER = 10**15
"""Later than every time of these tests, and than the servers' clocks."""


async def test_one_goes_whole_once_nothing_came_into_it_for_so_long(store: Store) -> None:
    await store.keep_file(FileRow(ANN, "f1", b"sealed", 3, 1000), b"abc", LIMIT)
    await commit(store, write(dedupe=HELLO, answer=b"hi", timers=(timer("session", 500),), files=("f1",), now=1000))
    await store.open_login(LoginRow(ANN, "l1", b"sealed", 5000))
    assert await store.forget_chats("salon", 1000, 10) == 0
    assert await store.chat(ANN) == Chat(b"state 1", 1, 0)
    assert await store.forget_chats("salon", 1001, 10) == 1
    assert await store.chat(ANN) is None
    assert await store.answered(ANN, "k1") is None
    assert await store.due(10**9, 10) == []
    assert await store.login(ANN, "l1") is None
    assert await store.content("salon", "f1") is None
    assert await store.channels_of("salon", "ann") == []
    assert await store.forget_chats("salon", EVER, 10) == 0


async def test_what_counts_is_when_something_last_came_into_it(store: Store) -> None:
    await commit(store, write(now=1000))
    await commit(store, write(1, now=5000))
    assert await store.forget_chats("salon", 5000, 10) == 0
    assert await store.forget_chats("salon", 5001, 10) == 1


async def test_one_in_which_something_was_said_is_left_to_the_age_of_its_conversation(store: Store) -> None:
    await commit(store, write(now=1000))
    await commit(store, write(1, position=1, messages=(message(1),), records=(record(1),), now=1001))
    assert await store.forget_chats("salon", EVER, 10) == 0
    assert await store.chat(ANN) is not None


async def test_one_with_a_conversation_without_words_is_too(store: Store) -> None:
    await commit(store, write(records=(record(1),)))
    assert await store.forget_chats("salon", EVER, 10) == 0
    assert await store.chat(ANN) is not None


async def test_one_for_which_an_event_waits_stays_until_its_turn_is_done(store: Store) -> None:
    await commit(store, write(now=1000))
    row = await store.accept(ANN, "e1", b"sealed", HELLO, 2000)
    assert isinstance(row, Inbound)
    assert await store.forget_chats("salon", EVER, 10) == 0
    await commit(store, write(1, number=row.number, dedupe=HELLO, answer=b"hi", now=3000))
    assert await store.forget_chats("salon", 3000, 10) == 0
    assert await store.forget_chats("salon", 3001, 10) == 1
    assert await store.answered(ANN, "k1") is None


async def test_one_for_which_a_delivery_waits_stays_until_it_has_arrived(store: Store) -> None:
    await commit(store, write(outbox=(outgoing(1),)))
    assert await store.forget_chats("salon", EVER, 10) == 0
    (taken,) = await store.take_outgoing(1000, 2000, 10)
    await store.delivered(taken, 1000)
    assert await store.forget_chats("salon", EVER, 10) == 1


async def test_no_more_go_than_the_limit_the_longest_quiet_first(store: Store) -> None:
    keys = [ANN._replace(user=f"user {number}") for number in range(5)]
    for number, key in enumerate(keys):
        await commit(store, write(key=key, now=5000 - number))
    assert await store.forget_chats("salon", EVER, 2) == 2
    assert [await store.chat(key) is None for key in keys] == [False, False, False, True, True]
    assert await store.forget_chats("salon", EVER, 10) == 3


async def test_those_that_have_to_stay_hold_up_none_behind_them(store: Store) -> None:
    keys = [ANN._replace(user=f"user {number}") for number in range(5)]
    for number, key in enumerate(keys[:3]):
        await commit(store, write(key=key, outbox=(outgoing(1, key),), now=1000 + number))
    for number, key in enumerate(keys[3:]):
        await commit(store, write(key=key, now=2000 + number))
    assert await store.forget_chats("salon", EVER, 1) == 1
    assert await store.forget_chats("salon", EVER, 2) == 1
    assert [await store.chat(key) is None for key in keys] == [False, False, False, True, True]


async def test_other_bots_and_users_keep_theirs(store: Store) -> None:
    faq, phone = ANN._replace(bot="faq"), ANN._replace(channel="mobile")
    for key, now in ((ANN, 1000), (faq, 1000), (phone, 2000), (BEN, 2000)):
        await commit(store, write(key=key, now=now))
    assert await store.forget_chats("salon", 1500, 10) == 1
    assert [await store.chat(key) is None for key in (ANN, faq, phone, BEN)] == [True, False, False, False]


async def test_a_turn_that_was_computed_before_is_computed_again(store: Store) -> None:
    await commit(store, write())
    assert await store.forget_chats("salon", EVER, 10) == 1
    with pytest.raises(Overtaken):
        await commit(store, write(1))
    assert await commit(store, write()) is None


# -- PostgreSQL


async def test_one_that_is_written_just_now_is_left_out_and_nobody_waits(emptied_database: str) -> None:
    store = PostgresStore(emptied_database)
    await store.open()
    for number, key in enumerate((ANN, BEN)):
        await commit(store, write(key=key, now=1000 + number))
    writing = await asyncpg.connect(emptied_database)
    async with writing.transaction():
        await writing.execute(f"select * from {SCHEMA}.leases where \"user\" = 'ann' for no key update")
        # As few as asked for: the run goes on while there are others.
        assert await store.forget_chats("salon", EVER, 1) == 1
        assert await store.forget_chats("salon", EVER, 1) == 0
    await writing.close()
    assert [await store.chat(key) is None for key in (ANN, BEN)] == [False, True]
    assert await store.forget_chats("salon", EVER, 10) == 1
    assert query(emptied_database, f"select count(*) from {SCHEMA}.leases") == [(0,)]
    await store.close()


async def test_those_of_the_release_before_on_postgresql_are_found_from_their_next_turn_on(database: str) -> None:
    before = PostgresStore(database, migrations=BEFORE)
    await before.open()
    cleo, dan = ANN._replace(user="cleo"), ANN._replace(user="dan")
    for key in (ANN, dan):
        await commit(before, write(key=key))
    await commit(before, write(key=BEN, position=1, messages=(message(1, key=BEN),), records=(record(1, BEN),)))
    store = PostgresStore(database)
    await store.open()
    assert await store.forget_chats("salon", EVER, 10) == 0
    # The release before writes on meanwhile, and marks them too.
    await commit(before, write(1))
    await commit(before, write(key=cleo))
    await commit(before, write(1, BEN, position=2, messages=(message(2, key=BEN),)))
    bare = f'select "user" from {SCHEMA}.chats where bare_since is not null order by 1'
    assert await asyncio.to_thread(query, database, bare) == [("ann",), ("cleo",)]
    index = f"select indisvalid from pg_index where indexrelid = to_regclass('{SCHEMA}.chats_bare')"
    assert await asyncio.to_thread(query, database, index) == [(True,)]
    await before.close()
    assert await store.forget_chats("salon", EVER, 10) == 2
    assert await store.chat(dan) == Chat(b"state 1", 1, 0)
    await store.close()


# -- SQLite


@pytest.fixture
def older_file(tmp_path: Path) -> Path:
    """A data file of the release before, with a chat in which nothing was said and one in which something was."""
    older = tmp_path / "older"
    older.mkdir()
    for step in steps()[:7]:
        (older / step.name).write_text(step.read_text("utf-8"), "utf-8")
    file = tmp_path / "data.sqlite"
    connection = apsw.Connection(str(file))
    connection.pragma("journal_mode", "wal")
    migrate(connection, file, older)
    for user, position in (("ann", 0), ("ben", 3)):
        connection.execute(
            "insert into chats (bot, channel, user, state, revision, position) values ('salon', 'web', ?, x'00', 1, ?)",
            (user, position),
        )
    connection.close()
    return file


async def test_those_of_the_release_before_on_sqlite_are_found(older_file: Path) -> None:
    store = SqliteStore(older_file)
    await store.open()
    assert await store.forget_chats("salon", 10**12, 10) == 0
    assert await store.forget_chats("salon", EVER, 10) == 1
    assert [await store.chat(key) is None for key in (ANN, BEN)] == [True, False]
    await store.close()
