"""The processes that the benches measure: the service and what stands beside it, and databases of a PostgreSQL."""

from __future__ import annotations

import base64
import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from tests.postgres import Server as Postgres
from tests.postgres import query

from bench import processes

FORM = Path(__file__).parent / "form"
TOKEN = "bench-token-of-the-form"
KEY = base64.b64encode(b"k" * 32).decode()
QUIET = {
    "DIALOOM_LOG_LEVEL": "warning",
    # One token and one address bring all the load.
    "DIALOOM_RATE_TOKEN": "off",
    "DIALOOM_RATE_USER": "off",
    "DIALOOM_RATE_ADDRESS": "off",
    "DIALOOM_QUOTA_CHAT": "off",
    "DIALOOM_QUOTA_ADDRESS": "off",
}


class Server:
    """A process that serves the form; ``words`` follow ``python -m``."""

    def __init__(self, words: Sequence[str], settings: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", *words], stdout=subprocess.PIPE, text=True, env={**os.environ, **QUIET, **settings}
        )
        assert self.process.stdout is not None
        lines = (line for line in self.process.stdout if line.startswith("API"))
        self.port = next((int(line.rsplit(":", 1)[1].split("/")[0]) for line in lines), 0)
        if not self.port:
            raise RuntimeError(f"{words} did not start; what it said stands above.")

    def cpu(self) -> float:
        return processes.cpu(self.process.pid)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=30)
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextlib.contextmanager
def dialoom(
    processes: int, database: str | None = None, bot: Path = FORM, folder: Path | None = None
) -> Iterator[list[Server]]:
    """The service, on SQLite in an empty folder or on the PostgreSQL database of this address."""
    settings = {} if database is None else {"DIALOOM_DATABASE_URL": database, "DIALOOM_KEYS": KEY}
    servers: list[Server] = []
    with tempfile.TemporaryDirectory() as empty:
        try:
            for _ in range(processes):
                words = ("dialoom.cli", "run", str(bot), "--port", "0", "--data", str(folder or empty))
                servers.append(Server(words, settings))
            yield servers
        finally:
            for server in servers:
                server.stop()


@contextlib.contextmanager
def other(*words: str) -> Iterator[list[Server]]:
    server = Server(words, {})
    try:
        yield [server]
    finally:
        server.stop()


@contextlib.contextmanager
def orm_on_sqlite() -> Iterator[list[Server]]:
    with (
        tempfile.TemporaryDirectory() as folder,
        other("bench.orm", f"sqlite+aiosqlite:///{folder}/data.db") as servers,
    ):
        yield servers


class Database:
    """A database of a running server, until the end of the block; empty, or a copy of one that nobody uses now."""

    def __init__(self, postgres: Postgres, template: str = "template0") -> None:
        self._postgres = postgres
        self._name = f"dialoom_bench_{os.urandom(6).hex()}"
        self._template = template
        parts = urlsplit(postgres.url)
        self.url = f"{parts.scheme}://{parts.netloc}/{self._name}{parts.query and '?'}{parts.query}"
        self._postmaster = postmaster(postgres)

    def __enter__(self) -> Database:
        self._postgres.administer(f'create database "{self._name}" template "{self._template}"')
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._postgres.administer(f'drop database "{self._name}" with (force)')

    def copy(self) -> Database:
        return Database(self._postgres, self._name)

    def run(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return query(self.url, sql, *values)

    def cpu(self) -> float:
        """Seconds of CPU of the server with all its processes, gone ones too; 0 where it is out of sight."""
        return processes.cpu_with_children(self._postmaster) if self._postmaster else 0.0


def postmaster(postgres: Postgres) -> int:
    """The server's first process; 0 for a server that may be on another machine."""
    if not postgres.is_ours:
        return 0
    ((checkpointer,),) = postgres.administer("select pid from pg_stat_activity where backend_type = 'checkpointer'")
    return processes.parent(checkpointer)
