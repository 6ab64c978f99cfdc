"""All that is sealed is walked through, and sealed again where nobody changed it: the same on every store."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, get_args

import apsw
import msgspec
import pytest

from dialoom.storage.postgres.connection import connect
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.postgres.writes import SEALED_PLAN, sealed_page_query
from dialoom.storage.rows import MAX_PIECE_BYTES
from dialoom.storage.sealed import COLUMNS, Sealed, SealedKind, words_of
from dialoom.storage.sql_files import load
from dialoom.storage.sqlite.migrate import steps
from dialoom.storage.store import Dedupe, FileLimit, FileRow, Inbound, ListRow, LoginRow, StudioRow, Version
from tests.storage.row_makers import ANN, BEN, commit, message, outgoing, token, write

if TYPE_CHECKING:
    from dialoom.storage.sealed import Place
    from dialoom.storage.store import ChatKey, Store

OLD, NEW = b"\x01old ", b"\x01new "
LIMIT = FileLimit(since=0, size=10**9, count=100, channel_size=10**9, channel_count=100)
QUERIES = load("sqlite", "sealed")
KINDS: tuple[SealedKind, ...] = get_args(SealedKind)


async def fill(store: Store, key: ChatKey = ANN) -> None:
    """Something of every kind, sealed by the old key."""
    bot, who = key.bot, key.user.encode()
    await store.publish(Version(bot, f"v-{key.user}", OLD + b"files", 1))
    await store.add_token(token(f"t-{key.user}", bot=bot, hash=bot.encode() + who, sealed=OLD + b"token"))
    await store.keep_list(ListRow(bot, f"City of {key.user}", b"source", OLD + b"elements", 1))
    await store.put_studio_row(StudioRow(bot, "draft", key.user, 1, OLD + b"draft", 1, 1, None), None)
    await store.keep_file(FileRow(key, f"f-{bot}-{key.user}", OLD + b"about", 4, 1), OLD + b"content", LIMIT)
    done, waits = Dedupe("k1", b"hash"), Dedupe("k2", b"hash")
    posted = outgoing(1, key, body=OLD + b"body")
    said = (msgspec.structs.replace(message(1, key=key), whole=OLD + b"whole"), message(2, key=key))
    turn = write(0, key, state=OLD + who, dedupe=done, answer=OLD + b"answer", outbox=(posted,), messages=said)
    assert await commit(store, turn) is None
    row = await store.accept(key, "e1", OLD + b"event", waits, 5)
    assert isinstance(row, Inbound)
    await store.journal(key, row.number, "call 1", OLD + b"result")
    await store.open_login(LoginRow(key, "l1", OLD + b"login", 1000))


async def walked(store: Store, kind: SealedKind, bot: str = "salon", limit: int = 64) -> tuple[list[Sealed], int]:
    """What is still sealed by the old key, and how many rows were looked at."""
    found: list[Sealed] = []
    after: Place | None = None
    looked_at = 0
    while True:
        page = await store.sealed(kind, bot, NEW, after, limit)
        assert len(page.values) <= page.looked_at <= limit
        found += page.values
        looked_at += page.looked_at
        after = page.last
        if after is None:
            return found, looked_at


def resealed(sealed: Sealed) -> Sealed:
    beside = None if sealed.beside is None else b"new " + sealed.beside
    return Sealed(sealed.place, NEW + sealed.value.removeprefix(OLD), beside)


@pytest.mark.parametrize("kind", KINDS)
async def test_what_an_older_key_sealed_is_found_and_put_back_sealed_again(store: Store, kind: SealedKind) -> None:
    await fill(store)
    found, _ = await walked(store, kind)
    assert [sealed.value.startswith(OLD) for sealed in found] == [True]
    assert (found[0].beside is None) == (COLUMNS[kind].beside is None)
    assert await store.reseal(kind, "salon", [(found[0], resealed(found[0]))]) == 1
    assert (await walked(store, kind))[0] == []
    again, _ = await walked(store, kind)
    assert again == []
    page = await store.sealed(kind, "salon", b"none", None, 10)
    assert resealed(found[0]) in page.values


async def test_what_was_sealed_again_is_what_the_service_reads(store: Store) -> None:
    await fill(store)
    for kind in KINDS:
        found, _ = await walked(store, kind)
        assert await store.reseal(kind, "salon", [(one, resealed(one)) for one in found]) == len(found)
    chat, version, answered = await store.chat(ANN), await store.active("salon"), await store.answered(ANN, "k1")
    assert (chat and chat.state, version and version.files, answered and answered.answer) == (
        NEW + b"ann",
        NEW + b"files",
        NEW + b"answer",
    )
    row = await store.token(b"new salonann")
    assert row is not None
    assert row.sealed == NEW + b"token"
    assert await store.token(b"salonann") is None
    assert await store.lists("salon") == [ListRow("salon", "City of ann", b"new source", NEW + b"elements", 1)]
    held = await store.hold(ANN)
    assert held is not None
    assert [waiting.event for waiting in held.waiting] == [NEW + b"event"]
    assert await store.journaled(ANN, held.waiting[0].number) == {"call 1": NEW + b"result"}
    assert [one.body for one in await store.take_outgoing(10**6, 10**7, 5)] == [NEW + b"body"]
    assert await store.login(ANN, "l1") == LoginRow(ANN, "l1", NEW + b"login", 1000)
    file = await store.file("salon", "f-salon-ann")
    assert file is not None
    assert file.about == NEW + b"about"


async def test_a_turn_goes_on_from_memory_that_was_sealed_again(store: Store) -> None:
    await fill(store)
    (sealed,), _ = await walked(store, "chats")
    assert await store.reseal("chats", "salon", [(sealed, resealed(sealed))]) == 1
    held = await store.hold(ANN)
    assert held is not None
    number = held.waiting[0].number
    assert await store.commit(write(1, state=NEW + b"next", number=number, dedupe=Dedupe("k2", b"hash"))) is None
    chat = await store.chat(ANN)
    assert chat is not None
    assert (chat.state, chat.revision) == (NEW + b"next", 2)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_value_that_was_changed_meanwhile_stays_as_it_is(store: Store, kind: SealedKind) -> None:
    await fill(store)
    (sealed,), _ = await walked(store, kind)
    newer = sealed._replace(value=NEW + b"newer")
    assert await store.reseal(kind, "salon", [(sealed, newer)]) == 1
    assert await store.reseal(kind, "salon", [(sealed, resealed(sealed))]) == 0
    page = await store.sealed(kind, "salon", b"none", None, 10)
    assert newer in page.values


@pytest.mark.parametrize("kind", KINDS)
async def test_other_bots_and_other_users_keep_theirs(store: Store, kind: SealedKind) -> None:
    for key in (ANN, BEN, ANN._replace(bot="faq")):
        await fill(store, key)
    found, looked_at = await walked(store, kind)
    assert (len(found), looked_at >= 2) == (2, True)
    assert await store.reseal(kind, "salon", [(found[0], resealed(found[0]))]) == 1
    assert (await walked(store, kind))[0] == [found[1]]
    assert len((await walked(store, kind, "faq"))[0]) == 1
    assert await walked(store, kind, "nobody's") == ([], 0)


@pytest.mark.parametrize("limit", [1, 3, 64])
async def test_pages_leave_nothing_out_and_give_nothing_twice(store: Store, limit: int) -> None:
    keys = [ANN._replace(user=f"user {number % 4}", channel=f"channel {number // 4}") for number in range(10)]
    for number, key in enumerate(keys):
        mark = NEW if number % 3 == 0 else OLD
        await commit(store, write(0, key, state=mark + key.user.encode()))
    found, looked_at = await walked(store, "chats", limit=limit)
    wanted = sorted((key.user, key.channel) for number, key in enumerate(keys) if number % 3)
    assert [sealed.place for sealed in found] == wanted
    assert looked_at == len(keys)


async def test_answers_that_are_still_to_come_hold_nothing(store: Store) -> None:
    row = await store.accept(ANN, "e1", OLD + b"event", Dedupe("k1", b"hash"), 5)
    assert isinstance(row, Inbound)
    await commit(store, write(0, BEN, dedupe=Dedupe("k2", b"hash"), answer=b""))
    assert await walked(store, "answers") == ([], 2)


async def test_tokens_of_no_bot_and_such_that_were_never_sealed(store: Store) -> None:
    await store.add_token(token("keys", bot="", sealed=OLD + b"text"))
    await store.add_token(token("session", bot="", kind="studio-session"))
    found, looked_at = await walked(store, "tokens", "")
    assert ([sealed.place for sealed in found], looked_at) == ([("keys",)], 2)


async def test_a_file_is_put_back_whole_however_large_it_is(store: Store) -> None:
    content = OLD + b"x" * (2 * MAX_PIECE_BYTES)
    await store.keep_file(row := FileRow(ANN, "f1", OLD + b"about", 4, 1), content, LIMIT)
    changed = NEW + b"y" * (2 * MAX_PIECE_BYTES)
    assert await store.reseal_file(row, NEW + b"about", changed)
    assert await store.content("salon", "f1") == changed
    kept = msgspec.structs.replace(row, about=NEW + b"about")
    assert await store.file("salon", "f1") == kept
    assert not await store.reseal_file(row, NEW + b"late", content)
    assert await store.content("salon", "f1") == changed
    assert await store.file("salon", "f1") == kept
    assert not await store.reseal_file(FileRow(ANN, "f2", OLD, 4, 1), NEW, content)


async def test_whoever_reads_a_file_while_it_is_sealed_again_gets_it_of_one_piece(store: Store) -> None:
    old, new = b"o" * (3 * MAX_PIECE_BYTES), b"n" * (3 * MAX_PIECE_BYTES)
    await store.keep_file(row := FileRow(ANN, "f1", OLD, 4, 1), old, LIMIT)

    async def put_back_and_forth() -> None:
        before = row
        for number in range(20):
            after = msgspec.structs.replace(before, about=b"%d" % number)
            assert await store.reseal_file(before, after.about, new if number % 2 == 0 else old)
            before = after

    putting = asyncio.create_task(put_back_and_forth())
    while not putting.done():
        assert await store.content("salon", "f1") in (old, new)
        await asyncio.sleep(0)
    await putting


def test_every_sealed_column_of_the_tables_is_known() -> None:
    """What is bytes and no hash is sealed; whoever adds a table with such a column finds it here."""
    hashes = {("tokens", "hash"), ("lists", "source"), ("inbox", "body"), ("answers", "body")}
    copies = {("conversations", "body"), ("messages", "body")}
    connection = tables()
    names = [name for (name,) in connection.execute("select name from sqlite_schema where type = 'table'")]
    blobs = {
        (table, column)
        for table in names
        for column, type in connection.execute("select name, type from pragma_table_info(?)", (table,))
        if type.upper() == "BLOB"
    }
    known = {(kind, column.value) for kind, column in COLUMNS.items()} | {("file_pieces", "content")}
    assert blobs - hashes - copies == known
    connection.close()


@pytest.mark.parametrize("kind", KINDS)
def test_on_sqlite_pages_and_values_are_found_by_the_primary_key(kind: SealedKind) -> None:
    connection = tables()
    width = len(COLUMNS[kind].place)
    words = words_of(kind, ", ".join("?" * width))
    asked: dict[str, list[Any]] = {
        "page": ["m", "salon", *COLUMNS[kind].start, 10],
        "put": [b"", "salon", *COLUMNS[kind].start, b""],
    }
    for name, values in asked.items():
        sql = f"explain query plan {QUERIES[name].filled(words)}"
        (plan,) = [row[3] for row in connection.execute(sql, values)]
        index = "messages_whole" if kind == "messages" else f"sqlite_autoindex_{kind}_1"
        assert plan.startswith(f"SEARCH {kind} USING INDEX {index} (bot=? AND "), plan
    connection.close()


async def test_on_postgresql_pages_go_by_the_primary_key_before_the_planner_knows_the_table(
    emptied_database: str,
) -> None:
    store = PostgresStore(emptied_database)
    await store.open()
    connection = await connect(emptied_database)
    async with connection.transaction():
        await connection.execute(SEALED_PLAN.sql)
        for kind in KINDS:
            values = (NEW, "salon", 64, *COLUMNS[kind].start)
            lines = [row[0] for row in await connection.fetch(f"explain {sealed_page_query(kind).sql}", *values)]
            index = "messages_whole" if kind == "messages" else f"{kind}_pkey"
            assert any(f"Index Scan using {index}" in line for line in lines), lines
            assert not any("Sort" in line for line in lines), lines
    await connection.close()
    await store.close()


def tables() -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    for step in steps():
        connection.execute(step.read_text("utf-8"))
    return connection
