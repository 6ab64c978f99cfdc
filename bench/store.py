"""Durable turns of the stores alone, each beside a C program that sends the database the same.

SQLite: CPU of the writer's thread (statements, log, checkpoints), and of the whole process. PostgreSQL: CPU of the
whole process, and of the server. The C programs replay what was recorded of the same load, on a copy of the database
as it stood before; nothing is recorded in the runs whose CPU is measured.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import apsw
from tests.postgres import running_server

from bench import compiled
from bench.compiled import Missing
from bench.machine import heading, median_of, table
from bench.record import Calls, Statements
from bench.servers import Database
from bench.writes import Talk
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.postgres.writer import Writer as PostgresWriter
from dialoom.storage.rows import turn_rows
from dialoom.storage.sqlite import writes
from dialoom.storage.sqlite.connection import CHECKPOINT_PAGES
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.sqlite.writer import Writer as SqliteWriter
from dialoom.storage.store import TurnWrite

RUNS = 3
WARM = 2000
LOADS = ((1, 1000), (32, 6000), (128, 6000))
REPLAYED = (32, 128)

Commit = Callable[[TurnWrite], Awaitable[Any]]


async def _write(parts: list[list[TurnWrite]], commit: Commit) -> list[float]:
    """Each talker's next turn is written when the one before is durable."""
    times: list[float] = []

    async def talk(part: list[TurnWrite]) -> None:
        for turn in part:
            began = time.perf_counter()
            assert await commit(turn) is None
            times.append(time.perf_counter() - began)

    await asyncio.gather(*map(talk, parts))
    return times


async def _figures(talk: Talk, commit: Commit, more: dict[str, Callable[[], float]]) -> dict[str, float]:
    """``more``: clocks of CPU, by what they count."""
    clocks = {**more, "all": time.process_time}
    before, began = {name: clock() for name, clock in clocks.items()}, time.perf_counter()
    times = await _write(talk.turns, commit)
    took = time.perf_counter() - began
    return {
        "turns/s": len(times) / took,
        **{f"{name} µs/turn": (clock() - before[name]) / len(times) * 1e6 for name, clock in clocks.items()},
        "p50 ms": statistics.median(times) * 1e3,
        "p99 ms": statistics.quantiles(times, n=100)[98] * 1e3,
    }


# ---- SQLite ------------------------------------------------------------------------------------------------------


async def _warm_sqlite(file: Path, talk: Talk) -> None:
    store = SqliteStore(file)
    await store.open()
    await _write(talk.warm, store.commit)
    await store.close()


async def _measure_sqlite(file: Path, talk: Talk) -> dict[str, float]:
    store = SqliteStore(file)
    await store.open()
    writer = next(thread for thread in threading.enumerate() if thread.name == "dialoom-writer")
    assert writer.ident is not None
    clock = time.pthread_getcpuclockid(writer.ident)
    found = await _figures(talk, store.commit, {"writer": lambda: time.clock_gettime(clock)})
    await store.close()
    return found


async def _record_sqlite(file: Path, talk: Talk) -> Statements:
    statements, writer = Statements(), SqliteWriter(file)

    def listen(connection: apsw.Connection) -> None:
        connection.exec_trace = statements.note

    await writer.open(listen)
    await _write(talk.turns, lambda turn: writer.submit(writes.write_turns, turn_rows(turn), turn.key))
    await writer.close()
    return statements


def _replayed(program: Path, statements: Statements, before: Path, turns: int) -> dict[str, float]:
    log, file = before.with_name("log"), before.with_name("replayed.sqlite")
    log.write_bytes(statements.log())
    shutil.copy(before, file)
    done = subprocess.run(
        [program, log, file, str(CHECKPOINT_PAGES)], check=True, capture_output=True, text=True
    ).stdout.split()
    for name in before.parent.glob("replayed*"):
        name.unlink()
    return {"cpu": float(done[0]) / turns * 1e6, "per s": turns / float(done[1])}


def _sqlite_rows(program: Path | None, talkers: int, turns: int) -> list[list[object]]:
    talk = Talk(talkers, WARM, turns)
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as name:
        before, file = Path(name) / "before.sqlite", Path(name) / "data.sqlite"
        asyncio.run(_warm_sqlite(before, talk))

        def run(work: Callable[[Path, Talk], Any]) -> Any:
            shutil.copy(before, file)
            return asyncio.run(work(file, talk))

        found = median_of(RUNS, lambda: run(_measure_sqlite))
        rows: list[list[object]] = [[talkers, "dialoom", *found.values(), ""]]
        if program is not None and talkers in REPLAYED:
            statements = run(_record_sqlite)
            done = sum(map(len, talk.turns))
            theirs = median_of(RUNS, lambda: _replayed(program, statements, before, done))
            rows[0][-1] = f"{found['writer µs/turn'] / theirs['cpu']:.2f} (at most 1.25)"
            what = f"C program, {done / statements.commits():.0f} turns a commit"
            rows.append([talkers, what, theirs["per s"], theirs["cpu"], "", "", "", ""])
    return rows


