"""Walks through what is sealed in the data file, and puts what was sealed anew in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from dialoom.storage.sealed import COLUMNS, page_of, words_of
from dialoom.storage.sql_files import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from dialoom.storage.rows import FileRow
    from dialoom.storage.sealed import Place, Sealed, SealedKind, SealedPage

    Put = tuple[SealedKind, str, Sequence[tuple[Sealed, Sealed]]]
    PutFile = tuple[FileRow, bytes, Sequence[bytes]]

_SEALED = load("sqlite", "sealed")

MAX_VALUES: Final = 64
"""Of one commit, for which turns wait."""


def page(
    connection: apsw.Connection, kind: SealedKind, bot: str, mark: bytes, after: Place | None, limit: int
) -> SealedPage:
    column = COLUMNS[kind]
    limit = min(max(limit, 1), MAX_VALUES)
    sql = _SEALED["page"].filled(_words(kind))
    rows = connection.execute(sql, (mark, bot, *(after or column.start), limit)).fetchall()
    return page_of(rows, column, limit)


def put(connection: apsw.Connection, asked: Sequence[Put]) -> list[int]:
    """Each payload: the kind, the bot, the values as they must still be and those in their places."""
    return [sum(_put(connection, kind, bot, *change) for change in changes) for kind, bot, changes in asked]


def _put(connection: apsw.Connection, kind: SealedKind, bot: str, before: Sealed, after: Sealed) -> int:
    place: tuple[Any, ...] = (bot, *before.place, before.value)
    if COLUMNS[kind].beside is None:
        connection.execute(_SEALED["put"].filled(_words(kind)), (after.value, *place))
    else:
        connection.execute(_SEALED["put_both"].filled(_words(kind)), (after.value, after.beside, *place))
    return connection.changes()


def _words(kind: SealedKind) -> dict[str, str]:
    return words_of(kind, ", ".join("?" * len(COLUMNS[kind].place)))


def put_files(connection: apsw.Connection, asked: Sequence[PutFile]) -> list[bool]:
    """Each payload: the file as it must still be, what it is, the pieces of what it holds. All of a file at once: one
    whose pieces are of two keys does not open. 10 MiB hold up turns for 0.1 s."""
    return [_put_file(connection, before, about, pieces) for before, about, pieces in asked]


def _put_file(connection: apsw.Connection, before: FileRow, about: bytes, pieces: Sequence[bytes]) -> bool:
    place = (before.key.bot, before.id)
    connection.execute(_SEALED["put_about"].sql, (about, *place, before.about))
    if not connection.changes():
        return False
    for number, piece in enumerate(pieces):
        connection.execute(_SEALED["put_piece"].sql, (piece, *place, number))
    return True
