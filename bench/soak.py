"""Half of the top load for a long time: ``python -m bench.soak --minutes 20 --rate 0.5 [--postgres] [--csv FOLDER]``.

What is looked at every five seconds goes into a CSV file and into ``docs/why/soak.svg``; at the end stands whether
memory, latency and bytes per kept turn stayed where they were. The load comes from this process, on the same machine.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import itertools
import math
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from tests.postgres import running_server

from bench import processes
from bench.client import Client
from bench.machine import heading, machine, table
from bench.people import Crowd, slow_service, write_bot
from bench.plot import Chart, svg
from bench.servers import Database, Server, dialoom

T = TypeVar("T")

EVERY, SYNC_EVERY = 5.0, 0.2
WARM, WARM_AT_MOST = 0.3, 0.6
"""The part of the run that the verdict leaves out, longer until as many chats are remembered as ever will be: caches
fill up."""
FIRST_RATE, STEP, STEP_SECONDS, TRIES = 200.0, 1.2, 10.0, 2
KEEPS_UP = 0.5
"""Seconds in which 99 of 100 answers come, as long as it does."""
STEADY = {"memory MB": 0.05, "p50 ms": 0.2, "p99 ms, calm disk": 0.3, "bytes a turn": 0.05}
"""By which part of its median each may grow from the end of the warm-up to the end, and still counts as steady."""
CALM = 50.0
"""Milliseconds that a calm disk takes at most."""
HEADINGS = ("after the warm-up", "samples", "median", "most", "change", "allowed", "steady")
PLOT = Path(__file__).parent.parent / "docs" / "why" / "soak.svg"
MEGABYTE = 1e6


class Sample(msgspec.Struct, frozen=True):
    minutes: float
    turns: int
    """Since the start, answered."""
    per_second: float
    p50: float
    p99: float
    web_p99: float
    slow_p99: float
    disk: float
    """Milliseconds: the longest that 4 kB more took to be on the disk, from this process, beside the data; tried every
    fifth of a second. Who waits for the disk waits at least so long, whatever the service does."""
    errors: int
    put_off: int
    """Messages that the service had sent again later, since the start."""
    cpu: float
    """Cores that the service used since the sample before."""
    database_cpu: float
    memory: float
    open_files: int
    chats: float
    streams: float
    stored: float
    """Megabytes of the data file, or of the database."""
    log: float
    """Megabytes of SQLite's WAL file; those that PostgreSQL has written to its WAL since the start."""

    def bytes_a_turn(self) -> float:
        """What SQLite's log still holds is missing, at most 64 MB: less than a hundredth after some minutes."""
        return self.stored * MEGABYTE / max(self.turns, 1)


class Store(msgspec.Struct, frozen=True):
    """Where to look at what is kept."""

    url: str | None
    folder: Path
    size: Callable[[], float]
    log: Callable[[], float]
    cpu: Callable[[], float]


def sqlite_in(folder: Path) -> Store:
    def megabytes(name: str) -> float:
        file = folder / name
        return file.stat().st_size / MEGABYTE if file.exists() else 0.0

    return Store(
        None, folder, lambda: megabytes("dialoom.sqlite"), lambda: megabytes("dialoom.sqlite-wal"), lambda: 0.0
    )


def _postgres(folder: Path, database: Database) -> Store:
    def ask(sql: str) -> float:
        return float(database.run(f"select {sql}")[0][0]) / MEGABYTE

    size = "pg_database_size(current_database())"
    return Store(
        database.url, folder, lambda: ask(size), lambda: ask("pg_current_wal_lsn() - '0/0'::pg_lsn"), database.cpu
    )


# ---- the run -----------------------------------------------------------------------------------------------------


async def _top(port: int) -> float:
    """Messages a second of such people at which the service still keeps up: each step brings a fifth more. The first
    ones warm it up. A step that failed is tried once more: a wait for the disk is not the top."""
    warm = Crowd(port, FIRST_RATE)
    await warm.come(STEP_SECONDS)
    rate, begun = FIRST_RATE, warm.begun
    while True:
        for _ in range(TRIES):
            crowd = Crowd(port, rate, begun=begun)
            await crowd.come(STEP_SECONDS)
            begun = crowd.begun
            if not (why := _falls_behind(crowd)):
                break
        else:
            if rate == FIRST_RATE:
                raise SystemExit(f"{rate:.0f} a second, the least that is tried, are too many: {why[:300]}")
            return rate / STEP
        rate *= STEP


