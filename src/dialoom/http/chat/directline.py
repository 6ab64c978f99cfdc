"""Serves Direct Line 3.0 (https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-direct-line-3-0-concepts):
tokens, conversations, activities in, activities out by WebSocket or by polling.

The chat is the user's, as on every channel: two conversations of one user are two views of it, each from where it
began. A watermark is a position in the chat.
"""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import msgspec

from dialoom.channels._contract import limits
from dialoom.channels._contract.channel import UNSET_FIELDS
from dialoom.channels.directline import activities, bodies
from dialoom.channels.directline.activities import ROW, Activity, ActivityWriter
from dialoom.engine.events import Began
from dialoom.errors import RequestError
from dialoom.flow.channels import Channel
from dialoom.http.chat import multipart
from dialoom.http.chat.attachments import AttachmentEndpoints
from dialoom.http.chat.directline_access import TOKEN_SECONDS, Caller, Conversation, DirectLineAccess, gone
from dialoom.http.chat.following import ChatFollower
from dialoom.http.problems import not_found, status_of
from dialoom.http.routing import Route
from dialoom.http.server.exchange import MAX_BODY_BYTES, Exchange, read_json, too_large
from dialoom.http.server.limits.open_streams import OpenStreams
from dialoom.http.server.limits.quotas import Quotas, Share
from dialoom.http.server.limits.rates import UNAUTHORIZED, Rates, verified
from dialoom.http.server.origin import Origins, preflight
from dialoom.http.server.web_socket import CloseCode, WebSocket
from dialoom.messages import Profile
from dialoom.service.bots.bots import Deployed
from dialoom.service.chat import inbound as inbound_events
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.transcript import said_again
from dialoom.service.service import Service
from dialoom.storage.store import ChatKey, StoredMessage

MAX_POSITION = 2**53
MAX_EARLIER_MESSAGES = 20
"""Messages before those that are read in which the options are looked for that a user chose."""
NO_WATERMARK = ("", "-")


class DirectLineCall(NamedTuple):
    """The channel that is called, and who calls."""

    deployed: Deployed
    channel: Channel
    caller: Caller

    @property
    def bot(self) -> str:
        return self.deployed.bot.id


class Chat(NamedTuple):
    """A conversation and the chat that it shows."""

    id: str
    conversation: Conversation
    key: ChatKey
    writer: ActivityWriter


