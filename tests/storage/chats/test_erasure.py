"""One user is erased, whole, and nobody else: the same on every store; on SQLite down to the bytes of its files."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from dialoom.query import Selection
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite import scrub
from dialoom.storage.sqlite.connection import open_reader
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import (
    Answered,
    Chat,
    Dedupe,
    Erased,
    FileLimit,
    FileRow,
    Inbound,
    LoginRow,
    Notice,
    Overtaken,
)
from tests.postgres import query
from tests.storage.row_makers import ANN, BEN, commit, message, outgoing, record, timer, waiting, write

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from dialoom.storage.store import ChatKey, Store, TurnWrite

HELLO = Dedupe("k1", b"hash of hello")
LIMIT = FileLimit(since=0, size=10**9, count=100, channel_size=10**9, channel_count=100)
PHONE = ANN._replace(channel="mobile")


def talk(
    number: int, key: ChatKey = ANN, revision: int = 0, says: int = 2, text: str = "Hello", **more: Any
) -> TurnWrite:
    """A turn of a conversation, whose number also stands in its messages."""
    first = 1000 * number
    said = tuple(message(first + place, text, key, conversation=f"c{number:06d}") for place in range(says))
    values: dict[str, Any] = {"records": (record(number, key),), "messages": said, "position": first + says} | more
    return write(revision, key, **values)


async def erased(store: Store, key: ChatKey = ANN, limit: int = 64) -> Erased:
    """In as many steps as it takes."""
    steps = [await store.erase(key, limit)]
    while not steps[-1].is_done:
        steps.append(await store.erase(key, limit))
    return Erased(
        sum(step.conversations for step in steps),
        sum(step.messages for step in steps),
        sum(step.files for step in steps),
        sum(step.deliveries for step in steps),
        had_memory=any(step.had_memory for step in steps),
        is_done=True,
    )


async def records(store: Store, bot: str = "salon") -> list[str]:
    found = [*await store.find("conversations", bot, Selection()), *await store.find("messages", bot, Selection())]
    return [msgspec.json.decode(text)["User"] for text in found]


async def fill(store: Store, key: ChatKey = ANN, number: int = 1) -> None:
    """Something of the user in every table."""
    file = f"file-{key.channel}-{key.user}"
    await store.keep_file(FileRow(key, file, b"sealed", 3, 1000), b"abc", LIMIT)
    dead, waits = outgoing(number, key), outgoing(number + 1, key, "callback")
    turn = talk(
        number,
        key,
        dedupe=HELLO,
        answer=b"hi",
        is_later=True,
        timers=(timer("session", 500, key),),
        files=(file,),
        outbox=(dead, waits),
    )
    assert await commit(store, turn) is None
    await store.bury(dead, 2000, "gone")
    row = await store.accept(key, "e1", b"sealed", Dedupe("k2", b"hash"), 5)
    assert isinstance(row, Inbound)
    assert await store.hold(key) is not None
    await store.journal(key, row.number, "call 1", b"result")
    await store.open_login(LoginRow(key, f"link-{key.user}", b"sealed", 1000))


async def test_of_an_erased_user_nothing_is_left(store: Store) -> None:
    await fill(store)
    assert await store.channels_of("salon", "ann") == ["web"]
    assert await erased(store) == Erased(1, 2, 1, 2, had_memory=True, is_done=True)
    assert await store.channels_of("salon", "ann") == []
    assert await records(store) == []
    assert await store.chat(ANN) is None
    assert await store.answered(ANN, "k1") is None
    assert await store.answered(ANN, "k2") is None
    assert await store.login(ANN, "link-ann") is None
    assert await store.due(10**9, 10) == []
    assert await store.files_of(ANN) == []
    assert await store.file("salon", "file-web-ann") is None
    assert await store.content("salon", "file-web-ann") is None
    assert await store.later(ANN, 10) == []
    assert await store.said(ANN, 0, 10) == []
    assert await store.outbox_counts() == []
    assert await store.take_outgoing(10**9, 10**10, 10) == []
    assert await waiting(store, ANN) == []
    assert await store.scrub()


async def test_everybody_else_keeps_everything(store: Store) -> None:
    others = (BEN, PHONE, ANN._replace(bot="faq"))
    for number, key in enumerate((ANN, *others), 1):
        await fill(store, key, 10 * number)
    await erased(store)
    for key in others:
        assert await store.chat(key) is not None
        assert await store.answered(key, "k1") == Answered(b"hash of hello", b"hi")
        assert await store.login(key, f"link-{key.user}") is not None
        assert len(await store.later(key, 10)) == 2
        assert [row.id for row in await store.files_of(key)] == [f"file-{key.channel}-{key.user}"]
        assert await store.content(key.bot, f"file-{key.channel}-{key.user}") == b"abc"
        assert [row.id for row in await waiting(store, key)] == ["e1"]
    assert sorted(await records(store)) == ["ann", "ann", "ann", "ben", "ben", "ben"]
    assert {(one.bot, one.waiting, one.dead) for one in await store.outbox_counts()} == {("salon", 2, 2), ("faq", 1, 1)}


async def test_a_user_is_found_on_each_channel_where_anything_is_kept(store: Store) -> None:
    await commit(store, write(key=PHONE))
    await store.keep_file(FileRow(ANN, "f1", b"sealed", 3, 1000), b"abc", LIMIT)
    row = await store.accept(ANN._replace(channel="desk"), "e1", b"sealed", None, 5)
    assert isinstance(row, Inbound)
    assert await store.channels_of("salon", "ann") == ["desk", "mobile", "web"]
    assert await store.channels_of("faq", "ann") == []
    assert await store.channels_of("salon", "an\0n") == []


async def test_files_of_a_user_come_the_oldest_first(store: Store) -> None:
    rows = [
        FileRow(key, id, b"sealed", 3, at)
        for key, id, at in ((ANN, "b", 7), (ANN, "c", 5), (BEN, "d", 6), (ANN, "a", 7))
    ]
    for row in rows:
        await store.keep_file(row, b"abc", LIMIT)
    assert await store.files_of(ANN) == [rows[1], rows[3], rows[0]]


async def test_an_erasure_goes_in_steps_and_the_user_is_known_until_the_last(store: Store) -> None:
    for number in range(30):
        await commit(store, talk(number, revision=number, says=7))
    steps = [await store.erase(ANN, 20)]
    while not steps[-1].is_done:
        assert await store.channels_of("salon", "ann") == ["web"]
        assert await store.chat(ANN) is not None
        steps.append(await store.erase(ANN, 20))
    assert len(steps) > 10
    assert max(step.messages for step in steps) <= 20
    assert sum(step.messages for step in steps) == 210
    assert sum(step.conversations for step in steps) == 30
    assert [step.had_memory for step in steps] == [*[False] * (len(steps) - 1), True]
    assert await store.channels_of("salon", "ann") == []


async def test_one_that_was_broken_off_is_ended_by_another(store: Store) -> None:
    await fill(store)
    await store.erase(ANN, 1)
    assert await store.channels_of("salon", "ann") == ["web"]
    assert (await erased(store)).is_done
    assert await store.channels_of("salon", "ann") == []
    assert await store.erase(ANN, 1) == Erased(0, 0, 0, 0, had_memory=False, is_done=True)


async def test_a_turn_that_runs_meanwhile_writes_nothing_of_what_it_knew(store: Store) -> None:
    await commit(store, talk(1))
    await erased(store)
    with pytest.raises(Overtaken):
        await store.commit(talk(2, revision=1))
    assert await records(store) == []
    assert await store.chat(ANN) is None
    assert await commit(store, talk(3)) is None
    assert await store.chat(ANN) == Chat(b"state 1", 1, 3002)


async def test_an_event_that_was_accepted_has_no_turn_any_more(store: Store) -> None:
    await commit(store, talk(1))
    row = await store.accept(ANN, "e1", b"sealed", HELLO, 5)
    assert isinstance(row, Inbound)
    assert await store.hold(ANN) is not None
    await erased(store)
    with pytest.raises(Overtaken):
        await store.journal(ANN, row.number, "call", b"result")
    assert await store.journaled(ANN, row.number) == {}
    assert await store.hold(ANN) is not None
    turn = msgspec.structs.replace(talk(2, revision=1, dedupe=HELLO, answer=b"hi"), number=row.number)
    assert await store.commit(turn) == Answered(b"", b"")
    assert await records(store) == []
    assert await store.answered(ANN, "k1") is None


async def test_numbers_of_events_of_a_user_who_comes_back_are_new(store: Store) -> None:
    before = await store.accept(ANN, "e1", b"sealed", HELLO, 5)
    await erased(store)
    after = await store.accept(ANN, "e2", b"sealed", HELLO, 5)
    assert isinstance(before, Inbound)
    assert isinstance(after, Inbound)
    assert after.number > before.number


async def test_a_delivery_on_its_way_leaves_nothing_when_it_comes_back(store: Store) -> None:
    await commit(store, talk(1, outbox=(outgoing(1), outgoing(2))))
    (taken,) = await store.take_outgoing(1000, 2000, 10)
    await erased(store)
    await store.bury(taken, 1500, "refused")
    await store.postpone(taken, 1500, 3000, "away")
    await store.delivered(taken, 1500)
    assert await store.outbox_counts() == []
    assert await store.channels_of("salon", "ann") == []


async def test_deliveries_that_an_erasure_left_when_it_was_broken_off_are_still_due(store: Store) -> None:
    await commit(store, write(outbox=tuple(outgoing(number) for number in range(1, 6))))
    await store.erase(ANN, 2)
    assert await store.chat(ANN) is not None
    assert [row.id for row in await store.take_outgoing(5000, 6000, 10)] == ["d000001"]


async def test_records_from_elsewhere_go_too(store: Store) -> None:
    documents = [msgspec.to_builtins(record(number, key)) for number, key in ((1, ANN), (2, BEN))]
    said = [
        msgspec.to_builtins(message(number, key=key, conversation=f"c{number:06d}").record)
        for number, key in ((1, ANN), (2, BEN))
    ]
    await store.import_records("conversations", "salon", documents, "old.ndjson", 2)
    await store.import_records("messages", "salon", said, "said.ndjson", 2)
    assert await store.channels_of("salon", "ann") == ["web"]
    assert await erased(store) == Erased(1, 1, 0, 0, had_memory=False, is_done=True)
    assert await records(store) == ["ben", "ben"]


async def test_a_piece_that_comes_after_the_erasure_is_not_kept(store: Store) -> None:
    """A file that is being written while its user is erased."""
    if isinstance(store, SqliteStore | PostgresStore):
        big = bytes(16 * 512 * 1024)
        writing = asyncio.ensure_future(store.keep_file(FileRow(ANN, "f1", b"sealed", len(big), 1000), big, LIMIT))
        while await store.file("salon", "f1") is None and not writing.done():
            pass
        assert (await erased(store)).files == 1
        await writing
    assert await store.content("salon", "f1") is None
    assert await store.files_of(ANN) == []


# -- what is left in bytes

WORDS = ("Xaverine-Quux", "wombat-syrup", "zanzibar-7731", "octarine-file", "dead-parsnip")


def kept_bytes(folder: Path) -> dict[str, list[str]]:
    """Words of the person by file."""
    found = {}
    for path in folder.iterdir():
        content = path.read_bytes()
        words = [word for word in WORDS if word.encode() in content]
        if words:
            found[path.name] = words
    return found


async def plant(store: SqliteStore, key: ChatKey, words: Sequence[str], start: int) -> None:
    """Conversations that grow turn by turn, with long values that do not fit a page; nothing here is sealed."""
    name, text, value, file, letter = words
    for number in range(start, start + 12):
        for turn in range(4):
            revision = 4 * (number - start) + turn
            first = 10_000 * number + 10 * turn
            entities = {"Note": value * (1 + 900 * (turn % 2)), "Kind": "k"}
            said = tuple(
                message(
                    first + place,
                    text * (1 + 700 * (place == 2)),
                    key,
                    conversation=f"c{number:06d}",
                    payload={"v": value},
                )
                for place in range(4)
            )
            written = write(
                revision,
                key,
                records=(record(number, key, first_name=name, entities=entities),),
                messages=said,
                position=first + 4,
                state=f"{value} {name}".encode() * 300,
                dedupe=Dedupe(f"{text} {revision}", value.encode()),
                answer=text.encode() * 200,
                outbox=(outgoing(first, key, body=letter.encode() * 500),),
                timers=(timer(name, 500, key),),
            )
            assert await store.commit(written) is None
        id = f"file {key.user} {number}"
        await store.keep_file(FileRow(key, id, file.encode(), 9, 1000), file.encode() * 100_000, LIMIT)
    row = await store.accept(key, "e1", text.encode() * 50, None, 5)
    assert isinstance(row, Inbound)
    await store.journal(key, row.number, "call", value.encode() * 50)


@pytest.mark.parametrize("whole", [False, True])
async def test_no_byte_of_an_erased_user_is_left_in_any_file(
    sqlite: SqliteStore, tmp_path: Path, *, whole: bool
) -> None:
    other = tuple(word[::-1] for word in WORDS)
    ann, ben = ANN._replace(user=f"{WORDS[0]} 1"), BEN
    await asyncio.gather(plant(sqlite, ann, WORDS, 1), plant(sqlite, ben, other, 100))
    (letter, *_) = await sqlite.take_outgoing(10**6, 10**7, 1)
    await sqlite.bury(letter, 10**6, "refused")
    assert await sqlite.scrub()
    assert {word for words in kept_bytes(tmp_path).values() for word in words} == set(WORDS)
    assert (await erased(sqlite, ann)).messages == 192
    assert await sqlite.scrub(whole=whole)
    assert kept_bytes(tmp_path) == {}
    assert len([user for user in await records(sqlite) if user == "ben"]) == 12 + 192


async def test_a_log_that_somebody_reads_from_is_scrubbed_later(sqlite: SqliteStore, tmp_path: Path) -> None:
    await plant(sqlite, ANN, WORDS, 1)
    reader = open_reader(tmp_path / "data.sqlite")
    reader.execute("begin")
    reader.execute("select count(*) from messages").fetchall()
    await erased(sqlite)
    assert not scrub.scrub(tmp_path / "data.sqlite", seconds=0.0)
    assert kept_bytes(tmp_path) != {}
    reader.execute("commit")
    reader.close()
    assert await sqlite.scrub()
    assert kept_bytes(tmp_path) == {}


async def test_scrubs_that_wait_for_a_reader_leave_the_threads_to_others(sqlite: SqliteStore, tmp_path: Path) -> None:
    """The reader goes on a thread of the process's pool: were all of it taken, the scrubs would give up first."""
    await plant(sqlite, ANN, WORDS, 1)
    reader = open_reader(tmp_path / "data.sqlite")
    reader.execute("begin")
    reader.execute("select count(*) from messages").fetchall()
    await erased(sqlite)
    scrubs = [asyncio.ensure_future(sqlite.scrub()) for _ in range(40)]
    await asyncio.sleep(0)
    await asyncio.to_thread(reader.close)
    assert await asyncio.gather(*scrubs) == [True] * 40
    assert kept_bytes(tmp_path) == {}