def _falls_behind(crowd: Crowd) -> str:
    """Why the service does not keep up with these people; empty if it does."""
    times = sorted(crowd.times["rest"])
    slow = times[len(times) * 99 // 100]
    if crowd.errors or crowd.put_off or slow > KEEPS_UP:
        return next(iter(crowd.errors), f"{crowd.put_off} put off, 99 of 100 answered within {slow:.1f} s")
    return ""


class Watch:
    """Takes a sample every five seconds, as long as people come."""

    def __init__(self, server: Server, store: Store, crowd: Crowd) -> None:
        self._server = server
        self._store = store
        self._crowd = crowd
        self.samples: list[Sample] = []

    async def look(self, seconds: float) -> None:
        began = before = time.perf_counter()
        cpu, database_cpu, turns = self._server.cpu(), self._store.cpu(), 0
        metrics = Client(self._server.port)
        disk: list[float] = []
        syncing = asyncio.create_task(_sync(self._store.folder / "synced", disk))
        while before - began < seconds - EVERY / 2:
            await asyncio.sleep(EVERY - (time.perf_counter() - began) % EVERY)
            now, crowd = time.perf_counter(), self._crowd
            times, crowd.times = crowd.times, {kind: [] for kind in crowd.times}
            told = _metrics(await metrics.ask("GET", "/metrics", "none"))
            now_cpu, now_database_cpu = self._server.cpu(), await asyncio.to_thread(self._store.cpu)
            process = self._server.process.pid
            self.samples.append(
                Sample(
                    minutes=(now - began) / 60,
                    turns=crowd.kept,
                    per_second=(crowd.kept - turns) / (now - before),
                    p50=_percentile(times["rest"], 50),
                    p99=_percentile(times["rest"], 99),
                    web_p99=_percentile(times["web"], 99),
                    slow_p99=_percentile(times["slow"], 99),
                    disk=max(disk, default=0.0) * 1000,
                    errors=len(crowd.errors),
                    put_off=crowd.put_off,
                    cpu=(now_cpu - cpu) / (now - before),
                    database_cpu=(now_database_cpu - database_cpu) / (now - before),
                    memory=processes.resident(process) / MEGABYTE,
                    open_files=processes.open_files(process),
                    chats=told['dialoom_chats{state="kept"}'],
                    streams=told["dialoom_event_streams"],
                    stored=await asyncio.to_thread(self._store.size),
                    log=await asyncio.to_thread(self._store.log),
                )
            )
            cpu, database_cpu, turns, before = now_cpu, now_database_cpu, crowd.kept, now
            disk.clear()
        syncing.cancel()
        await metrics.close()


async def _sync(file: Path, times: list[float]) -> None:
    """Adds the seconds of each 4 kB."""

    def write() -> float:
        began = time.perf_counter()
        with file.open("wb") as out:
            out.write(bytes(4096))
            out.flush()
            os.fsync(out.fileno())
        return time.perf_counter() - began

    while True:
        times.append(await asyncio.to_thread(write))
        await asyncio.sleep(SYNC_EVERY)


def _metrics(text: bytes) -> dict[str, float]:
    lines = (line.rpartition(" ") for line in text.decode().splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in lines}


def _percentile(times: Sequence[float], percent: int) -> float:
    """Milliseconds."""
    return sorted(times)[len(times) * percent // 100] * 1000 if times else 0.0


async def _drive(server: Server, store: Store, rate: float, seconds: float) -> tuple[list[Sample], list[str]]:
    crowd = Crowd(server.port, rate)
    watch = Watch(server, store, crowd)
    await asyncio.gather(crowd.come(seconds), watch.look(seconds))
    return watch.samples, crowd.errors


def _soak(store: Store, top: float, options: argparse.Namespace) -> tuple[list[Sample], list[str]]:
    return _served(store, lambda server: _drive(server, store, top * options.rate, options.minutes * 60))


def _served(store: Store, work: Callable[[Server], Coroutine[None, None, T]]) -> T:
    """What ``work`` gives with a service of the bot that the people talk to."""

    async def run(bot: Path) -> T:
        async with slow_service() as port:
            write_bot(bot, port)
            with dialoom(1, store.url, bot, store.folder) as (server,):
                return await work(server)

    with tempfile.TemporaryDirectory() as name:
        return asyncio.run(run(Path(name)))


# ---- what came of it ---------------------------------------------------------------------------------------------


def verdict(samples: Sequence[Sample]) -> tuple[list[list[object]], bool]:
    """A row each for what should not change, and whether none did; ``p99`` is judged where the disk was calm, and is
    told as it was too. The trend is the median slope between any two samples (Theil and Sen): a few seconds in which
    everything stood still do not turn it, a leak does."""
    late = samples[_warmed(samples) :]
    calm = [sample for sample in late if sample.disk < CALM]
    rows: list[list[object]] = []
    is_steady = True
    for name, among, value in (
        ("memory MB", late, lambda one: one.memory),
        ("p50 ms", late, lambda one: one.p50),
        ("p99 ms, calm disk", calm, lambda one: one.p99),
        ("p99 ms", late, lambda one: one.p99),
        ("disk ms", late, lambda one: one.disk),
        ("bytes a turn", late, Sample.bytes_a_turn),
    ):
        usual, most, change = _trend([(sample.minutes, value(sample)) for sample in among])
        row = [name, len(among), usual, most, f"{change:+.1%}"]
        if allowed := STEADY.get(name):
            fits = change <= allowed
            is_steady = is_steady and fits
            row += [f"{allowed:.0%}", "yes" if fits else "no"]
        rows.append([*row, *[""] * (len(HEADINGS) - len(row))])
    return rows, is_steady


def _trend(points: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Median, maximum, and by which part of the median the values grow from the first to the last."""
    if len(points) < 2:
        return math.nan, math.nan, math.nan
    slope = statistics.median((b - a) / (s - r) for (r, a), (s, b) in itertools.combinations(points, 2))
    usual = statistics.median(value for _, value in points)
    return usual, max(value for _, value in points), slope * (points[-1][0] - points[0][0]) / usual


def _warmed(samples: Sequence[Sample]) -> int:
    """The first sample that counts."""
    most = max(sample.chats for sample in samples)
    full = next(index for index, sample in enumerate(samples) if sample.chats == most)
    return min(max(full, int(len(samples) * WARM)), int(len(samples) * WARM_AT_MOST))


def _write_csv(file: Path, samples: Sequence[Sample]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", newline="") as out:
        rows = csv.DictWriter(out, Sample.__struct_fields__)
        rows.writeheader()
        rows.writerows(
            {name: _rounded(value) for name, value in msgspec.structs.asdict(one).items()} for one in samples
        )


def _rounded(value: Any) -> Any:
    return round(value, 3) if isinstance(value, float) else value


def _plot(samples: Sequence[Sample], title: str, log: str) -> str:
    """``log``: what it is in this store."""
    shown = samples[1:]

    def line(value: Callable[[Sample], float]) -> list[float]:
        return [value(sample) for sample in shown]

    cpu = {"service": line(lambda one: one.cpu)}
    if any(one.database_cpu for one in shown):
        cpu["PostgreSQL"] = line(lambda one: one.database_cpu)
    charts = [
        Chart("Turns", "a second", {"turns": line(lambda one: one.per_second)}),
        Chart(
            "Latency",
            "ms, rest channel",
            {"p50": line(lambda one: one.p50), "p99": line(lambda one: one.p99), "disk": line(lambda one: one.disk)},
        ),
        Chart("CPU", "cores", cpu),
        Chart("Memory", "MB", {"resident": line(lambda one: one.memory)}),
        Chart("Stored", "MB", {"data": line(lambda one: one.stored), log: line(lambda one: one.log)}),
        Chart("Stored", "bytes a kept turn", {"bytes": line(lambda one: one.bytes_a_turn())}),
        Chart("Chats", "in memory", {"chats": line(lambda one: one.chats)}),
        Chart("Open", "", {"files": line(lambda one: one.open_files), "event streams": line(lambda one: one.streams)}),
    ]
    return svg(title, machine(), [one.minutes for one in shown], charts)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--rate", type=float, default=0.5, help="the part of the top load")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL instead of SQLite")
    parser.add_argument("--csv", type=Path, help="folder for soak-sqlite.csv or soak-postgres.csv")
    parser.add_argument("--plot", type=Path, default=PLOT)
    return parser.parse_args()


def main() -> None:
    options = _options()
    # Everybody who waits has a connection here.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    name = "PostgreSQL" if options.postgres else "SQLite"
    with tempfile.TemporaryDirectory() as folder:
        if options.postgres:
            with running_server() as postgres:
                with Database(postgres) as database:
                    top = _served(_postgres(Path(folder), database), lambda server: _top(server.port))
                with Database(postgres) as database:
                    samples, errors = _soak(_postgres(Path(folder), database), top, options)
        else:
            with tempfile.TemporaryDirectory() as other:
                top = _served(sqlite_in(Path(other)), lambda server: _top(server.port))
            samples, errors = _soak(sqlite_in(Path(folder)), top, options)
    title = f"{options.minutes:g} minutes at {options.rate:.0%} of the top load ({top:,.0f} turns/s), {name}"
    if options.csv is not None:
        _write_csv(options.csv / f"soak-{name.lower()}.csv", samples)
    options.plot.write_text(_plot(samples, title, "WAL written" if options.postgres else "WAL file"), "utf-8")
    print(heading(title))
    rows, is_steady = verdict(samples)
    print(table(HEADINGS, rows))
    last = samples[-1]
    megabytes = last.stored + last.log
    print(f"\n{last.turns:,} turns kept, {len(errors)} errors, {last.put_off:,} put off, {megabytes:,.0f} MB.")
    for error in sorted(set(errors))[:5]:
        print(f"  {error}")
    print("Verdict: " + ("steady." if is_steady and not errors else "NOT steady."))


if __name__ == "__main__":
    main()
