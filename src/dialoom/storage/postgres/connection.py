"""The seam to the database: a few connections that come back by themselves, and statements by name with a time limit.

What goes wrong comes out as a ``StoreError`` for the operator, within seconds. What the statements mean stands with who
asks; nothing here knows a table.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import asyncpg

from dialoom.errors import DialoomError, StoreError
from dialoom.storage.errors import CannotWrite
from dialoom.storage.postgres.failures import at_start, explain, name_of
from dialoom.storage.sql_files import Query

Connection: TypeAlias = Any
"""An ``asyncpg.Connection``; that package carries no types."""
SCHEMA = "dialoom"
MIN_SERVER_VERSION = 15
CONNECT_SECONDS = 3.0
"""A statement that has no connection by then is refused."""
STATEMENT_SECONDS = 5.0
STATEMENTS = 256
"""Prepared statements kept by a connection."""

FAILURES = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)
"""All that the driver and the network raise; ``explain`` knows them."""

UNDONE = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)
"""A statement that met another one: the server has undone it, and it can be tried again."""
MAX_TRIES = 5

_DURABLE = """
select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') in ('off', 'local')
"""
# An answer counts as given once it is durable, whatever the server is set to for others. More than "on" stays.


class Connections:
    """Up to ``most`` connections, made when they are needed. The server stops a statement after ``seconds``."""

    def __init__(self, url: str, *, most: int = 8, seconds: float = STATEMENT_SECONDS) -> None:
        self.where = name_of(url)
        self.failures = 0
        """How many statements were refused because nothing can be written: a full or failing disk, a replica."""
        self._url = url
        self._seconds = seconds
        self._places = asyncio.Semaphore(most)
        self._free: list[Connection] = []
        self._age = 0
        """Grows when all connections that there are must go."""
        self._is_open = False

    async def open(self) -> None:
        """Make the first connection; ``StoreError`` when the server cannot be reached, or is too old."""
        self.open_later()
        try:
            async with self.connection():
                pass
        except BaseException:
            await self.close()
            raise

    def open_later(self) -> None:
        """Allow statements; the first of them opens a connection, so that nothing is asked of a server that nobody
        needs yet."""
        self._is_open = True

    async def close(self) -> None:
        """Wait for the statements that run, and refuse whoever comes later."""
        self._is_open = False
        free, self._free = self._free, []
        for connection in free:
            await _end(connection)

    async def fetch(self, query: Query, *values: Any) -> list[Any]:
        """Return the rows of a query, each a tuple by place and a mapping by name."""
        return list(await self._ask("fetch", query, values))

    async def fetchrow(self, query: Query, *values: Any) -> Any:
        """Return the first row of a query, or None."""
        return await self._ask("fetchrow", query, values)

    async def execute(self, query: Query, *values: Any) -> int:
        """Return how many rows a query changed."""
        count = str(await self._ask("execute", query, values)).rpartition(" ")[2]
        return int(count) if count.isdigit() else 0

    async def _ask(self, how: str, query: Query, values: tuple[Any, ...]) -> Any:
        async with self.connection() as connection:
            ask = getattr(connection, how)
            for _ in range(MAX_TRIES - 1):
                try:
                    return await ask(query.sql, *values, timeout=self._patience)
                except UNDONE:
                    continue
            return await ask(query.sql, *values, timeout=self._patience)

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """Yield a connection for more than one statement, such as a transaction. What the driver raises inside comes
        out explained, without the error that it had: that may name what stands in a row."""
        age = self._age
        connection = await self._take()
        is_sound = False
        try:
            yield connection
            is_sound = True
        except (asyncpg.PostgresError, DialoomError) as error:
            is_sound = not isinstance(error, asyncpg.OperatorInterventionError) or _is_stopped(error)
            if isinstance(error, DialoomError):
                raise
            if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
                self._renew()
            explained = explain(error, self.where)
            self.failures += isinstance(explained, CannotWrite)
            raise explained from None
        except FAILURES as error:
            raise explain(error, self.where) from None
        finally:
            self._give_back(connection, is_sound=is_sound and age == self._age)

    @property
    def _patience(self) -> float:
        """Return the seconds after which a silent server, or a cut cable, is given up: a little more than the server
        gives a statement."""
        return self._seconds + 1.0

    # -- places

    async def _take(self) -> Connection:
        if not self._is_open:
            raise closed(self.where)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self._places.acquire()
        except TimeoutError as error:
            raise StoreError(
                f"{at_start(self.where)} is slow or hangs: all connections of this process waited for it for "
                f"{CONNECT_SECONDS:.0f} s. See what keeps it busy; if it has nothing to do, run more processes."
            ) from error
        try:
            if not self._is_open:
                raise closed(self.where)
            while self._free:
                connection = self._free.pop()
                if not connection.is_closed():
                    return connection
            return await connect(self._url, seconds=self._seconds)
        except BaseException:
            self._places.release()
            raise

    def _renew(self) -> None:
        """Close all free connections, and those in use when they are given back. A session that began while its
        database was set to read only stays so, and which of them did cannot be told."""
        self._age += 1
        free, self._free = self._free, []
        for connection in free:
            connection.terminate()

    def _give_back(self, connection: Connection, *, is_sound: bool) -> None:
        """Keep a connection for the next caller, or close it where a statement on it was given up: the server may still
        be at work on that."""
        self._places.release()
        if is_sound and self._is_open and not connection.is_closed() and not connection.is_in_transaction():
            self._free.append(connection)
        else:
            connection.terminate()


def _is_stopped(error: BaseException) -> bool:
    """Return whether the server has stopped the statement; a server that was itself stopped raises another error."""
    return isinstance(error, asyncpg.QueryCanceledError)


async def connect(url: str, *, seconds: float = STATEMENT_SECONDS) -> Connection:
    """Open a connection with our settings. ``seconds``: after which the server stops a statement; 0 for never."""
    where = name_of(url)
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            connection: Connection = await asyncpg.connect(
                url,
                timeout=CONNECT_SECONDS,
                statement_cache_size=STATEMENTS,
                max_cached_statement_lifetime=0,
                max_cacheable_statement_size=0,
                server_settings={
                    "application_name": "dialoom",
                    "search_path": SCHEMA,
                    # Its start costs more than any of our statements.
                    "jit": "off",
                    "timezone": "UTC",
                    "statement_timeout": str(int(seconds * 1000)),
                    "idle_in_transaction_session_timeout": "30000",
                },
            )
            try:
                await connection.execute(_DURABLE)
                refuse_old(connection.get_server_version().major, where)
            except BaseException:
                # Also where the time is over, or the caller goes away: nobody else would close it.
                connection.terminate()
                raise
    except FAILURES as error:
        raise explain(error, where) from None
    except ValueError:
        # It may hold the address, and that a password.
        raise explain(asyncpg.ClientConfigurationError("address"), where) from None
    return connection


def refuse_old(version: int, where: str) -> None:
    if version < MIN_SERVER_VERSION:
        raise StoreError(
            f"{at_start(where)} is of PostgreSQL {version}; {MIN_SERVER_VERSION} or newer is needed. Update the server."
        )


async def _end(connection: Connection) -> None:
    try:
        await connection.close(timeout=1.0)
    except FAILURES:
        connection.terminate()


def closed(where: str) -> StoreError:
    return StoreError(f"{at_start(where)} is closed. Open the store first.")
