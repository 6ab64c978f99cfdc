"""What the outbox does costs by what it takes, never by what waits behind: told by what the databases visit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import asyncpg

from dialoom.storage.postgres import turns
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.rows import delivery_claim, turn_rows
from dialoom.storage.sql_files import load
from dialoom.storage.sqlite import scheduled, writes
from dialoom.storage.sqlite.store import SqliteStore
from tests.storage.row_makers import ANN, BEN, commit, outgoing, write

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    import apsw

    from dialoom.storage.store import Store
    from tests.postgres import Server

FEW, MANY = 10, 2000
DAY = 24 * 3600 * 1000
OUTBOX = load("postgres", "outbox")
VISITED = """
select sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid)) from pg_class
where oid = 'outbox'::regclass or oid in (select indexrelid from pg_index where indrelid = 'outbox'::regclass)
"""


async def fill(store: Store, behind: int, dead: int = 0) -> None:
    """A chat whose first delivery is put off by a day, with so many behind it; another one with two that are due."""
    await commit(store, write(outbox=tuple(outgoing(number) for number in range(behind + 1))))
    (first,) = await store.take_outgoing(1000, 2000, 10)
    await store.postpone(first, 1000, 1000 + DAY, "away")
    if dead:
        faq = ANN._replace(bot="faq")
        letters = [outgoing(number, faq._replace(user=f"u{number}"), body=b"x" * 9000) for number in range(dead)]
        for letter in letters:
            await commit(store, write(key=letter.key, outbox=(letter,)))
            await store.bury(letter, 1000, "gone")
    await commit(store, write(key=BEN, outbox=(outgoing(1, BEN), outgoing(2, BEN))))


# -- SQLite: steps of its machine


async def steps(store: SqliteStore, work: Callable[[apsw.Connection], Any]) -> int:
    counted = 0

    def count() -> bool:
        nonlocal counted
        counted += 1
        return False

    def run(connection: apsw.Connection, _: Any) -> list[Any]:
        connection.set_progress_handler(count, 1)
        try:
            return [work(connection)]
        finally:
            connection.set_progress_handler(None)

    await store.writer.submit(run, None)
    return counted


async def sqlite_costs(path: Path, behind: int) -> dict[str, int]:
    store = SqliteStore(path)
    await store.open()
    await fill(store, behind)
    costs = {"take": await steps(store, lambda connection: scheduled.take(connection, [(2000, 9000, 10)]))}
    costs["take none"] = await steps(store, lambda connection: scheduled.take(connection, [(2000, 9000, 10)]))
    (head,) = await store.take_outgoing(1000 + DAY, 2 * DAY, 1)
    head = head if head.key == ANN else (await store.take_outgoing(1000 + DAY, 2 * DAY, 1))[0]
    turn = turn_rows(write(1, outbox=(outgoing(900_000),)))
    costs["commit"] = await steps(store, lambda connection: writes.write_turns(connection, [turn]))
    costs["delivered"] = await steps(store, lambda connection: scheduled.delivered(connection, [(head, 1000)]))
    assert [row.id for row in await store.take_outgoing(1000, 2 * DAY, 10)] == ["d000001"]
    costs["counts"] = await steps(
        store, lambda connection: connection.execute(load("sqlite", "own")["outbox_counts"].sql).get
    )
    await store.close()
    return costs


async def test_sqlite_takes_as_many_steps_with_few_behind_as_with_many(tmp_path: Path) -> None:
    few = await sqlite_costs(tmp_path / "few.sqlite", FEW)
    many = await sqlite_costs(tmp_path / "many.sqlite", MANY)
    for name, steps_of_few in few.items():
        assert many[name] <= steps_of_few + 20, name


# -- PostgreSQL: rows and index entries


async def postgres_costs(server: Server, behind: int) -> dict[str, int]:
    url = server.database()
    store = PostgresStore(url, is_timed_by_server=False)
    await store.open()
    connection = await asyncpg.connect(url, server_settings={"search_path": "dialoom"})
    # When the server tidies up by itself is a matter of chance: in the middle of this it would change plans and figures.
    await connection.execute("alter table outbox set (autovacuum_enabled = off)")
    await fill(store, behind, dead=20)
    await connection.execute("vacuum outbox")

    async def cost(sql: str, *values: Any) -> int:
        return await visited_by(connection.fetch(sql, *values))

    async def visited_by(work: Awaitable[Any]) -> int:
        transaction = connection.transaction()
        await transaction.start()
        # They go on from transaction to transaction, until the server puts them away: at most once a second.
        before = int(await connection.fetchval(VISITED))
        await work
        visited = int(await connection.fetchval(VISITED)) - before
        await transaction.rollback()
        return visited

    (ben,) = await store.take_outgoing(2000, 9000, 10)
    costs = {
        "take": await cost(OUTBOX["take"].sql, 9000, 1000, 10),
        "take none": await cost(OUTBOX["take"].sql, 8000, 1000, 10),
        "take the put off": await cost(OUTBOX["take"].sql, 2 * DAY, 1000, 10),
        "delivered": await cost(OUTBOX["settle"].sql, *delivery_claim(ben), 0, None, None, 1000),
    }
    heads = await store.take_outgoing(2 * DAY, 3 * DAY, 10)
    (ann,) = [head for head in heads if head.key == ANN]
    costs["delivered before many"] = await cost(OUTBOX["settle"].sql, *delivery_claim(ann), 0, None, None, 1000)
    costs["bury before many"] = await cost(OUTBOX["settle"].sql, *delivery_claim(ann), 0, 1000, "gone", 1000)
    turn = (store.process, write(1, outbox=(outgoing(900_000),)))
    costs["commit"] = await visited_by(turns.write_timed_turns(connection, "salon", [turn]))
    costs["resend"] = await cost(OUTBOX["resend"].sql, "faq", ["d000001"], 1000, 10)
    await connection.close()
    await store.close()
    server.drop(url)
    return costs


async def test_postgresql_visits_as_many_rows_with_few_behind_as_with_many(postgres_server: Server) -> None:
    few, many = [await postgres_costs(postgres_server, behind) for behind in (FEW, MANY)]
    for name, visited in few.items():
        assert many[name] <= visited + 20, name