async def test_a_service_hears_that_somebody_beside_it_has_erased(sqlite: SqliteStore, tmp_path: Path) -> None:
    heard: list[Notice] = []
    sqlite.listen(heard.append)
    await commit(sqlite, talk(1))
    await sqlite.accept(BEN, "e1", b"sealed", None, 5)
    assert heard == []
    beside = SqliteStore(tmp_path / "data.sqlite", is_beside=True)
    await beside.open()
    await erased(beside)
    await sqlite.accept(BEN, "e2", b"sealed", None, 5)
    assert heard == [Notice("erased")]
    await sqlite.accept(BEN, "e3", b"sealed", None, 5)
    assert heard == [Notice("erased")]
    # Nor does one of its own, right after, hide another's.
    await commit(sqlite, talk(2))
    await erased(beside)
    await erased(sqlite)
    await sqlite.accept(BEN, "e4", b"sealed", None, 5)
    assert heard == [Notice("erased")] * 2
    await beside.close()


async def test_of_what_else_is_written_beside_it_and_of_its_own_erasures_a_service_hears_nothing(
    sqlite: SqliteStore, tmp_path: Path
) -> None:
    heard: list[Notice] = []
    sqlite.listen(heard.append)
    await commit(sqlite, talk(1))
    beside = SqliteStore(tmp_path / "data.sqlite", is_beside=True)
    await beside.open()
    for number in range(3):
        document = msgspec.to_builtins(record(100 + number))
        await beside.import_records("conversations", "salon", [document], "old.ndjson", number + 1)
        await sqlite.accept(BEN, f"imported {number}", b"sealed", None, 5)
    await beside.add_index("conversations", "Goal")
    await sqlite.accept(BEN, "indexed", b"sealed", None, 5)
    await erased(sqlite)
    assert await sqlite.scrub()
    await sqlite.accept(BEN, "scrubbed", b"sealed", None, 5)
    await beside.close()
    await sqlite.accept(BEN, "closed", b"sealed", None, 5)
    assert heard == []


