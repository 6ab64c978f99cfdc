"""Whether the data file takes what is to be written: asked by writing, after a start and once a write has failed. In a
commit of its own: a turn is smaller, and may fit where this does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dialoom.storage.sql_files import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

_ROOM = load("sqlite", "room")
SIZE: Final = 256 * 1024
"""Bytes: what about ten turns write together. Less would still go in where turns do not any more."""


def fill(connection: apsw.Connection, asked: Sequence[None]) -> list[None]:
    """Written and gone again in one transaction. What is deleted is overwritten, so that all of it is on its way to the
    disk."""
    connection.execute(_ROOM["fill"].sql, (SIZE,))
    connection.execute(_ROOM["clear"].sql)
    return [None] * len(asked)
