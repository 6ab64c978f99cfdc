"""Whether the database takes what is to be written: asked by writing, after a start and once a write has failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import asyncpg

from dialoom.storage.sql_files import load

if TYPE_CHECKING:
    from dialoom.storage.postgres.connection import Connections

_DISK_SPACE = load("postgres", "disk_space")


async def fill(connections: Connections) -> None:
    """Raises ``StoreError`` while it cannot be written. Nothing is left of it."""
    async with connections.connection() as connection:
        attempt = connection.transaction()
        await attempt.start()
        try:
            await connection.execute(_DISK_SPACE["fill"].sql)
        except asyncpg.InsufficientPrivilegeError:
            pass  # our user may make no more tables: then only a write can tell
        finally:
            await attempt.rollback()
