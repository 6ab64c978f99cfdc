"""A database's tables come to the shape that a release knows, and older processes go on while the next rolls out."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dialoom.errors import StoreError
from dialoom.storage.postgres.connection import connect
from dialoom.storage.postgres.migrate import FOLDER, Step, steps
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.store import Chat, LoginRow, ScheduledJob
from tests.postgres import Server, query
from tests.storage.row_makers import ANN, BEN, commit, write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

FIRST = steps()
NEXT = len(FIRST) + 1
WIDER = Step(NEXT, 1, "alter table bots add column color text")
OTHER = Step(NEXT, NEXT, "alter table chats add column color text not null default 'red'")


async def start(url: str, *more: Step) -> None:
    store = PostgresStore(url, migrations=[*FIRST, *more])
    await store.open()
    await store.close()


def seen(url: str) -> list[tuple[int, int]]:
    return [(step, least) for step, least in query(url, "select step, works_with from dialoom.schema_steps order by 1")]


async def test_a_fresh_database_gets_all_tables_and_a_second_start_changes_nothing(database: str) -> None:
    await start(database)
    known = seen(database)
    assert [step for step, _ in known] == [step.number for step in FIRST]
    store = PostgresStore(database)
    await store.open()
    await commit(store, write())
    await store.close()
    await start(database)
    assert seen(database) == known
    store = PostgresStore(database)
    await store.open()
    assert await store.chat(ANN) == Chat(b"state 1", 1, 0)
    await store.close()


async def test_processes_that_start_together_make_the_tables_once(database: str) -> None:
    await asyncio.gather(*[start(database, WIDER) for _ in range(4)])
    assert [step for step, _ in seen(database)] == [*range(1, NEXT + 1)]


async def test_the_release_before_goes_on_with_tables_that_work_with_it(database: str) -> None:
    await start(database)
    await start(database, WIDER)
    await start(database)
    assert seen(database)[-1] == (NEXT, 1)


async def test_the_release_before_does_not_start_on_tables_that_do_not_work_with_it(database: str) -> None:
    await start(database, OTHER)
    with pytest.raises(
        StoreError, match=rf"newer release \(its tables are at step {NEXT}, this release knows {NEXT - 1}\)"
    ):
        await start(database)
    await start(database, OTHER)


async def test_a_step_that_fails_leaves_nothing_behind(database: str) -> None:
    await start(database)
    bad = Step(NEXT, 1, "create table half (a int); select nothing from nowhere")
    with pytest.raises(StoreError):
        await start(database, bad)
    assert len(seen(database)) == len(FIRST)
    assert query(database, "select to_regclass('dialoom.half')") == [(None,)]
    await start(database, WIDER)


BUILT = Step(
    NEXT,
    1,
    "alter index bots_version_next rename to bots_version",
    ("create index concurrently if not exists bots_version_next on bots (bot)",),
)
BUILDING = """select pid from pg_stat_activity
where query like 'create index concurrently%' and wait_event_type = 'Lock' and datname = current_database()"""
"""An index that waits for older readers to end."""


@asynccontextmanager
async def old_reader(url: str) -> AsyncIterator[None]:
    """Until it ends no index is done that is made outside of a transaction."""
    connection = await connect(url, seconds=0)
    await connection.execute("begin isolation level repeatable read")
    await connection.fetch("select * from bots")
    try:
        yield
    finally:
        connection.terminate()


async def builder(url: str, *tasks: asyncio.Task[None]) -> int:
    """The process of the server that makes the index for one of these."""
    while not (found := query(url, BUILDING)):
        done, _ = await asyncio.wait(tasks, timeout=0.02)
        assert not done, done
    return int(found[0][0])


async def test_turns_go_on_while_an_index_is_made_for_the_next_release(database: str) -> None:
    before = PostgresStore(database)
    await before.open()
    async with old_reader(database):
        building = [asyncio.create_task(start(database, BUILT)) for _ in range(2)]
        await builder(database, *building)
        assert await commit(before, write()) is None
        assert seen(database)[-1] == (len(FIRST), FIRST[-1].works_with)
    await asyncio.gather(*building)
    await before.close()
    assert seen(database)[-1] == (NEXT, 1)
    assert query(database, "select to_regclass('dialoom.bots_version') is null") == [(False,)]


async def test_an_index_that_was_broken_off_is_made_again_at_the_next_start(database: str) -> None:
    await start(database)
    valid = "select indisvalid from pg_index where indexrelid = to_regclass('dialoom.bots_version{}')"
    async with old_reader(database):
        building = asyncio.create_task(start(database, BUILT))
        query(database, "select pg_terminate_backend($1)", await builder(database, building))
        with pytest.raises(StoreError):
            await building
    assert query(database, valid.format("_next")) == [(False,)]
    await start(database, BUILT)
    assert query(database, valid.format("")) == [(True,)]
    assert query(database, valid.format("_next")) == []


async def test_the_indexes_of_the_first_step_are_replaced_by_those_of_the_second(database: str) -> None:
    store = PostgresStore(database, migrations=FIRST[:1])
    await store.open()
    await store.close()
    indexes = "select indexname from pg_indexes where schemaname = 'dialoom' and tablename = 'conversations' order by 1"
    names = query(database, indexes)
    await start(database)
    assert query(database, indexes) == names
    made = query(database, "select indexdef from pg_indexes where indexname = 'conversations_status'")
    assert made[0][0].endswith("(bot, status, id, started_at)")


async def test_a_chat_of_the_release_before_can_have_login_links_which_that_release_erases_with_it(
    database: str,
) -> None:
    before = PostgresStore(database, migrations=FIRST[:2])
    await before.open()
    await commit(before, write())
    await commit(before, write(key=BEN))
    store = PostgresStore(database)
    await store.open()
    rows = [LoginRow(key, "l1", b"sealed", 1000) for key in (ANN, BEN)]
    assert [await store.open_login(row) for row in rows] == rows
    assert (await before.erase(ANN, 64)).is_done
    assert [await store.login(row.key, "l1") for row in rows] == [None, rows[1]]
    await store.close()
    await before.close()


async def test_the_release_before_plans_and_takes_jobs_while_the_next_one_rolls_out(database: str) -> None:
    planned = "insert into chores (bot, name, due) values ($1, $2, $3) on conflict do nothing"
    moved = "insert into chores (bot, name, due) values ($1, $2, $3) on conflict (bot, name) do update set due = excluded.due"
    taken = (
        "with next as (select bot, name, due from chores where due <= $1 order by due limit 1 for update skip locked) "
        "update chores c set due = $2 from next n where c.bot = n.bot and c.name = n.name returning c.name"
    )
    before = PostgresStore(database, migrations=FIRST[:7])
    await before.open()
    await before.close()
    connection = await connect(database)
    try:
        statements = [await connection.prepare(sql) for sql in (planned, moved, taken)]
        await statements[0].fetch("salon", "retention", 10)
        store = PostgresStore(database)
        await store.open()
        await statements[0].fetch("salon", "retention", 5)
        await statements[0].fetch("salon", "scrub", 20)
        await statements[1].fetch("salon", "scrub", 30)
        assert await store.take_jobs(10, 100, 10) == [ScheduledJob("salon", "retention", 10)]
        assert [row["name"] for row in await statements[2].fetch(30, 100)] == ["scrub"]
        assert await store.take_jobs(99, 200, 10) == []
        await store.close()
    finally:
        connection.terminate()


async def test_a_schema_of_another_program_is_left_alone(database: str) -> None:
    query(database, "create schema dialoom")
    query(database, "create table dialoom.theirs (a int)")
    with pytest.raises(StoreError, match="another program"):
        await start(database)
    tables = query(database, "select relname from pg_class where relnamespace = 'dialoom'::regnamespace")
    assert tables == [("theirs",)]


async def test_tables_of_other_programs_beside_ours_are_left_alone(database: str) -> None:
    query(database, "create table public.bots (a int)")
    await start(database)
    assert query(database, "select count(*) from public.bots") == [(0,)]


async def test_a_schema_that_an_administrator_has_made_is_used(database: str, postgres_server: Server) -> None:
    name = f"guest_{database.partition('?')[0].rpartition('_')[2]}"
    query(database, f"create role {name} login")
    try:
        query(database, f"create schema dialoom authorization {name}")
        await start(database.replace("user=dialoom", f"user={name}"))
        assert len(seen(database)) == len(FIRST)
    finally:
        query(database, "drop schema dialoom cascade")
        postgres_server.administer(f"drop role {name}")


def test_the_migrations_are_numbered_and_say_what_works_with_them(tmp_path: Path) -> None:
    assert [step.number for step in FIRST] == list(range(1, len(list(FOLDER.glob("*.sql"))) + 1))
    (tmp_path / "0001_first.sql").write_text("-- works with: 1\nselect 1")
    before = "-- outside a transaction\nselect 2;\nselect 3;\n-- in the transaction\n"
    (tmp_path / "0002_next.sql").write_text(f"-- why\n-- works with: 1\n{before}select 4")
    assert steps(tmp_path) == [
        Step(1, 1, "-- works with: 1\nselect 1"),
        Step(2, 1, "select 4", ("select 2", "select 3")),
    ]
    for name, text in (
        ("0003_no.sql", "select 3"),
        ("0004_gap.sql", "-- works with: 1\n"),
        ("0003_x.sql", "-- works with: 9\n"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(ValueError, match="works with"):
            steps(tmp_path)
        (tmp_path / name).unlink()