# ---- PostgreSQL --------------------------------------------------------------------------------------------------


async def _hold_all(store: PostgresStore, talk: Talk) -> None:
    for start in range(0, len(talk.keys), 100):
        assert all(await asyncio.gather(*map(store.hold, talk.keys[start : start + 100])))


async def _warm_postgres(url: str, talk: Talk) -> None:
    store = PostgresStore(url)
    await store.open()
    await _hold_all(store, talk)
    await _write(talk.warm, store.commit)
    await store.close()


async def _measure_postgres(url: str, talk: Talk, clock: Callable[[], float]) -> dict[str, float]:
    store = PostgresStore(url)
    await store.open()
    await _hold_all(store, talk)
    found = await _figures(talk, store.commit, {"server": clock})
    await store.close()
    return found


async def _record_postgres(url: str, talk: Talk) -> tuple[Calls, str]:
    """The calls, and the process that made them."""
    calls, store, writer = Calls(), PostgresStore(url), PostgresWriter(url)
    await store.open()
    await writer.open()
    await _hold_all(store, talk)
    process = store.process
    await _write(talk.turns, lambda turn: writer.submit(calls.write_turns, turn.key, (process, turn)))
    await writer.close()
    await store.close()
    return calls, process


def _replayed_postgres(program: Path, calls: Calls, log: Path, database: Database, turns: int) -> dict[str, float]:
    before = database.cpu()
    command = [str(program), str(log), database.url, str(calls.connections())]
    done = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return {
        "cpu": float(done[0]) / turns * 1e6,
        "per s": turns / float(done[1]),
        "server": (database.cpu() - before) / turns * 1e6,
    }


def _postgres_rows(program: Path | None, postgres: Any, talkers: int, turns: int) -> list[list[object]]:
    talk = Talk(talkers, WARM, turns)
    with Database(postgres) as before:
        asyncio.run(_warm_postgres(before.url, talk))

        def measure() -> dict[str, float]:
            with before.copy() as database:
                return asyncio.run(_measure_postgres(database.url, talk, database.cpu))

        found = median_of(RUNS, measure)
        rows: list[list[object]] = [[talkers, "dialoom", *found.values(), ""]]
        if program is None or talkers not in REPLAYED:
            return rows
        with before.copy() as database:
            calls, process = asyncio.run(_record_postgres(database.url, talk))
        done = sum(map(len, talk.turns))
        with tempfile.NamedTemporaryFile() as log:
            log.write(calls.log())
            log.flush()

            def replay() -> dict[str, float]:
                with before.copy() as database:
                    database.run("update dialoom.leases set holder = $1", process)
                    return _replayed_postgres(program, calls, Path(log.name), database, done)

            theirs = median_of(RUNS, replay)
    rows[0][-1] = f"{found['all µs/turn'] / theirs['cpu']:.2f}"
    what = f"C program, {done / calls.count:.0f} turns a call"
    return [*rows, [talkers, what, theirs["per s"], theirs["server"], theirs["cpu"], "", "", ""]]


# ---- all ---------------------------------------------------------------------------------------------------------


def _program(compile: Callable[[Path], Path], folder: Path) -> Path | None:
    try:
        return compile(folder)
    except Missing as missing:
        print(f"No C program beside it: {missing}.\n")
        return None


def main() -> None:
    columns = ("turns/s", "writer µs/turn", "all µs/turn", "p50 ms", "p99 ms", "ours : C")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sqlite, libpq = _program(compiled.replay, folder), _program(compiled.replay_postgres, folder)
        print(heading("Durable turns of the embedded store (two messages, a record, 1 kB of memory)"))
        rows = [row for talkers, turns in LOADS for row in _sqlite_rows(sqlite, talkers, turns)]
        print(table(("at once", "what", *columns), rows), end="\n\n")
        print(heading("The same turns on PostgreSQL; the server's CPU beside ours"))
        with running_server() as postgres:
            rows = [row for talkers, turns in LOADS for row in _postgres_rows(libpq, postgres, talkers, turns)]
        columns = ("turns/s", "server µs/turn", "all µs/turn", *columns[3:])
        print(table(("at once", "what", *columns), rows))


if __name__ == "__main__":
    main()
