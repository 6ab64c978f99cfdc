"""The embedded store: one SQLite file, one thread that writes in groups, threads that read. The event loop never waits
for the disk.

Every method is one task for the writer or one question for a reader; what they do stands in ``groups.py``,
``history.py``, ``timers.py`` and the named queries.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from dialoom.errors import StoreError
from dialoom.storage.named import load
from dialoom.storage.rows import file_values, inbound, stored_message, token_row, token_values, turn_rows
from dialoom.storage.sqlite import groups, history, timers
from dialoom.storage.sqlite.lock import FolderLock
from dialoom.storage.sqlite.reader import Readers
from dialoom.storage.sqlite.writer import Writer
from dialoom.storage.store import Answered, Chat, ChatKey, FileRow, Inbound, ListRow, StoredMessage, TokenRow, Version

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import apsw

    from dialoom.query import Selection
    from dialoom.storage.named import Query
    from dialoom.storage.store import Collection, Dedupe, FileLimit, TimerRow, TurnWrite

_BOTS, _FILES, _INBOX, _SAID, _TOKENS, _TURN = (
    load("sqlite", name) for name in ("bots", "files", "inbox", "said", "tokens", "turn")
)

LOOKUP_SECONDS = 10.0
HISTORY_THREADS = 2
LARGEST_PIECE = 512 * 1024
"""Bytes of a file's content that one commit writes."""


