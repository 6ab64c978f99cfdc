"""Serves web and mobile (channels.md section 3): sessions, messages in, messages out by events or long poll."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from dialoom.auth.user_token import ANONYMOUS
from dialoom.channels._contract.bot_form import bot_form
from dialoom.channels.web import protocol as web
from dialoom.errors import RequestError
from dialoom.flow.channels import BROWSER_SESSION_MS, Channel, row_of
from dialoom.http.chat.attachments import AttachmentEndpoints
from dialoom.http.chat.closed_channels import ClosedChannels
from dialoom.http.chat.following import ChatFollower
from dialoom.http.problems import not_found
from dialoom.http.routing import Route
from dialoom.http.server.exchange import Exchange
from dialoom.http.server.limits.open_streams import RETRY_SECONDS, OpenStreams
from dialoom.http.server.limits.quotas import QUOTA, Quotas
from dialoom.http.server.limits.rates import Rates
from dialoom.http.server.origin import Origins, preflight
from dialoom.messages.records import Rating
from dialoom.service.bots.bots import Deployed
from dialoom.service.bots.reserved_names import reserved_on
from dialoom.service.chat.attachments import unknown_file
from dialoom.service.chat.hub import Listener
from dialoom.service.chat.whole_messages import whole
from dialoom.service.clock import iso
from dialoom.service.service import Service
from dialoom.storage.store import ChatKey, FilesGone, StoredMessage

MAX_RESUMED_MESSAGES = 100
MAX_WAIT_SECONDS = 25


class _Resume(msgspec.Struct, frozen=True):
    """Holds what the secret of a browser says: which user it is on which channel."""

    bot: str
    channel: str
    user: str


class WebEndpoints:
    """Serves the endpoints under ``/v1/bots/{bot}/channels/{channel}/web/``."""

    def __init__(
        self,
        service: Service,
        origins: Origins,
        files: AttachmentEndpoints,
        streams: OpenStreams,
        stopping: asyncio.Event,
        rates: Rates,
        quotas: Quotas,
    ) -> None:
        self._service = service
        self._origins = origins
        self._closed = ClosedChannels()
        self._files = files
        self._follower = ChatFollower(service, streams, stopping, _begun_anew)
        self._rates = rates
        self._quotas = quotas

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {
            "openSession": self._open,
            "say": self._say,
            "poll": self._poll,
            "listen": self._stream,
            "sendFile": self._upload,
            "eraseOwnData": self._erase,
            "rate": self._rate,
            "seeLogin": self._login_status,
            "proveLogin": self._prove,
            "findPlaces": self._find_places,
        }

    async def admit(
        self, exchange: Exchange, route: Route, path_values: tuple[str, ...], handle: Callable[..., Awaitable[None]]
    ) -> None:
        """Hand on requests to a channel of this protocol, of pages that may use it."""
        bot, channel_id = path_values
        found = self._service.bots.channel(bot, channel_id)
        if found is None or row_of(found[1]).caller != "page":
            raise not_found(f'Bot "{bot}" has no web or mobile channel "{channel_id}".')
        deployed, channel = found
        if channel_id in deployed.closed:
            raise self._closed.refused(bot, channel_id, deployed.closed[channel_id])
        exchange.extra = self._origins.check(exchange.header(b"origin"), channel)
        if exchange.method == "OPTIONS":
            exchange.extra = preflight(exchange.extra)
            await exchange.answer(204, b"")
            return
        self._rates.address(exchange.scope)
        await handle(exchange, route, deployed, channel)

    # -- sessions

    async def _open(self, exchange: Exchange, deployed: Deployed, channel: Channel) -> None:
        bot, service = deployed.bot, self._service
        service.runner.check_room()
        if not self._origins.is_own(exchange.header(b"origin")):
            await service.tokens.check_channel(exchange.bearer(), bot.id, channel.id)
        exchange.query()
        body = await exchange.read(web.SessionBody)
        signed = service.tokens.check_user(body.user.token, bot.id, channel, "/user/token")
        resumed = self._resumed(body, bot.id, channel.id) if signed is None else None
        has_lasting = resumed is not None and service.tokens.is_lasting(body.resume)
        user = signed.id if signed is not None else resumed or f"web_{uuid.uuid4().hex}"
        expires = service.clock.now() + BROWSER_SESSION_MS
        visitor = web.visitor(bot.id, channel.id, user, expires, body, signed)
        context = web.context(body, reserved_on(bot, deployed.reserved, channel), signed)
        key = ChatKey(bot.id, channel.id, user)
        before = await service.store.last_said(key, MAX_RESUMED_MESSAGES)
        is_new = signed is None and resumed is None
        with self._quotas.event(exchange.scope, key, exchange.received, is_new=is_new):
            await self._begin(body, visitor, channel, context, key)
        answer = {
            "token": service.tokens.sign(visitor, "session"),
            "expiresAt": iso(expires),
            "user": {"id": user},
            **self._resume(key, is_needed=signed is None and not has_lasting),
            "conversation": before[-1].record.conversation if before else None,
            "bot": bot_form(bot),
            "channel": {
                "mayErase": channel.erase_from_page,
                "privacyUrl": channel.privacy_url,
                "consent": channel.consent,
            },
            "messages": [web.form(message, self._links(key)) for message in self._whole(key, before)],
            "cursor": str(before[-1].position if before else 0),
            "typing": service.runner.is_typing(key),
            **await self._around(key, channel),
        }
        await exchange.answer(200, msgspec.json.encode(answer))

    def _resume(self, key: ChatKey, *, is_needed: bool) -> dict[str, str]:
        """Return the secret with which a browser goes on with its chat; given once, and again when the one it has ends
        with an older key. A signed user is known by the token."""
        return {"resume": self._service.tokens.sign(_Resume(*key), "resume")} if is_needed else {}

    def _resumed(self, body: web.SessionBody, bot: str, channel: str) -> str | None:
        """Return the anonymous user that the browser's secret names, never a signed one."""
        found = self._service.tokens.verify(body.resume, "resume", _Resume)
        if found is None or (found.bot, found.channel) != (bot, channel) or not ANONYMOUS.fullmatch(found.user):
            return None
        return found.user

    async def _begin(
        self, body: web.SessionBody, visitor: web.Visitor, channel: Channel, context: dict[str, Any], key: ChatKey
    ) -> None:
        """Submit the opening event, which says nothing in a session that goes on; a first text takes its place."""
        runner = self._service.runner
        if body.user_message is None or body.clear:
            await runner.submit(key, web.opening(body, visitor, channel, context))
        if body.user_message is not None:
            await runner.submit(key, web.first_text(body, visitor, channel, context))

    def _visitor(self, exchange: Exchange, deployed: Deployed, channel: Channel) -> tuple[web.Visitor, ChatKey]:
        visitor = self._service.tokens.verify(exchange.bearer(), "session", web.Visitor)
        if visitor is None or visitor.expires < self._service.clock.now():
            raise _over("There is no live session with this request. Open one with POST web/sessions.")
        if (visitor.bot, visitor.channel) != (deployed.bot.id, channel.id):
            raise RequestError("other-channel", "This session is for another channel.")
        if channel.require_user_token and not visitor.is_signed:
            # Opened before the channel asked for signed users.
            self._service.tokens.check_user(None, visitor.bot, channel, "")
        return visitor, ChatKey(visitor.bot, visitor.channel, visitor.user)

    # -- messages

    async def _say(self, exchange: Exchange, deployed: Deployed, channel: Channel) -> None:
        self._service.runner.check_room()
        visitor, key = self._visitor(exchange, deployed, channel)
        exchange.query()
        body = await exchange.read(web.MessageBody)
        reserved = reserved_on(deployed.bot, deployed.reserved, channel)
        self._rates.user(key)
        files = await self._service.attachments.named(key, web.file_ids(body))
        inbound = web.message(body, visitor, channel, reserved, files)
        try:
            with self._quotas.event(exchange.scope, key, exchange.received) as share:
                submitted = await self._service.runner.submit(key, inbound)
                share.is_kept = not submitted.is_repeat
                if submitted.is_repeat:
                    exchange.mark_replayed()
        except FilesGone as error:
            raise unknown_file("/files") from error
        except RequestError as error:
            # What was stored before may have used up the share itself.
            if error.code != QUOTA or not await self._service.runner.has_seen(key, inbound):
                raise
            exchange.mark_replayed()
        await exchange.answer(202, msgspec.json.encode({"id": body.id}))

    async def _upload(self, exchange: Exchange, deployed: Deployed, channel: Channel) -> None:
        visitor, key = self._visitor(exchange, deployed, channel)
        self._rates.user(key)
        if visitor.is_signed:
            await self._files.take(exchange, key)
        else:
            await self._files.take(exchange, key, partial(self._quotas.file, exchange.scope))

    async def _erase(self, exchange: Exchange, deployed: Deployed, channel: Channel) -> None:
        """Erase the session's own user, where the operator lets users do that."""
        _, key = self._visitor(exchange, deployed, channel)
        exchange.query()
        if not channel.erase_from_page:
            detail = "This channel does not let users erase their data themselves (erase-from-page in bot.json)."
            raise RequestError("erasure-off", detail)
        self._rates.user(key)
        receipt = await self._service.erasure.erase(key.bot, key.user, key.channel)
        await exchange.answer(200, msgspec.json.encode(receipt))

    async def _rate(self, exchange: Exchange, deployed: Deployed, channel: Channel) -> None:
        """Keep the rating of a conversation of the session's own user, where the operator asks for it."""
        _, key = self._visitor(exchange, deployed, channel)
        exchange.query()
        body = await exchange.read(web.RatingBody)
        if not channel.ask_rating:
            raise RequestError("rating-off", "This channel does not ask for ratings (ask-rating in bot.json).")
        self._rates.user(key)
        comment = deployed.masking.text(body.comment) if body.comment else UNSET
        rating = Rating(body.score, comment)
        await self._service.ratings.rate(key, body.conversation, rating)
        await exchange.answer(200, msgspec.json.encode(rating))

    async def _around(self, key: ChatKey, channel: Channel) -> dict[str, Any]:
        """Return what the chat shows beside its messages: who has it, and whether a rating is asked for."""
        hand_off = await self._service.hand_offs.of_chat(key)
        person = None if hand_off is None or hand_off.person is None else hand_off.person.name
        shown = {} if hand_off is None else {"handOff": {"person": person}}
        return {**shown, **await self._ended(key, channel)}

    async def _ended(self, key: ChatKey, channel: Channel) -> dict[str, str]:
        """Return what tells the chat which conversation the user is to be asked for a rating of, if any."""
        ended = await self._service.ratings.ended(key) if channel.ask_rating else None
        return {} if ended is None else {"ended": ended}

    async def _prove(self, exchange: Exchange, deployed: Deployed, channel: Channel) -> None:
        """Answer with a proof for the start page of a login that this chat's user has opened."""
        _, key = self._visitor(exchange, deployed, channel)
        exchange.query()
        body = await exchange.read(web.ProofBody)
        self._rates.user(key)
        await exchange.answer(200, msgspec.json.encode({"proof": self._service.proofs.prove(body.challenge, key)}))

    async def _login_status(self, exchange: Exchange, deployed: Deployed, channel: Channel) -> None:
        """Answer with the status of a login link of this chat: no message tells that it was used up in vain."""
        _, key = self._visitor(exchange, deployed, channel)
        link = exchange.query("link").get("link")
        if link is None:
            detail = 'The parameter "link" is missing: the key of the dialog that asks for the login.'
            raise RequestError("bad-parameter", detail)
        self._rates.user(key)
        status = await self._service.link_statuses.for_card(key, link)
        await exchange.answer(200, msgspec.json.encode({"status": status}))

    async def _find_places(self, exchange: Exchange, deployed: Deployed, channel: Channel) -> None:
        """Answer with places of a name, for the location picker of the session's chat page."""
        visitor, key = self._visitor(exchange, deployed, channel)
        words = exchange.query("q").get("q", "")
        self._rates.user(key)
        language = visitor.locale or deployed.bot.file.language
        await exchange.answer(200, msgspec.json.encode(await self._service.places.find(words, language)))

    def _whole(self, key: ChatKey, messages: Iterable[StoredMessage]) -> list[StoredMessage]:
        return [whole(self._service.vault, key, message) for message in messages]

    def _links(self, key: ChatKey) -> web.Links:
        return web.Links(
            partial(self._service.attachments.renew_address, key),
            partial(self._service.addresses.login, key),
            self._service.places.added,
        )

    async def _poll(self, exchange: Exchange, deployed: Deployed, channel: Channel) -> None:
        _, key = self._visitor(exchange, deployed, channel)
        query = exchange.query("after", "wait")
        after, wait = _number(query, "after", 2**53), _number(query, "wait", MAX_WAIT_SECONDS)
        service = self._service
        messages = await self._follower.said(key, after)
        if not messages and wait:
            messages = await self._await_messages(exchange, key, after, wait)
        answer = {
            "messages": [web.form(message, self._links(key)) for message in messages],
            "next": str(messages[-1].position if messages else after),
            "typing": service.runner.is_typing(key),
            **await self._around(key, channel),
        }
        await exchange.answer(200, msgspec.json.encode(answer))

    async def _await_messages(self, exchange: Exchange, key: ChatKey, after: int, wait: int) -> list[StoredMessage]:
        """Return what is said within the seconds; what there is at once where the address has too many who wait."""
        try:
            listener = self._follower.listen(exchange.scope, key)
        except RequestError:
            return []
        try:
            # Something may have been said between the look before and this.
            messages = await self._follower.said(key, after)
            if not messages:
                await listener.next(wait)
                messages = await self._follower.said(key, after)
        finally:
            self._follower.leave(key, listener)
        return messages

    async def _stream(self, exchange: Exchange, deployed: Deployed, channel: Channel) -> None:
        _, key = self._visitor(exchange, deployed, channel)
        query = exchange.query("after")
        last = exchange.header(b"last-event-id")
        after = _number({"after": last} if last else query, "after", 2**53)
        listener = self._follower.listen(exchange.scope, key)
        try:
            await self._follower.said(key, after)
            headers = {
                "content-type": "text/event-stream",
                "cache-control": "no-store",
                # Proxies of the nginx family hold streams back otherwise.
                "x-accel-buffering": "no",
            }
            await exchange.start(200, headers)
            reader = _EventReader(exchange, self._links(key), partial(self._around, key, channel))
            await self._write_events(reader, key, listener, after)
        finally:
            self._follower.leave(key, listener)

    async def _write_events(self, reader: _EventReader, key: ChatKey, listener: Listener, after: int) -> None:
        exchange = reader.exchange
        gone = asyncio.ensure_future(exchange.disconnected())
        gone.add_done_callback(lambda _: listener.end())
        try:
            await exchange.chunk(b"retry: 1000\n\n")
            await self._follower.follow(key, listener, reader, after)
            if listener.is_replaced:
                # Pages that took each other's places would do so every second.
                await exchange.chunk(b"retry: %d\n\n" % (RETRY_SECONDS * 1000))
        finally:
            gone.cancel()
            if not gone.done() or gone.cancelled():
                await exchange.chunk(b"", more=False)


class _EventReader(NamedTuple):
    """A stream of server-sent events."""

    exchange: Exchange
    links: web.Links
    around: Callable[[], Awaitable[dict[str, Any]]]
    """Tells what the chat shows beside its messages."""

    async def say(self, messages: list[StoredMessage]) -> None:
        await self.exchange.chunk(b"".join(web.event(message, self.links) for message in messages))

    async def show_typing(self, *, on: bool) -> None:
        data = {"on": on} | ({} if on else await self.around())
        await self.exchange.chunk(b"event: typing\ndata: %b\n\n" % msgspec.json.encode(data))

    async def beat(self) -> None:
        await self.exchange.chunk(b": still here\n\n")


def _over(detail: str) -> RequestError:
    return RequestError("session", detail, headers={"WWW-Authenticate": "Bearer"})


def _begun_anew() -> RequestError:
    return _over("This chat was erased and has begun again. Open a session again with POST web/sessions.")


def _number(query: dict[str, str], name: str, most: int) -> int:
    text = query.get(name, "0")
    if not (text.isascii() and text.isdigit()) or len(text) > 16 or int(text) > most:
        raise RequestError("bad-parameter", f'"{name}" is a whole number from 0 to {most}.')
    return int(text)
