"""A process among those that work on one database: says that it is alive, hears what others tell, and knows when it was
out of touch for too long.

One connection of its own does both, so that no load keeps a process from saying that it is there. Each process goes by
the database's clock alone when it judges others, and by its own, not a wall clock, when it judges itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import uuid
from collections.abc import Callable
from typing import Any

import msgspec

from dialoom.errors import StoreError
from dialoom.storage.postgres.connection import FAILURES, MAX_TRIES, UNDONE, Connection, closed, connect
from dialoom.storage.postgres.failures import explain, name_of
from dialoom.storage.sql_files import load

log = logging.getLogger(__name__)

CHANNEL = "dialoom"
_LEASES = load("postgres", "leases")


class HeartbeatTimes(msgspec.Struct, frozen=True):
    """How often a process says that it is alive; after how long without it others may take its chats, and after how
    long it takes itself for lost. All processes of a database have the same."""

    beat: float = 2.0
    void: float = 6.0
    lost: float = 4.0
    retry: float = 0.25
    """After a beat that did not come through."""

    @property
    def patience(self) -> float:
        """Return the seconds that a beat may take, so that a second one has its chance before we are lost."""
        return self.lost / 2


class Heartbeat:
    """``heard``: what another process sent. ``linked``: from here on it is heard, after a time in which it may have
    sent what was missed. ``lost``: others may have our chats."""

    def __init__(
        self,
        url: str,
        rhythm: HeartbeatTimes,
        release: str,
        *,
        heard: Callable[[str], None],
        linked: Callable[[], None],
        lost: Callable[[], None],
    ) -> None:
        self.process = _name()
        """Each time it is lost it gets another one, so that what it had before is nobody's."""
        self.has_others = False
        """True if anybody else may be listening."""
        self._url = url
        self._rhythm = rhythm
        self._release = release
        self._heard, self._linked, self._told_lost = heard, linked, lost
        self._link: Connection | None = None
        self._is_registered = False
        self._former: list[str] = []
        """Names under which it was lost, and still may have chats."""
        self._one_at_a_time = asyncio.Lock()
        self._hurry = asyncio.Event()
        self._end_of_touch: asyncio.TimerHandle | None = None
        self._loop: asyncio.Task[None] | None = None

    async def open(self) -> None:
        await self._beat()
        self._loop = asyncio.create_task(self._run())

    async def close(self) -> None:
        """End the heartbeat. The process's chats are free at once, if the database can be reached."""
        loop, self._loop = self._loop, None
        while loop is not None and not loop.done():
            # Until it has heard: the driver's own waiting may swallow a cancellation, too.
            loop.cancel()
            await asyncio.wait([loop], timeout=1.0)
        if self._end_of_touch is not None:
            self._end_of_touch.cancel()
        link, self._link = self._link, None
        if link is None:
            return
        link.remove_termination_listener(self._cut)
        try:
            if self._is_registered:
                await self._leave(link, self.process)
        except FAILURES as error:
            log.warning("%s", explain(error, name_of(self._url)))
        link.terminate()
        self._is_registered = False

    async def ready(self) -> None:
        """Be registered: after a loss, before chats are taken again."""
        if self._loop is None:
            raise closed(name_of(self._url))
        if not self._is_registered:
            await self._beat()

    # -- beating

    async def _run(self) -> None:
        wait = self._rhythm.beat
        while True:
            with contextlib.suppress(TimeoutError):
                # Not wait_for: up to Python 3.11 it forgets a cancellation that comes together with the event.
                async with asyncio.timeout(wait):
                    await self._hurry.wait()
            self._hurry.clear()
            try:
                await self._beat()
            except StoreError:
                wait = self._rhythm.retry  # the service's own operations say what is wrong
            except Exception:
                # The outermost loop of a process's being there: without it, the others take its chats for good.
                log.exception("a beat ended in a fault of ours")
                wait = self._rhythm.retry
            else:
                wait = self._rhythm.beat

    async def _beat(self) -> None:
        async with self._one_at_a_time:
            began = asyncio.get_running_loop().time()
            try:
                self.has_others = await self._say(await self._linked_up()) > 0
            except FAILURES as error:
                self._unlink()
                raise explain(error, name_of(self._url)) from None
            self._keep_in_touch(began)

    async def _say(self, link: Connection) -> int:
        """Note in the database that this process is alive; return how many others there are."""
        while True:
            process = self.process
            values = (process, self._release, self._rhythm.void, not self._is_registered)
            is_known, others = await link.fetchrow(_LEASES["beat"].sql, *values, timeout=self._rhythm.patience)
            if not is_known:
                self._lose()
            elif process == self.process:
                break
            # Else it was lost while it said so, and registers under its new name.
        self._is_registered = True
        for former in [*self._former]:
            await self._leave(link, former)
            self._former.remove(former)
        return int(others)

    async def _leave(self, link: Connection, process: str) -> None:
        for _ in range(MAX_TRIES - 1):
            try:
                await link.execute(_LEASES["leave"].sql, process, timeout=self._rhythm.patience)
            except UNDONE:
                continue
            return
        await link.execute(_LEASES["leave"].sql, process, timeout=self._rhythm.patience)

    def _keep_in_touch(self, began: float) -> None:
        if self._end_of_touch is not None:
            self._end_of_touch.cancel()
        loop = asyncio.get_running_loop()
        self._end_of_touch = loop.call_at(began + self._rhythm.lost, self._lose)

    def _lose(self) -> None:
        if not self._is_registered:
            return
        self._is_registered = False
        self._former.append(self.process)
        self.process = _name()
        if self.has_others:
            log.warning("this process was out of touch with %s; other processes may have its chats", name_of(self._url))
        self._told_lost()

    # -- the link

    async def _linked_up(self) -> Connection:
        if self._link is not None and not self._link.is_closed():
            return self._link
        link = await connect(self._url)
        try:
            await link.add_listener(CHANNEL, self._hear)
        except BaseException:
            link.terminate()
            raise
        link.add_termination_listener(self._cut)
        self._link = link
        self._linked()
        return link

    def _unlink(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            link.remove_termination_listener(self._cut)
            link.terminate()

    def _cut(self, _: Any) -> None:
        """Note that the server, or the network, has ended the connection."""
        self._link = None
        self._hurry.set()

    def _hear(self, _link: Any, _process: int, _channel: str, payload: str) -> None:
        self._heard(payload)


def _name() -> str:
    return uuid.uuid4().hex
