"""The store for many processes: one PostgreSQL database, a few connections, turns written in groups.

What each method does stands in the named queries, in the functions of the migrations, and in the module of its part.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Any

from dialoom import __version__
from dialoom.errors import StoreError
from dialoom.query import Selection, Table
from dialoom.storage import errors
from dialoom.storage.errors import CannotRead, DiskFailing, Refused
from dialoom.storage.fair_queue import FairQueue
from dialoom.storage.history_plan import HISTORY_SECONDS
from dialoom.storage.limits import within
from dialoom.storage.postgres import history, indexes, retention, turns, writes
from dialoom.storage.postgres.connection import Connections
from dialoom.storage.postgres.heartbeat import Heartbeat, HeartbeatTimes
from dialoom.storage.postgres.migrate import Step, migrate, steps
from dialoom.storage.postgres.notices import Notices
from dialoom.storage.postgres.writer import WRITERS, Writer
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
    outgoing,
    token_values,
)
from dialoom.storage.sealed import Place, Sealed, SealedKind, SealedPage
from dialoom.storage.shared_methods import SHARED, SharedMethods
from dialoom.storage.sql_files import Query, load

_JOBS, _ERASURE, _FILES, _LEASES, _MAINTENANCE, _OUTBOX, _TIMERS, _TOKENS, _TURN = (
    load("postgres", name)
    for name in ("jobs", "erasure", "files", "leases", "maintenance", "outbox", "timers", "tokens", "turn")
)

log = logging.getLogger(__name__)

MAX_ERASED = 1000
"""Records of one step of an erasure, for which turns of this one user wait."""
MAX_ROWS = MappingProxyType(
    {"drop_letters": 500, "forget_answers": 5_000, "forget_logins": 5_000, "forget_results": 5_000}
)
MAX_DEAD_LETTERS = 500
"""That one statement puts back."""
MAX_FILES = 100
"""That one statement deletes."""
TOKEN_LOCK = 0x4449414C_746F6B
"""Of the database's advisory locks the one for new tokens ("DIALtok")."""
LOOKUPS = 8
"""Connections for what is read and for single changes; the writers have others."""
HISTORIES = 2
"""Connections for history queries, so that long ones hold up nobody but their like."""
CONNECTIONS = LOOKUPS + HISTORIES + WRITERS + 1
"""That a process opens at most, with the one by which it beats and listens."""


