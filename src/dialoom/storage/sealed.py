"""What of a store is sealed, and how all of it is walked through to be sealed again: the rows that go in and out.

Which key seals, and what a value's row is called, is for ``service.records.key_rotation``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, Protocol

from dialoom.storage.rows import FileRow

SealedKind = Literal[
    "versions",
    "tokens",
    "lists",
    "studio_rows",
    "chats",
    "logins",
    "inbox",
    "journal",
    "answers",
    "outbox",
    "files",
    "messages",
]
Place = tuple[str | int, ...]


class SealedColumn(NamedTuple):
    """Where values of a kind lie in the databases. The table is called as the kind."""

    value: str
    place: tuple[str, ...]
    """What tells the rows of a bot apart, in the order of the primary key."""
    start: Place
    """Before all places."""
    beside: str | None = None
    """What was made with the same key, and has to be made again with it."""
    is_rare: bool = False
    """Few rows have one: an index knows which."""


_USER: Final = ('"user"', "channel")

COLUMNS: Final[Mapping[SealedKind, SealedColumn]] = MappingProxyType(
    {
        "versions": SealedColumn("files", ("version",), ("",)),
        "tokens": SealedColumn("sealed", ("id",), ("",), "hash"),
        "lists": SealedColumn("elements", ("type",), ("",), "source"),
        "studio_rows": SealedColumn("body", ("kind", "id"), ("", "")),
        "chats": SealedColumn("state", _USER, ("", "")),
        "logins": SealedColumn("about", (*_USER, "link"), ("", "", "")),
        "inbox": SealedColumn("event", (*_USER, "number"), ("", "", -1)),
        "journal": SealedColumn("result", (*_USER, "number", "call"), ("", "", -1, "")),
        "answers": SealedColumn("answer", (*_USER, "dedupe"), ("", "", "")),
        "outbox": SealedColumn("body", (*_USER, "receiver", "id"), ("", "", "", "")),
        "messages": SealedColumn("whole", (*_USER, "position"), ("", "", -1), is_rare=True),
        # What a file holds lies in pieces: ``reseal_file``.
        "files": SealedColumn("about", ("id",), ("",)),
    }
)
"""Everything that is sealed. The secrets of a published version stand in its files."""


class Sealed(NamedTuple):
    place: Place
    value: bytes
    beside: bytes | None = None


class SealedPage(NamedTuple):
    values: list[Sealed]
    """Those that are to be sealed again."""
    looked_at: int
    last: Place | None
    """Where the next page goes on; None when there is none."""


class SealedStore(Protocol):
    """The part of a store that a rotation of keys needs. All may be used while turns go on."""

    async def sealed(self, kind: SealedKind, bot: str, mark: bytes, after: Place | None, limit: int) -> SealedPage:
        """Return, of the next ``limit`` rows of a kind in the order of their places, the values that do not begin with
        ``mark``; rows that hold none are passed over."""

    async def reseal(self, kind: SealedKind, bot: str, changes: Sequence[tuple[Sealed, Sealed]]) -> int:
        """Put each second value in the place of the first, where that one still stands; gives how many were put."""

    async def reseal_file(self, before: FileRow, about: bytes, content: bytes) -> bool:
        """Put a file that is sealed again in the place of the one before, in one transaction. ``content`` is as long as
        that one's."""


def page_of(rows: Sequence[Any], column: SealedColumn, limit: int) -> SealedPage:
    """Return a page from rows as the databases give them: place, value (or none), what stands beside it."""
    width = len(column.place)
    values = [Sealed(tuple(row[:width]), row[width], row[width + 1]) for row in rows if row[width]]
    return SealedPage(values, len(rows), tuple(rows[-1][:width]) if len(rows) == limit else None)


def words_of(kind: SealedKind, signs: str) -> dict[str, str]:
    """Return the words that are put into the statements for a kind. ``signs``: what stands for the values of a
    place."""
    column = COLUMNS[kind]
    return {
        "table": kind,
        "value": column.value,
        "place": ", ".join(column.place),
        "beside": column.beside or "null",
        "held": f"and {column.value} is not null" if column.is_rare else "",
        "signs": signs,
    }
