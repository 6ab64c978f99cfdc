"""How much of everything so many turns a second need: ``python -m bench.sizes`` makes it of ``measured.json``, prints
it and puts it into ``docs/why/sizes.md``; ``python -m bench.sizes measure [--soak FOLDER]`` measures that file again
(with the bytes a turn of a soak's CSV files).

Each figure is one line of ``needs``: a formula over what was measured and what is assumed.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import math
import tempfile
import time
from pathlib import Path

import msgspec
from tests.postgres import Server as Postgres
from tests.postgres import running_server

from bench import processes
from bench.client import Client
from bench.machine import machine, table
from bench.people import WEB, WEB_TOKEN, write_bot
from bench.servers import TOKEN, Database, Server, dialoom
from bench.turns import REST, load, said
from dialoom.service.chat.active_chats import MAX_CACHED_CHATS
from dialoom.storage.postgres.store import CONNECTIONS

FILE = Path(__file__).parent / "measured.json"
PAGE = Path(__file__).parent.parent / "docs" / "why" / "sizes.md"
USERS, FORMS, WARM_FORMS = 64, 40, 4
CHATS, STREAMS = 3000, 3000


class Measured(msgspec.Struct):
    """Of the form of ``bench.turns``: short texts, two messages a turn, a record of four turns."""

    about: str
    sqlite_per_cpu: float
    """Turns a second of CPU of the service on SQLite, its writer included."""
    postgres_per_cpu: float
    """Of the service on PostgreSQL."""
    server_us: float
    """CPU of PostgreSQL for a turn."""
    sqlite_bytes: float
    """A turn in the data file."""
    postgres_bytes: float
    """A turn in the database, tables and indexes."""
    sqlite_written: float
    """Bytes that a turn makes SQLite write: log, and data file at checkpoints."""
    wal_bytes: float
    """Bytes that a turn adds to PostgreSQL's WAL, with pages in full after checkpoints."""
    wal_fsyncs: float
    """Of PostgreSQL for a turn under this load."""
    postgres_writes: float
    """Writes to disk of PostgreSQL for a turn: WAL, and pages at a checkpoint."""
    start_bytes: float
    """Memory of a process that has done nothing yet."""
    warm_bytes: float
    """Memory of a process under load, with the chats of these users."""
    chat_bytes: float
    """Memory for a chat more."""
    stream_bytes: float
    """Memory for an open event stream more."""


class Assumed(msgspec.Struct, frozen=True):
    busy: float = 0.5
    """The part of a core, of ours and of PostgreSQL's, that is used at the peak."""
    average: float = 1 / 3
    """A day's turns are those of its peak second times this, times 86,400."""
    pause: float = 20.0
    """Seconds between two turns of a person: so many people talk at once for each turn a second."""
    in_browsers: float = 0.25
    """The part of them that has an event stream open."""
    kept: float = 30.0
    """Seconds for which a chat stays in memory after its last turn (``service/cluster/leases.py``)."""
    days: int = 30
    """Days after which retention forgets."""
    fsync_ms: float = 1.0
    """Of one fsync of the disk."""
    hot: float = 600.0
    """Seconds for which what was written is touched again: so much has room in the database's memory."""
    worker_cores: int = 16
    worker_wal: float = 150e6
    """Bytes of WAL a second that one database server's disk and its replica take."""


