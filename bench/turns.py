"""Durable turns over HTTP: a form of three questions on the rest channel, every answer checked, each user in order.

The service is the real command in a process of its own, on SQLite in an empty folder, and one or two of them on a real
PostgreSQL. Its CPU time is the kernel's own account of these processes; the load generator's does not count, and the
database's stands in a column of its own. Beside it: the usual stack doing the same durable work, and the HTTP server
alone. At the end, what a turn adds to SQLite's log; ``python -m bench.turns log`` measures that alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import apsw
from tests.postgres import Server as Postgres
from tests.postgres import running_server

from bench.client import Client
from bench.machine import heading, median_of, table
from bench.servers import TOKEN, Database, Server, dialoom, orm_on_sqlite, other

TALK = (
    ("register", "What is your name?"),
    ("Ada", "Hello Ada, how old are you?"),
    ("36", "Which colour do you like?"),
    ("navy", "Thank you, Ada: 36 and Blue."),
)
REST = "/v1/bots/form/channels/rest/rest/bench"
USERS = (1, 32, 256)
RUNS = 3
SLOW_RUNS = 1
"""Of the ORM, whose load takes several times as long."""
FORMS = {1: 150, 32: 16, 256: 6}
"""Forms of each user in a run."""
SLOW_FORMS = {1: 40, 32: 4, 256: 2}
LOG_CONNECTIONS = 32
LOG_PEOPLE = (32, 1000)
LOG_TURNS = 1000
"""So few that no checkpoint comes between: the log only grows."""

Running = AbstractContextManager[tuple[list[Server], Callable[[], float]]]


async def _user(port: int, name: str, forms: int, times: list[float]) -> None:
    """One user on one connection: sends the next message when the answer to the last is there and right."""
    client, number = Client(port), 0
    for _ in range(forms):
        for text, expected in TALK:
            number += 1
            began = time.perf_counter()
            answer = await client.post(REST, TOKEN, said(name, str(number), text))
            times.append(time.perf_counter() - began)
            check(answer, name, text, expected)
    await client.close()


def said(user: str, id: str, text: str) -> dict[str, dict[str, str]]:
    return {"sender": {"id": user}, "message": {"id": id, "text": text}}


def check(answer: list[dict[str, str]], user: str, text: str, expected: str) -> None:
    if answer[-1]["text"] != expected:
        raise AssertionError(f"{user} said {text!r} and got {answer!r}")


async def load(ports: Sequence[int], users: int, prefix: str, forms: int) -> list[float]:
    """The users are spread over the processes; each stays with one, as a proxy that keeps connections has it."""
    times: list[float] = []
    await asyncio.gather(
        *(_user(ports[index % len(ports)], f"{prefix}-{index}", forms, times) for index in range(users))
    )
    return times


def measure(users: int, forms: int, running: Running) -> dict[str, float]:
    """Turns per second of our CPU and per second, the latencies, and the database's CPU."""
    with running as (servers, database):
        ports = [server.port for server in servers]
        asyncio.run(load(ports, users, "warm", 1))
        own, its, began = sum(server.cpu() for server in servers), database(), time.perf_counter()
        times = sorted(asyncio.run(load(ports, users, "user", forms)))
        wall, used = time.perf_counter() - began, sum(server.cpu() for server in servers) - own
        its = database() - its
    return {
        "turns": len(times),
        "per CPU s": len(times) / used,
        "per s": len(times) / wall,
        "p50 ms": times[len(times) // 2] * 1000,
        "p99 ms": times[len(times) * 99 // 100] * 1000,
        "database µs": its / len(times) * 1e6,
    }


@contextlib.contextmanager
def _alone(running: AbstractContextManager[list[Server]]) -> Iterator[tuple[list[Server], Callable[[], float]]]:
    with running as servers:
        yield servers, lambda: 0.0


@contextlib.contextmanager
def _on_postgres(
    postgres: Postgres, start: Callable[[str], AbstractContextManager[list[Server]]]
) -> Iterator[tuple[list[Server], Callable[[], float]]]:
    with Database(postgres) as database, start(database.url) as servers:
        yield servers, database.cpu


SQLITE_ORM, POSTGRES_ORM = "FastAPI + SQLAlchemy, SQLite", "FastAPI + SQLAlchemy, PostgreSQL"
BESIDE = {
    "dialoom, SQLite": (SQLITE_ORM, 5000),
    "dialoom, PostgreSQL": (POSTGRES_ORM, 2500),
    "dialoom, PostgreSQL, 2 processes": (POSTGRES_ORM, 2500),
}
"""The row that ours is compared with, and the goal in turns per second of our CPU."""


def _kinds(postgres: Postgres) -> dict[str, Callable[[], Running]]:
    return {
        "dialoom, SQLite": lambda: _alone(dialoom(1)),
        "dialoom, PostgreSQL": lambda: _on_postgres(postgres, lambda url: dialoom(1, url)),
        "dialoom, PostgreSQL, 2 processes": lambda: _on_postgres(postgres, lambda url: dialoom(2, url)),
        SQLITE_ORM: lambda: _alone(orm_on_sqlite()),
        POSTGRES_ORM: lambda: _on_postgres(postgres, lambda url: other("bench.orm", driver(url))),
        "HTTP server alone": lambda: _alone(other("bench.bare")),
    }


def driver(url: str) -> str:
    """The address as SQLAlchemy wants it."""
    return url.replace("postgresql://", "postgresql+asyncpg://", 1)


def log_bytes(people: int) -> float:
    """Return the bytes that a turn adds to SQLite's log, of people who are each somewhere else in the form."""
    draw, said_by = random.Random(people), dict.fromkeys(range(people), 0)

    async def one_after_the_other(port: int, speakers: Sequence[int]) -> None:
        client = Client(port)
        for person in speakers:
            number, name = said_by[person], f"person-{person}"
            text, expected = TALK[number % len(TALK)]
            check(await client.post(REST, TOKEN, said(name, str(number), text)), name, text, expected)
            said_by[person] += 1
        await client.close()

    async def speak(port: int, speakers: Sequence[int]) -> None:
        """A person always speaks on the same connection."""
        parts = [[one for one in speakers if one % LOG_CONNECTIONS == place] for place in range(LOG_CONNECTIONS)]
        await asyncio.gather(*(one_after_the_other(port, part) for part in parts))

    with tempfile.TemporaryDirectory() as name, dialoom(1, folder=Path(name)) as (server,):
        asyncio.run(speak(server.port, [one for one in said_by for _ in range(len(TALK) + one % len(TALK))]))
        file = Path(name) / "dialoom.sqlite"
        with contextlib.closing(apsw.Connection(str(file))) as database:
            database.execute("pragma wal_checkpoint(truncate)")
        speakers = draw.sample(range(people), people) * (LOG_TURNS // people)
        asyncio.run(speak(server.port, speakers))
        return file.with_name(f"{file.name}-wal").stat().st_size / len(speakers)


def _print_log() -> None:
    print(heading(f"Bytes that a turn adds to SQLite's log, {LOG_CONNECTIONS} turns at once"))
    print(table(("people", "kB a turn"), [[people, f"{log_bytes(people) / 1000:.1f}"] for people in LOG_PEOPLE]))


def main() -> None:
    if sys.argv[1:] == ["log"]:
        _print_log()
        return
    print(heading("Durable turns of a three-question form over HTTP"))
    rows: list[list[object]] = []
    with running_server() as postgres:
        for users in USERS:
            found: dict[str, dict[str, float]] = {}
            for name, running in _kinds(postgres).items():
                is_slow = name in {SQLITE_ORM, POSTGRES_ORM}
                forms = (SLOW_FORMS if is_slow else FORMS)[users]
                found[name] = median_of(
                    SLOW_RUNS if is_slow else RUNS,
                    lambda running=running, forms=forms, users=users: measure(users, forms, running()),  # type: ignore[misc]  # a lambda's defaults have no types
                )
            rows += [[users, *_row(name, found)] for name in found]
    columns = ("users", "what", "turns", "per CPU s", "of the goal", ": ORM", "per s", ": ORM", "p50 ms", "p99 ms")
    print(table((*columns, "database µs"), rows), end="\n\n")
    _print_log()


def _row(name: str, found: dict[str, dict[str, float]]) -> list[object]:
    one = found[name]
    ratios = ["", "", ""]
    if name in BESIDE:
        orm, goal = BESIDE[name]
        per_cpu, per_second = (one[what] / found[orm][what] for what in ("per CPU s", "per s"))
        ratios = [f"{one['per CPU s'] / goal:.0%}", f"{per_cpu:.1f} x", f"{per_second:.1f} x"]
    times = [f"{one['p50 ms']:.2f}", f"{one['p99 ms']:.2f}", f"{one['database µs']:.0f}" if one["database µs"] else ""]
    figures = [f"{one[what]:,.0f}" for what in ("turns", "per CPU s", "per s")]
    return [name, *figures[:2], *ratios[:2], figures[2], ratios[2], *times]


if __name__ == "__main__":
    main()
