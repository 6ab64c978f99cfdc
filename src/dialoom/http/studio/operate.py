"""Serves the studio's Operate: states of channels, dead letters, the doctor, names of keys, a backup.

Versions are for ``http.studio.versions``, tokens for ``http.studio.settings``.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from dialoom.authoring.operate.backup import Backups
from dialoom.authoring.operate.channel_check import ask_platform, channel_findings
from dialoom.authoring.operate.keys import keys_of
from dialoom.channels._contract.channel import SetUp
from dialoom.errors import RequestError, SettingError, StoreError
from dialoom.flow import Bot
from dialoom.flow.channels import Channel, row_of
from dialoom.http.problems import not_found
from dialoom.http.server.exchange import Exchange
from dialoom.http.studio.settings import Nothing
from dialoom.service.bots.preflight import reasons_for_no_calls
from dialoom.service.clock import iso
from dialoom.service.outbox.outbox import DeadLetter
from dialoom.service.service import Service

if TYPE_CHECKING:
    from dialoom.service.doctor.examination import Examination

log = logging.getLogger(__name__)

MAX_CHANNEL_FAILURES = 3
"""Deliveries of a channel that were given up, the last of which are shown with it."""

BACKUP_PIECE_BYTES = 256 * 1024

Handler = Callable[..., Awaitable[None]]


class Letters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Names dead letters; without ``ids`` all of the bot."""

    ids: Annotated[tuple[str, ...], Meta(min_length=1, max_length=1000)] | None = None


class FailureView(msgspec.Struct, frozen=True):
    at: str
    reason: str


class ChannelState(msgspec.Struct, frozen=True, rename="camel"):
    """``reasons``: why it takes no calls; empty where it does. ``has_platform``: there is somebody to ask."""

    id: str
    shown_as: str
    has_platform: bool
    reasons: list[str]
    failures: list[FailureView]


