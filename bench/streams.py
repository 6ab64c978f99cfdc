"""Many open chats on one process: ``python -m bench.streams [STREAMS]``, 5,000 of them by default; about two minutes.

Each user of the form's bot has a session and an event stream. Beside the service the HTTP server alone with the same
requests and events (``bench.bare_streams``), one after the other in one run. Times count from the sending of a user's
message until the bot's answer is there in the stream: with the service a durable turn lies between.
"""

from __future__ import annotations

import asyncio
import contextlib
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench import processes
from bench.client import Client
from bench.machine import heading, table
from bench.people import WEB, WEB_TOKEN, until, write_bot
from bench.servers import Server, dialoom, other
from bench.turns import TALK

STREAMS = 5000
ALONE = 200
"""Users who say something one after the other while all streams are open."""
POSTING = 64
"""Connections over which the others say something at once."""
IDLE_SECONDS = 15.0
"""Between two heartbeats of a stream."""
ANSWER_SECONDS = 120.0


class Open:
    """The users of one server."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.tokens: list[str] = []
        self.streams: list[Client] = []

    async def sessions(self, count: int) -> float:
        """Open them and return the bytes of memory that one took."""
        before = processes.resident(self._server.process.pid)
        client = Client(self._server.port)
        for _ in range(count):
            opened = await client.post(f"{WEB}/sessions", WEB_TOKEN, {"user": {"name": "Ada"}})
            self.tokens.append(opened["token"])
        await client.close()
        return (processes.resident(self._server.process.pid) - before) / count

    async def listen(self) -> float:
        """Open each one's stream and return the bytes of memory that one took."""
        before = processes.resident(self._server.process.pid)
        for token in self.tokens:
            stream = Client(self._server.port)
            await stream.send("GET", f"{WEB}/events", token)
            status, _ = await stream.head()
            assert status == 200, f"an event stream was answered with {status}"
            self.streams.append(stream)
        return (processes.resident(self._server.process.pid) - before) / len(self.streams)

    async def idle(self) -> float:
        """The part of a core that the open streams take when nobody says anything."""
        before = self._server.cpu()
        await asyncio.sleep(IDLE_SECONDS)
        return (self._server.cpu() - before) / IDLE_SECONDS

    async def say(self, client: Client, user: int) -> float:
        """Seconds from a user's first message to the answer in the stream."""
        text, answer = TALK[0]
        began = time.perf_counter()
        await client.post(f"{WEB}/messages", self.tokens[user], {"id": "m1", "text": text})
        async with asyncio.timeout(ANSWER_SECONDS):
            await until(self.streams[user], answer)
        return time.perf_counter() - began

    async def one_after_the_other(self, users: range) -> list[float]:
        client = Client(self._server.port)
        times = [await self.say(client, user) for user in users]
        await client.close()
        return times

    async def at_once(self, users: range) -> float:
        """Seconds until all have their answers."""
        left = iter(users)

        async def some() -> None:
            client = Client(self._server.port)
            for user in left:
                await self.say(client, user)
            await client.close()

        began = time.perf_counter()
        await asyncio.gather(*(some() for _ in range(POSTING)))
        return time.perf_counter() - began

    async def close(self) -> None:
        for stream in self.streams:
            with contextlib.suppress(OSError):
                await stream.close()


async def _measure(server: Server, count: int) -> dict[str, float]:
    users = Open(server)
    session = await users.sessions(count)
    stream = await users.listen()
    idle = await users.idle()
    times = sorted(await users.one_after_the_other(range(ALONE)))
    everyone = await users.at_once(range(ALONE, count))
    await users.close()
    return {
        "kB a session": session / 1000,
        "kB a stream": stream / 1000,
        "idle, % of a core": idle * 100,
        "to one, p50 ms": statistics.median(times) * 1000,
        "p99 ms": times[int(len(times) * 0.99)] * 1000,
        "to all, answers/s": (count - ALONE) / everyone,
    }


def _rows(found: Sequence[tuple[str, dict[str, float]]]) -> list[list[object]]:
    (_, ours), (_, bare) = found
    ratios = {name: ours[name] / bare[name] if bare[name] else float("nan") for name in ours}
    return [[name, *figures.values()] for name, figures in (*found, ("service : server", ratios))]


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else STREAMS
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as bot:
        write_bot(Path(bot), 1)
        with dialoom(1, bot=Path(bot)) as (server,):
            ours = asyncio.run(_measure(server, count))
    with other("bench.bare_streams") as (server,):
        bare = asyncio.run(_measure(server, count))
    print(heading(f"{count:,} event streams on one process, SQLite"))
    print(table(("", *ours), _rows((("service", ours), ("server alone", bare)))))


if __name__ == "__main__":
    main()
