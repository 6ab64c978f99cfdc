"""Says what a failure of PostgreSQL or of the way to it means for the operator: one sentence with what to do, as a
``StoreError``.

The server's own sentences are left out, since they may hold values of rows; so is the address, which may hold a
password.
"""

from __future__ import annotations

from urllib.parse import parse_qs, unquote, urlsplit

import asyncpg

from dialoom.errors import StoreError
from dialoom.storage.errors import DiskFailing, DiskFull, ReadOnly, Refused, TooSlow

_AGAIN = "A service tries again by itself; a command has to be given again."

_MEANINGS: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], str], ...] = (
    (
        (asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidPasswordError),
        "{where} does not let us in: wrong user or password. Put the right ones into the database's address.",
    ),
    (
        asyncpg.InvalidCatalogNameError,
        "{where} does not exist. Make it (CREATE DATABASE), or name another in the database's address.",
    ),
    (
        asyncpg.TooManyConnectionsError,
        "{where} has no connection left. Raise max_connections of the server, or run fewer processes.",
    ),
    (asyncpg.CannotConnectNowError, f"{{where}} is starting or stopping. {_AGAIN}"),
    (asyncpg.DiskFullError, "The disk of {where} is full; nothing of this was written. Make room and try again."),
    (asyncpg.PostgresIOError, "The disk of {where} failed. Check disk and file system of its server."),
    (
        asyncpg.ReadOnlySQLTransactionError,
        "{where} cannot be written: it is a replica, or set to read only. Name the primary server.",
    ),
    (
        asyncpg.InsufficientPrivilegeError,
        "{where} lacks a right for our user. Make that user the owner of the database, or of its schema dialoom.",
    ),
    (
        asyncpg.QueryCanceledError,
        "{where} is slow: a statement took too long and was stopped. See what keeps it busy (locks, load, its disk).",
    ),
    (asyncpg.LockNotAvailableError, "{where} had rows locked for too long. See who holds locks there."),
    (asyncpg.OutOfMemoryError, "{where} has no memory left. Give the server more."),
    (
        (asyncpg.UndefinedTableError, asyncpg.UndefinedFunctionError, asyncpg.InvalidSchemaNameError),
        "{where} lacks tables of ours. Start the service on it, which makes them, or restore its backup.",
    ),
    (
        (
            asyncpg.PostgresConnectionError,
            asyncpg.AdminShutdownError,
            asyncpg.CrashShutdownError,
            asyncpg.IdleSessionTimeoutError,
        ),
        f"{{where}} has cut the connection. See whether the server is well. {_AGAIN}",
    ),
    (
        asyncpg.ClientConfigurationError,
        "The address of {where} cannot be read. It looks like postgresql://user:password@host:5432/database.",
    ),
    (
        (asyncpg.InterfaceError, asyncpg.InternalClientError, ConnectionResetError, BrokenPipeError),
        f"{{where}} has cut the connection. {_AGAIN}",
    ),
    (
        TimeoutError,
        f"{{where}} hangs: nothing comes back. See whether its machine, its disk and the network are well. {_AGAIN}",
    ),
)

_KINDS: tuple[tuple[type[BaseException], type[StoreError]], ...] = (
    (asyncpg.QueryCanceledError, TooSlow),
    (asyncpg.DiskFullError, DiskFull),
    (asyncpg.ReadOnlySQLTransactionError, ReadOnly),
    (asyncpg.PostgresIOError, DiskFailing),
)

OF_ROWS = ("22", "23", "54")
"""Classes of errors that rows are to blame for, so that trying again gives the same: data, constraints, sizes."""


def explain(error: BaseException, where: str) -> StoreError:
    sentence = next((sentence for kind, sentence in _MEANINGS if isinstance(error, kind)), None)
    if sentence is not None:
        meant = next((meant for kind, meant in _KINDS if isinstance(error, kind)), StoreError)
        return meant(at_start(sentence.format(where=where)))
    if isinstance(error, OSError):
        reason = error.strerror or type(error).__name__
        text = f"{where} cannot be reached ({reason}). Start it, or correct the database's address."
    elif isinstance(error, asyncpg.PostgresError):
        named = getattr(error, "constraint_name", None)
        about = f"{error.sqlstate}, {named}" if named else str(error.sqlstate)
        text = f"{where} refused a statement ({about}). Please report this."
        if str(error.sqlstate).startswith(OF_ROWS):
            return Refused(at_start(text))
    else:
        text = f"{where} could not be asked ({type(error).__name__}). Please report this."
    return StoreError(at_start(text))


def at_start(where: str) -> str:
    """Return a name as it stands at the start of a sentence."""
    return where[0].upper() + where[1:]


def name_of(url: str) -> str:
    """Return the name of the database as it may stand in an error or a log."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "the PostgreSQL database"
    asked = parse_qs(parts.query)
    host = (asked.get("host") or [parts.netloc.rpartition("@")[2]])[0] or "this machine"
    database = (asked.get("database") or asked.get("dbname") or [unquote(parts.path.lstrip("/"))])[0]
    return f"the PostgreSQL database {database} on {host}" if database else f"the PostgreSQL server on {host}"
