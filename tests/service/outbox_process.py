"""An outbox over a store, with a receiver that posts what it is given to real servers on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from typing import TYPE_CHECKING, Any

import msgspec
from tests.storage.row_makers import commit, outgoing, write
from tests.stores import TemporaryStore

from dialoom.auth.vault import Vault
from dialoom.data import Egress, HttpFetcher
from dialoom.engine.effects import Request
from dialoom.errors import SettingError
from dialoom.service.bots.bots import Bots
from dialoom.service.bots.outbound_calls import OutboundCalls
from dialoom.service.chat.chat_row import row_name
from dialoom.service.observe.instruments import Counts
from dialoom.service.outbox.delivery import Receiver
from dialoom.service.outbox.outbox import Outbox
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.store import ChatKey, Outgoing
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    import pytest
    from tests.data.far_ends import Call
    from tests.postgres import Server

    from dialoom.service.bots.bots import Deployed
    from dialoom.service.outbox.delivery import Draft, TurnDone
    from dialoom.storage.store import Store

KINDS = ("sqlite", "postgres")
"""Of stores."""
BOT = {
    "bot.json": json.dumps({"id": "salon"}),
    "flow.json": json.dumps({"conversations": {"help": {"type": "support", "steps": []}}}),
}
ADA, BEN = ChatKey("salon", "rest", "ada"), ChatKey("salon", "rest", "ben")


@contextlib.asynccontextmanager
async def store_of(request: pytest.FixtureRequest, folder: Path) -> AsyncIterator[Store]:
    """Open a store of the kind that the test's parameter names."""
    async with contextlib.AsyncExitStack() as ends:
        made: Store
        if request.param == "sqlite":
            made = TemporaryStore()
        else:
            server: Server = request.getfixturevalue("postgres_server")
            url = await asyncio.to_thread(server.database)
            ends.callback(server.drop, url)
            made = PostgresStore(url, is_timed_by_server=False)
        await made.open()
        ends.push_async_callback(made.close)
        yield made


class PlainReceiver(Receiver):
    """Posts a delivery's body as it is; ``addresses``: where to, by user, else ``""``."""

    def __init__(self, addresses: dict[str, str], seconds: float = 10.0) -> None:
        self.addresses = addresses
        self.seconds = seconds

    async def drafts(self, done: TurnDone) -> Sequence[Draft]:
        return ()

    def address(self, serving: Deployed, delivery: Outgoing) -> str:
        found = self.addresses.get(delivery.key.user) or self.addresses.get("")
        if found is None:
            raise SettingError("There is no address. Write one into bot.json.")
        return found

    async def request(self, serving: Deployed, delivery: Outgoing, body: bytes) -> Request:
        return Request(
            method="POST",
            url=self.address(serving, delivery),
            body=body,
            timeout=self.seconds,
            trusted_host=True,
            idempotency_key=delivery.id,
            ignores_body=True,
        )


class OutboxProcess:
    """Holds an outbox with all that it needs. Several on one store are several processes."""

    def __init__(
        self, store: Store, vault: Vault, clock: MovedClock, plain: PlainReceiver, fetcher: HttpFetcher
    ) -> None:
        self.store = store
        self.vault = vault
        self.clock = clock
        self.plain = plain
        self.bots = Bots(store, vault, clock)
        outside = OutboundCalls(fetcher, self.bots, 60.0)
        self.settled = Counts("deliveries", "", "bot", "channel", "outcome")
        self.outbox = Outbox(store, self.bots, vault, outside, clock, {"callback": plain}, self.settled)
        self.revisions: dict[ChatKey, int] = {}

    async def put(self, key: ChatKey, *numbers: int, **fields: Any) -> None:
        """Store deliveries of one turn, due now; each says its number."""
        now, revision = self.clock.now(), self.revisions.get(key, 0)
        rows = tuple(
            outgoing(
                number,
                key,
                **{
                    "body": self.vault.seal(b"%d" % number, row_name("outbox", key)),
                    "created_at": now,
                    "due": now,
                }
                | fields,
            )
            for number in numbers
        )
        await commit(self.store, write(revision, key, outbox=rows))
        self.revisions[key] = revision + 1

    async def go(self) -> None:
        """Post what is due, and what comes due by that."""
        while True:
            await self.outbox.look()
            if not self.outbox.is_busy:
                return
            await self.outbox.settled()


@contextlib.asynccontextmanager
async def posting(
    folder: Path, store: Store, addresses: dict[str, str], clock: MovedClock | None = None, seconds: float = 10.0
) -> AsyncIterator[OutboxProcess]:
    fetcher = HttpFetcher(Egress(allow_private=True))
    vault = Vault.from_keys([hashlib.sha256(str(folder).encode()).digest()])
    post = OutboxProcess(store, vault, clock or MovedClock(), PlainReceiver(addresses, seconds), fetcher)
    await post.bots.publish_files(BOT)
    try:
        yield post
    finally:
        await post.outbox.stop(0)
        await post.bots.stop()
        await fetcher.close()


class ReceivingServer:
    """Plays a receiver's server. ``statuses``: what it answers with next, then always 204."""

    def __init__(self, *statuses: str, headers: tuple[str, ...] = ()) -> None:
        self.statuses = list(statuses)
        self.headers = headers
        self.got: list[bytes] = []
        self.keys: list[str] = []
        self.bodies: list[Any] = []
        self.gate: asyncio.Event | None = None
        self._came = asyncio.Condition()

    async def has(self, count: int, seconds: float = 60.0) -> None:
        """Wait until so many posts came."""
        async with asyncio.timeout(seconds), self._came:
            await self._came.wait_for(lambda: len(self.got) >= count)

    async def __call__(self, call: Call) -> None:
        self.got.append(call.body)
        self.keys.append(call.headers["idempotency-key"])
        with contextlib.suppress(msgspec.DecodeError):
            self.bodies.append(json.loads(call.body))
        async with self._came:
            self._came.notify_all()
        if self.gate is not None:
            await self.gate.wait()
        await call.reply(self.statuses.pop(0) if self.statuses else "204 No Content", b"", *self.headers)