class DirectLineEndpoints:
    """Serves the endpoints under ``/v1/bots/{bot}/channels/{channel}/directline/v3/directline``."""

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
        self._files = files
        self._stopping = stopping
        self._rates = rates
        self._quotas = quotas
        self._access = DirectLineAccess(service)
        self._follower = ChatFollower(service, streams, stopping, gone)
        self._streams: dict[str, WebSocket] = {}
        """The one stream of each conversation that this process has."""

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {
            "directLineGenerate": self._generate,
            "directLineRefresh": self._refresh,
            "directLineBegin": self._begin,
            "directLineReconnect": self._reconnect,
            "directLineStream": self._stream,
            "directLinePost": self._post,
            "directLineGet": self._get,
            "directLineUpload": self._upload,
        }

    async def admit(
        self, exchange: Exchange, route: Route, parts: tuple[str, ...], handle: Callable[..., Awaitable[None]]
    ) -> None:
        """Hand on requests with the secret or a token, of pages that may use the channel."""
        exchange.encode = _encode
        bot, channel_id, *more = parts
        found = self._service.bots.channel(bot, channel_id)
        if found is None or found[1].type != ROW.type:
            raise not_found(f'Bot "{bot}" has no Direct Line channel "{channel_id}".')
        deployed, channel = found
        origin = exchange.header(b"origin")
        exchange.extra = self._origins.check(origin, channel)
        if exchange.method == "OPTIONS":
            exchange.extra = preflight(exchange.extra, "x-ms-bot-agent", "x-requested-with")
            await exchange.answer(204, b"")
            return
        text = exchange.bearer()
        # A stream's token stands in its address: a browser opens WebSockets without headers of ours.
        is_in_address = text is None and route.path.endswith("/stream")
        if is_in_address:
            text = _parameters(exchange).get("t")
        with self._counted(exchange, None if is_in_address else text):
            caller = self._access.caller(text, bot, channel, origin)
            if is_in_address and caller.token is None:
                raise RequestError("directline-token", "The secret never stands in an address, which others log.")
            verified(exchange.scope)
            await handle(exchange, route, DirectLineCall(deployed, channel, caller), *more)

    @contextlib.contextmanager
    def _counted(self, exchange: Exchange, text: str | None) -> Iterator[None]:
        """Count a request for its token, or for its address without one or with one that is refused."""
        if not text:
            self._rates.address(exchange.scope)
            yield
            return
        is_known = self._rates.token(exchange.scope, text)
        try:
            yield
        finally:
            # The status matters for tokens that were not verified alone.
            self._rates.settle(exchange.scope, text, UNAUTHORIZED, is_known=is_known)

    # -- tokens and conversations

    async def _generate(self, exchange: Exchange, call: DirectLineCall) -> None:
        if call.caller.token is not None:
            raise RequestError("directline-token", "Tokens are made with the channel's secret. Refresh this one.")
        body = await _optional(exchange, bodies.TokenBody)
        user = body.user or bodies.User()
        id = await self._access.begin(call.bot, call.channel, user.id or None, user.name)
        await exchange.answer(200, msgspec.json.encode(self._token(call, id, body.origins())))

    async def _refresh(self, exchange: Exchange, call: DirectLineCall) -> None:
        token = call.caller.token
        if token is None:
            raise RequestError("directline-token", "A secret never expires. Refresh the token of a conversation.")
        await exchange.answer(200, msgspec.json.encode(self._token(call, token.conversation, token.origins)))

    async def _begin(self, exchange: Exchange, call: DirectLineCall) -> None:
        """Begin a conversation, or the one of the token: the bot greets as when any chat is opened."""
        self._service.runner.check_room()
        body = await _optional(exchange, bodies.ConversationBody)
        token, user = call.caller.token, body.user or bodies.User()
        if token is None:
            id = await self._access.begin(call.bot, call.channel, user.id or None, user.name)
        else:
            id = token.conversation
        chat = self._chat(call, id)
        self._rates.user(chat.key)
        profile = activities.profile(chat.key.user, chat.conversation.name, call.channel, body.locale)
        with self._share(exchange, call, chat, exchange.received):
            await self._service.runner.submit(chat.key, InboundEvent(event=Began(**UNSET_FIELDS, profile=profile)))
        await exchange.answer(201, msgspec.json.encode(self._connection(call, id, chat.conversation.after)))

    async def _reconnect(self, exchange: Exchange, call: DirectLineCall, id: str) -> None:
        chat = self._chat(call, id)
        after = await self._position(exchange, chat)
        await exchange.answer(200, msgspec.json.encode(self._connection(call, id, after)))

    def _token(self, call: DirectLineCall, id: str, origins: tuple[str, ...]) -> dict[str, Any]:
        token = self._access.token(call.bot, call.channel, id, origins)
        return {"conversationId": id, "token": token, "expires_in": TOKEN_SECONDS}

    def _connection(self, call: DirectLineCall, id: str, after: int) -> dict[str, Any]:
        """Return a token, and the address of a stream that goes on behind a position."""
        origins = call.caller.token.origins if call.caller.token is not None else ()
        made = self._token(call, id, origins)
        address = self._service.addresses.base_url.replace("http", "ws", 1)
        under = f"/v1/bots/{quote(call.bot, safe='')}/channels/{quote(call.channel.id, safe='')}/{ROW.address}"
        query = urlencode({"watermark": after, "t": made["token"]})
        return made | {"streamUrl": f"{address}{under}/conversations/{id}/stream?{query}"}

    def _chat(self, call: DirectLineCall, id: str) -> Chat:
        """Return a conversation that the caller may use. Raises ``RequestError`` 403 or 404."""
        token = call.caller.token
        if token is not None and token.conversation != id:
            raise RequestError("directline-token", "This token is for another conversation.")
        conversation = self._access.conversation(call.bot, call.channel, id)
        key, bot = ChatKey(call.bot, call.channel.id, conversation.user), call.deployed.bot
        writer = ActivityWriter(id, conversation.user, bot.id, bot.name or bot.id, bot.file.language)
        return Chat(id, conversation, key, writer)

    async def _position(self, exchange: Exchange, chat: Chat) -> int:
        """Return the position of the watermark. Raises ``RequestError`` 400 for one that is no position, 404 for one
        that the chat has not reached: its user was erased since."""
        text = _parameters(exchange).get("watermark", "")
        begin = chat.conversation.after
        if text in NO_WATERMARK:
            after = begin
        elif text.isascii() and text.isdigit() and len(text) <= 16 and int(text) <= MAX_POSITION:
            after = max(int(text), begin)
        else:
            raise RequestError("bad-parameter", 'Give "watermark" as it was given, or leave it out.')
        if after:
            last = await self._service.store.last_said(chat.key, 1)
            # Web Chat would try again for a quarter of an hour after any other status.
            if not last or last[0].position < after:
                raise gone()
        return after

    # -- activities in

    async def _post(self, exchange: Exchange, call: DirectLineCall, id: str) -> None:
        self._service.runner.check_room()
        chat = self._chat(call, id)
        activity = await exchange.read(Activity)
        await self._take(exchange, call, chat, activity)

    async def _upload(self, exchange: Exchange, call: DirectLineCall, id: str) -> None:
        """Take files, with the activity that they belong to where it comes along."""
        self._service.runner.check_room()
        chat = self._chat(call, id)
        content_type = exchange.header(b"content-type") or ""
        body = await self._files.receive(exchange, chat.key)
        if content_type.lower().startswith("multipart/"):
            activity, files = _read_form(body, content_type)
        else:
            about = multipart.header_of("content-disposition", exchange.header(b"content-disposition") or "")
            activity, files = Activity(type=activities.MESSAGE), [(about.get_filename() or "", body)]
        if not files:
            raise RequestError("file-empty", "An upload brings files, each as a part with a filename.")
        limits.check_files(len(files), "")
        self._rates.user(chat.key)
        share = _no_share if call.caller.token is None else partial(self._quotas.file, exchange.scope)
        kept = [await self._files.keep(chat.key, name, content, share) for name, content in files]
        await self._take(exchange, call, chat, activity, tuple(file.id for file in kept))

    async def _take(
        self, exchange: Exchange, call: DirectLineCall, chat: Chat, activity: Activity, files: tuple[str, ...] = ()
    ) -> None:
        client_id = activity.client_id or uuid.uuid4().hex
        attached = await self._service.attachments.named(chat.key, files)
        found = activities.events(activity, self._profile(call, chat, activity), attached)
        if not found:  # typing and the like
            await exchange.answer(200, msgspec.json.encode({"id": client_id}))
            return
        self._rates.user(chat.key)
        same = msgspec.structs.replace(activity, from_=None, locale=None, local_timezone=None)
        is_replay = True
        for number, event in enumerate(found):
            inbound = InboundEvent(
                event=event,
                client_id=client_id if number == 0 else f"{client_id}-{number}",
                dedupe=inbound_events.dedupe(f"{chat.conversation.nonce} {client_id} {number}", same),
                files=files if number == 0 else (),
            )
            with self._share(exchange, call, chat, 0 if files or number else exchange.received) as share:
                submitted = await self._service.runner.submit(chat.key, inbound)
                if share is not None:
                    share.is_kept = not submitted.is_repeat
            is_replay = is_replay and submitted.is_repeat
        if is_replay:
            exchange.mark_replayed()
        await exchange.answer(200, msgspec.json.encode({"id": client_id}))

    @staticmethod
    def _profile(call: DirectLineCall, chat: Chat, activity: Activity) -> Profile:
        said = activity.from_.name if activity.from_ is not None else None
        name = chat.conversation.name or said
        return activities.profile(chat.key.user, name, call.channel, activity.locale, activity.local_timezone)

    def _share(
        self, exchange: Exchange, call: DirectLineCall, chat: Chat, size: int
    ) -> AbstractContextManager[Share | None]:
        """Take the share of an event of this size, files apart; who has the secret speaks for all its users, and from
        one address."""
        if call.caller.token is None:
            return contextlib.nullcontext()
        return self._quotas.event(exchange.scope, chat.key, size)

    # -- activities out

    async def _get(self, exchange: Exchange, call: DirectLineCall, id: str) -> None:
        chat = self._chat(call, id)
        after = await self._position(exchange, chat)
        messages = await self._follower.said(chat.key, after, is_sure=True)
        found = await self._activities(chat, messages)
        await exchange.answer(200, activities.activity_set(found, messages[-1].position if messages else after))

    async def _stream(self, exchange: Exchange, call: DirectLineCall, id: str) -> None:
        chat = self._chat(call, id)
        after = await self._position(exchange, chat)
        listener = self._follower.listen(exchange.scope, chat.key)
        try:
            socket = exchange.upgrade()
        except RequestError:
            self._follower.leave(chat.key, listener)
            raise
        earlier = self._streams.pop(id, None)
        if earlier is not None:
            earlier.end(CloseCode.DONE, "The stream was opened again.")
        self._streams[id] = socket
        socket.on_over = listener.end
        try:
            await self._follower.follow(chat.key, listener, _SocketReader(self, socket, chat, after), after)
        finally:
            self._follower.leave(chat.key, listener)
            if self._streams.get(id) is socket:
                del self._streams[id]
            is_stopping = self._stopping.is_set()
            socket.end(CloseCode.GOING_AWAY if is_stopping else CloseCode.DONE)

    async def _activities(self, chat: Chat, messages: list[StoredMessage]) -> list[dict[str, Any]]:
        """Return the activities of messages, in their order."""
        found: list[dict[str, Any]] = []
        titles: dict[str, str] = {}
        has_earlier = False
        for stored in messages:
            if stored.record.from_ == "bot":
                spoken = said_again(self._service.vault, chat.key, stored)
                titles |= activities.titles([spoken])
                found += chat.writer.bot_activities(stored, self._service.addresses.put_in(chat.key, spoken))
                continue
            if not has_earlier and not titles.keys() >= {*activities.chosen_keys(stored.record)}:
                # Once: a client may send any number of keys that no option has.
                has_earlier = True
                titles = await self._titles_before(chat.key, messages[0].position) | titles
            renew = partial(self._service.attachments.renew_address, chat.key)
            found.append(chat.writer.user_activity(stored, renew, titles))
        return found

    async def _titles_before(self, key: ChatKey, position: int) -> dict[str, str]:
        """Return the titles of the options that the last messages before a position offer."""
        service = self._service
        before = await service.store.said(key, max(0, position - 1 - MAX_EARLIER_MESSAGES), MAX_EARLIER_MESSAGES)
        return activities.titles([said_again(service.vault, key, one) for one in before if one.record.from_ == "bot"])

    async def send(self, chat: Chat, socket: WebSocket, messages: list[StoredMessage]) -> None:
        """Send messages by a stream."""
        found = await self._activities(chat, messages)
        await socket.send(activities.activity_set(found, messages[-1].position))


