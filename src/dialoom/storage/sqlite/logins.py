"""What the writer does with login links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from dialoom.storage.rows import login_place, login_row, login_state
from dialoom.storage.shared_methods import SHARED
from dialoom.storage.sql_files import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from dialoom.storage.rows import ChatKey, LoginRow

_LOGINS = load("sqlite", "logins")

MAX_ROWS: Final = 100
"""That one commit forgets."""


def open_logins(connection: apsw.Connection, rows: Sequence[LoginRow]) -> list[LoginRow]:
    """Gives what is kept of each."""
    kept = []
    for row in rows:
        connection.execute(_LOGINS["open"].sql, (*login_place(row), *login_state(row)))
        kept.append(find(connection, row.key, row.link) or row)
    return kept


def find(connection: apsw.Connection, key: ChatKey, link: str) -> LoginRow | None:
    found = connection.execute(SHARED["login"].sql, (*key, link)).fetchone()
    return None if found is None else login_row(key, link, found)


def forget(connection: apsw.Connection, asked: Sequence[tuple[Any, ...]]) -> list[int]:
    """Each payload: bot, time, limit."""
    gone = []
    for values in asked:
        connection.execute(_LOGINS["forget"].sql, values)
        gone.append(connection.changes())
    return gone
