"""Writes and reads the list of the chats that wait for a person, or that one has."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

import msgspec

from dialoom.engine.compiled import StaySilent
from dialoom.errors import VaultError
from dialoom.service.access.studio_rows import hash_chat, studio_row_name
from dialoom.service.hand_off import KIND, HandOff, Listed
from dialoom.storage.store import ChatKey, StudioRow

if TYPE_CHECKING:
    from dialoom.auth.vault import Vault
    from dialoom.service.bots.bots import Bots, Deployed
    from dialoom.service.chat.chat_row import Loaded
    from dialoom.service.chat.transcript import Written
    from dialoom.service.clock import Clock
    from dialoom.storage.store import Store

log = logging.getLogger(__name__)

MAX_LISTED: Final = 1000
BATCH: Final = 200
"""Rows that are read at once."""
KEPT_MS: Final = 24 * 3600 * 1000
"""Milliseconds for which a row stays behind the end of its hand-off, if no turn deletes it."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Listed).decode


class FoundHandOff(msgspec.Struct, frozen=True):
    id: str
    key: ChatKey
    listed: Listed

    @property
    def hand_off(self) -> HandOff:
        return self.listed.hand_off


def list_row(vault: Vault, key: ChatKey, loaded: Loaded, written: Written, now: int) -> StudioRow | None:
    """Return what a turn writes into the list: the row, one with an empty body where it goes, or None."""
    before, after, id = loaded.kept.hand_off, written.kept.hand_off, hash_chat(key)
    if after == before:
        return None
    if after is None:
        return StudioRow(key.bot, KIND, id, 0, b"", now, now, None)
    record = written.kept.record
    user = None if record is None else record.data.user
    name = "" if user is None else " ".join(part for part in (user.first_name, user.last_name) if part)
    listed = Listed(key.channel, key.user, name, "" if record is None else record.id, after)
    body = vault.seal(_encode(listed), studio_row_name(key.bot, KIND, id))
    return StudioRow(key.bot, KIND, id, loaded.revision + 1, body, after.since, now, after.until + KEPT_MS)


def queues(deployed: Deployed) -> tuple[str, ...]:
    """Return the names of the queues that the bot's flow puts chats into, in their order there."""
    addresses = deployed.bot.file.live_agents
    steps = (node.step for script in deployed.flow.scripts.values() for node in script.nodes)
    agents = (step.agent for step in steps if isinstance(step, StaySilent) and step.agent)
    return tuple(dict.fromkeys(agent for agent in agents if agent not in addresses))


class HandOffList:
    """Reads the list of hand-offs, which turns write."""

    def __init__(self, store: Store, vault: Vault, bots: Bots, clock: Clock) -> None:
        self._store = store
        self._vault = vault
        self._bots = bots
        self._clock = clock
        self._queues: dict[tuple[str, str], tuple[str, ...]] = {}
        """By bot and version."""

    async def all(self, bot: str) -> list[FoundHandOff]:
        """Return the hand-offs of a bot that are not over, the one that began first in front."""
        found: list[FoundHandOff] = []
        before: str | None = None
        while rows := await self._store.studio_rows(bot, KIND, before, BATCH):
            found += [opened for row in rows if (opened := self._opened(row)) is not None]
            before = rows[-1].id
            if len(rows) < BATCH or len(found) >= MAX_LISTED:
                break
        return sorted(found, key=lambda one: (one.hand_off.since, one.id))[:MAX_LISTED]

    async def find(self, bot: str, id: str) -> FoundHandOff | None:
        row = await self._store.studio_row(bot, KIND, id)
        return None if row is None else self._opened(row)

    async def of_chat(self, key: ChatKey) -> HandOff | None:
        """Return the hand-off of a chat, for its user's page. A bot without a queue costs no look into the store."""
        if not self.queues(key.bot):
            return None
        found = await self.find(key.bot, hash_chat(key))
        return None if found is None else found.hand_off

    def queues(self, bot: str) -> tuple[str, ...]:
        deployed = self._bots.active(bot)
        if deployed is None:
            return ()
        place = (bot, deployed.version)
        if place not in self._queues:
            self._queues = {known: names for known, names in self._queues.items() if known[0] != bot}
            self._queues[place] = queues(deployed)
        return self._queues[place]

    async def erase(self, key: ChatKey) -> None:
        """Delete the row of a user who is erased."""
        await self._store.delete_studio_row(key.bot, KIND, hash_chat(key))

    def _opened(self, row: StudioRow) -> FoundHandOff | None:
        try:
            listed = _decode(self._vault.open(row.body, studio_row_name(row.bot, row.kind, row.id)))
        except (VaultError, msgspec.MsgspecError):
            log.warning("a hand-off of bot %s cannot be read: its key is gone, or another release wrote it", row.bot)
            return None
        if listed.hand_off.until <= self._clock.now():
            return None
        return FoundHandOff(row.id, ChatKey(row.bot, listed.channel, listed.user), listed)
