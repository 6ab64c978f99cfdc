"""What processes on one database tell each other: many notices in one statement a turn of the loop, outside of any
transaction (in the turn's own it cost 64 to 91 % of the turns, since commits with notices go one by one).

At best once: what cannot be sent is dropped, and who misses it finds out by looking.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

import msgspec

from dialoom.errors import StoreError
from dialoom.storage.postgres.connection import Connections
from dialoom.storage.rows import ChatKey, Notice
from dialoom.storage.sql_files import load

log = logging.getLogger(__name__)

MAX_WAITING = 10_000
"""Notices that wait for a slow database; what comes on top is dropped."""
MAX_PAYLOAD_BYTES = 7_000
"""Characters of a payload whose bytes the server still takes (under 8,000), for ids that are mostly ASCII."""
SERVER_LIMIT = 7_999
_LEASES = load("postgres", "leases")

EncodedNotice = tuple[str, str, str, str]
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(tuple[str, list[EncodedNotice]]).decode


class Notices:
    """``process``: this one's name now."""

    def __init__(self, connections: Connections, process: Callable[[], str]) -> None:
        self._connections = connections
        self._process = process
        self._waiting: list[EncodedNotice] = []
        self._sending: asyncio.Task[None] | None = None
        self._receiver: Callable[[Notice], None] | None = None

    def listen(self, receiver: Callable[[Notice], None]) -> None:
        self._receiver = receiver

    def give(self, notice: Notice) -> None:
        """Give a notice to this process's own receiver."""
        if self._receiver is not None:
            self._receiver(notice)

    # -- to others

    def tell(self, notice: Notice) -> None:
        if notice.key is None or len(self._waiting) >= MAX_WAITING:
            return
        self._waiting.append((notice.kind, *notice.key))
        if self._sending is None:
            self._sending = asyncio.get_running_loop().create_task(self._send())

    async def close(self) -> None:
        """Send what waits, and end."""
        if self._sending is not None:
            await self._sending

    async def _send(self) -> None:
        try:
            while self._waiting:
                waiting, self._waiting = self._waiting, []
                await self._connections.fetch(_LEASES["tell"], payloads(self._process(), waiting))
        except StoreError as error:
            # Nobody waits for it, and the others look by themselves.
            log.info("%d notices were not sent: %s", len(waiting), error)
        finally:
            self._sending = None

    # -- from others

    def hear(self, payload: str) -> bool:
        """Give the notices of a payload to the receiver; return whether another process sent it."""
        try:
            process, notices = _decode(payload)
        except msgspec.DecodeError:
            # Of a release that says it in another way, or of whoever else uses the channel.
            return False
        if process == self._process():
            return False
        for kind, bot, channel, user in notices:
            if kind in {"inbox", "said", "typing", "quiet", "erased"}:
                self.give(Notice(kind, ChatKey(bot, channel, user)))  # type: ignore[arg-type]  # it is one of them
        return True


def payloads(process: str, notices: Sequence[EncodedNotice]) -> list[str]:
    """Return the notices, each once, in as few payloads as the server's limit allows."""
    found: list[str] = []
    group: list[EncodedNotice] = []
    size = 0
    for one in dict.fromkeys(notices):
        length = sum(map(len, one)) + 20
        if group and size + length > MAX_PAYLOAD_BYTES:
            found += _payload(process, group)
            group, size = [], 0
        group.append(one)
        size += length
    return found + _payload(process, group)


def _payload(process: str, group: Sequence[EncodedNotice]) -> list[str]:
    text = _encode((process, group))
    if len(text) <= SERVER_LIMIT:
        return [text.decode()]
    # Ids in other scripts take more bytes than characters. One that is alone too long is looked for by itself.
    half = len(group) // 2
    return [] if not half else _payload(process, group[:half]) + _payload(process, group[half:])
