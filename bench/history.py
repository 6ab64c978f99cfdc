"""The history API over many conversations: ``python -m bench.history``, with ``--parse`` beside Parse Server too.

Pages of 100 through parser, compiler and store, beside bare SQL in the same process that finds the same records; then
the same pages over HTTP. ``BENCH_CONVERSATIONS`` sets their number: a million take ten minutes, 5 GB of disk.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import apsw
import asyncpg
import msgspec
from tests.postgres import running_server

from bench.filled import BOT, fill_postgres, fill_sqlite
from bench.machine import heading, table
from bench.parse_server import HEADERS, parse_server
from bench.people import write_bot
from bench.servers import Database, dialoom
from dialoom.query import Selection, parse_query, parse_sort, place_of
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import Collection, Store

COUNT = int(os.environ.get("BENCH_CONVERSATIONS", "100000"))
RUNS = 7
SLOW = 2.0
"""Seconds; what takes longer is run once more only."""
PAGE = 100
DEEP = COUNT * 9 // 10
TOKEN = "bench-token-of-the-history"


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """``bare``: behind ``where bot = ?``, what a developer would write for the same records; without it only the time
    stands in the table. ``city``: the database's own words for a value that has no column."""

    what: str
    query: str | None = None
    sort: str | None = None
    bare: str | None = None
    collection: Collection = "conversations"
    skip: int = 0
    is_after: bool = False
    is_count: bool = False
    parse: str | None = None
    """The sort as Parse Server writes it, where it is asked the same."""


CITY = '{"Data.entities.city":"Sofia 77"}'
CASES = (
    Case(what="first page", bare="order by id"),
    Case(what="StartedAt, newest", sort='{"StartedAt":-1}', bare="order by started_at desc, id", parse="-StartedAt"),
    Case(
        what="StartedAt, a day",
        query='{"StartedAt":{"$gte":"2025-06-20","$lt":"2025-06-21"}}',
        sort="StartedAt",
        bare="and started_at >= '2025-06-20' and started_at < '2025-06-21' order by started_at, id",
        parse="StartedAt",
    ),
    Case(what="Status", query='{"Status":"failure"}', bare="and status = 'failure' order by id"),
    Case(
        what="Status, newest",
        query='{"Status":"failure"}',
        sort='{"StartedAt":-1}',
        bare="and status = 'failure' order by started_at desc, id",
        parse="-StartedAt",
    ),
    Case(what="Errors > 5", query='{"Errors":{"$gt":5}}', bare="and errors > 5 order by id", parse=""),
    Case(
        what="Errors, most",
        sort='{"Errors":-1,"StartedAt":-1}',
        bare="order by errors desc, started_at desc, id",
        parse="-Errors,-StartedAt",
    ),
    Case(what="Messages.user > 18", query='{"Messages.user":{"$gt":18}}', bare="and messages_user > 18 order by id"),
    Case(
        what="ProviderName",
        query='{"Data.channel.ProviderName":"mobile"}',
        bare="and provider_name = 'mobile' order by id",
    ),
    Case(
        what="FirstName, newest",
        query='{"Data.user.FirstName":"Ada"}',
        sort='{"StartedAt":-1}',
        bare="and first_name = 'Ada' order by started_at desc, id",
        parse="-StartedAt",
    ),
    Case(what="LastName", query='{"Data.user.LastName":"L77"}', bare="and last_name = 'L77' order by id"),
    Case(what="User", query='{"User":"user-77"}', bare="and \"user\" = 'user-77' order by id"),
    Case(
        what="three properties",
        query='{"Data.channel.ProviderName":"rest","Status":"closed","Errors":{"$gte":2}}',
        bare="and provider_name = 'rest' and status = 'closed' and errors >= 2 order by id",
        parse="",
    ),
    Case(
        what="$or, newest",
        query='{"$or":[{"Status":"failure"},{"Errors":{"$gt":5}},{"Data.user.LastName":"L77"}]}',
        sort='{"StartedAt":-1}',
        bare="and (status = 'failure' or errors > 5 or last_name = 'L77') order by started_at desc, id",
        parse="-StartedAt",
    ),
    Case(
        what="$regex ^L77",
        query='{"Data.user.LastName":{"$regex":"^L77"}}',
        bare="and last_name >= 'L77' and last_name < 'L78' order by id",
    ),
    Case(
        what="$regex 7$", query='{"Data.user.LastName":{"$regex":"77$"}}', bare="and last_name like '%77' order by id"
    ),
    Case(what="$regex that nobody meets", query='{"Data.user.LastName":{"$regex":"x7+y","$options":"i"}}'),
    Case(what="no column", query=CITY, bare="and {city} = 'Sofia 77' order by id", parse=""),
    Case(what="no column, nobody", query='{"Data.entities.city":"?"}', bare="and {city} = '?' order by id"),
    Case(
        what="LastName, newest",
        query='{"Data.user.LastName":"L77"}',
        sort='{"StartedAt":-1}',
        bare="and last_name = 'L77' order by started_at desc, id",
    ),
    Case(
        what="$or of few",
        query='{"$or":[{"Data.user.LastName":"L77"},{"Data.user.LastName":"L78"},{"User":"user-77"}]}',
        bare="and (last_name in ('L77', 'L78') or \"user\" = 'user-77') order by id",
    ),
    Case(what="Status, falling", sort='{"Status":-1}', bare="order by status desc, id"),
    Case(what=f"skip {DEEP:,}", skip=DEEP, bare="order by id"),
    Case(what=f"after {DEEP:,}", is_after=True, skip=DEEP),
    Case(what=f"after {DEEP:,}, newest", is_after=True, skip=DEEP, sort='{"StartedAt":-1}'),
    Case(what=f"after {DEEP:,}, Status falling", is_after=True, skip=DEEP, sort='{"Status":-1}'),
    Case(what="count of all", is_count=True, bare=""),
    Case(what="count, Status", query='{"Status":"failure"}', is_count=True, bare="and status = 'failure'"),
    Case(what="count, no column", query=CITY, is_count=True, bare="and {city} = 'Sofia 77'"),
    Case(
        what="messages, newest",
        collection="messages",
        sort='{"CreatedAt":-1}',
        bare="order by created_at desc, id",
    ),
    Case(
        what="messages of a user",
        collection="messages",
        query='{"User":"user-77"}',
        bare="and \"user\" = 'user-77' order by id",
    ),
)
INDEXED = "Data.entities.city"
WITH_INDEX = (
    Case(what="own index", query=CITY, bare="and {city} = 'Sofia 77' order by id"),
    Case(what="own index, of all", query='{"Data.entities.city":{"$gt":"A"}}', bare="and {city} > 'A' order by id"),
    Case(what="own index, sorted", sort=INDEXED, bare="order by {city}, id"),
)
"""Measured after all others, when the operator's index has been added."""

