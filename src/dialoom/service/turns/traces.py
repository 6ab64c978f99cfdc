"""Stores how the turns of real conversations came about, where ``bot.json`` has ``"trace": true``: masked, for a week.

A trace is written behind its turn, so that no turn waits for it: after a crash, or where more come than can be written,
one may be missing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from dialoom.engine import State, Trace
from dialoom.engine.trace import Entry
from dialoom.errors import DialoomError, VaultError
from dialoom.service.access.studio_rows import delete_rows_that_begin, hash_chat, rows_that_begin, studio_row_name
from dialoom.service.bots.masked_trace import masked_trace
from dialoom.storage.store import ChatKey, StudioRow

if TYPE_CHECKING:
    from dialoom.auth.vault import Vault
    from dialoom.service.bots.masking import Masking
    from dialoom.service.clock import Clock
    from dialoom.storage.store import Store

log = logging.getLogger(__name__)

KIND: Final = "trace"
LIFETIME_MS: Final = 7 * 24 * 3600 * 1000
MAX_WAITING: Final = 1000
"""Traces that wait to be written; of more the newest are dropped."""


class TurnTrace(msgspec.Struct, frozen=True, rename="camel"):
    """Holds the trace of a turn of a conversation."""

    event: str
    """Id of the event that began the turn; ids sort by time."""
    messages: tuple[str, ...]
    """Ids of the records of its messages."""
    entries: tuple[Entry, ...]


class _Waiting(NamedTuple):
    key: ChatKey
    conversation: str
    turn: TurnTrace
    masking: Masking
    before: State
    after: State


class Traces:
    """Writes the traces of conversations in the background, reads and deletes them."""

    def __init__(self, store: Store, vault: Vault, clock: Clock) -> None:
        self._store = store
        self._vault = vault
        self._clock = clock
        self._waiting: list[_Waiting] = []
        self._writing: asyncio.Task[None] | None = None

    def keep(
        self,
        key: ChatKey,
        conversation: str,
        event: str,
        messages: Sequence[str],
        trace: Trace,
        masking: Masking,
        before: State,
        after: State,
    ) -> None:
        """Have the trace of a stored turn written soon. ``before`` and ``after``: the states at its ends."""
        if len(self._waiting) >= MAX_WAITING:
            return
        turn = TurnTrace(event, tuple(messages), trace.entries)
        self._waiting.append(_Waiting(key, conversation, turn, masking, before, after))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.get_running_loop().create_task(self._write_all())

    async def written(self) -> None:
        """Wait until what was kept so far is written."""
        if self._writing is not None:
            await asyncio.wait([self._writing])

    async def _write_all(self) -> None:
        while self._waiting:
            waiting = self._waiting.pop(0)
            try:
                await self._write(waiting)
            except DialoomError as error:
                log.warning("the trace of a turn of bot %s is not kept: %s", waiting.key.bot, type(error).__name__)

    async def _write(self, waiting: _Waiting) -> None:
        key, turn, now = waiting.key, waiting.turn, self._clock.now()
        masked = masked_trace(Trace(turn.entries), waiting.masking, waiting.before, waiting.after)
        id = f"{_prefix(key, waiting.conversation)}{turn.event}"
        plain = msgspec.json.encode(msgspec.structs.replace(turn, entries=masked.entries))
        body = self._vault.seal(plain, studio_row_name(key.bot, KIND, id))
        await self._store.put_studio_row(StudioRow(key.bot, KIND, id, 1, body, now, now, now + LIFETIME_MS), None)
        # An erasure deletes records first and traces then: one of both sees what came between.
        if await self._store.record_of(key, waiting.conversation) is None:
            await self._store.delete_studio_row(key.bot, KIND, id)

    async def of(self, key: ChatKey, conversation: str) -> list[TurnTrace]:
        """Return the traces of a conversation that are kept, the oldest turn first."""
        now = self._clock.now()
        rows = [row async for row in rows_that_begin(self._store, key.bot, KIND, _prefix(key, conversation))]
        opened = (self._opened(row) for row in reversed(rows) if row.expires_at is None or row.expires_at > now)
        return [turn for turn in opened if turn is not None]

    def _opened(self, row: StudioRow) -> TurnTrace | None:
        try:
            plain = self._vault.open(row.body, studio_row_name(row.bot, row.kind, row.id))
            return msgspec.json.decode(plain, type=TurnTrace)
        except (VaultError, msgspec.MsgspecError):
            log.warning("a trace of bot %s cannot be read: its key is gone, or another release wrote it", row.bot)
            return None

    async def erase(self, key: ChatKey) -> None:
        """Delete the traces of a user whose records are deleted already."""
        await delete_rows_that_begin(self._store, key.bot, KIND, _prefix(key))

    async def stop(self) -> None:
        """Write what waits, for two seconds at most."""
        if self._writing is not None:
            await asyncio.wait([self._writing], timeout=2.0)
            self._writing.cancel()


def _prefix(key: ChatKey, conversation: str | None = None) -> str:
    """Return the beginning of the ids of a chat's traces, or of one conversation's."""
    return f"{hash_chat(key)}." if conversation is None else f"{hash_chat(key)}.{conversation}."
