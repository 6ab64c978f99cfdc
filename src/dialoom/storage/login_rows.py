"""How the rows of login links stand in the databases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dialoom.storage.rows import LoginRow

if TYPE_CHECKING:
    from dialoom.storage.rows import ChatKey

Row = tuple[Any, ...]


def place(row: LoginRow) -> Row:
    return (*row.key, row.link)


def state(row: LoginRow) -> Row:
    """All that changes of it."""
    return (row.about, row.expires_at, row.is_taken)


def login_row(key: ChatKey, link: str, found: Row) -> LoginRow:
    about, expires_at, taken = found
    return LoginRow(key, link, about, expires_at, bool(taken))
