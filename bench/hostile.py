"""Turns beside hostile history queries: ``python -m bench.hostile [--postgres] [--clients 8] [--rate 60]``.

A running service with 50,000 messages to read. People talk to it alone, then beside clients that ask without a pause
what takes as long as the rules allow; then alone again. The load comes from this machine, too.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlencode

from tests.postgres import running_server
from tests.storage import hostile

from bench.client import Client
from bench.history import TOKEN
from bench.machine import heading, table
from bench.people import Crowd, slow_service, write_bot
from bench.servers import Database, Server, dialoom
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import Store

BOT = "form"
COUNT, BATCH = 50_000, 1000
SECONDS = 30.0


async def _fill(store: Store) -> None:
    await store.open()
    for begin in range(0, COUNT, BATCH):
        await store.bring_in("messages", BOT, hostile.documents("messages", BOT, BATCH, begin), "hostile", begin)
    await store.close()


async def _ask(port: int, begin: int, told: Counter[str], times: list[float]) -> None:
    """One hostile client: the next question as soon as the last is answered."""
    client = Client(port)
    try:
        for path, given in itertools.islice(hostile.asked(), begin, None):
            began = time.perf_counter()
            address = f"/v1/bots/{BOT}/messages{path}?{urlencode(given)}"
            await client.send("GET", address, TOKEN, scheme="Bot-Server-Access-Token")
            status, headers = await client.head()
            assert client._reader is not None
            body = await client._reader.readexactly(int(headers[b"content-length"]))
            told[str(status) if status == 200 else json.loads(body)["code"]] += 1
            times.append(time.perf_counter() - began)
            if status == 503 and int(headers[b"retry-after"]) < 5:
                await asyncio.sleep(0.05)
    finally:
        await client.close()


@contextlib.asynccontextmanager
async def _beside(port: int, clients: int, told: Counter[str], times: list[float]) -> AsyncIterator[None]:
    asking = [asyncio.create_task(_ask(port, number, told, times)) for number in range(clients)]
    try:
        yield
    finally:
        for one in asking:
            one.cancel()
        for ended in await asyncio.gather(*asking, return_exceptions=True):
            if not isinstance(ended, asyncio.CancelledError):
                print(f"a hostile client ended: {ended!r}")


async def _phases(server: Server, options: argparse.Namespace) -> list[list[object]]:
    rows: list[list[object]] = []
    begun = 0
    for name, clients in (("alone", 0), ("beside", options.clients), ("alone again", 0)):
        told: Counter[str] = Counter()
        times: list[float] = []
        crowd, cpu = Crowd(server.port, options.rate, begun=begun), server.cpu()
        async with _beside(server.port, clients, told, times):
            await crowd.come(options.seconds)
        begun = crowd.begun
        said = sorted(crowd.times["rest"])
        at = [said[len(said) * percent // 100] * 1000 for percent in (50, 95, 99)]
        answers = ", ".join(f"{count} {what}" for what, count in told.most_common())
        used = (server.cpu() - cpu) / options.seconds
        rows.append([name, clients, crowd.kept, len(crowd.errors), crowd.put_off, *at, said[-1] * 1000, used, answers])
        for error in sorted(set(crowd.errors))[:3]:
            print(f"  {error}")
    return rows


async def _run(bot: Path, folder: Path, url: str | None, options: argparse.Namespace) -> list[list[object]]:
    store: Store = SqliteStore(folder / "dialoom.sqlite") if url is None else PostgresStore(url, is_beside=True)
    await _fill(store)
    async with slow_service() as port:
        write_bot(bot, port)
        file = bot / "bot.json"
        file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {"access-token": TOKEN}), "utf-8")
        with dialoom(1, url, bot, folder) as (server,):
            return await _phases(server, options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.hostile", description=__doc__)
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL instead of SQLite")
    parser.add_argument("--clients", type=int, default=8, help="hostile ones, each with one question at a time")
    parser.add_argument("--rate", type=float, default=60.0, help="messages a second of people")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each phase")
    return parser.parse_args()


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory() as bot, tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        url = None
        if options.postgres:
            url = stack.enter_context(Database(stack.enter_context(running_server()))).url
        rows = asyncio.run(_run(Path(bot), Path(folder), url, options))
    store = "PostgreSQL" if options.postgres else "SQLite"
    print(heading(f"Turns beside hostile history queries over {COUNT:,} messages, {store}"))
    columns = ("", "clients", "turns", "errors", "put off", "p50 ms", "p95 ms", "p99 ms", "most ms", "cores", "told")
    print(table(columns, rows))


if __name__ == "__main__":
    main()
