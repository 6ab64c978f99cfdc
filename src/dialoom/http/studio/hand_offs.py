"""Serves the studio's Hand-off: the chats that wait for a person, one chat with what is said in it, and what a person
does in it, which is an event of that chat like any message of its user."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn

import msgspec
from msgspec import UNSET, Meta

from dialoom.channels._contract.channel import UNSET_FIELDS
from dialoom.engine.events import PersonActed, PersonAction
from dialoom.errors import RequestError
from dialoom.http.problems import not_found
from dialoom.messages import Profile
from dialoom.service.chat.inbound import InboundEvent, dedupe
from dialoom.service.clock import iso
from dialoom.service.hand_off import DONE, OVER, TAKEN

if TYPE_CHECKING:
    from dialoom.http.server.exchange import Exchange
    from dialoom.http.server.limits.open_streams import OpenStreams
    from dialoom.service.access.studio_sign_in import Session
    from dialoom.service.service import Service
    from dialoom.service.turns.hand_off_list import FoundHandOff
    from dialoom.storage.store import StoredMessage

MAX_TEXT_CHARS: Final = 4000
MAX_MESSAGES: Final = 100
MAX_WAIT_SECONDS: Final = 25
ANSWER_SECONDS: Final = 20.0
"""Seconds that a request waits for its turn behind others of the chat; the turn comes all the same."""

_encode = msgspec.json.Encoder().encode


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Accepts what a person does. ``id``: made by the page; the same again is harmless. ``since``: of the hand-off that
    the page shows, so that nothing is done in a later one of the same user."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    action: PersonAction
    text: Annotated[str, Meta(max_length=MAX_TEXT_CHARS)] = ""
    queue: Annotated[str, Meta(max_length=256)] = ""
    since: Annotated[str, Meta(max_length=64)] = ""


class HandOffView(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    queue: str
    channel: str
    provider: str
    user: str
    user_name: str
    conversation: str
    since: str
    until: str
    person: dict[str, str] | None
    last_text: str
    last_at: str
    is_last_of_user: bool
    heard: int
    """Messages of the user since it began: what the page counts unread ones by."""


class ListView(msgspec.Struct, frozen=True, rename="camel"):
    now: str
    queues: tuple[str, ...]
    hand_offs: list[HandOffView]


class ChatView(msgspec.Struct, frozen=True, rename="camel"):
    hand_off: HandOffView
    notes: list[dict[str, str]]
    messages: list[dict[str, Any]]
    next: int
    """The position of the last message."""
    memory: dict[str, Any]
    """What the bot knows of the user, masked as the history has it."""


class StudioHandOffs:
    def __init__(
        self, service: Service, streams: OpenStreams, session: Callable[[Exchange], Awaitable[Session]]
    ) -> None:
        self._service = service
        self._streams = streams
        self._session = session

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {"studioHandOffs": self.rows, "studioHandOff": self.show, "studioActInHandOff": self.act}

    async def rows(self, exchange: Exchange, bot: str) -> None:
        self._service.bots.known(bot)
        found = await self._service.hand_offs.all(bot)
        names = (*self._service.hand_offs.queues(bot), *(one.hand_off.queue for one in found))
        view = ListView(
            now=iso(self._service.clock.now()),
            queues=tuple(dict.fromkeys(names)),
            hand_offs=[self._view(one) for one in found],
        )
        await exchange.answer(200, _encode(view))

    async def show(self, exchange: Exchange, bot: str, id: str) -> None:
        """Answer with the last messages, or with those behind ``after`` once there are any: within ``wait`` seconds."""
        query = exchange.query("after", "wait")
        after, wait = _number(query, "after", 2**53), _number(query, "wait", MAX_WAIT_SECONDS)
        found = await self._find(bot, id)
        exchange.about = found.listed.conversation
        messages = await self._messages(found, after)
        if not messages and wait:
            await self._wait(exchange, found, after, wait)
            await self._session(exchange)  # who was signed out meanwhile hears no more
            found, messages = await self._find(bot, id), await self._messages(found, after)
        await exchange.answer(200, _encode(await self._chat_view(found, messages, after)))

    async def _wait(self, exchange: Exchange, found: FoundHandOff, after: int, seconds: int) -> None:
        """Wait until something is said behind a position. Raise ``RequestError`` 429 where too many wait already."""
        session = await self._session(exchange)
        listener = self._service.hub.listen(found.key)
        try:
            self._streams.enter(exchange.scope, session.id, listener)
            # Something may have been said between the look before and this.
            if not await self._messages(found, after):
                await listener.next(seconds)
        finally:
            self._streams.leave(session.id, listener)
            self._service.hub.leave(found.key, listener)

    async def act(self, exchange: Exchange, bot: str, id: str) -> None:
        """Do it in the chat's own order, and answer with the hand-off as it is then; with 204 where it is over."""
        wish = await exchange.read(Act)
        person = await self._session(exchange)
        found = await self._find(bot, id)
        exchange.about = found.listed.conversation
        self._check_wish(bot, wish)
        if wish.since and wish.since != iso(found.hand_off.since):
            self._refuse(OVER, None)
        event = PersonActed(
            **UNSET_FIELDS,
            profile=self._profile(found),
            action=wish.action,
            # Who signs in again has their chats again.
            person=person.person,
            name=self._shown_name(bot, person),
            text=wish.text.strip(),
            queue=wish.queue,
            since=found.hand_off.since if wish.since else 0,
        )
        inbound = InboundEvent(event=event, dedupe=dedupe(f"hand-off {wish.id}", wish))
        submitted = await self._service.runner.submit(found.key, inbound)
        try:
            outcome = (await asyncio.wait_for(asyncio.shield(submitted.answer), ANSWER_SECONDS)).decode()
        except TimeoutError:
            raise RequestError(
                "still-running", "The chat is busy; this is done as soon as it is not. Look at the chat again."
            ) from None
        now = await self._service.hand_offs.find(bot, id)
        if outcome != DONE:
            self._refuse(outcome, now)
        if now is None:
            await exchange.answer(204, b"")
        else:
            await exchange.answer(200, _encode(self._view(now)))

    # -- parts of the above

    def _check_wish(self, bot: str, wish: Act) -> None:
        if wish.action in ("answer", "note") and not wish.text.strip():
            raise RequestError("bad-body", "An answer and a note have a text.", pointer="/text")
        if wish.action == "pass-on" and wish.queue not in self._service.hand_offs.queues(bot):
            raise RequestError("bad-body", "The bot's flow has no queue of this name.", pointer="/queue")

    async def _find(self, bot: str, id: str) -> FoundHandOff:
        self._service.bots.known(bot)
        found = await self._service.hand_offs.find(bot, id)
        if found is None:
            raise not_found("This hand-off is over: the bot speaks for itself again, or the user was erased.")
        return found

    @staticmethod
    def _refuse(outcome: str, now: FoundHandOff | None) -> NoReturn:
        if outcome == TAKEN:
            person = None if now is None else now.hand_off.person
            who = "Somebody else" if person is None else person.name
            raise RequestError("hand-off-taken", f"{who} has this chat. Write a note, or take another one.")
        if now is None:
            raise RequestError("hand-off-over", "The bot speaks for itself again, so nothing was sent.")
        raise RequestError("hand-off-taken", "Take this chat first: it waits for a person.")

    def _shown_name(self, bot: str, person: Session) -> str:
        """Return the name that users read: the bot's for who came by a link without a name, never their role."""
        return person.name if person.name != person.role else self._service.bots.known(bot).bot.name

    def _profile(self, found: FoundHandOff) -> Profile:
        return Profile(id=found.key.user, channel=found.key.channel, provider=self._provider(found))

    def _provider(self, found: FoundHandOff) -> str:
        serving = self._service.bots.channel(found.key.bot, found.key.channel)
        return "" if serving is None else serving[1].type

    async def _messages(self, found: FoundHandOff, after: int) -> list[StoredMessage]:
        if after:
            return await self._service.store.said(found.key, after, MAX_MESSAGES)
        return await self._service.store.last_said(found.key, MAX_MESSAGES)

    async def _chat_view(self, found: FoundHandOff, messages: list[StoredMessage], after: int) -> ChatView:
        record = await self._service.store.record_of(found.key, found.listed.conversation)
        data = None if record is None else msgspec.json.decode(record)["Data"]
        return ChatView(
            hand_off=self._view(found),
            notes=[{"at": iso(note.at), "name": note.name, "text": note.text} for note in found.hand_off.notes],
            messages=[_message(one) for one in messages],
            next=messages[-1].position if messages else after,
            memory={} if data is None else {"context": data.get("context", {}), "entities": data.get("entities", {})},
        )

    def _view(self, found: FoundHandOff) -> HandOffView:
        one = found.hand_off
        return HandOffView(
            id=found.id,
            queue=one.queue,
            channel=found.key.channel,
            provider=self._provider(found),
            user=found.key.user,
            user_name=found.listed.user_name,
            conversation=found.listed.conversation,
            since=iso(one.since),
            until=iso(one.until),
            person=None if one.person is None else {"id": one.person.id, "name": one.person.name},
            last_text=one.last_text,
            last_at=iso(one.last_at or one.since),
            is_last_of_user=one.is_last_of_user,
            heard=one.heard,
        )


def _message(stored: StoredMessage) -> dict[str, Any]:
    """Return a message as its record holds it: masked."""
    record = stored.record
    shown = {
        "id": record.id,
        "position": stored.position,
        "from": record.from_,
        "type": record.type,
        "text": record.text or "",
        "at": record.created_at,
    }
    return shown if record.person is UNSET else shown | {"person": record.person}


def _number(query: dict[str, str], name: str, most: int) -> int:
    text = query.get(name, "0")
    if not (text.isascii() and text.isdigit()) or len(text) > 16 or int(text) > most:
        raise RequestError("bad-parameter", f'"{name}" is a whole number from 0 to {most}.')
    return int(text)
