"""Tells the operator which processes work on the database: one that came, one that stopped or died, one whose settings
are other than this one's.

Each process renews a row of its own. Whether another one lives is told by whether its row changes, by this process's
own clock: clocks of several machines do not agree. Who may take whose chats is for the store's leases.
"""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import socket
from typing import TYPE_CHECKING, Final

import msgspec

from dialoom import __version__
from dialoom.errors import StoreError, VaultError
from dialoom.service.access.key_check import NO_BOT
from dialoom.service.access.studio_rows import StudioDocument, StudioRows

if TYPE_CHECKING:
    from dialoom.auth.vault import Vault
    from dialoom.service.clock import Clock
    from dialoom.service.settings import Settings
    from dialoom.storage.store import Store

log = logging.getLogger(__name__)

LOOK_EVERY_SECONDS: Final = 5.0
SILENT_MS: Final = 20_000
"""Milliseconds without a change of its row after which a process counts as dead."""
KEPT_MS: Final = 24 * 3600 * 1000
OWN: Final = frozenset(
    (
        "host", "port", "data", "database_url", "history_database_url", "log_level", "log_format", "log_requests",
        "keys", "metrics_token", "most_connections", "stop_delay",
    )
)  # fmt: skip
"""Settings in which processes may differ; of keys the service looks by itself whether they open what is stored."""


class Presence(msgspec.Struct, frozen=True):
    """What a process says of itself. ``settings``: a hash of each that all processes should have alike."""

    name: str
    release: str
    settings: dict[str, str]


class _Peer(msgspec.Struct):
    presence: Presence
    revision: int
    changed_at: int
    is_alive: bool = False


class PeerWatch:
    def __init__(self, store: Store, vault: Vault, clock: Clock, settings: Settings) -> None:
        self._rows = StudioRows(store, vault, clock, "process")
        self._is_shared = store.is_shared
        self._clock = clock
        self._id = secrets.token_hex(8)
        self._own = Presence(f"{socket.gethostname()}:{os.getpid()}", __version__, _hashes(settings))
        self._row: StudioDocument | None = None
        self._peers: dict[str, _Peer] = {}

    @property
    def count(self) -> int:
        """Return how many processes work on the database, with this one."""
        return 1 + sum(peer.is_alive for peer in self._peers.values())

    async def run(self) -> None:
        """Renew the own row and look at the others until cancelled. A store of one process needs none."""
        while self._is_shared:
            try:
                await self.look()
            except StoreError:
                pass  # ``store_outage`` has told the operator
            except VaultError:
                log.warning("a process on this database has keys that this one lacks. Give all of them the same keys.")
            await self._clock.sleep(LOOK_EVERY_SECONDS)

    async def look(self) -> None:
        await self._renew()
        found = {row.id: row for row in await self._rows.list(NO_BOT) if row.id != self._id}
        now = self._clock.elapsed()
        for id, row in found.items():
            known = self._peers.get(id)
            if known is None:
                presence = msgspec.json.decode(row.body, type=Presence)
                self._peers[id] = _Peer(presence, row.revision, now)
            elif known.revision != row.revision:
                known.revision, known.changed_at = row.revision, now
                self._greet(known)
        for id, peer in [*self._peers.items()]:
            if id not in found:
                del self._peers[id]
                if peer.is_alive:
                    log.info("process %s has stopped; %d work on this database now", peer.presence.name, self.count)
            elif peer.is_alive and now - peer.changed_at >= SILENT_MS:
                peer.is_alive = False
                log.warning(
                    "process %s died, hangs or does not reach the database: nothing was heard of it for %d s. "
                    "The others do its work; %d work on this database now",
                    peer.presence.name,
                    SILENT_MS // 1000,
                    self.count,
                )

    async def stop(self) -> None:
        """Delete the own row, so that the others know that this process has stopped."""
        if self._row is not None:
            await self._rows.delete(NO_BOT, self._id)

    async def _renew(self) -> None:
        body = msgspec.json.encode(self._own)
        expires_at = self._clock.now() + KEPT_MS
        before = self._row
        self._row = None if before is None else await self._rows.change(NO_BOT, before, body, expires_at)
        if self._row is None:
            self._row = await self._rows.add(NO_BOT, self._id, body, expires_at)

    def _greet(self, peer: _Peer) -> None:
        if peer.is_alive:
            return
        peer.is_alive = True
        name, release = peer.presence.name, peer.presence.release
        log.info("process %s (release %s) works on this database too; %d do now", name, release, self.count)
        ours, theirs = self._own.settings, peer.presence.settings
        # A setting that the other release does not know is none that differs.
        if other := [name for name in ours if name in theirs and ours[name] != theirs[name]]:
            log.warning(
                "process %s has other settings than this one (%s). Give all processes of a database the same.",
                name,
                ", ".join(other),
            )


def _hashes(settings: Settings) -> dict[str, str]:
    values = msgspec.to_builtins(settings)
    return {
        name: hashlib.sha256(repr(value).encode()).hexdigest()[:16] for name, value in values.items() if name not in OWN
    }
