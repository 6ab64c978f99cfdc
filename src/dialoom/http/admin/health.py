"""Serves ``/healthz`` (the process answers) and ``/readyz`` (it can take events)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from dialoom.errors import RequestError, StoreError
from dialoom.http.server.exchange import Exchange
from dialoom.http.server.request_context import Shutdown
from dialoom.service.clock import iso
from dialoom.service.service import Service
from dialoom.storage.errors import CannotRead, CannotWrite, DiskFailing, DiskFull, ReadOnly
from dialoom.storage.store import Store

log = logging.getLogger(__name__)

MAX_STORE_SECONDS = 2.0
"""Seconds that the store has for its answer: who asks has little patience, and another process to turn to."""
MAX_AGE_SECONDS = 0.5
"""Seconds for which the store's answer counts: nobody who asks at a gallop may take its connections from the chats."""

_AFTERWARDS = "It is ready again by itself."
CANNOT_WRITE: Final[Mapping[type[CannotWrite], str]] = MappingProxyType(
    {
        DiskFull: f"The store cannot be written: its disk is full. Make room there. {_AFTERWARDS}",
        ReadOnly: "The store cannot be written: it is read-only. Give the service's user the right to write the data "
        f"folder and its files; of PostgreSQL name the primary server. {_AFTERWARDS}",
        DiskFailing: "The store cannot be written: its disk fails, or was made read-only by its system. Check disk and "
        f"file system. {_AFTERWARDS}",
    }
)
"""For whoever asks; where the store lies stands in the log alone."""
CANNOT_READ: Final = f"The store cannot be read: its disk fails. Check disk and file system. {_AFTERWARDS}"
CLOCK_DOUBTED: Final = (
    "The clock may have jumped: nothing is erased by its age until {until}. Check it; if it is right, run: dialoom "
    "clock confirm"
)
STORE_DAMAGED: Final = (
    "A page of the database is damaged: some chats or records cannot be read. Restore it from a backup; dialoom doctor "
    "and the log say where."
)
NOT_SERVED: Final = (
    "This process cannot serve the active version {version} of bot {bot}; its log says why. What users write to it is "
    "kept and answered once it is served: correct what the log names and restart, or roll back."
)
_LATER: Final[Mapping[str, str]] = MappingProxyType({"Retry-After": "2"})


class Health(msgspec.Struct, frozen=True):
    """That the process answers."""

    status: Annotated[str, Meta(description="`ok`.", examples=["ok"])]


_HEALTHY: Final = msgspec.json.encode(Health("ok"))


class HealthWarning(msgspec.Struct, frozen=True):
    """What an operator should see to, while the service takes events."""

    code: Annotated[
        str, Meta(description="`clock-doubted`, `store-damaged` or `bot-not-served`.", examples=["clock-doubted"])
    ]
    detail: Annotated[str, Meta(description="What is the matter, and what to do.")]


class Readiness(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """That the service takes events."""

    status: Annotated[str, Meta(description="`ok`.", examples=["ok"])]
    pages_checked: Annotated[
        str | None,
        Meta(description="On SQLite: when all pages of the data file were last read and found right."),
    ] = None
    warnings: Annotated[
        tuple[HealthWarning, ...],
        Meta(description="What an operator should see to; left out when there is nothing."),
    ] = ()


class ReadinessState:
    """Asks the store how it is, and keeps the answer. ``max_store_seconds``: for an answer; ``max_age_seconds``: for
    which one is given out again."""

    def __init__(self) -> None:
        self.max_store_seconds = MAX_STORE_SECONDS
        self.max_age_seconds = MAX_AGE_SECONDS
        self._look: asyncio.Task[None] | None = None
        self._looked_at = 0.0
        self._told: str | None = None
        """Why it was not ready at the last look."""

    async def check(self, store: Store) -> None:
        """Raise ``StoreError`` when the store does not answer well. Requests share a recent check."""
        now = asyncio.get_running_loop().time()
        if self._look is None or (self._look.done() and now - self._looked_at >= self.max_age_seconds):
            self._looked_at = now
            self._look = asyncio.create_task(self._ask(store))
        # Whoever hangs up takes the look from nobody else.
        await asyncio.shield(self._look)

    async def _ask(self, store: Store) -> None:
        try:
            async with asyncio.timeout(self.max_store_seconds):
                await store.check()
        except TimeoutError as error:
            late = StoreError(f"The store did not answer within {self.max_store_seconds:g} s.")
            self._note(late)
            raise late from error
        except StoreError as error:
            self._note(error)
            raise
        self._note(None)

    def _note(self, error: StoreError | None) -> None:
        """Log each change once: answers leave it to the log to say where the store lies."""
        if error is not None:
            error.is_logged = True
        reason = None if error is None else str(error)
        if reason == self._told:
            return
        self._told = reason
        if reason is None:
            log.info("ready again")
        else:
            log.warning("not ready: %s", reason)


async def healthz(exchange: Exchange) -> None:
    await exchange.answer(200, _HEALTHY)


async def readyz(service: Service, state: ReadinessState, shutdown: Shutdown, exchange: Exchange) -> None:
    """Answer 200, or 503 while the store is away, cannot be read or written, or the service stops."""
    if shutdown.is_announced:
        raise RequestError("stopping", "The service is stopping. Ask another process.")
    try:
        await state.check(service.store)
    except CannotRead as error:
        raise RequestError("store-cannot-read", CANNOT_READ, headers=_LATER) from error
    except CannotWrite as error:
        raise RequestError("store-cannot-write", CANNOT_WRITE[type(error)], headers=_LATER) from error
    await exchange.answer(200, msgspec.json.encode(readiness(service)))


def readiness(service: Service) -> Readiness:
    """Return what the last checks of the clock and of the database's pages found."""
    warnings = []
    if (until := service.clock_guard.waits_until) is not None:
        warnings.append(HealthWarning("clock-doubted", CLOCK_DOUBTED.format(until=iso(until))))
    for bot, version in sorted(service.bots.unserved.items()):
        warnings.append(HealthWarning("bot-not-served", NOT_SERVED.format(bot=bot, version=version[:12])))
    pages = service.page_watch
    if pages is not None and pages.damage:
        warnings.append(HealthWarning("store-damaged", STORE_DAMAGED))
    checked_at = None if pages is None or pages.checked_at is None else iso(pages.checked_at)
    return Readiness("ok", checked_at, tuple(warnings))
