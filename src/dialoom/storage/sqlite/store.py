"""The embedded store: one SQLite file, one thread that writes in groups, threads that read. The event loop never waits
for the disk.

Every method is one task for the writer or one question for a reader; what they do stands in ``writes.py``,
``scheduled.py``, ``deletion.py``, ``history.py`` and the named queries.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import apsw

from dialoom.query import Selection
from dialoom.storage import errors
from dialoom.storage.collections import imported_rows
from dialoom.storage.errors import CannotRead, DiskFailing
from dialoom.storage.fair_queue import FairQueue
from dialoom.storage.history_plan import HISTORY_SECONDS
from dialoom.storage.limits import within
from dialoom.storage.rows import (
    Answered,
    Chat,
    ChatKey,
    Collection,
    Dedupe,
    Erased,
    FileLimit,
    FileRow,
    Forgotten,
    Held,
    Inbound,
    IndexRow,
    Notice,
    Outgoing,
    Row,
    ScheduledJob,
    Stretch,
    TimerRow,
    TokenRow,
    TurnWrite,
    Version,
    delivery_claim,
    file_values,
    inbound,
    pieces_of,
    token_values,
    turn_rows,
)
from dialoom.storage.sealed import Place, Sealed, SealedKind, SealedPage
from dialoom.storage.shared_methods import SHARED, SharedMethods, json_list
from dialoom.storage.sql_files import Query, load
from dialoom.storage.sqlite import deletion, history, indexes, scheduled, scrub, writes
from dialoom.storage.sqlite.connection import Deadline, FolderLock
from dialoom.storage.sqlite.external_changes import ExternalChanges
from dialoom.storage.sqlite.reader import Readers, as_of_now
from dialoom.storage.sqlite.writer import ALONE, Writer, each

if TYPE_CHECKING:
    _Change = Callable[[apsw.Connection, Sequence[tuple[Any, ...]]], list[int]]

_Found = TypeVar("_Found")

_FILES, _INBOX, _OUTBOX, _TOKENS, _TURN = (
    load("sqlite", name) for name in ("files", "inbox", "outbox", "tokens", "turn")
)

LOOKUP_SECONDS = 10.0
HISTORY_THREADS = 2
EVER = 2**62
"""Later than every time in milliseconds."""


class SqliteStore(SharedMethods):
    """``path`` is the data file; its folder must exist. A lock beside it keeps a second service out.

    ``is_beside``: administration beside a service that may be running; it keeps no lock and must run no turns, but
    for such as call nobody and are computed again when they are overtaken; the service then reads its chats again.
    Tables that another release left are changed only while no service runs.
    """

    _own = load("sqlite", "own")
    _most = deletion.MAX_ROWS

    def __init__(self, path: Path, *, is_beside: bool = False, history_seconds: float = HISTORY_SECONDS) -> None:
        self.is_shared = False
        self._path = path
        self._lock = None if is_beside else FolderLock(path)
        self.writer = Writer(path, is_beside=is_beside)
        """The one thread that writes; a task for which there is no method is submitted to it."""
        self._lookups = Readers(path, 1, "lookup")
        self.history_readers = Readers(path, HISTORY_THREADS, "history")
        """The threads that answer queries of the history."""
        self._history_seconds = history_seconds
        self.history_places = FairQueue(HISTORY_THREADS, HISTORY_SECONDS / 2)
        """Where queries of the history wait for their turn."""
        self._external_changes = ExternalChanges()
        self._scrubs = scrub.Scrubs(lambda whole: scrub.scrub(path, whole=whole))
        self._seen_failures: int | None = None
        """Those of the writer after which writing was tried; None until it was tried once: who starts on a full disk
        has met none yet."""
        self._number = 0
        """The last number given to an inbox row. Numbers grow over all chats, so that none comes twice in a run."""

    async def open(self) -> None:
        if self._lock is not None:
            await asyncio.to_thread(self._lock.take)
        try:
            self._number = await self.writer.open(self._begin)
        except BaseException:
            await self.writer.close()
            if self._lock is not None:
                self._lock.release()
            raise
        self._lookups.open()
        self.history_readers.open()

    async def sizes(self) -> dict[str, int]:
        files = {"database": self._path, "log": self._path.with_name(f"{self._path.name}-wal")}
        return await asyncio.to_thread(
            lambda: {part: file.stat().st_size for part, file in files.items() if file.exists()}
        )

    async def close(self) -> None:
        await self._lookups.close()
        await self.history_readers.close()
        await self._scrubs.settled()
        await self.writer.close()
        if self._lock is not None:
            self._lock.release()

    async def check(self) -> None:
        try:
            await self.bots()
        except DiskFailing as error:
            raise CannotRead(str(error)) from error
        if (failures := self.writer.failures) != self._seen_failures:
            await self.writer.submit(writes.fill, None, ALONE)
            self._seen_failures = failures

    # -- bots and versions

    async def publish(self, version: Version, instead_of: str | None = None) -> bool:
        return await self.writer.submit(writes.publish, (version, instead_of))

    async def roll_back(self, bot: str, version: str, now: int, instead_of: str | None = None) -> bool:
        return await self.writer.submit(writes.roll_back, (bot, version, now, instead_of))

    # -- the turn

    async def accept(
        self,
        key: ChatKey,
        id: str,
        event: bytes,
        dedupe: Dedupe | None,
        now: int,
        files: Sequence[str] = (),
        most: int | None = None,
    ) -> Inbound | Answered:
        self._number += 1
        row = Inbound(key, self._number, id, event, dedupe, now)
        return await self.writer.submit(self._accept, (row, files), key)

    async def hold(self, key: ChatKey) -> Held | None:
        return await self._look_up(lambda connection: _held(connection, key))

    async def let_go(self, keys: Sequence[ChatKey]) -> None:
        """Do nothing: nobody else could take them."""

    async def orphans(self) -> list[ChatKey]:
        return [ChatKey(*row) for row in await self._rows(_INBOX["orphans"])]

    def tell(self, notice: Notice) -> None:
        """Do nothing: there is nobody to tell."""

    def listen(self, receiver: Callable[[Notice], None]) -> None:
        """Call ``receiver`` when a command beside this process has erased somebody: who it was is not known."""
        self._external_changes.listen(receiver)

    async def journal(self, key: ChatKey, number: int, call: str, result: bytes) -> None:
        await self.writer.submit(writes.keep_results, (*key, number, call, result), key)

    async def commit(self, write: TurnWrite) -> Answered | None:
        group = writes.write_turns if self._lock is not None else self._external_changes.write_turns
        return await self.writer.submit(group, turn_rows(write), write.key)

    # -- what clients read

    async def carry(self, key: ChatKey, position: int) -> None:
        await self.writer.submit(_carry, (*key, position), key)

    async def find(self, collection: Collection, bot: str, selection: Selection) -> list[bytes]:
        return await self._read(
            bot, lambda connection, deadline: history.find(connection, deadline, collection, bot, selection)
        )

    async def stretch(self, collection: Collection, bot: str, selection: Selection, rows: int) -> Stretch:
        return await self._read(
            bot, lambda connection, deadline: history.stretch(connection, deadline, collection, bot, selection, rows)
        )

    async def count(self, collection: Collection, bot: str, selection: Selection) -> int:
        return await self._read(
            bot, lambda connection, deadline: history.count(connection, deadline, collection, bot, selection)
        )

    async def _read(self, bot: str, ask: Callable[[apsw.Connection, Deadline], _Found]) -> _Found:
        async with within(self._history_seconds), self.history_places.place(bot):
            return await self.history_readers.ask(as_of_now(ask), self._history_seconds)

    # -- one user

    async def channels_of(self, bot: str, user: str) -> list[str]:
        return await self._look_up(lambda connection: deletion.channels(connection, bot, user))

    async def erase(self, key: ChatKey, limit: int) -> Erased:
        step = await self.writer.submit(self._external_changes.erase, (key, limit), key)
        if step.has_files:
            going = await self._look_up(lambda connection: deletion.deleting(connection, key))
            await self._delete_pieces(going)
        return Erased(*step[:6])

    async def scrub(self, *, whole: bool = False) -> bool:
        return await self._scrubs.ask(whole=whole)

    # -- records from elsewhere

    async def import_records(
        self, collection: Collection, bot: str, documents: Sequence[dict[str, Any]], source: str, line: int
    ) -> int:
        rows = imported_rows(collection, bot, documents)
        return await self.writer.submit(writes.import_records, (collection, bot, rows, source, line))

    async def add_index(self, collection: Collection, property: str) -> None:
        await indexes.add(self.writer, collection, property)

    async def drop_index(self, collection: Collection, property: str) -> bool:
        return await indexes.drop(self.writer, collection, property)

    async def indexes(self) -> list[IndexRow]:
        return [indexes.index_row(row) for row in await self._rows(indexes.ALL)]

    # -- timers

    async def due(self, now: int, limit: int) -> list[TimerRow]:
        return await self.writer.submit(scheduled.due_timers, (now, limit))

    async def next_due(self) -> int | None:
        return await self.writer.submit(scheduled.next_due, None)

    async def take_jobs(self, now: int, until: int, limit: int) -> list[ScheduledJob]:
        return await self.writer.submit(scheduled.take_jobs, (now, until, limit))

    # -- the outbox

    async def take_outgoing(self, now: int, until: int, limit: int) -> list[Outgoing]:
        return await self.writer.submit(scheduled.take, (now, until, limit))

    async def delivered(self, delivery: Outgoing, now: int) -> None:
        await self.writer.submit(scheduled.delivered, (delivery, now), delivery.key)

    async def postpone(self, delivery: Outgoing, now: int, due: int, reason: str) -> None:
        values = (due, reason, *delivery_claim(delivery))
        await self.writer.submit(_changes(_OUTBOX["postpone"]), values, delivery.key)

    async def bury(self, delivery: Outgoing, now: int, reason: str) -> None:
        await self.writer.submit(scheduled.bury, (delivery, now, reason), delivery.key)

    async def give_back(self, deliveries: Sequence[Outgoing], now: int, due: int) -> None:
        await self.writer.submit(scheduled.give_back, (deliveries, due))

    async def bring_forward(self, now: int, ahead: int, limit: int) -> int:
        return await self._change(_OUTBOX["bring_forward"], now, now + ahead, limit)

    async def resend(self, bot: str, ids: Sequence[str] | None, now: int) -> int:
        most = scheduled.MAX_DEAD_LETTERS
        payload = (bot, json_list(ids), now, most)
        return await self._in_steps(lambda: self.writer.submit(scheduled.resend, payload), most)

    # -- tokens

    async def add_token(self, token: TokenRow) -> None:
        await self.writer.submit(_add_token, (token,))

    # -- what is sealed

    async def sealed(self, kind: SealedKind, bot: str, mark: bytes, after: Place | None, limit: int) -> SealedPage:
        return await self._look_up(lambda connection: writes.sealed_page(connection, kind, bot, mark, after, limit))

    async def reseal(self, kind: SealedKind, bot: str, changes: Sequence[tuple[Sealed, Sealed]]) -> int:
        return await self.writer.submit(writes.reseal, (kind, bot, changes))

    async def reseal_file(self, before: FileRow, about: bytes, content: bytes) -> bool:
        return await self.writer.submit(writes.reseal_file, (before, about, pieces_of(content)))

    # -- files

    async def keep_file(self, file: FileRow, content: bytes, limit: FileLimit) -> bool:
        if not await self.writer.submit(_changes(_FILES["put_file"]), file_values(file, limit)):
            return False
        # Nobody knows its id until the last piece is in; one that a stop has left is never sent, and so forgotten.
        for number, piece in enumerate(pieces_of(content)):
            await self._change(_FILES["put_piece"], file.key.bot, file.id, number, piece)
        return True

    async def content(self, bot: str, id: str) -> bytes | None:
        while True:
            before = await self.file(bot, id)
            pieces: list[bytes] = []
            while (row := await self._row(_FILES["piece"], bot, id, len(pieces))) is not None:
                pieces += row
            # Else it was sealed again meanwhile, and some of the pieces may be of before that.
            if before == await self.file(bot, id):
                return b"".join(pieces) if pieces else None

    # -- upkeep

    async def forget_unsent(self, bot: str, before: int) -> int:
        await self._change(_FILES["begin_forgetting"], bot, before)
        return await self._delete_files(bot, before)

    async def forget_conversations(
        self, bot: str, before: str, limit: int, after: tuple[str, str] | None = None
    ) -> Forgotten:
        gone = looked_at = 0
        last, is_last = after or deletion.BEFORE_ALL_CONVERSATIONS, False
        while looked_at < limit and not is_last:
            most = min(limit - looked_at, deletion.MAX_CONVERSATIONS)
            step = await self.writer.submit(deletion.forget, (bot, before, last, most))
            gone, looked_at = gone + step.conversations, looked_at + step.looked_at
            last, is_last = step.last, step.is_last
            if step.has_files:
                await self._delete_files(bot, EVER)
        return Forgotten(gone, None if is_last else last)

    async def forget_chats(self, bot: str, before: int, limit: int) -> int:
        gone, last, is_last = 0, deletion.BEFORE_ALL_CHATS, False
        while gone < limit and not is_last:
            most = limit - gone
            step = await self.writer.submit(deletion.forget_chats, (bot, before, last, most))
            gone, last, is_last = gone + step.gone, step.last, step.looked_at < most
        await self._delete_files(bot, EVER)
        return gone

    async def _delete_files(self, bot: str, before: int) -> int:
        """Delete files that nobody finds any more, a piece at a time."""
        going = await self._rows(_FILES["forgetting"], bot, before)
        await self._delete_pieces(going)
        return len(going)

    async def _delete_pieces(self, going: Sequence[tuple[Any, ...]]) -> None:
        for bot, id, last in going:
            for number in range(-1 if last is None else last, -1, -1):
                await self._change(_FILES["delete_piece"], bot, id, number)
            await self._change(_FILES["delete_file"], bot, id)

    # -- on the writer's thread

    def _begin(self, connection: apsw.Connection) -> int:
        self._external_changes.begin(connection)
        if self._lock is not None:
            scheduled.free_claims(connection)
        return int(connection.execute(_INBOX["last_number"].sql).get)

    def _accept(
        self, connection: apsw.Connection, accepted: Sequence[tuple[Inbound, Sequence[str]]]
    ) -> list[Inbound | Answered]:
        self._external_changes.look(connection)
        return writes.accept(connection, accepted)

    # -- reading

    def _look_up(self, ask: Callable[[apsw.Connection], _Found]) -> Awaitable[_Found]:
        return self._lookups.ask(lambda connection, _: ask(connection), LOOKUP_SECONDS)

    def _rows(self, query: Query, *values: Any) -> Awaitable[list[Row]]:
        return self._look_up(lambda connection: connection.execute(query.sql, values).fetchall())

    def _row(self, query: Query, *values: Any) -> Awaitable[Row | None]:
        return self._look_up(lambda connection: connection.execute(query.sql, values).fetchone())

    def _change(self, query: Query, *values: Any) -> Awaitable[int]:
        return self.writer.submit(_changes(query), values)


def _carry(connection: apsw.Connection, carried: Sequence[tuple[Any, ...]]) -> list[None]:
    writes.put(connection, _TURN["carry"], carried)
    return [None] * len(carried)


def _held(connection: apsw.Connection, key: ChatKey) -> Held:
    chat = connection.execute(SHARED["chat"].sql, key).fetchone()
    waiting = connection.execute(_INBOX["waiting"].sql, key).fetchall()
    return Held(None if chat is None else Chat(*chat), tuple([inbound(row) for row in waiting]))


@each
def _add_token(connection: apsw.Connection, token: TokenRow) -> None:
    same = connection.execute(SHARED["token"].sql, (token.hash,)).fetchone()
    if same is not None and same[:2] != (token.bot, token.id):
        raise errors.hash_in_use(token.bot)
    if not writes.put(connection, _TOKENS["put_token"], [token_values(token)]):
        raise errors.id_in_use(token.bot, token.id)


def _changes(query: Query) -> _Change:
    """Return the group that runs a query; each answer is how many rows it changed."""

    @each
    def change(connection: apsw.Connection, *values: Any) -> int:
        connection.execute(query.sql, values)
        return connection.changes()

    return change
