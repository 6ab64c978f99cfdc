"""What only the embedded store has: a file that survives kill -9, a lock, groups, migrations, history in threads."""

from __future__ import annotations

import asyncio
import re
import signal
import stat
import subprocess
import sys
import time as clock
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import msgspec
import pytest

from dialoom.errors import StoreError
from dialoom.query import Selection, parse_query
from dialoom.storage.sql_files import load
from dialoom.storage.sqlite import history
from dialoom.storage.sqlite.connection import OURS, Deadline, FolderLock, open_reader, refuse_old
from dialoom.storage.sqlite.migrate import migrate, steps
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.sqlite.writer import MAX_BATCH_TASKS, Writer
from dialoom.storage.store import Answered, Chat, ChatKey, Dedupe, Inbound, TooSlow
from tests.storage.row_makers import ANN, message, record, time, timer, waiting, write

if TYPE_CHECKING:
    from collections.abc import Sequence

QUERIES = {file: load("sqlite", file) for file in ("inbox", "outbox", "retention", "own")} | {
    "shared": load("", "shared")
}
KILLED = Path(__file__).with_name("killed.py")


def modes(folder: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


def everything(query: str | None = None) -> Selection:
    return Selection(parse_query(query))


# -- durable


async def test_everything_is_there_after_a_restart(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path / "data.sqlite")
    await first.open()
    row = await first.accept(ANN, "e1", b"sealed", None, 1)
    await first.commit(write(records=(record(1),), messages=(message(1),), timers=(timer("session", 9),), position=1))
    await first.close()
    second = SqliteStore(tmp_path / "data.sqlite")
    await second.open()
    assert await second.chat(ANN) == Chat(b"state 1", 1, 1)
    assert await waiting(second, ANN) == [row]
    assert await second.said(ANN, 0, 10) == [message(1)]
    assert await second.next_due() == 9
    await second.close()


async def test_what_was_committed_survives_kill_9_and_nothing_is_there_by_half(tmp_path: Path) -> None:
    child = subprocess.Popen(  # noqa: ASYNC220  # the test waits for its lines, not the loop's other work
        [sys.executable, str(KILLED), str(tmp_path / "data.sqlite")], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    for _ in range(20):
        told = child.stdout.readline()
    child.send_signal(signal.SIGKILL)
    rest = child.stdout.read().split()
    child.wait()
    child.stdout.close()
    durable = int(rest[-1] if rest else told)
    store = SqliteStore(tmp_path / "data.sqlite")
    await store.open()
    for number in range(8):
        key = ChatKey("salon", "web", f"user {number}")
        chat = await store.chat(key)
        assert chat is not None
        said = await store.said(key, 0, 100_000)
        assert len(said) == chat.position == 2 * chat.revision
        assert chat.state == f"state {chat.revision}".encode()
        (text,) = await store.find("conversations", "salon", everything(f'{{"User": "{key.user}"}}'))
        assert msgspec.json.decode(text)["Messages"]["user"] == chat.revision
        assert chat.revision >= durable
    await store.close()


async def test_the_log_is_emptied_into_the_data_file_when_the_store_closes(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "data.sqlite")
    await store.open()
    await store.commit(write(messages=(message(1, "red hair"),)))
    await store.chat(ANN)
    await store.close()
    assert set(modes(tmp_path)) == {"data.sqlite", "data.sqlite.lock"}
    assert b"red hair" in (tmp_path / "data.sqlite").read_bytes()


async def test_what_is_deleted_is_overwritten(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "data.sqlite")
    await store.open()
    row = await store.accept(ANN, "e1", b"my secret wish " * 600, None, 1)
    await store.close()
    assert b"my secret wish" in (tmp_path / "data.sqlite").read_bytes()
    await store.open()
    await store.commit(write(number=row.number))  # type: ignore[union-attr]  # it was accepted
    await store.close()
    assert b"my secret wish" not in (tmp_path / "data.sqlite").read_bytes()


async def test_the_files_are_for_the_services_user_alone(tmp_path: Path, sqlite: SqliteStore) -> None:
    await sqlite.commit(write())
    assert set(modes(tmp_path).values()) == {0o600}


# -- groups


async def test_turns_of_many_users_share_commits(tmp_path: Path, sqlite: SqliteStore) -> None:
    keys = [ChatKey("salon", "web", f"user {number}") for number in range(64)]
    before = (tmp_path / "data.sqlite-wal").stat().st_size
    await asyncio.gather(*[sqlite.commit(write(key=key)) for key in keys])
    together = (tmp_path / "data.sqlite-wal").stat().st_size - before
    for key in keys:
        await sqlite.commit(write(1, key))
    one_by_one = (tmp_path / "data.sqlite-wal").stat().st_size - before - together
    assert together * 5 < one_by_one


async def test_what_a_round_of_the_event_loop_brings_is_one_group(sqlite: SqliteStore) -> None:
    sizes: list[int] = []

    def count(_: apsw.Connection, payloads: Sequence[int]) -> Sequence[int]:
        sizes.append(len(payloads))
        return payloads

    answers = [sqlite.writer.submit(count, number) for number in range(20)]
    assert await asyncio.gather(*answers) == [*range(20)]
    assert sizes == [20]


async def test_what_the_next_rounds_of_the_event_loop_bring_joins_the_group(sqlite: SqliteStore) -> None:
    sizes: list[int] = []

    def count(_: apsw.Connection, payloads: Sequence[int]) -> Sequence[int]:
        sizes.append(len(payloads))
        return payloads

    async def in_round(number: int) -> int:
        for _ in range(number):
            await asyncio.sleep(0)
        return int(await sqlite.writer.submit(count, number))

    assert await asyncio.gather(*map(in_round, range(20))) == [*range(20)]
    assert sizes == [20]


async def test_a_group_is_written_when_it_is_full_though_each_round_brings_more(sqlite: SqliteStore) -> None:
    sizes: list[int] = []

    def count(_: apsw.Connection, payloads: Sequence[int]) -> Sequence[int]:
        sizes.append(len(payloads))
        return payloads

    answers = []
    while not sizes:
        answers.append(sqlite.writer.submit(count, len(answers)))
        await asyncio.sleep(0)
    await asyncio.gather(*answers)
    assert sizes[0] == MAX_BATCH_TASKS


async def test_what_was_brought_just_before_the_end_is_still_written(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "data.sqlite")
    await store.open()
    last = store.writer.submit(lambda _, payloads: payloads, "last")
    await store.writer.close()
    assert await last == "last"
    await store.close()


async def test_no_page_goes_through_a_file_in_the_systems_temporary_folder(sqlite: SqliteStore) -> None:
    in_memory = 2
    asked = sqlite.writer.submit(lambda connection, _: [connection.pragma("temp_store")], None)
    assert await asked == in_memory


async def test_tasks_of_every_kind_may_share_a_commit(sqlite: SqliteStore) -> None:
    keys = [ChatKey("salon", "web", f"user {number}") for number in range(4)]
    row = await sqlite.accept(keys[3], "e0", b"sealed", None, 1)
    assert isinstance(row, Inbound)
    results = await asyncio.gather(
        sqlite.commit(write(key=keys[0])),
        sqlite.accept(keys[1], "e1", b"sealed", None, 1),
        sqlite.commit(write(9, keys[2])),
        sqlite.journal(keys[3], row.number, "call", b"result"),
        sqlite.next_due(),
        return_exceptions=True,
    )
    assert results[0] is None
    assert isinstance(results[2], StoreError)
    assert [row.id for row in await waiting(sqlite, keys[1])] == ["e1"]
    assert await sqlite.journaled(keys[3], row.number) == {"call": b"result"}


async def test_a_fault_of_the_caller_comes_back_to_the_caller_alone(sqlite: SqliteStore) -> None:
    bad: Any = object()
    results = await asyncio.gather(
        sqlite.commit(write(key=ANN)),
        sqlite.commit(write(key=ChatKey("salon", "web", "ben"), state=bad)),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [type(None), TypeError]
    assert await sqlite.chat(ANN) is not None


async def test_closing_finishes_what_waits(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "data.sqlite")
    await store.open()
    keys = [ChatKey("salon", "web", f"user {number}") for number in range(100)]
    turns = [asyncio.ensure_future(store.commit(write(key=key))) for key in keys]
    await asyncio.sleep(0)
    await store.close()
    assert await asyncio.gather(*turns) == [None] * 100


async def test_a_turn_nobody_waits_for_any_more_is_stored_whole(sqlite: SqliteStore) -> None:
    turn = asyncio.ensure_future(sqlite.commit(write(messages=(message(1),), position=1)))
    await asyncio.sleep(0)
    turn.cancel()
    assert await sqlite.commit(write(1, position=1)) is None
    assert len(await sqlite.said(ANN, 0, 10)) == 1


# -- the folder


async def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot be written .* folder exists"):
        await SqliteStore(tmp_path / "missing" / "data.sqlite").open()


async def test_a_store_that_failed_to_open_lets_go_of_its_folder(tmp_path: Path) -> None:
    file = tmp_path / "data.sqlite"
    file.write_bytes(b"not a database at all" * 1000)
    store = SqliteStore(file)
    with pytest.raises(StoreError):
        await store.open()
    file.unlink()
    await store.open()
    assert await store.commit(write()) is None
    await store.close()


async def test_any_error_of_the_writers_thread_at_its_start_ends_the_opening(tmp_path: Path) -> None:
    def stumble(_: apsw.Connection) -> int:
        raise NameError("a fault in the code")

    writer = Writer(tmp_path / "data.sqlite")
    async with asyncio.timeout(60):
        with pytest.raises(NameError):
            await writer.open(stumble)
        await writer.close()
        assert await writer.open(lambda connection: connection.pragma("application_id")) == OURS
        await writer.close()


async def test_a_second_service_on_one_folder_is_refused(tmp_path: Path, sqlite: SqliteStore) -> None:
    with pytest.raises(StoreError, match="Another service is running on"):
        await SqliteStore(tmp_path / "data.sqlite").open()
    assert await sqlite.commit(write()) is None


def test_a_second_process_on_one_folder_is_refused(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path / "data.sqlite")
    lock.take()
    run = subprocess.run(
        [sys.executable, str(KILLED), str(tmp_path / "data.sqlite")], capture_output=True, text=True, check=False
    )
    lock.release()
    assert run.returncode == 1
    assert "Another service is running on" in run.stderr


async def test_a_database_locked_by_another_program_is_told(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "data.sqlite")
    await store.open()
    await store.writer.submit(lambda connection, _: [connection.set_busy_timeout(1)], None)
    browser = apsw.Connection(str(tmp_path / "data.sqlite"))
    browser.execute("begin immediate")
    with pytest.raises(StoreError, match="locked by another program"):
        await store.commit(write())
    browser.execute("rollback")
    assert await store.commit(write()) is None
    browser.close()
    await store.close()


def test_an_old_sqlite_is_refused() -> None:
    refuse_old("3.51.3")
    for old in ("3.51.2", "3.9.0", "3.51"):
        with pytest.raises(StoreError, match=rf"SQLite {old} can lose .* 3\.51\.3 or newer"):
            refuse_old(old)


# -- migrations


def test_migrations_run_once_and_in_order(tmp_path: Path) -> None:
    (tmp_path / "0001_first.sql").write_text("create table a (x text) strict; insert into a values ('kept')")
    connection = apsw.Connection(":memory:")
    migrate(connection, Path("data.sqlite"), tmp_path)
    (tmp_path / "0002_second.sql").write_text("alter table a add column y text; update a set y = x")
    migrate(connection, Path("data.sqlite"), tmp_path)
    migrate(connection, Path("data.sqlite"), tmp_path)
    assert connection.execute("select * from a").fetchall() == [("kept", "kept")]
    assert connection.pragma("user_version") == 2


def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "0001_first.sql").write_text("create table a (x text) strict; create table a (x text) strict")
    connection = apsw.Connection(":memory:")
    with pytest.raises(apsw.SQLError):
        migrate(connection, Path("data.sqlite"), tmp_path)
    assert connection.execute("select count(*) from sqlite_schema").get == 0
    assert connection.pragma("user_version") == 0


def test_migrations_are_numbered_without_a_gap(tmp_path: Path) -> None:
    assert [file.name[:4] for file in steps()] == [f"{number:04d}" for number in range(1, len(steps()) + 1)]
    (tmp_path / "0002_second.sql").write_text("")
    with pytest.raises(ValueError, match="without a gap"):
        steps(tmp_path)


# -- history


async def test_a_query_that_takes_too_long_is_stopped(tmp_path: Path, sqlite: SqliteStore) -> None:
    await sqlite.commit(write(messages=tuple(message(number) for number in range(1, 500))))
    connection = open_reader(tmp_path / "data.sqlite")
    selection = everything('{"Payload": {"$in": [{"a": 1}, null]}}')
    with pytest.raises(apsw.InterruptError), Deadline(connection, -1.0, lambda: False) as deadline:
        history.find(connection, deadline, "messages", "salon", selection)
    connection.close()


async def test_a_statement_that_takes_too_long_is_stopped_and_said_so(sqlite: SqliteStore) -> None:
    endless = "with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n"
    started = clock.monotonic()
    with pytest.raises(TooSlow, match="took too long"):
        await sqlite.history_readers.ask(lambda connection, _: connection.execute(endless).get, 0.05)
    assert clock.monotonic() - started < 30
    assert await sqlite.count("messages", "salon", everything()) == 0


async def test_a_query_nobody_waits_for_any_more_is_stopped(sqlite: SqliteStore) -> None:
    endless = "with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n"
    questions = [
        asyncio.ensure_future(sqlite.history_readers.ask(lambda connection, _: connection.execute(endless).get, 60.0))
        for _ in range(4)
    ]
    await asyncio.sleep(0)
    for question in questions:
        question.cancel()
    async with asyncio.timeout(30):
        assert await sqlite.count("messages", "salon", everything()) == 0


async def test_a_long_query_does_not_hold_up_turns_and_their_reading(sqlite: SqliteStore) -> None:
    endless = "with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n"
    questions = [
        asyncio.ensure_future(sqlite.history_readers.ask(lambda connection, _: connection.execute(endless).get, 60.0))
        for _ in range(2)
    ]
    await asyncio.sleep(0)
    await sqlite.commit(write())
    assert await sqlite.chat(ANN) == Chat(b"state 1", 1, 0)
    for question in questions:
        question.cancel()


async def test_a_reader_never_writes(tmp_path: Path, sqlite: SqliteStore) -> None:
    connection = open_reader(tmp_path / "data.sqlite")
    with pytest.raises(apsw.ReadOnlyError):
        connection.execute("delete from chats")
    connection.close()


# -- how rows lie


async def test_every_record_has_its_jsonb_copy(tmp_path: Path, sqlite: SqliteStore) -> None:
    await sqlite.commit(write(records=(record(1),), messages=(message(1),)))
    await sqlite.commit(write(1, records=(record(1, status="success", ended_at=time(2)), record(2))))
    connection = open_reader(tmp_path / "data.sqlite")
    rows = connection.execute(
        "select id, typeof(body), json(body) = json(document) from conversations "
        "union all select id, typeof(body), json(body) = json(document) from messages order by id"
    ).fetchall()
    connection.close()
    assert rows == [("c000001", "blob", 1), ("c000002", "blob", 1), ("m-web-ann-000001", "blob", 1)]


async def test_numbers_of_a_new_run_are_above_what_still_waits(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "data.sqlite")
    for _ in range(2):
        await store.open()
        await store.accept(ANN, "e", b"sealed", None, 1)
        await store.close()
    await store.open()
    assert [row.number for row in await waiting(store, ANN)] == [1, 2]
    await store.close()


async def test_an_answer_forgotten_while_its_turn_ran_is_kept_with_the_turn(sqlite: SqliteStore) -> None:
    dedupe = Dedupe("k", b"hash")
    row = await sqlite.accept(ANN, "e", b"sealed", dedupe, 1)
    await sqlite.writer.submit(lambda connection, _: [connection.execute("delete from answers").get], None)
    await sqlite.commit(write(number=row.number, dedupe=dedupe, answer=b"hi"))  # type: ignore[union-attr]  # accepted
    assert await sqlite.answered(ANN, "k") == Answered(b"hash", b"hi")


@pytest.mark.parametrize(
    ("file", "name", "index"),
    [
        ("outbox", "next", "outbox_due"),
        ("shared", "dead_letters", "outbox_dead"),
        ("retention", "old", "conversations_started_at (bot=? AND (started_at,id)>(?,?) AND started_at<?)"),
        ("retention", "is_kept", "conversations_user"),
        ("retention", "delete_messages", "messages_conversation"),
        ("retention", "naming", "messages_user"),
        ("retention", "begin_deleting_some_files", "sqlite_autoindex_files_1 (bot=? AND id=?)"),
        ("own", "forget_answers", "answers_seen_at (bot=? AND seen_at<?)"),
        ("own", "forget_results", "sqlite_autoindex_journal_1 (bot=?)"),
        ("inbox", "waiting", "sqlite_autoindex_inbox_1 (bot=? AND user=? AND channel=?)"),
    ],
)
async def test_what_runs_again_and_again_uses_indexes(
    tmp_path: Path, sqlite: SqliteStore, file: str, name: str, index: str
) -> None:
    connection = open_reader(tmp_path / "data.sqlite")
    sql = "explain query plan " + QUERIES[file][name].sql
    numbers = [int(number) for number in re.findall(r"[?$](\d)", sql)]
    count = max(numbers) if numbers else sql.count("?")
    details = [row[3] for row in connection.execute(sql, range(count))]
    connection.close()
    assert any(index in detail for detail in details), details
