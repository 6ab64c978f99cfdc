"""Tokens in the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.storage import refusals
from dialoom.storage.rows import token_row, token_values
from dialoom.storage.sql_files import load

if TYPE_CHECKING:
    from dialoom.storage.postgres.connection import Connections
    from dialoom.storage.rows import TokenRow

_TOKENS = load("postgres", "tokens")
_LOCK = 0x4449414C_746F6B
"""Of the database's advisory locks the one for new tokens ("DIALtok")."""


async def add(connections: Connections, token: TokenRow) -> None:
    async with connections.connection() as connection, connection.transaction():
        await connection.execute(_TOKENS["lock"].sql, _LOCK)
        same = await connection.fetchrow(_TOKENS["token"].sql, token.hash)
        if same is not None and (same["bot"], same["id"]) != (token.bot, token.id):
            raise refusals.hash_in_use(token.bot)
        if await connection.execute(_TOKENS["put_token"].sql, *token_values(token)) != "INSERT 0 1":
            raise refusals.id_in_use(token.bot, token.id)


async def token(connections: Connections, hash: bytes) -> TokenRow | None:
    row = await connections.fetchrow(_TOKENS["token"], hash)
    return None if row is None else token_row(tuple(row))


async def tokens(connections: Connections, bot: str) -> list[TokenRow]:
    return [token_row(tuple(row)) for row in await connections.fetch(_TOKENS["tokens"], bot)]


async def revoke(connections: Connections, bot: str, id: str, now: int) -> bool:
    return bool(await connections.execute(_TOKENS["revoke"], now, bot, id))
