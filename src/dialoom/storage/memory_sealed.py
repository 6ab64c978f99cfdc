"""Walks through what is sealed in the twin in memory, and puts what was sealed anew in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from dialoom.storage.sealed import COLUMNS, page_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from dialoom.storage.memory_tables import Tables
    from dialoom.storage.sealed import Place, Sealed, SealedKind, SealedPage
    from dialoom.storage.store import FileRow


class _Cell(NamedTuple):
    """A sealed value where it lies."""

    place: Place
    value: bytes | None
    put: Callable[[Sealed], None]
    beside: bytes | None = None


def page(tables: Tables, kind: SealedKind, bot: str, mark: bytes, after: Place | None, limit: int) -> SealedPage:
    column = COLUMNS[kind]
    cells = sorted(_cells(tables, kind, bot), key=lambda cell: cell.place)
    rows: list[tuple[Any, ...]] = []
    for cell in [cell for cell in cells if cell.place > (after or column.start)][:limit]:
        is_right = cell.value is None or cell.value.startswith(mark)
        rows.append((*cell.place, None if is_right else cell.value, cell.beside))
    return page_of(rows, column, limit)


def put(tables: Tables, kind: SealedKind, bot: str, changes: Sequence[tuple[Sealed, Sealed]]) -> int:
    cells = {cell.place: cell for cell in _cells(tables, kind, bot)}
    changed = 0
    for before, after in changes:
        cell = cells.get(before.place)
        if cell is not None and cell.value == before.value:
            cell.put(after)
            changed += 1
    return changed


def put_file(tables: Tables, before: FileRow, about: bytes, content: bytes) -> bool:
    place = (before.key.bot, before.id)
    if place not in tables.files or tables.files[place][0] != before:
        return False
    tables.files[place] = (msgspec.structs.replace(before, about=about), content)
    return True


def _cells(tables: Tables, kind: SealedKind, bot: str) -> Iterator[_Cell]:
    """Those of a bot, in no order."""
    return (cell for of, cell in _all(tables, kind) if of == bot)


def _all(tables: Tables, kind: SealedKind) -> Iterator[tuple[str, _Cell]]:
    match kind:
        case "versions":
            for (bot, id), (version, row) in tables.versions.items():
                yield bot, _Cell((id,), version.files, _into(tables.versions, (bot, id), "files", (version, row)))
        case "files":
            for (bot, id), (file, content) in tables.files.items():
                yield bot, _Cell((id,), file.about, _into(tables.files, (bot, id), "about", (file, content)))
        case "tokens":
            for (bot, id), token in tables.tokens.items():
                put = _into(tables.tokens, (bot, id), "sealed", token, "hash")
                yield bot, _Cell((id,), token.sealed, put, token.hash)
        case "lists":
            for (bot, type), listed in tables.lists.items():
                put = _into(tables.lists, (bot, type), "elements", listed, "source")
                yield bot, _Cell((type,), listed.elements, put, listed.source)
        case "journal":
            for (key, number), results in tables.journal.items():
                for call, result in results.items():
                    yield key.bot, _Cell((key.user, key.channel, number, call), result, _result(results, call))
        case _:
            yield from _of_users(tables, kind)


def _of_users(tables: Tables, kind: SealedKind) -> Iterator[tuple[str, _Cell]]:
    """Rows that stand alone under a chat and what tells them apart."""
    match kind:
        case "chats":
            found: list[tuple[Any, Any, Place, str, Any]] = [
                (tables.chats, key, (), "state", chat) for key, chat in tables.chats.items()
            ]
        case "logins":
            found = [(tables.logins, place, place[1:], "about", row) for place, row in tables.logins.items()]
        case "inbox":
            found = [(tables.inbox, place, place[1:], "event", row) for place, row in tables.inbox.items()]
        case "answers":
            found = [(tables.seen, place, place[1:], "answer", row) for place, row in tables.seen.items()]
        case _:
            found = [(tables.outbox, place, place[1:], "body", row) for place, row in tables.outbox.items()]
    for table, name, rest, field, row in found:
        key = name if kind == "chats" else name[0]
        yield key.bot, _Cell((key.user, key.channel, *rest), getattr(row, field), _into(table, name, field, row))


def _into(table: Any, name: Any, field: str, row: Any, beside: str | None = None) -> Callable[[Sealed], None]:
    """``row``: alone, or the first of a pair."""

    def put(after: Sealed) -> None:
        changes = {field: after.value} | ({} if beside is None else {beside: after.beside})
        if isinstance(row, tuple):
            table[name] = (msgspec.structs.replace(row[0], **changes), row[1])
        else:
            table[name] = msgspec.structs.replace(row, **changes)

    return put


def _result(results: dict[str, bytes], call: str) -> Callable[[Sealed], None]:
    def put(after: Sealed) -> None:
        results[call] = after.value

    return put
