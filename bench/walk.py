"""A client in another language walks all conversations while turns are written, and counts right; then a stream of all
messages, with the memory that it takes: ``python -m bench.walk [--postgres]``.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.postgres import running_server

from bench import processes
from bench.client import Client
from bench.filled import BOT, fill_postgres, fill_sqlite, records
from bench.history import history_bot
from bench.machine import heading, table
from bench.people import Crowd, slow_service
from bench.servers import Database, Server, dialoom

MEGABYTE = 1e6
RATE = 150
"""Messages a second that are written meanwhile."""


async def _walked(server: Server, token: str, rate: float) -> dict[str, Any]:
    """What node's walk tells, while people talk."""
    crowd = Crowd(server.port, rate)
    talking = asyncio.create_task(crowd.come(3600.0))
    address = f"http://127.0.0.1:{server.port}/v1/bots/{BOT}/conversations"
    walk = await asyncio.create_subprocess_exec(
        "node", str(Path(__file__).parent / "walk.js"), address, token, "1000", "ids", stdout=asyncio.subprocess.PIPE
    )
    told, _ = await walk.communicate()
    talking.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await talking
    assert walk.returncode == 0, "the walk failed"
    assert not crowd.errors, crowd.errors[:3]
    return {**json.loads(told), "written": crowd.kept}


async def _streamed(server: Server, token: str) -> dict[str, Any]:
    """All messages as one stream, and the service's memory meanwhile."""
    client = Client(server.port)
    before = processes.resident(server.process.pid)
    most, lines, began = before, 0, time.perf_counter()
    # The scheme of the history API, and what a stream is asked by.
    await client.send(
        "GET", f"/v1/bots/{BOT}/messages", token, accept="application/x-ndjson", scheme="Bot-Server-Access-Token"
    )
    status, _ = await client.head()
    assert status == 200, status
    async for chunk in client.chunks():
        lines += chunk.count(b"\n")
        most = max(most, processes.resident(server.process.pid))
    await client.close()
    seconds = time.perf_counter() - began
    return {"lines": lines, "seconds": seconds, "before": before / MEGABYTE, "most": most / MEGABYTE}


@contextlib.contextmanager
def _served(count: int, folder: Path, *, is_postgres: bool) -> Iterator[tuple[Server, str]]:
    bot, token = history_bot(folder)
    if not is_postgres:
        fill_sqlite(folder / "dialoom.sqlite", count)
        with dialoom(1, None, bot, folder) as (server,):
            yield server, token
        return
    with running_server() as postgres, Database(postgres) as database:
        fill_postgres(database.url, count)
        with dialoom(1, database.url, bot) as (server,):
            yield server, token


async def _both(server: Server, token: str) -> tuple[dict[str, Any], dict[str, Any]]:
    async with slow_service():
        return await _walked(server, token, RATE), await _streamed(server, token)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.walk", description=__doc__)
    parser.add_argument("--count", type=int, default=100_000, help="conversations, two messages each")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL instead of SQLite")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as name,
        _served(options.count, Path(name), is_postgres=options.postgres) as (server, token),
    ):
        walk, stream = asyncio.run(_both(server, token))
    before = {conversation.id for conversation, _ in records(options.count)}
    missing = len(before.difference(walk["ids"]))
    name = "PostgreSQL" if options.postgres else "SQLite"
    print(heading(f"A walk over {options.count:,} conversations during writes, {name}"))
    columns = ("seen", "missing", "twice", "pages", "seconds", "turns meanwhile")
    print(table(columns, [[walk["seen"], missing, walk["twice"], walk["pages"], walk["seconds"], walk["written"]]]))
    print(heading("All messages as a stream"))
    columns = ("lines", "seconds", "memory before MB", "at most MB")
    print(table(columns, [[stream["lines"], stream["seconds"], stream["before"], stream["most"]]]))


if __name__ == "__main__":
    main()
