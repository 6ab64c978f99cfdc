"""Calls to channels: the one that takes what a platform or a program sends, and the one that gives a rest client what
no answer has carried.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeVar

import msgspec

from dialoom import strict_json
from dialoom.auth.user_token import SignedUser
from dialoom.channels import CHANNELS, rest
from dialoom.channels._contract import limits
from dialoom.channels._contract.channel import Channel as Adapter
from dialoom.channels._contract.channel import ChatEvent, Continuation, ForgedCall, Inbound, ShowMore
from dialoom.channels._contract.fit import plain_option
from dialoom.channels._contract.lenient import converted
from dialoom.channels._contract.taps import said, short_key
from dialoom.engine.events import Said
from dialoom.errors import RemoteError, RequestError, SettingError
from dialoom.flow.channels import CHANNEL_ROWS, Channel, row_of
from dialoom.http.chat.closed_channels import ClosedChannels
from dialoom.http.problems import not_found, status_of
from dialoom.http.server.exchange import Exchange, check_unicode, read_json
from dialoom.http.server.limits.client_address import is_from_this_machine
from dialoom.http.server.limits.rates import Rates, verified
from dialoom.messages import Profile
from dialoom.service.bots.bots import Deployed
from dialoom.service.chat import chat_row
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.transcript import said_again
from dialoom.service.cluster.remote_events import still_running
from dialoom.service.outbox.bot_channel import BotChannel
from dialoom.service.service import Service
from dialoom.storage.store import ChatKey

T = TypeVar("T")
log = logging.getLogger(__name__)

MAX_PAGE_MESSAGES = 200
"""Later messages of one answer; ``next`` leads to the rest."""
MAX_SEARCHED_MESSAGES = 1200
"""The last messages of a chat, among which those are looked for that go on: as many as one answer carries, and more."""
LAST_POSITION = 2**53
PROFILE_SECONDS = 3.0
"""Seconds that a call waits for the platform to say who its users are."""
WAITING_SECONDS = 2.0
"""Seconds after which a call whose answer waits has the platform told that the bot is at work."""
TRY_AGAIN = 429
"""Statuses from here on say that the same call may be taken later."""


class _Call(NamedTuple):
    """Reads an HTTP request as an ``InboundCall``."""

    exchange: Exchange
    service: Service
    rates: Rates
    bot_channel: BotChannel
    raw: bytes
    label: str

    def check_rate(self) -> None:
        self.rates.check_address(self.exchange.scope)

    @property
    def may_be_unsigned(self) -> bool:
        settings, scope = self.service.settings, self.exchange.scope
        is_open = settings.unsigned_calls == "allow" and settings.is_local
        return is_open and is_from_this_machine(scope)

    def header(self, name: str) -> str | None:
        return self.exchange.header(name.encode("latin-1"))

    def read(self, type: type[T]) -> T:
        try:
            return self.exchange.decode(self.raw, type)
        except RequestError as error:
            if error.code not in ("bad-text", "bad-body") or row_of(self.bot_channel.channel).has_token:
                raise
            # A platform cannot mend it and would send the call again for hours, with the events of others.
            try:
                raw = strict_json.mended(self.raw) if error.code == "bad-text" else self.raw
                return converted(read_json(raw), type)
            except (RecursionError, msgspec.ValidationError):
                raise error from None

    def signed_user(self, token: str | None, pointer: str) -> SignedUser | None:
        return self.service.tokens.check_user(token, self.bot_channel.bot.id, self.bot_channel.channel, pointer)


class ChannelCalls:
    """Serves the endpoints under ``/v1/bots/{bot}/channels/{channel}`` of channels that are called."""

    def __init__(self, service: Service, rates: Rates) -> None:
        self._service = service
        self._rates = rates
        self._closed = ClosedChannels()

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {"sendMessage": self.send, "laterMessages": self.later, "platformCall": self.call}

    async def send(self, exchange: Exchange, bot: str, channel_id: str, name: str) -> None:
        """Take a message of a rest client, with the channel's token."""
        self._service.runner.check_room()
        deployed, channel = await self._rest_channel(exchange, bot, channel_id)
        exchange.query()
        await self._take(exchange, self._service.bot_channels.of(deployed.bot, channel), name)

    async def call(self, exchange: Exchange, bot: str, channel_id: str, type: str) -> None:
        """Take a call of a platform, which proves itself. Forged ones of an address that sent too many are 429; true
        ones are taken, since many platforms may come through one proxy."""
        self._service.runner.check_room()
        row, found = CHANNEL_ROWS.get(type), self._service.bots.channel(bot, channel_id)
        try:
            is_called = row is not None and not row.has_token and type in CHANNELS
            if not is_called or found is None or found[1].type != type:
                raise not_found(f'Bot "{bot}" has no channel "{channel_id}" that a platform calls here.')
            deployed, channel = found
            if channel_id in deployed.closed:
                raise self._closed.refused(bot, channel_id, deployed.closed[channel_id])
            await self._take(exchange, self._service.bot_channels.of(deployed.bot, channel), "")
        except ForgedCall:
            self._service.metrics.forged_calls.add(type)
            self._rates.address(exchange.scope)
            raise

    async def _take(self, exchange: Exchange, bot_channel: BotChannel, label: str) -> None:
        channel = CHANNELS[bot_channel.channel.type]
        call = _Call(exchange, self._service, self._rates, bot_channel, await exchange.body(), label)
        try:
            if exchange.method == "GET":
                await self._prove(exchange, channel, bot_channel)
                return
            await channel.verify(call, bot_channel)
            inbound = await self._parsed(channel, call, bot_channel)
        except SettingError as error:
            # Without its secrets nothing proves a call, or fetches what it names; for the operator, not for the caller.
            raise self._closed.refused(bot_channel.bot.id, bot_channel.channel.id, str(error)) from None
        except RemoteError as error:
            log.info("a call to channel %s cannot be taken now: %s", bot_channel.channel.id, error)
            detail = "What it takes to take this call cannot be had from the platform now. Send it again later."
            raise RequestError("overloaded", detail, headers={"Retry-After": "5"}) from error
        answer, is_replayed = await self.submit(channel, inbound, bot_channel)
        if is_replayed:
            exchange.mark_replayed()
        if inbound.continuation is not None:
            answer = await self._go_on(channel, inbound.continuation, bot_channel)
        self._service.signals.send(inbound.signals, channel, bot_channel)
        if answer is None:
            await exchange.answer(inbound.reply.status, inbound.reply.body, inbound.reply.content_type)
        else:
            await exchange.answer(200, answer)

    @staticmethod
    async def _parsed(channel: Adapter, call: _Call, bot_channel: BotChannel) -> Inbound:
        """Return what a verified call brings; nothing of one that cannot be read, where its platform would make it
        again and again."""
        try:
            return await channel.parse(call, bot_channel)
        except RequestError as error:
            if not row_of(bot_channel.channel).repeats_refused_calls or status_of(error.code) >= TRY_AGAIN:
                raise
            where = (error.pointer or "")[:200]
            log.warning(
                "a call to channel %s cannot be read and is left out: %s %r", bot_channel.channel.id, error.code, where
            )
            return Inbound()

    @staticmethod
    async def _prove(exchange: Exchange, channel: Adapter, bot_channel: BotChannel) -> None:
        """Answer the GET by which a platform has the address of a channel prove itself."""
        reply = channel.challenge(dict(exchange.pairs()), bot_channel)
        if reply is None:
            raise RequestError("method", "Allowed here: POST.", headers={"Allow": "POST"})
        await exchange.answer(reply.status, reply.body, reply.content_type)

    async def submit(self, channel: Adapter, inbound: Inbound, bot_channel: BotChannel) -> tuple[bytes | None, bool]:
        """Submit all events, so that a bad one is in the way of no other; return what the bot says to the last one that
        is answered, and whether that is the stored answer to an event that was known.

        Raises ``RequestError`` for an event that is answered, and for one that can be taken later: the platform sends
        all of them again, and those that were taken are dropped then.
        """
        answer: bytes | None = None
        is_replayed = False
        passing: RequestError | None = None
        held: set[str] = set()
        stale = [tap.event for tap in inbound.show_more if not await self._show_more(channel, tap, bot_channel)]

        def waits() -> None:
            self._service.signals.send(inbound.waiting_signals, channel, bot_channel)

        profiles_by = asyncio.get_running_loop().time() + PROFILE_SECONDS
        for event in (*inbound.events, *stale):
            if event.user in held:
                continue  # behind one that comes again, so that the order is kept
            try:
                said, is_repeat = await self._submit_one(channel, event, bot_channel, waits, profiles_by)
                answer, is_replayed = said or answer, is_replayed or is_repeat
            except RequestError as error:
                if event.inbound.is_answered:
                    raise
                if status_of(error.code) >= TRY_AGAIN:
                    passing = passing or error
                    held.add(event.user)
                else:
                    log.warning("an event of channel %s is left out: %s", bot_channel.channel.id, error.code)
        if passing is not None:
            raise passing
        return answer, is_replayed

    async def _submit_one(
        self,
        channel: Adapter,
        event: ChatEvent,
        bot_channel: BotChannel,
        waits: Callable[[], None],
        profiles_by: float,
    ) -> tuple[bytes | None, bool]:
        key, row = ChatKey(bot_channel.bot.id, bot_channel.channel.id, event.user), row_of(bot_channel.channel)
        if not row.has_token:
            limits.check_platform_event(event.user, event.inbound)
        self._rates.user(key)
        inbound = await self._with_words(event, key)
        if row.asks_for_profile and (profile := await self._profile(channel, key, bot_channel, profiles_by)):
            inbound = msgspec.structs.replace(inbound, event=msgspec.structs.replace(inbound.event, profile=profile))
        if event.account_token is not None:
            changed = await self._service.linked_accounts.change(key, inbound, event.account_token)
            if changed is not None:
                await self._service.runner.submit(key, changed)
        submitted = await self._service.runner.submit(key, inbound)
        if not inbound.is_answered:
            if submitted.is_repeat:
                # A call that was refused for one event comes again with all of them: those must not use the rate up.
                self._rates.give_back(key)
            return None, False
        if submitted.answer.done():
            # Most turns are stored by now, and a shield around a future costs 3 µs.
            return submitted.answer.result(), submitted.is_repeat
        if submitted.is_repeat:
            raise still_running()
        await asyncio.wait({submitted.answer}, timeout=WAITING_SECONDS)
        if not submitted.answer.done():
            waits()
        seconds = None if row.answer_seconds is None else row.answer_seconds - WAITING_SECONDS
        done, _ = await asyncio.wait({submitted.answer}, timeout=seconds)
        if not done and submitted.give_up():
            return channel.late(event, bot_channel), False
        return await asyncio.shield(submitted.answer), False

    async def _with_words(self, event: ChatEvent, key: ChatKey) -> InboundEvent:
        """Return the event; that of a suggestion's short key with the suggestion's words."""
        inbound = event.inbound
        if not event.suggestion or not isinstance(inbound.event, Said):
            return inbound
        option = await self._service.pickers.suggestion(
            key, lambda one: short_key(plain_option(one)) == event.suggestion
        )
        if option is None:
            return inbound
        words = said(plain_option(option))
        return msgspec.structs.replace(inbound, event=msgspec.structs.replace(inbound.event, text=words))

    async def _show_more(self, channel: Adapter, tap: ShowMore, bot_channel: BotChannel) -> bool:
        """Show more of the open question; return False where the tap is of another."""
        key = ChatKey(bot_channel.bot.id, bot_channel.channel.id, tap.event.user)
        spoken = await self._service.pickers.asked(key, tap.ask)
        if spoken is None:
            return False
        self._service.signals.send(channel.show_more(tap, spoken, bot_channel), channel, bot_channel)
        return True

    async def _go_on(self, channel: Adapter, continuation: Continuation, bot_channel: BotChannel) -> bytes:
        """Return the answer with the part that comes next of messages of the bot."""
        service, key = self._service, ChatKey(bot_channel.bot.id, bot_channel.channel.id, continuation.user)
        limits.check_id(key.user, "")
        self._rates.user(key)
        said = [
            said_again(service.vault, key, stored)
            for stored in await service.store.last_said(key, MAX_SEARCHED_MESSAGES)
            if stored.record.from_ == "bot"
        ]
        ids = [spoken.id for spoken in said]
        if continuation.first not in ids or continuation.last not in ids:
            said = []
        else:
            said = said[ids.index(continuation.first) : ids.index(continuation.last) + 1]
        return channel.go_on(continuation, tuple(said), bot_channel)

    async def _profile(self, channel: Adapter, key: ChatKey, bot_channel: BotChannel, until: float) -> Profile | None:
        """Ask the platform who a user is whom it has not named yet; once while this process keeps the answer.
        ``until``: the loop's time until which a call waits for all its users together."""

        async def ask() -> Profile | None:
            service = self._service
            known = chat_row.open_chat(service.vault, key, await service.store.chat(key)).kept.profile
            return None if known is not None else await channel.profile(key.user, bot_channel)

        try:
            async with asyncio.timeout_at(until):
                return await bot_channel.cached((bot_channel.channel.type, "profile", *key), ask)
        except (RemoteError, SettingError, TimeoutError) as error:
            log.info("channel %s does not say who a user is: %s", bot_channel.channel.id, error)
            return None

    async def later(self, exchange: Exchange, bot: str, channel_id: str, name: str) -> None:
        """Give later messages (channels.md section 2). ``after`` says that the client has what came up to there."""
        service = self._service
        await self._rest_channel(exchange, bot, channel_id)
        limits.check_length(name, "")
        query = exchange.query("sender", "after")
        if "sender" not in query:
            raise RequestError("bad-parameter", 'The parameter "sender" is missing: the sender.id of the user.')
        check_unicode(query["sender"], "")
        limits.check_id(query["sender"], "")
        key, after = ChatKey(bot, channel_id, query["sender"]), _position(query.get("after"))
        found = await service.store.later(key, MAX_PAGE_MESSAGES)
        if found and found[0].position <= after:
            await service.store.carry(key, after)
            found = await service.store.later(key, MAX_PAGE_MESSAGES)
        spoken = tuple(service.addresses.put_in(key, said_again(service.vault, key, stored)) for stored in found)
        await exchange.answer(200, rest.later(spoken, str(found[-1].position if found else after)))

    async def _rest_channel(self, exchange: Exchange, bot: str, channel_id: str) -> tuple[Deployed, Channel]:
        """The token is looked at first, so that without one nothing is revealed."""
        deployed = self._service.bots.active(bot)
        try:
            await self._service.tokens.check_channel(exchange.bearer(), bot, channel_id)
        except RequestError:
            # The token of a closed channel may be one that cannot be known here.
            if deployed is not None and channel_id in deployed.closed:
                self._closed.tell(bot, channel_id, deployed.closed[channel_id])
            raise
        found = self._service.bots.channel(bot, channel_id)
        if found is None or found[1].type != "rest":
            raise not_found(f'Bot "{bot}" has no rest channel "{channel_id}".')
        deployed, channel = found
        if channel_id in deployed.closed:
            raise self._closed.refused(bot, channel_id, deployed.closed[channel_id])
        # Not before: the token of a web channel opens the check above too, and stands in the source of a page.
        verified(exchange.scope)
        return deployed, channel


def _position(after: str | None) -> int:
    if after is None:
        return 0
    if not (after.isascii() and after.isdigit()) or len(after) > 16 or int(after) > LAST_POSITION:
        raise RequestError("bad-parameter", 'Give "after" the "next" of the answer before, or leave it out.')
    return int(after)