# -- PostgreSQL


async def test_no_row_of_an_erased_user_is_left_in_any_table(emptied_database: str) -> None:
    store = PostgresStore(emptied_database)
    await store.open()
    one = ANN._replace(user="xaverine-quux")
    await fill(store, one)
    await fill(store, BEN, 10)
    assert "quux" in str(query(emptied_database, "select t::text from dialoom.leases t"))
    await erased(store, one)
    tables = query(emptied_database, "select tablename from pg_tables where schemaname = 'dialoom'")
    for (table,) in tables:
        rows = query(emptied_database, f"select t::text from dialoom.{table} t")
        assert not [text for (text,) in rows if "quux" in text], table
    await store.close()


async def test_a_lease_that_a_late_turn_has_made_anew_goes_when_the_chat_is_let_go(emptied_database: str) -> None:
    one, other = PostgresStore(emptied_database), PostgresStore(emptied_database)
    await one.open()
    await other.open()
    await commit(one, talk(1))
    await erased(other)
    with pytest.raises(Overtaken):
        await one.commit(talk(2, revision=1))
    assert await one.channels_of("salon", "ann") == ["web"]
    await one.let_go([ANN])
    assert await one.channels_of("salon", "ann") == []
    await commit(one, talk(3))
    await one.let_go([ANN])
    assert query(emptied_database, "select holder from dialoom.leases") == [(None,)]
    await one.close()
    await other.close()


async def test_turns_and_an_erasure_at_the_same_time_never_mix_two_lives(emptied_database: str) -> None:
    """Each record that is left is of a chat that began after the erasure, or none is left."""
    one, other = PostgresStore(emptied_database), PostgresStore(emptied_database)
    await one.open()
    await other.open()
    for life in range(5):
        await commit(one, talk(100 * life, says=200))
        erasing = asyncio.ensure_future(erased(other, limit=10))
        revision = 1
        while not erasing.done():
            try:
                await one.commit(talk(100 * life + revision, revision=revision))
            except Overtaken:
                break
            revision += 1
        await erasing
        assert await records(one) == []
    await one.close()
    await other.close()
