"""A database's tables come to the shape that a release knows, and older processes go on while the next rolls out."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dialoom.errors import StoreError
from dialoom.storage.postgres.migrate import FOLDER, Step, steps
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.store import Chat
from tests.postgres import Server, query
from tests.storage.making import ANN, commit, write

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
    (tmp_path / "0002_next.sql").write_text("-- why\n-- works with: 1\nselect 2")
    assert [(step.number, step.works_with) for step in steps(tmp_path)] == [(1, 1), (2, 1)]
    for name, text in (
        ("0003_no.sql", "select 3"),
        ("0004_gap.sql", "-- works with: 1\n"),
        ("0003_x.sql", "-- works with: 9\n"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(ValueError, match="works with"):
            steps(tmp_path)
        (tmp_path / name).unlink()