def needs(rate: float, one: Measured, by: Assumed, *, is_shared: bool) -> list[str]:
    """The column of the table for so many turns a second at the peak."""
    per_cpu = one.postgres_per_cpu if is_shared else one.sqlite_per_cpu
    cores = rate / per_cpu / by.busy
    count = max(2, math.ceil(cores)) if is_shared else 1
    talking = rate * by.pause
    chats, streams = max(talking, rate * by.kept), talking * by.in_browsers
    memory = one.warm_bytes + min(chats / count, MAX_CACHED_CHATS) * one.chat_bytes + streams / count * one.stream_bytes
    turns_a_day = rate * by.average * 86_400
    bytes_a_turn = one.postgres_bytes if is_shared else one.sqlite_bytes
    day = turns_a_day * bytes_a_turn
    log = rate * (one.wal_bytes if is_shared else one.sqlite_written)
    database_cores = rate * one.server_us / 1e6 / by.busy
    workers = max(1, math.ceil(database_cores / by.worker_cores), math.ceil(log / by.worker_wal))
    # What comes within an fsync shares the next one.
    fsyncs = min(rate, max(1000 / by.fsync_ms, rate * one.wal_fsyncs if is_shared else 0))
    writes = _short(max(fsyncs, rate * one.postgres_writes)) if is_shared else ""
    servers = f"{workers} x {math.ceil(database_cores / workers)} cores, {_bytes(log / workers)}/s of WAL each"
    if not is_shared:
        servers = "none"
    elif workers == 1:
        servers = f"1 x {max(2, math.ceil(database_cores))} cores, and a replica"
    else:
        servers = f"Citus: {servers}, and a replica of each"
    return [
        f"{count}",
        f"{cores:.2f}" if cores < 10 else f"{cores:.0f}",
        f"{_bytes(memory)}",
        f"{_short(chats)}, {_short(streams)}",
        f"{_bytes(log)}/s",
        f"{_short(fsyncs)}",
        writes,
        f"{_short(count * CONNECTIONS)}" if is_shared else "",
        servers,
        f"{_bytes(max(1e9, rate * by.hot * bytes_a_turn / workers))}" if is_shared else "",
        f"{_bytes(day)}",
        f"{_bytes(day * by.days)}",
        f"{_bytes(day * 365)}",
    ]


NAMES = (
    "processes",
    "cores for them",
    "memory of each",
    "chats, streams",
    "log written",
    "fsyncs/s",
    "database writes/s",
    "database connections",
    "database servers",
    "memory of each of them",
    "disk a day",
    "disk, 30 days kept",
    "disk a year",
)
SIZES = ((10, False), (10, True), (1000, False), (1000, True), (100_000, True))


def show(one: Measured) -> dict[str, str]:
    """The page's sections and their tables."""
    by = Assumed()
    columns = [needs(rate, one, by, is_shared=is_shared) for rate, is_shared in SIZES]
    heads = [f"{rate:,}/s {'PostgreSQL' if is_shared else 'SQLite'}" for rate, is_shared in SIZES]
    inputs = [[name, _given(value)] for name, value in msgspec.structs.asdict(one).items() if name != "about"]
    assumed = [[name, _given(value)] for name, value in msgspec.structs.asdict(by).items()]
    rows = [[name, *(column[place] for column in columns)] for place, name in enumerate(NAMES)]
    worker = min(by.worker_wal / one.wal_bytes, by.worker_cores * by.busy / one.server_us * 1e6)
    return {
        "What was measured": f"{one.about}; {USERS} users\n{table(('what', 'value'), inputs)}",
        "What is assumed": table(("what", "value"), assumed),
        "What it comes to": f"{table(('turns at the peak', *heads), rows)}\n\n"
        f"One database server of {by.worker_cores} cores bears {_rounded(worker)} turns/s.",
    }


def write_page(sections: dict[str, str]) -> None:
    """Each section's first block of text that stands as it is becomes its table."""
    text = PAGE.read_text("utf-8")
    for name, shown in sections.items():
        before, head, rest = text.partition(f"## {name}\n")
        intro, fence, block = rest.partition("```\n")
        _, end, after = block.partition("```\n")
        assert head, name
        assert end, name
        text = f"{before}{head}{intro}{fence}{shown}\n{end}{after}"
    PAGE.write_text(text, "utf-8")


def _rounded(count: float) -> str:
    """To two digits: it is a reckoning."""
    return f"{float(f'{count:.2g}'):,.0f}"


def _given(value: object) -> str:
    return f"{value:,.4g}" if isinstance(value, float) and value < 100 else f"{value:,.0f}"