class PostgresStore(SharedMethods):
    """``history_url``: a replica that the history is read from. ``is_beside``: administration beside services that may
    be running; it is no process among them and must run no turns. ``is_timed_by_server``: deliveries are due and
    claimed by the server's clock, since those of several machines do not agree; a test that moves the time goes by its
    own.
    """

    is_shared = True
    _own = load("postgres", "own")
    _most = MAX_ROWS

    def __init__(
        self,
        url: str,
        history_url: str | None = None,
        *,
        is_beside: bool = False,
        is_timed_by_server: bool = True,
        rhythm: HeartbeatTimes | None = None,
        migrations: Sequence[Step] | None = None,
        history_seconds: float = HISTORY_SECONDS,
    ) -> None:
        self._url = url
        self._history_url = history_url
        self._is_beside = is_beside
        self._is_timed_by_server = is_timed_by_server
        self._migrations = migrations
        self._rhythm = rhythm or HeartbeatTimes()
        self._connections = Connections(url, most=LOOKUPS)
        self._history = Connections(history_url or url, most=HISTORIES, seconds=history_seconds)
        self._history_seconds = history_seconds
        self.history_places = FairQueue(HISTORIES, HISTORY_SECONDS / 2)
        """Where queries of the history wait for their turn."""
        self._known = indexes.Known(self._history)
        self._writer = Writer(url)
        self._presence = Heartbeat(
            url, self._rhythm, __version__, heard=self._hear, linked=self._look, lost=self._tell_lost
        )
        self._notices = Notices(self._connections, lambda: self._presence.process)
        self._looking: asyncio.Task[None] | None = None
        self._seen_failures: int | None = None
        """Those of the connections after which writing was tried; None until it was tried once."""

    async def open(self) -> None:
        known = await asyncio.to_thread(steps) if self._migrations is None else self._migrations
        await migrate(self._url, known)
        try:
            await self._connections.open()
            await self._writer.open()
            self._history.open_later()
            if not self._is_beside:
                await self._presence.open()
                await self._try_replica()
        except BaseException:
            await self.close()
            raise

    async def _try_replica(self) -> None:
        """Try to reach the replica. A failure stops no start: everything but the history works without it."""
        if self._history_url is None:
            return
        try:
            async with self._history.connection():
                pass
        except StoreError as error:
            log.warning("the history API answers 503 until its replica (history_database_url) is there: %s", error)

    async def close(self) -> None:
        await self._writer.close()
        await self._notices.close()
        if self._looking is not None:
            await asyncio.wait([self._looking])
        await self._presence.close()
        await self._history.close()
        await self._connections.close()

    async def check(self) -> None:
        try:
            await self.bots()
        except DiskFailing as error:
            raise CannotRead(str(error)) from error
        await self._presence.ready()
        if (failures := self._connections.failures + self._writer.failures) != self._seen_failures:
            await writes.fill(self._connections)
            self._seen_failures = failures

    async def sizes(self) -> dict[str, int]:
        return {"database": int((await self._connections.fetch(_MAINTENANCE["database_size"]))[0][0])}

    # -- which process has a chat

    async def hold(self, key: ChatKey) -> Held | None:
        await self._presence.ready()
        rows = await self._connections.fetch(_LEASES["hold"], *self._mine, *key)
        if not rows:
            return None
        state, revision, position, *_ = rows[0]
        chat = None if revision is None else Chat(state, revision, position)
        return Held(chat, tuple([_inbound(key, row) for row in rows[1:]]))

    async def let_go(self, keys: Sequence[ChatKey]) -> None:
        columns = ([key.bot for key in keys], [key.channel for key in keys], [key.user for key in keys])
        await self._connections.execute(_LEASES["let_go"], self._presence.process, *columns)

    async def orphans(self) -> list[ChatKey]:
        return [ChatKey(*row) for row in await self._connections.fetch(_LEASES["orphans"], self._rhythm.void)]

    @property
    def process(self) -> str:
        """Return the name of this process among the others; it is another one after each loss."""
        return self._presence.process

    @property
    def _mine(self) -> tuple[str, float]:
        """Return the name of this process, and the seconds after which a silent process's chats are anyone's."""
        return self._presence.process, self._rhythm.void

    # -- notices

    def tell(self, notice: Notice) -> None:
        # A command beside services is not among them and does not know whether there are any.
        if self._presence.has_others or self._is_beside:
            self._notices.tell(notice)

    def listen(self, receiver: Callable[[Notice], None]) -> None:
        self._notices.listen(receiver)

    def _hear(self, payload: str) -> None:
        if self._notices.hear(payload):
            self._presence.has_others = True

    def _tell_lost(self) -> None:
        self._notices.give(Notice("lost"))

    def _look(self) -> None:
        """While we did not listen, others may have put events into the inboxes of our chats."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.get_running_loop().create_task(self._look_into_inboxes())

    async def _look_into_inboxes(self) -> None:
        try:
            rows = await self._connections.fetch(_LEASES["waiting"], self._presence.process)
        except StoreError:
            return  # the link is lost again too, and the next one looks again
        for row in rows:
            self._notices.give(Notice("inbox", ChatKey(*row)))

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
        refuse_nul(key, dedupe)
        row = Inbound(key, 0, id, event, dedupe, now)
        accepted: Inbound | Answered = await self._writer.submit(turns.accept, key, (row, files, most))
        return accepted

    async def journal(self, key: ChatKey, number: int, call: str, result: bytes) -> None:
        await self._writer.submit(turns.keep_results, key, (self._presence.process, key, number, call, result))

    async def commit(self, write: TurnWrite) -> Answered | None:
        group = turns.write_turns if self._is_timed_by_server else turns.write_timed_turns
        seen: Answered | None = await self._writer.submit(group, write.key, (self._presence.process, write))
        return seen

    # -- what clients read

    async def carry(self, key: ChatKey, position: int) -> None:
        await self._connections.fetch(_TURN["carry"], *key, position)

    async def find(self, collection: Collection, bot: str, selection: Selection) -> list[bytes]:
        async with self._asked(collection, bot) as table:
            return await history.find(self._history, table, selection)

    async def stretch(self, collection: Collection, bot: str, selection: Selection, rows: int) -> Stretch:
        async with self._asked(collection, bot) as table:
            return await history.stretch(self._history, table, selection, rows)

    async def count(self, collection: Collection, bot: str, selection: Selection) -> int:
        async with self._asked(collection, bot) as table:
            return await history.count(self._history, table, selection)

    @asynccontextmanager
    async def _asked(self, collection: Collection, bot: str) -> AsyncIterator[Table]:
        """Yield the table of a history query that has its place, within its time."""
        async with within(self._history_seconds), self.history_places.place(bot):
            yield await self._known.table_for(collection, bot)

    # -- one user

    async def channels_of(self, bot: str, user: str) -> list[str]:
        if "\0" in user:
            return []  # which PostgreSQL keeps in no text
        return [channel for (channel,) in await self._rows(_ERASURE["channels"], bot, user)]

    async def erase(self, key: ChatKey, limit: int) -> Erased:
        return Erased(*await self._connections.fetchrow(_ERASURE["erase"], *key, min(max(limit, 1), MAX_ERASED)))

    async def scrub(self, *, whole: bool = False) -> bool:
        """Return True: the database's log is its operator's."""
        return True

    # -- records from elsewhere

    async def import_records(
        self, collection: Collection, bot: str, documents: Sequence[dict[str, Any]], source: str, line: int
    ) -> int:
        return await writes.import_records(self._connections, collection, bot, documents, source, line)

    # -- the operator's indexes

    async def add_index(self, collection: Collection, property: str) -> None:
        await indexes.add(self._url, collection, property)
        self._known.forget()

    async def drop_index(self, collection: Collection, property: str) -> bool:
        was_there = await indexes.drop(self._url, collection, property)
        self._known.forget()
        return was_there

    async def indexes(self) -> list[IndexRow]:
        return await indexes.rows(self._connections)

    # -- timers

    async def due(self, now: int, limit: int) -> list[TimerRow]:
        rows = await self._connections.fetch(_TIMERS["due"], *self._mine, now, limit)
        return [TimerRow(ChatKey(*row[:3]), row[3], row[4]) for row in rows]

    async def next_due(self) -> int | None:
        (at,) = await self._connections.fetchrow(_TIMERS["next_due"], *self._mine)
        return None if at is None else int(at)

    async def take_jobs(self, now: int, until: int, limit: int) -> list[ScheduledJob]:
        taken = [ScheduledJob(*row) for row in await self._rows(_JOBS["take"], now, until, limit)]
        return sorted(taken, key=lambda job: (job.due, job.bot, job.name))

    # -- the outbox

    # A claim moves a delivery's time and is no lock: whoever took one and died lets it come up again at that time.
    # Processes that take at the same moment skip what another is taking, and a delivery is settled by its claim, so
    # that one whose claim has passed to another changes nothing.

    async def take_outgoing(self, now: int, until: int, limit: int) -> list[Outgoing]:
        found = await self._rows(_OUTBOX["take"], self._at(now), until - now, limit)
        # What an UPDATE returns comes in no order.
        rows = sorted((tuple(row) for row in found), key=lambda row: (row[-1], row[4]))
        return [outgoing(row[:-1]) for row in rows]

    async def delivered(self, delivery: Outgoing, now: int) -> None:
        values = (delivery.carries, None, None, self._at(now))
        await self._change(_OUTBOX["settle"], *delivery_claim(delivery), *values)

    async def postpone(self, delivery: Outgoing, now: int, due: int, reason: str) -> None:
        await self._change(_OUTBOX["postpone"], self._at(now), due - now, reason, *delivery_claim(delivery))

    async def bury(self, delivery: Outgoing, now: int, reason: str) -> None:
        # ``now`` is for people, whatever clock deliveries go by.
        await self._change(_OUTBOX["settle"], *delivery_claim(delivery), 0, now, reason, self._at(now))

    async def give_back(self, deliveries: Sequence[Outgoing], now: int, due: int) -> None:
        if deliveries:
            columns = map(list, zip(*map(delivery_claim, deliveries), strict=True))
            await self._change(_OUTBOX["give_back"], self._at(now), due - now, *columns)

    async def bring_forward(self, now: int, ahead: int, limit: int) -> int:
        return await self._change(_OUTBOX["bring_forward"], self._at(now), ahead, limit)

    async def resend(self, bot: str, ids: Sequence[str] | None, now: int) -> int:
        values = (bot, None if ids is None else list(ids), self._at(now), MAX_DEAD_LETTERS)
        return await self._in_steps(lambda: self._number(_OUTBOX["resend"], *values), MAX_DEAD_LETTERS)

    def _at(self, now: int) -> int | None:
        """Return the time by which deliveries go; None for the server's."""
        return None if self._is_timed_by_server else now

    # -- bots and versions

    async def publish(self, version: Version, instead_of: str | None = None) -> bool:
        return await writes.publish(self._connections, version, instead_of)

    async def roll_back(self, bot: str, version: str, now: int, instead_of: str | None = None) -> bool:
        return await writes.roll_back(self._connections, bot, version, now, instead_of)

    # -- tokens

    async def add_token(self, token: TokenRow) -> None:
        async with self._connections.connection() as connection, connection.transaction():
            await connection.execute(_TOKENS["lock"].sql, TOKEN_LOCK)
            same = await connection.fetchrow(SHARED["token"].sql, token.hash)
            if same is not None and (same["bot"], same["id"]) != (token.bot, token.id):
                raise errors.hash_in_use(token.bot)
            if await connection.execute(_TOKENS["put_token"].sql, *token_values(token)) != "INSERT 0 1":
                raise errors.id_in_use(token.bot, token.id)

    # -- what is sealed

    async def sealed(self, kind: SealedKind, bot: str, mark: bytes, after: Place | None, limit: int) -> SealedPage:
        return await writes.sealed_page(self._connections, kind, bot, mark, after, limit)

    async def reseal(self, kind: SealedKind, bot: str, changes: Sequence[tuple[Sealed, Sealed]]) -> int:
        return await writes.reseal(self._connections, kind, bot, changes)

    async def reseal_file(self, before: FileRow, about: bytes, content: bytes) -> bool:
        return await writes.reseal_file(self._connections, before, about, content)

    # -- files

    async def keep_file(self, file: FileRow, content: bytes, limit: FileLimit) -> bool:
        return await writes.keep_file(self._connections, file, content, limit)

    async def content(self, bot: str, id: str) -> bytes | None:
        pieces = [piece for (piece,) in await self._rows(_FILES["pieces"], bot, id)]
        return b"".join(pieces) if pieces else None

    # -- how a statement is run

    def _rows(self, query: Query, *values: Any) -> Awaitable[list[Row]]:
        return self._connections.fetch(query, *values)

    def _row(self, query: Query, *values: Any) -> Awaitable[Row | None]:
        return self._connections.fetchrow(query, *values)

    def _change(self, query: Query, *values: Any) -> Awaitable[int]:
        return self._connections.execute(query, *values)

    async def _number(self, query: Query, *values: Any) -> int:
        """Return the number that a query gives."""
        (number,) = await self._connections.fetchrow(query, *values)
        return int(number)

    # -- upkeep

    async def forget_unsent(self, bot: str, before: int) -> int:
        return await self._in_steps(lambda: self._number(_FILES["forget_unsent"], bot, before, MAX_FILES), MAX_FILES)

    async def forget_conversations(
        self, bot: str, before: str, limit: int, after: tuple[str, str] | None = None
    ) -> Forgotten:
        return await retention.forget_conversations(self._connections, bot, before, limit, after)

    async def forget_chats(self, bot: str, before: int, limit: int) -> int:
        return await retention.forget_chats(self._connections, bot, before, limit)


def _inbound(key: ChatKey, row: Any) -> Inbound:
    number, id, event, dedupe, body, accepted_at = row[3:]
    return Inbound(key, number, id, event, None if dedupe is None else Dedupe(dedupe, body), accepted_at)


def refuse_nul(key: ChatKey, dedupe: Dedupe | None) -> None:
    """Raise ``Refused`` for an id with a NUL, which PostgreSQL cannot keep in a text; checked here, so that it does not
    hold up a group."""
    if "\0" in key.user or "\0" in key.channel or (dedupe is not None and "\0" in dedupe.key):
        raise Refused(f"An id of a user or a message of bot {key.bot} holds U+0000, which PostgreSQL cannot keep.")
