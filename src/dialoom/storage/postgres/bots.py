"""Versions of bots in the database: which one is active, since when, which one is rolled back from; and kept lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.storage import refusals
from dialoom.storage.rows import Version
from dialoom.storage.sql_files import load

if TYPE_CHECKING:
    from dialoom.storage.postgres.connection import Connection, Connections

_BOTS = load("postgres", "bots")


async def publish(connections: Connections, version: Version) -> None:
    row = (version.bot, version.version, version.files, version.created_at)
    async with connections.connection() as connection, connection.transaction():
        await connection.execute(_BOTS["put_version"].sql, *row)
        await _activate(connection, version.bot, version.version, version.created_at)


async def roll_back(connections: Connections, bot: str, version: str, now: int) -> None:
    async with connections.connection() as connection, connection.transaction():
        before = await connection.fetchval(_BOTS["lock"].sql, bot)
        if await connection.fetchval(_BOTS["is_kept"].sql, bot, version) is None:
            raise refusals.no_version(bot, version)
        if before != version:
            await connection.execute(_BOTS["withdraw"].sql, now, bot, before)
        await _activate(connection, bot, version, now)


async def _activate(connection: Connection, bot: str, version: str, now: int) -> None:
    if await connection.execute(_BOTS["activate"].sql, bot, version) == "INSERT 0 1":
        await connection.execute(_BOTS["note_activation"].sql, now, bot, version)
