"""Conversations and their messages brought in from a file: ``python -m bench.imports``, as the command does it.

With ids that rise with time, as ours do, and with random ones, as another system may have; on each store, and on SQLite
also beside a service, where it rests most of the time. ``BENCH_CONVERSATIONS`` sets their number: 100,000 take some
minutes.
"""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import msgspec
from tests.postgres import running_server

from bench.filled import BOT, records
from bench.machine import heading, table
from bench.servers import Database
from dialoom.service.bots.masking import Masking
from dialoom.service.clock import SystemClock
from dialoom.service.records.importing import Import, Pace
from dialoom.service.records.record_schema import RecordReader
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import Collection, Store

COUNT = int(os.environ.get("BENCH_CONVERSATIONS", "100000"))
BESIDE = COUNT // 10
"""So many beside a service."""
COLLECTIONS: tuple[Collection, ...] = ("conversations", "messages")
IDS = ("rising", "random")
_encode = msgspec.json.Encoder().encode


def _write(folder: Path) -> None:
    """The files of both collections, with ids of both kinds."""
    draw = random.Random(2)
    names = [f"{collection}-{kind}" for collection in COLLECTIONS for kind in IDS]
    files = {name: (folder / name).open("wb") for name in names}
    for conversation, messages in records(COUNT):
        for kind in IDS:
            own = conversation.id if kind == "rising" else str(uuid.UUID(int=draw.getrandbits(128), version=4))
            files[f"conversations-{kind}"].write(_line(msgspec.structs.replace(conversation, id=own)))
            for stored in messages:
                id = stored.record.id if kind == "rising" else f"{own}-{stored.position}"
                message = msgspec.structs.replace(stored.record, id=id, conversation=own)
                files[f"messages-{kind}"].write(_line(message))
    for file in files.values():
        file.close()


def _line(record: msgspec.Struct) -> bytes:
    return _encode(record) + b"\n"


async def _import(store: Store, file: Path, collection: Collection, *, is_beside: bool = False) -> list[float]:
    """Records a second, and microseconds of our CPU for each."""
    reader = RecordReader(collection, BOT, Masking())
    work = Import(store, collection, BOT, file.name, reader=reader, pace=Pace(SystemClock(), lambda: is_beside))
    began, cpu = time.perf_counter(), time.process_time()
    with file.open("rb") as lines:
        done = await work.run(lines)
    seconds, used = time.perf_counter() - began, time.process_time() - cpu
    return [done.written / seconds, used / done.written * 1e6]


async def _into(store: Store, folder: Path, kind: str, cpu: Callable[[], float]) -> list[list[float]]:
    await store.open()
    rows: list[list[float]] = []
    for collection in COLLECTIONS:
        before = cpu()
        row = await _import(store, folder / f"{collection}-{kind}", collection)
        count = COUNT * (1 if collection == "conversations" else 2)
        rows.append([*row, (cpu() - before) / count * 1e6])
    await store.close()
    return rows


async def _beside(store: Store, folder: Path) -> list[float]:
    file = folder / "some"
    with (folder / "conversations-rising").open("rb") as lines:
        file.write_bytes(b"".join(next(lines) for _ in range(BESIDE)))
    await store.open()
    row = await _import(store, file, "conversations", is_beside=True)
    await store.close()
    return row


def main() -> None:
    rows: list[list[object]] = []
    with tempfile.TemporaryDirectory() as name, running_server() as postgres:
        folder = Path(name)
        _write(folder)
        for kind in IDS:
            found = asyncio.run(_into(SqliteStore(folder / f"{kind}.sqlite"), folder, kind, lambda: 0.0))
            rows += [
                [f"SQLite, {what}, {kind} ids", *row[:2], ""] for what, row in zip(COLLECTIONS, found, strict=True)
            ]
        slow = asyncio.run(_beside(SqliteStore(folder / "beside.sqlite"), folder))
        rows.append(["SQLite, conversations, beside a service", *slow, ""])
        for kind in IDS:
            with Database(postgres) as one:
                found = asyncio.run(_into(PostgresStore(one.url), folder, kind, one.cpu))
                rows += [
                    [f"PostgreSQL, {what}, {kind} ids", *row] for what, row in zip(COLLECTIONS, found, strict=True)
                ]
    print(heading(f"Import of {COUNT:,} conversations and {2 * COUNT:,} messages"))
    print(table(("", "records/s", "µs of CPU each", "database µs each"), rows))


if __name__ == "__main__":
    main()