class _SocketReader:
    """A stream of activity sets."""

    __slots__ = ("_after", "_chat", "_endpoints", "_socket")

    def __init__(self, endpoints: DirectLineEndpoints, socket: WebSocket, chat: Chat, after: int) -> None:
        self._endpoints = endpoints
        self._socket = socket
        self._chat = chat
        self._after = after

    async def say(self, messages: list[StoredMessage]) -> None:
        self._after = messages[-1].position
        await self._endpoints.send(self._chat, self._socket, messages)

    async def show_typing(self, *, on: bool) -> None:
        if on:
            await self._socket.send(activities.activity_set([self._chat.writer.typing_activity()], self._after))

    async def beat(self) -> None:
        self._socket.ping()


def _no_share(size: int) -> AbstractContextManager[None]:
    """Return what takes nothing of a day's share."""
    return contextlib.nullcontext()


def _encode(error: RequestError) -> tuple[int, dict[str, str], bytes]:
    """Return a refusal in the form of Direct Line."""
    status = status_of(error.code)
    headers = {"content-type": "application/json", "cache-control": "no-store"}
    headers |= {name.lower(): value for name, value in error.headers.items()}
    return status, headers, bodies.error(error.code, status, error.detail)


def _parameters(exchange: Exchange) -> dict[str, str]:
    """Return the parameters; those that other clients of Direct Line add are left alone."""
    return dict(exchange.pairs())


async def _optional(exchange: Exchange, type: type[Any]) -> Any:
    """Return the JSON body as this type; its defaults for an empty one."""
    body = await exchange.body()
    return exchange.decode(body, type) if body.strip() else type()


def _read_form(body: bytes, content_type: str) -> tuple[Activity, list[tuple[str, bytes]]]:
    """Return the activity of an upload and its files, each with its name."""
    activity, files = Activity(type=activities.MESSAGE), []
    for part in multipart.parse(body, content_type):
        if part.name == "activity" or part.content_type == "application/vnd.microsoft.activity":
            if len(part.content) > MAX_BODY_BYTES:
                raise too_large()
            try:
                activity = msgspec.convert(read_json(part.content), Activity)
            except msgspec.ValidationError as error:
                raise RequestError("bad-body", f"The activity of an upload: {error}.") from error
            # Its attachments are the files.
            activity = msgspec.structs.replace(activity, attachments=None)
        else:
            files.append((part.filename or part.name, part.content))
    return activity, files