Ask = Callable[[], Awaitable[int]]


# -- through the store, and bare


async def _ours(store: Store, case: Case) -> int:
    where = parse_query(case.query)
    if case.is_count:
        return await store.count(case.collection, BOT, Selection(where=where))
    selection = Selection(where=where, sort=parse_sort(case.sort), skip=case.skip, limit=PAGE)
    return len(await store.find(case.collection, BOT, selection))


async def _after(store: Store, case: Case) -> Ask:
    """A page behind a place that was found before."""
    sort = parse_sort(case.sort)
    (last,) = await store.find(case.collection, BOT, Selection(sort=sort, skip=case.skip - 1, limit=1))
    place = place_of(sort)(msgspec.json.decode(last))

    async def ask() -> int:
        return len(await store.find(case.collection, BOT, Selection(sort=sort, limit=PAGE, after=place)))

    return ask


def _sql(case: Case, city: str, place: str) -> str:
    assert case.bare is not None
    what = "count(*)" if case.is_count else "document"
    tail = "" if case.is_count else f" limit {PAGE} offset {case.skip}"
    return f"select {what} from {case.collection} where bot = {place} " + case.bare.replace("{city}", city) + tail


async def _times(ask: Ask) -> tuple[float, int]:
    """The median in milliseconds, and what was found."""
    taken: list[float] = []
    found = await ask()
    while len(taken) < (RUNS if sum(taken) < SLOW else 2):
        began = time.perf_counter()
        found = await ask()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken) * 1000, found


