"""A rush of more than can be answered: ``python -m bench.overload``. Linux alone: it says which core each process has.

Calm, then for half a minute twice and more of what the service can do, then calm again. The service shares one core
with two busy programs, so that the people who come from the other core are quicker than it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.machine import heading, table
from bench.people import Crowd, slow_service, write_bot
from bench.servers import Server, dialoom
from bench.soak import Watch, sqlite_in

PHASES = (("calm", 150, 15), ("rush", 700, 30), ("calm again", 150, 30))
"""Name, messages a second, seconds."""
BUSY = "while True: pass"


@contextlib.contextmanager
def _crowded_core(server: Server) -> Iterator[None]:
    for thread in os.listdir(f"/proc/{server.process.pid}/task"):
        os.sched_setaffinity(int(thread), {0})
    os.sched_setaffinity(0, {1})
    busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(2)]
    for one in busy:
        os.sched_setaffinity(one.pid, {0})
    try:
        yield
    finally:
        for one in busy:
            one.kill()
            one.wait()


async def _phases(bot: Path, folder: Path) -> list[list[object]]:
    rows: list[list[object]] = []
    async with slow_service() as port:
        write_bot(bot, port)
        with dialoom(1, None, bot, folder) as (server,), _crowded_core(server):
            begun = 0
            for name, rate, seconds in PHASES:
                crowd = Crowd(server.port, rate, begun=begun)
                watch = Watch(server, sqlite_in(folder), crowd)
                await asyncio.gather(crowd.come(seconds), watch.look(seconds))
                begun, kept, put_off = crowd.begun, 0, 0
                for one in watch.samples:
                    rows.append(
                        [name, one.minutes * 60, rate, one.turns - kept, one.put_off - put_off, one.errors, one.p50]
                    )
                    kept, put_off = one.turns, one.put_off
    return rows


def main() -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as bot, tempfile.TemporaryDirectory() as folder:
        rows = asyncio.run(_phases(Path(bot), Path(folder)))
    print(heading("A rush and what comes after it, SQLite"))
    print(table(("", "second", "come a second", "answered", "put off", "errors", "p50 ms"), rows))


if __name__ == "__main__":
    main()
