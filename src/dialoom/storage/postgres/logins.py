"""Login links in the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dialoom.storage.login_rows import login_row, place, state
from dialoom.storage.sql_files import load

if TYPE_CHECKING:
    from dialoom.storage.postgres.connection import Connections
    from dialoom.storage.rows import ChatKey, LoginRow

_LOGINS = load("postgres", "logins")

MAX_ROWS: Final = 5_000
"""That one statement forgets."""


async def open_login(connections: Connections, row: LoginRow) -> LoginRow:
    await connections.execute(_LOGINS["open"], *place(row), *state(row))
    return await login(connections, row.key, row.link) or row


async def login(connections: Connections, key: ChatKey, link: str) -> LoginRow | None:
    found = await connections.fetchrow(_LOGINS["login"], *key, link)
    return None if found is None else login_row(key, link, tuple(found))


async def change(connections: Connections, before: LoginRow, after: LoginRow) -> bool:
    return bool(await connections.execute(_LOGINS["change"], *state(after), *place(before), *state(before)))


async def forget(connections: Connections, bot: str, before: int) -> int:
    gone, last = 0, MAX_ROWS
    while last == MAX_ROWS:
        last = await connections.execute(_LOGINS["forget"], bot, before, MAX_ROWS)
        gone += last
    return gone