async def _measured(store: Store, bare: Callable[[str], Awaitable[list[Any]]], city: str, place: str) -> list[Any]:
    rows: list[Any] = []
    for case in (*CASES, *WITH_INDEX):
        if case is WITH_INDEX[0]:
            await store.add_index("conversations", INDEXED)
        ours, found = await _times(await _after(store, case) if case.is_after else partial(_ours, store, case))
        if case.bare is None:
            rows.append([ours, "", ""])
            continue

        async def ask(case: Case = case) -> int:
            answer = await bare(_sql(case, city, place))
            return int(answer[0][0]) if case.is_count else len(answer)

        base, expected = await _times(ask)
        assert found == expected, case.what
        rows.append([ours, base, ours / base])
    return rows


async def _sqlite(file: Path) -> list[Any]:
    store = SqliteStore(file)
    await store.open()
    database = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    database.pragma("cache_size", -16384)

    async def bare(sql: str) -> list[Any]:
        return database.execute(sql, (BOT,)).fetchall()

    rows = await _measured(store, bare, "body ->> '$.Data.entities.city'", "?")
    database.close()
    await store.close()
    return rows


async def _postgres(url: str) -> list[Any]:
    store = PostgresStore(url)
    await store.open()
    connection = await asyncpg.connect(url, server_settings={"search_path": "dialoom"})

    async def bare(sql: str) -> list[Any]:
        return [*await connection.fetch(sql, BOT)]

    rows = await _measured(store, bare, "body #>> '{Data,entities,city}'", "$1")
    await connection.close()
    await store.close()
    return rows


# -- over HTTP


def _get(base: str, path: str, headers: dict[str, str]) -> tuple[float, int]:
    """On one connection, as a client of a library asks."""
    place = urlsplit(base)
    connection = HTTPConnection(place.hostname or "", place.port)

    async def ask() -> int:
        connection.request("GET", place.path + path, headers=headers)
        found = json.loads(connection.getresponse().read())
        return len(found["results"] if isinstance(found, dict) else found)

    try:
        return asyncio.run(_times(ask))
    finally:
        connection.close()


def history_bot(folder: Path, slow_port: int = 9) -> tuple[Path, str]:
    """The form with a server access token, and that token."""
    bot = folder / "bot"
    bot.mkdir()
    write_bot(bot, slow_port)
    file = bot / "bot.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {"access-token": TOKEN}), "utf-8")
    return bot, TOKEN


def _over_http(database: Database, folder: Path) -> list[list[object]]:
    bot, token = history_bot(folder)
    rows: list[list[object]] = []
    asked = [case for case in CASES if case.parse is not None]
    with dialoom(1, database.url, bot) as (server,), parse_server(database) as parse:
        for case in asked:
            wanted = {"limit": str(PAGE), "query": case.query, "sort": case.sort}
            mine = urlencode({name: value for name, value in wanted.items() if value is not None})
            theirs = urlencode({"limit": str(PAGE), "where": case.query or "{}", "order": case.parse or "objectId"})
            ours, found = _get(
                f"http://127.0.0.1:{server.port}",
                f"/v1/bots/{BOT}/conversations?{mine}",
                {"Authorization": f"Bot-Server-Access-Token {token}"},
            )
            base, expected = _get(parse, f"/classes/Conversation?{theirs}", HEADERS)
            assert found == expected, (case.what, found, expected)
            rows.append([case.what, ours, base, base / ours])
    return rows


def main() -> None:
    with tempfile.TemporaryDirectory() as name, running_server() as postgres:
        folder = Path(name)
        began = time.perf_counter()
        fill_sqlite(folder / "dialoom.sqlite", COUNT)
        with Database(postgres) as database:
            fill_postgres(database.url, COUNT)
            filled = time.perf_counter() - began
            sqlite = asyncio.run(_sqlite(folder / "dialoom.sqlite"))
            on_postgres = asyncio.run(_postgres(database.url))
            rows = [
                [case.what, *one, *two]
                for case, one, two in zip((*CASES, *WITH_INDEX), sqlite, on_postgres, strict=True)
            ]
            print(heading(f"A page of {PAGE} of {COUNT:,} conversations ({2 * COUNT:,} messages); median of {RUNS}"))
            columns = ("", "SQLite ms", "bare ms", "ratio", "PostgreSQL ms", "bare ms", "ratio")
            print(table(columns, rows), flush=True)
            print(f"Filled both in {filled:.0f} s.")
            if "--parse" in sys.argv:
                print(heading("The same over HTTP, beside Parse Server on the same PostgreSQL"))
                print(table(("", "dialoom ms", "Parse Server ms", "times as fast"), _over_http(database, folder)))


if __name__ == "__main__":
    main()
