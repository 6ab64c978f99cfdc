"""A client in another language walks all conversations while turns are written, and counts right; then a stream of all
messages, with the memory that it takes: ``python -m bench.walk [--postgres]``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.postgres import running_server

from bench import processes
from bench.client import Client
from bench.filled import BOT, fill_postgres, fill_sqlite
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
    crowd.is_over = True
    await talking
    assert walk.returncode == 0, "the walk failed"
    assert not crowd.errors, crowd.errors[:3]
    return {**json.loads(told), "written": crowd.kept}


async def _streamed(server: Server, token: str) -> dict[str, Any]:
    """All messages as one stream, and the service's memory meanwhile."""
    client = Client(server.port)
    before = processes.resident(server.process.pid)
    most, lines, began = before, 0, time.perf_counter()
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


async def _both(folder: Path, database: str | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """``database``: the address of the PostgreSQL that holds the records, instead of SQLite in the folder."""
    async with slow_service() as port:
        bot, token = history_bot(folder, port)
        with dialoom(1, database, bot, None if database else folder) as (server,):
            return await _walked(server, token, RATE), await _streamed(server, token)


def _measured(count: int, folder: Path, *, is_postgres: bool) -> tuple[dict[str, Any], dict[str, Any], int]:
    """Also, how many of the conversations that were there before the walk has not seen."""
    if not is_postgres:
        before = fill_sqlite(folder / "dialoom.sqlite", count)
        walk, stream = asyncio.run(_both(folder, None))
    else:
        with running_server() as postgres, Database(postgres) as database:
            before = fill_postgres(database.url, count)
            walk, stream = asyncio.run(_both(folder, database.url))
    return walk, stream, len(before.difference(walk["ids"]))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.walk", description=__doc__)
    parser.add_argument("--count", type=int, default=100_000, help="conversations, two messages each")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL instead of SQLite")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        walk, stream, missing = _measured(options.count, Path(name), is_postgres=options.postgres)
    name = "PostgreSQL" if options.postgres else "SQLite"
    print(heading(f"A walk over {options.count:,} conversations during writes, {name}"))
    columns = ("seen", "missing", "twice", "pages", "seconds", "turns meanwhile")
    print(table(columns, [[walk["seen"], missing, walk["twice"], walk["pages"], walk["seconds"], walk["written"]]]))
    print(heading("All messages as a stream"))
    names = ("lines", "seconds", "memory before MB", "at most MB")
    print(table(names, [[stream["lines"], stream["seconds"], stream["before"], stream["most"]]]))


if __name__ == "__main__":
    main()
