"""Login links of the twin in memory, and how their rows stand in the databases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dialoom.storage.store import LoginRow

if TYPE_CHECKING:
    from dialoom.storage.memory_tables import Tables
    from dialoom.storage.store import ChatKey

Row = tuple[Any, ...]


def place(row: LoginRow) -> Row:
    return (*row.key, row.link)


def state(row: LoginRow) -> Row:
    """All that changes of it."""
    return (row.about, row.expires_at, row.is_taken)


def login_row(key: ChatKey, link: str, found: Row) -> LoginRow:
    about, expires_at, taken = found
    return LoginRow(key, link, about, expires_at, bool(taken))


# -- in memory


def open_login(tables: Tables, row: LoginRow) -> LoginRow:
    if row.key not in tables.chats:
        return row
    return tables.logins.setdefault((row.key, row.link), row)


def change(tables: Tables, before: LoginRow, after: LoginRow) -> bool:
    if tables.logins.get((before.key, before.link)) != before:
        return False
    tables.logins[before.key, before.link] = after
    return True


def forget(tables: Tables, bot: str, before: int) -> int:
    old = [place for place, row in tables.logins.items() if place[0].bot == bot and row.expires_at < before]
    for place in old:
        del tables.logins[place]
    return len(old)
