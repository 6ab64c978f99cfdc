"""What the writer does with versions: which one is active, since when, and which one is rolled back from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.storage import refusals
from dialoom.storage.shared_methods import SHARED
from dialoom.storage.sql_files import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from dialoom.storage.rows import Version

_BOTS = load("sqlite", "bots")


def publish(connection: apsw.Connection, versions: Sequence[Version]) -> list[None]:
    for version in versions:
        row = (version.bot, version.version, version.files, version.created_at)
        connection.execute(_BOTS["put_version"].sql, row)
        _activate(connection, version.bot, version.version, version.created_at)
    return [None] * len(versions)


def roll_back(connection: apsw.Connection, asked: Sequence[tuple[str, str, int]]) -> list[None]:
    """Each payload: bot, version, time."""
    for bot, version, now in asked:
        if connection.execute(SHARED["version"].sql, (bot, version)).fetchone() is None:
            raise refusals.no_version(bot, version)
        connection.execute(_BOTS["withdraw"].sql, (now, bot, version))
        _activate(connection, bot, version, now)
    return [None] * len(asked)


def _activate(connection: apsw.Connection, bot: str, version: str, now: int) -> None:
    connection.execute(_BOTS["activate"].sql, (bot, version))
    if connection.changes():
        connection.execute(_BOTS["note_activation"].sql, (now, bot, version))