def _bytes(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB", "TB", "PB"):
        if count < 1000 or unit == "PB":
            return f"{count:.3g} {unit}"
        count /= 1000
    raise AssertionError


def _short(count: float) -> str:
    return f"{count:,.0f}" if count >= 10 else f"{count:.2g}"


# ---- measuring ---------------------------------------------------------------------------------------------------


def measure(soak: Path | None) -> Measured:
    found = {"about": machine(), **_on_sqlite()}
    with running_server() as postgres:
        found |= _on_postgres(postgres)
    found |= {"stream_bytes": _streams()}
    if soak is not None:
        for name, file in (("sqlite", "soak-sqlite.csv"), ("postgres", "soak-postgresql.csv")):
            with (soak / file).open(newline="") as lines:
                *_, last = csv.DictReader(lines)
            found[f"{name}_bytes"] = float(last["stored"]) * 1e6 / int(last["turns"])
    return msgspec.convert(found, Measured)


def _turns(server: Server, prefix: str, forms: int) -> int:
    return len(asyncio.run(load([server.port], USERS, prefix, forms)))


def _on_sqlite() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with dialoom(1, folder=folder) as (server,):
            warm = _turns(server, "warm", WARM_FORMS)
            cpu, written = server.cpu(), _written(server)
            done = _turns(server, "user", FORMS)
            per_cpu, written = done / (server.cpu() - cpu), _written(server) - written
        size = sum(file.stat().st_size for file in folder.glob("dialoom.sqlite*"))
    return {"sqlite_per_cpu": per_cpu, "sqlite_written": written / done, "sqlite_bytes": size / (done + warm)}


def _written(server: Server) -> int:
    lines = Path(f"/proc/{server.process.pid}/io").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("write_bytes"))


_FIGURES = """
select pg_database_size(current_database()), (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8,
    (select sum(fsyncs) from pg_stat_io where object = 'wal')::float8, (select sum(writes) from pg_stat_io)::float8
"""


def _on_postgres(postgres: Postgres) -> dict[str, float]:
    with Database(postgres) as database, dialoom(1, database.url) as (server,):
        start = processes.resident(server.process.pid)
        _turns(server, "warm", WARM_FORMS)
        database.run("checkpoint")
        size, wal, fsyncs, writes = database.run(_FIGURES)[0]
        cpu, its = server.cpu(), database.cpu()
        done = _turns(server, "user", FORMS)
        cpu, its = server.cpu() - cpu, database.cpu() - its
        size_after, wal_after, fsyncs_after, _ = database.run(_FIGURES)[0]
        database.run("checkpoint")
        writes_after = database.run(_FIGURES)[0][3]
        warm = processes.resident(server.process.pid)
        asyncio.run(_say_once(server.port, CHATS))
        more = processes.resident(server.process.pid) - warm
    return {
        "postgres_per_cpu": done / cpu,
        "server_us": its / done * 1e6,
        "postgres_bytes": (size_after - size) / done,
        "wal_bytes": (wal_after - wal) / done,
        "wal_fsyncs": (fsyncs_after - fsyncs) / done,
        "postgres_writes": (writes_after - writes) / done,
        "start_bytes": start,
        "warm_bytes": warm,
        "chat_bytes": max(more, 0) / CHATS,
    }


async def _say_once(port: int, count: int) -> None:
    """So many people, each one message, over a few connections."""
    left = iter(range(count))

    async def some() -> None:
        client = Client(port)
        for number in left:
            await client.post(REST, TOKEN, said(f"once-{number}", "1", "register"))
        await client.close()

    await asyncio.gather(*(some() for _ in range(USERS)))


def _streams() -> float:
    async def grown(server: Server) -> float:
        clients = [Client(server.port) for _ in range(STREAMS)]
        opened = Client(server.port)
        tokens = [(await opened.post(f"{WEB}/sessions", WEB_TOKEN, {}))["token"] for _ in clients]
        before = processes.resident(server.process.pid)
        for client, token in zip(clients, tokens, strict=True):
            await client.send("GET", f"{WEB}/events", token)
            assert (await client.head())[0] == 200
        more = processes.resident(server.process.pid) - before
        for client in clients:
            await client.close()
        return more / STREAMS

    with tempfile.TemporaryDirectory() as name:
        write_bot(Path(name), 1)
        with dialoom(1, bot=Path(name)) as (server,):
            return asyncio.run(grown(server))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.sizes", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("show", "measure"), default="show")
    parser.add_argument("--soak", type=Path, help="folder with the CSV files of bench.soak, of both stores")
    options = parser.parse_args()
    if options.what == "measure":
        began = time.perf_counter()
        FILE.write_bytes(msgspec.json.format(msgspec.json.encode(measure(options.soak)), indent=1) + b"\n")
        print(f"{FILE.name} was measured in {time.perf_counter() - began:.0f} s.\n")
    sections = show(msgspec.json.decode(FILE.read_bytes(), type=Measured))
    write_page(sections)
    print("\n\n".join(sections.values()))


if __name__ == "__main__":
    main()