class SqliteStore:
    """``path`` is the data file; its folder must exist. A lock beside it keeps a second service out.

    ``is_beside``: administration beside a service that may be running; it takes no lock and must run no turns.
    """

    def __init__(self, path: Path, *, is_beside: bool = False) -> None:
        self._lock = None if is_beside else FolderLock(path)
        self._writer = Writer(path)
        self._lookups = Readers(path, 1, "lookup")
        self._history = Readers(path, HISTORY_THREADS, "history")
        self._number = 0
        """The last number given to an inbox row. Numbers grow over all chats, so that none comes twice in a run."""

    async def open(self) -> None:
        if self._lock is not None:
            await asyncio.to_thread(self._lock.take)
        try:
            self._number = await self._writer.open(_last_number)
        except BaseException:
            await self._writer.close()
            if self._lock is not None:
                self._lock.release()
            raise
        self._lookups.open()
        self._history.open()

    async def close(self) -> None:
        await self._lookups.close()
        await self._history.close()
        await self._writer.close()
        if self._lock is not None:
            self._lock.release()

    # -- bots and versions

    async def publish(self, version: Version) -> None:
        await self._writer.submit(_publish, version)

    async def active(self, bot: str) -> Version | None:
        row = await self._row(_BOTS["active"], bot)
        return None if row is None else Version(*row)

    async def version(self, bot: str, version: str) -> Version | None:
        row = await self._row(_BOTS["version"], bot, version)
        return None if row is None else Version(*row)

    async def bots(self) -> list[str]:
        return [bot for (bot,) in await self._rows(_BOTS["bots"])]

    async def keep_list(self, row: ListRow) -> None:
        values = (row.bot, row.type, row.source, row.elements, row.fetched_at)
        await self._writer.submit(_changes(_BOTS["keep_list"]), values)

    async def lists(self, bot: str) -> list[ListRow]:
        return [ListRow(*row) for row in await self._rows(_BOTS["lists"], bot)]

    # -- the turn

    async def chat(self, key: ChatKey) -> Chat | None:
        row = await self._row(_TURN["chat"], *key)
        return None if row is None else Chat(*row)

    async def answered(self, key: ChatKey, dedupe: str) -> Answered | None:
        row = await self._row(_INBOX["answered"], *key, dedupe)
        return None if row is None else Answered(*row)

    async def accept(
        self, key: ChatKey, id: str, event: bytes, dedupe: Dedupe | None, now: int, files: Sequence[str] = ()
    ) -> Inbound | Answered:
        self._number += 1
        row = Inbound(key, self._number, id, event, dedupe, now)
        accepted: Inbound | Answered = await self._writer.submit(groups.accept, (row, files), key)
        return accepted

    async def waiting(self) -> list[Inbound]:
        return [inbound(row) for row in await self._rows(_INBOX["waiting"])]

    async def journal(self, key: ChatKey, number: int, call: str, result: bytes) -> None:
        await self._writer.submit(groups.keep_results, (*key, number, call, result), key)

    async def journaled(self, key: ChatKey, number: int) -> dict[str, bytes]:
        return dict(await self._rows(_INBOX["journaled"], *key, number))

    async def commit(self, write: TurnWrite) -> Answered | None:
        seen: Answered | None = await self._writer.submit(groups.write_turns, turn_rows(write), write.key)
        return seen

    # -- what clients read

    async def said(self, key: ChatKey, after: int, limit: int) -> list[StoredMessage]:
        return [stored_message(row) for row in await self._rows(_SAID["said"], *key, after, limit)]

    async def last_said(self, key: ChatKey, limit: int) -> list[StoredMessage]:
        rows = await self._rows(_SAID["last_said"], *key, limit)
        return [stored_message(row) for row in reversed(rows)]

    async def later(self, key: ChatKey, limit: int) -> list[StoredMessage]:
        return [stored_message(row) for row in await self._rows(_SAID["later"], *key, limit)]

    async def carry(self, key: ChatKey, position: int) -> None:
        await self._writer.submit(_carry, (*key, position), key)

    async def find(self, collection: Collection, bot: str, selection: Selection) -> list[bytes]:
        return await self._history.ask(
            lambda connection, deadline: history.find(connection, deadline, collection, bot, selection),
            history.SECONDS,
        )

    async def count(self, collection: Collection, bot: str, selection: Selection) -> int:
        return await self._history.ask(
            lambda connection, deadline: history.count(connection, deadline, collection, bot, selection),
            history.SECONDS,
        )

    # -- timers

    async def due(self, now: int, limit: int) -> list[TimerRow]:
        rows: list[TimerRow] = await self._writer.submit(timers.due, (now, limit))
        return rows

    async def next_due(self) -> int | None:
        at: int | None = await self._writer.submit(timers.next_due, None)
        return at

    # -- tokens

    async def add_token(self, token: TokenRow) -> None:
        await self._writer.submit(_add_token, token)

    async def token(self, hash: bytes) -> TokenRow | None:
        row = await self._row(_TOKENS["token"], hash)
        return None if row is None else token_row(row)

    async def tokens(self, bot: str) -> list[TokenRow]:
        return [token_row(row) for row in await self._rows(_TOKENS["tokens"], bot)]

    async def revoke(self, bot: str, id: str, now: int) -> bool:
        return bool(await self._writer.submit(_changes(_TOKENS["revoke"]), (now, bot, id)))

    # -- files

    async def keep_file(self, file: FileRow, content: bytes, limit: FileLimit) -> bool:
        if not await self._writer.submit(_changes(_FILES["put_file"]), file_values(file, limit)):
            return False
        # Nobody knows its id until the last piece is in; one that a stop has left is never sent, and so forgotten.
        for number in range(-(-len(content) // LARGEST_PIECE)):
            piece = content[number * LARGEST_PIECE : (number + 1) * LARGEST_PIECE]
            await self._writer.submit(_changes(_FILES["put_piece"]), (file.key.bot, file.id, number, piece))
        return True

    async def file(self, bot: str, id: str) -> FileRow | None:
        row = await self._row(_FILES["file"], bot, id)
        return None if row is None else FileRow(ChatKey(*row[:3]), *row[3:])

    async def content(self, bot: str, id: str) -> bytes | None:
        pieces: list[bytes] = []
        while (row := await self._row(_FILES["piece"], bot, id, len(pieces))) is not None:
            pieces += row
        return b"".join(pieces) if pieces else None

    # -- upkeep

    async def forget_unsent(self, before: int) -> int:
        await self._writer.submit(_changes(_FILES["begin_forgetting"]), (before,))
        going = await self._rows(_FILES["forgetting"], before)
        for bot, id, last in going:
            for number in range(-1 if last is None else last, -1, -1):
                await self._writer.submit(_changes(_FILES["delete_piece"]), (bot, id, number))
            await self._writer.submit(_changes(_FILES["delete_file"]), (bot, id))
        return len(going)

    async def forget_answers(self, before: int) -> int:
        return int(await self._writer.submit(_changes(_INBOX["forget_answers"]), (before,)))

    # -- reading

    async def _rows(self, query: Query, *values: Any) -> list[tuple[Any, ...]]:
        return await self._lookups.ask(
            lambda connection, _: connection.execute(query.sql, values).fetchall(), LOOKUP_SECONDS
        )

    async def _row(self, query: Query, *values: Any) -> tuple[Any, ...] | None:
        return await self._lookups.ask(
            lambda connection, _: connection.execute(query.sql, values).fetchone(), LOOKUP_SECONDS
        )


def _last_number(connection: apsw.Connection) -> int:
    return int(connection.execute(_INBOX["last_number"].sql).get)


def _carry(connection: apsw.Connection, carried: Sequence[tuple[Any, ...]]) -> list[None]:
    groups.put(connection, _TURN["carry"], carried)
    return [None] * len(carried)


def _publish(connection: apsw.Connection, versions: Sequence[Version]) -> list[None]:
    for version in versions:
        row = (version.bot, version.version, version.files, version.created_at)
        connection.execute(_BOTS["put_version"].sql, row)
        connection.execute(_BOTS["activate"].sql, (version.bot, version.version))
    return [None] * len(versions)


def _add_token(connection: apsw.Connection, tokens: Sequence[TokenRow]) -> list[None]:
    for token in tokens:
        same = connection.execute(_TOKENS["token"].sql, (token.hash,)).fetchone()
        if same is not None and same[:2] != (token.bot, token.id):
            raise StoreError(f"This token of bot {token.bot} is, or was, in use already. Choose another text for it.")
        if not groups.put(connection, _TOKENS["put_token"], [token_values(token)]):
            raise StoreError(
                f'Bot {token.bot} has a token "{token.id}" already. Revoke it first, or give the new one another id.'
            )
    return [None] * len(tokens)


def _changes(query: Query) -> Callable[[apsw.Connection, Sequence[tuple[Any, ...]]], list[int]]:
    """Run a query for each payload; the answer is how many rows it changed."""

    def change(connection: apsw.Connection, payloads: Sequence[tuple[Any, ...]]) -> list[int]:
        changed = []
        for values in payloads:
            connection.execute(query.sql, values)
            changed.append(connection.changes())
        return changed

    return change