class LetterView(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    channel: str
    receiver: str
    created_at: str
    dead_at: str
    attempts: int
    reason: str


class KeyView(msgspec.Struct, frozen=True, rename="camel"):
    name: str
    seals: bool
    is_loaded: bool


class KeysView(msgspec.Struct, frozen=True, rename="camel"):
    place: str
    is_file: bool
    data: str
    changed_at: str | None
    is_restart_due: bool
    keys: list[KeyView]


class StudioOperate:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._backups = Backups(service.settings)

    def endpoints(self) -> dict[str, Handler]:
        return {
            "studioChannels": self._channels,
            "studioCheckChannel": self._check_channel,
            "studioDeadLetters": self._dead,
            "studioResendDead": self._resend,
            "studioDropDead": self._drop,
            "studioDoctor": self._doctor,
            "studioKeys": self._keys,
            "studioBackUp": self._back_up,
            "studioBackup": self._backup,
        }

    # -- channels

    async def _channels(self, exchange: Exchange, bot: str) -> None:
        deployed = self._service.bots.known(bot)
        dead = await self._service.outbox.dead(bot)
        states = [await self._state(deployed.bot, channel, dead) for channel in deployed.bot.channels]
        await exchange.answer(200, msgspec.json.encode(states))

    async def _state(self, bot: Bot, channel: Channel, dead: Sequence[DeadLetter]) -> ChannelState:
        row, service = row_of(channel), self._service
        failed = [one for one in dead if one.channel == channel.id][-MAX_CHANNEL_FAILURES:]
        return ChannelState(
            id=channel.id,
            shown_as=row.shown_as,
            has_platform=row.caller == "platform",
            reasons=await reasons_for_no_calls(channel, bot, service.bots, service.tokens),
            failures=[FailureView(one.dead_at, one.reason) for one in reversed(failed)],
        )

    async def _check_channel(self, exchange: Exchange, bot: str, id: str) -> None:
        """Answer with what the platform says, as ``dialoom channel check`` prints it."""
        await exchange.read(Nothing)
        deployed = self._service.bots.known(bot)
        channel = next((one for one in deployed.bot.channels if one.id == id), None)
        if channel is None:
            raise not_found(f'Bot "{bot}" has no channel "{id[:80]}". Load the page again to see its channels.')
        found = await channel_findings(self._service, deployed.bot, channel, "check")
        view = {"findings": [{"state": line.state, "text": line.text} for line in found]}
        await exchange.answer(200, msgspec.json.encode(view))

    # -- dead letters

    async def _dead(self, exchange: Exchange, bot: str) -> None:
        self._service.bots.known(bot)
        views = [
            LetterView(one.id, one.channel, one.receiver, one.created_at, one.dead_at, one.attempts, one.reason)
            for one in await self._service.outbox.dead(bot)
        ]
        await exchange.answer(200, msgspec.json.encode(views))

    async def _resend(self, exchange: Exchange, bot: str) -> None:
        await self._change(exchange, bot, self._service.outbox.resend, "put back")

    async def _drop(self, exchange: Exchange, bot: str) -> None:
        await self._change(exchange, bot, self._service.outbox.drop, "dropped")

    async def _change(
        self, exchange: Exchange, bot: str, change: Callable[[str, Sequence[str] | None], Awaitable[int]], what: str
    ) -> None:
        letters = await exchange.read(Letters)
        self._service.bots.known(bot)
        count = await change(bot, letters.ids)
        if not count and letters.ids is not None:
            raise not_found(f'Bot "{bot}" has no such dead letter any more. Load the list again.')
        log.info("studio: %d dead letters of bot %s were %s", count, bot, what)
        await exchange.answer(200, msgspec.json.encode({"count": count}))

    # -- the service

    async def _doctor(self, exchange: Exchange, bot: str) -> None:
        """Answer with what ``dialoom doctor`` finds, asked by the service itself."""
        await exchange.read(Nothing)
        self._service.bots.known(bot)
        examination = await asyncio.to_thread(self._examination)
        found = [msgspec.to_builtins(line) async for line in examination.lines()]
        await exchange.answer(200, msgspec.json.encode({"findings": found}))

    def _examination(self) -> Examination:
        from dialoom.service.doctor.examination import Examination  # the drivers of both databases: few ask for them

        return Examination(self._service.settings, ask=self._ask)

    async def _ask(self, bot: Bot, channel: Channel) -> Sequence[SetUp]:
        return await ask_platform(self._service, bot, channel, "check")

    async def _keys(self, exchange: Exchange, bot: str) -> None:
        self._service.bots.known(bot)
        try:
            found = await asyncio.to_thread(partial(keys_of, self._service))
        except SettingError as error:
            raise RequestError("bot-lacks", f"The keys cannot be read: {error}") from error
        view = KeysView(
            place=found.place,
            is_file=found.is_file,
            data=found.data,
            changed_at=None if found.changed_at is None else iso(found.changed_at),
            is_restart_due=found.is_restart_due,
            keys=[KeyView(key.name, key.seals, key.is_loaded) for key in found.keys],
        )
        await exchange.answer(200, msgspec.json.encode(view))

    # -- a backup of the whole service

    async def _back_up(self, exchange: Exchange) -> None:
        """Make a backup to be downloaded; answer with the command instead where the database is PostgreSQL."""
        await exchange.read(Nothing)
        if (command := self._backups.command()) is not None:
            await exchange.answer(200, msgspec.json.encode({"command": command}))
            return
        try:
            made = await self._backups.make()
        except StoreError as error:
            raise RequestError("backup-failed", str(error)) from error
        await exchange.answer(200, msgspec.json.encode(made))

    async def _backup(self, exchange: Exchange, id: str) -> None:
        """Send a backup that was made, once."""
        found = await self._backups.take(id)
        if found is None:
            raise not_found("This backup was downloaded already, or is no longer kept. Make another.")
        file, size = found
        with file:
            name = f"dialoom-{iso(self._service.clock.now())[:10]}.sqlite"
            headers = {
                "content-type": "application/vnd.sqlite3",
                "content-length": str(size),
                "content-disposition": f'attachment; filename="{name}"',
                "cache-control": "no-store",
            }
            await exchange.start(200, headers)
            while piece := await asyncio.to_thread(file.read, BACKUP_PIECE_BYTES):
                await exchange.chunk(piece)
                await exchange.taken()
        await exchange.chunk(b"", more=False)
