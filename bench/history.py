"""A page of 100 of 100,000 conversations: the history API's way (parse, compile, read) beside bare SQL."""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from pathlib import Path

import apsw

from bench.machine import heading, table
from dialoom.messages import ConversationRecord
from dialoom.messages.records import ChannelData, Data, MessageCounts, UserData
from dialoom.query import Selection, parse_query, parse_sort
from dialoom.service.clock import iso
from dialoom.service.ids import IdSource
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import ChatKey, TurnWrite

CONVERSATIONS = 100_000
BOT = "bench"
RUNS = 15
FIRST = 1_790_000_000_000
STATUSES = ("success", "success", "abandoned", "closed", "failure")
PROVIDERS = ("web", "web", "rest", "mobile")
NAMES = ("Ada", "Grace", "Edsger", "Barbara", "Alan", "Niklaus", "Tony", "Donald", "Leslie", "Frances")

_DOCUMENTS = "select document from conversations where bot = ?"
PAGES = (
    # what, query, sort, the same in bare SQL
    ("by _id", None, None, f"{_DOCUMENTS} order by id limit 100"),
    ("StartedAt, newest", None, '{"StartedAt":-1}', f"{_DOCUMENTS} order by started_at desc, id limit 100"),
    ("Status", '{"Status":"failure"}', None, f"{_DOCUMENTS} and status = 'failure' order by id limit 100"),
    ("Errors > 3", '{"Errors":{"$gt":3}}', None, f"{_DOCUMENTS} and errors > 3 order by id limit 100"),
    (
        "FirstName, newest",
        '{"Data.user.FirstName":"Ada"}',
        '{"StartedAt":-1}',
        f"{_DOCUMENTS} and first_name = 'Ada' order by started_at desc, id limit 100",
    ),
    (
        "two properties",
        '{"Data.channel.ProviderName":"rest","Status":"closed"}',
        None,
        f"{_DOCUMENTS} and provider_name = 'rest' and status = 'closed' order by id limit 100",
    ),
    (
        "no column (entity)",
        '{"Data.entities.city":"Sofia 77"}',
        None,
        f"{_DOCUMENTS} and body ->> '$.Data.entities.city' = 'Sofia 77' order by id limit 100",
    ),
)


def _record(index: int, ids: IdSource, draw: random.Random) -> ConversationRecord:
    started = FIRST + index * 1000
    return ConversationRecord(
        id=ids.make(started),
        bot=BOT,
        user=f"user-{index}",
        channel="web",
        status=draw.choice(STATUSES),  # type: ignore[arg-type]
        started_at=iso(started),
        updated_at=iso(started + 60_000),
        ended_at=iso(started + 60_000),
        goal="book",
        errors=draw.randrange(5),
        messages=MessageCounts(draw.randrange(1, 20), draw.randrange(1, 30)),
        flow_version="1",
        data=Data(
            channel=ChannelData(id="web", provider_name=draw.choice(PROVIDERS)),
            user=UserData(first_name=draw.choice(NAMES), last_name=f"L{index % 1000}"),
            entities={"city": f"Sofia {index % 500}", "date": "2027-03-03"},
        ),
    )


async def _fill(store: SqliteStore) -> None:
    ids, draw = IdSource(), random.Random(1)
    for start in range(0, CONVERSATIONS, 1000):
        await asyncio.gather(
            *(
                store.commit(
                    TurnWrite(
                        key=ChatKey(BOT, "web", f"user-{index}"),
                        number=None,
                        dedupe=None,
                        answer=None,
                        state=b"",
                        revision=0,
                        position=0,
                        records=(_record(index, ids, draw),),
                    )
                )
                for index in range(start, start + 1000)
            )
        )


async def _ours(store: SqliteStore, query: str | None, sort: str | None) -> int:
    selection = Selection(where=parse_query(query), sort=parse_sort(sort), limit=100)
    return len(b"[" + b",".join(await store.find("conversations", BOT, selection)) + b"]")


def _bare(database: apsw.Connection, sql: str) -> int:
    return len("[" + ",".join(row[0] for row in database.execute(sql, (BOT,))) + "]")


async def _measure(folder: Path) -> list[list[object]]:
    store = SqliteStore(folder / "bench.sqlite")
    await store.open()
    await _fill(store)
    database = apsw.Connection(str(folder / "bench.sqlite"), flags=apsw.SQLITE_OPEN_READONLY)
    rows: list[list[object]] = []
    for what, query, sort, sql in PAGES:
        ours, bare = [], []
        for _ in range(RUNS):
            began = time.perf_counter()
            found = await _ours(store, query, sort)
            ours.append(time.perf_counter() - began)
            began = time.perf_counter()
            expected = _bare(database, sql)
            bare.append(time.perf_counter() - began)
            assert found == expected, what
        fast, base = statistics.median(ours) * 1000, statistics.median(bare) * 1000
        rows.append([what, f"{fast:.2f}", f"{base:.2f}", f"{fast / base:.1f}"])
    database.close()
    await store.close()
    return rows


def main() -> None:
    print(heading(f"A page of 100 of {CONVERSATIONS:,} conversations, SQLite; median of {RUNS}"))
    with tempfile.TemporaryDirectory() as folder:
        rows = asyncio.run(_measure(Path(folder)))
    print(table(["page", "history API ms", "bare SQL ms", "ratio"], rows))


if __name__ == "__main__":
    main()
