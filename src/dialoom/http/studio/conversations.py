"""Serves the studio's Conversations: the list by a query of the history API, one transcript whole, its export, its
traces, its user's turns for a try-out, and the erasure of a user.

What a query means and how pages are found is the history API's (``http.history``); records come masked from the store.
Another process's changes are seen by asking again: the list is as cheap the second time.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Annotated, Any, Final
from urllib.parse import urlencode

import msgspec
from msgspec import Meta

from dialoom.authoring.drafts.drafts import Drafts
from dialoom.authoring.erase_user import erase_user
from dialoom.authoring.try_outs.trace_entries import entries_of
from dialoom.engine import Trace
from dialoom.errors import RequestError
from dialoom.http.history.parameters import HistoryParameters, QueryParsing
from dialoom.http.history.records import find_conversation, find_page, next_place
from dialoom.http.server.cancel_on_disconnect import cancel_on_disconnect
from dialoom.http.server.exchange import Exchange
from dialoom.http.server.line_stream import LineStream
from dialoom.query import Fields, Selection, parse_fields, parse_query, parse_sort, project
from dialoom.service.access.studio_sign_in import Session
from dialoom.service.records.replay_turns import turns_of
from dialoom.service.service import Service
from dialoom.storage.history_plan import HISTORY_SECONDS
from dialoom.storage.limits import within
from dialoom.storage.store import ChatKey, PageTooLarge, TooSlow

log = logging.getLogger(__name__)

LIST_ROWS: Final = 50
"""Conversations of a page that names no limit."""
MAX_ROWS: Final = 200
COUNT_SECONDS: Final = 2.0
"""For which the conversations of a filter are counted: each choice in the list begins another count."""
MESSAGES: Final = 500
"""Messages of a transcript that come at once."""
MAX_TURNS: Final = 500
"""Turns that a try-out plays again."""
MAX_FOUND: Final = 300
"""Conversations in which a text is found, so that a query can name them all."""
"""Roles that may erase a user."""
ROW_FIELDS: Final = (
    "User,Channel,Status,StartedAt,UpdatedAt,EndedAt,Goal,Errors,Messages,FlowVersion,Data.channel,Data.user,Data.step,"
    "Data.notUnderstood,Data.rating"
)
"""What the list shows; all else may be long."""

_decode = msgspec.json.Decoder(dict[str, Any]).decode
_encode = msgspec.json.Encoder().encode


class UpTo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Accepts the body that asks for a user's turns. ``to``: the ``Sequence`` of the last message that counts."""

    to: Annotated[int, Meta(ge=1)] | None = None


class OnChannel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Accepts the body of an erasure: a user's id may exist on several channels."""

    channel: Annotated[str, Meta(min_length=1, max_length=256)]


class TurnTraceView(msgspec.Struct, frozen=True):
    event: str
    messages: tuple[str, ...]
    """Ids of the records of the turn's messages."""
    trace: list[dict[str, Any]]


class TracesView(msgspec.Struct, frozen=True, rename="camel"):
    """Shows the traces of a conversation. ``is_kept``: the bot's active version has its turns traced."""

    is_kept: bool
    turns: list[TurnTraceView]


class StudioConversations:
    def __init__(
        self,
        service: Service,
        drafts: Drafts,
        lines: LineStream,
        session: Callable[[Exchange], Awaitable[Session]],
    ) -> None:
        self._service = service
        self._drafts = drafts
        self._lines = lines
        self._session = session
        self._parsing = QueryParsing()
        fields = parse_fields(ROW_FIELDS)
        assert fields is not None
        self._fields: Fields = fields

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {
            "studioConversations": self.rows,
            "studioCount": self.count,
            "studioSaid": self.said,
            "studioConversation": self.transcript,
            "studioExport": self.export,
            "studioReplay": self.replay,
            "studioTraces": self.traces,
            "studioErase": self.erase,
        }

    # -- the list

    async def rows(self, exchange: Exchange, bot: str) -> None:
        """Answer with a page, and with the parameter of the next one in ``next``."""
        wanted = await self._wanted(exchange, bot, "filter", "sort", "limit", "skip", "after")
        limit = LIST_ROWS if wanted.limit is None else min(wanted.limit, MAX_ROWS)
        body = await cancel_on_disconnect(exchange, self._page(bot, wanted, limit))
        await exchange.answer(200, body)

    async def count(self, exchange: Exchange, bot: str) -> None:
        """Answer with the number of conversations; null where counting them takes longer than it is worth."""
        wanted = await self._wanted(exchange, bot, "filter")
        found = await cancel_on_disconnect(exchange, self._count(bot, Selection(where=wanted.where)))
        await exchange.answer(200, _encode({"count": found}))

    async def said(self, exchange: Exchange, bot: str) -> None:
        """Answer with the newest conversations in which a text was said, by their ids. ``filter``: of the messages."""
        self._service.bots.known(bot)
        given = exchange.query("text", "filter")
        text = given.pop("text", "")
        if not 1 <= len(text) <= 200:
            raise RequestError("bad-parameter", '"text" is what was said, 1 to 200 characters.')
        where = _said_query(text, given.get("filter"))
        wanted = await self._parsing.read({"query": where, "sort": '{"CreatedAt":-1}', "limit": "1000"})
        async with within(HISTORY_SECONDS):
            found = find_page(self._service.store, "messages", bot, wanted, 1000)
            page = await cancel_on_disconnect(exchange, found)
        ids = list(dict.fromkeys(_decode(record)["Conversation"] for record in page.records))
        is_cut = page.last is not None or len(ids) > MAX_FOUND
        await exchange.answer(200, _encode({"ids": ids[:MAX_FOUND], "isCut": is_cut}))

    async def _count(self, bot: str, selection: Selection) -> int | None:
        try:
            async with within(COUNT_SECONDS):
                return await self._service.store.count("conversations", bot, selection)
        except TooSlow:
            return None

    async def _page(self, bot: str, wanted: HistoryParameters, limit: int) -> bytes:
        while True:
            try:
                async with within(HISTORY_SECONDS):
                    page = await find_page(self._service.store, "conversations", bot, wanted, limit)
                break
            except PageTooLarge:
                if limit <= 1:
                    raise
                limit //= 4
        following = None if page.last is None else urlencode(next_place(wanted, limit, page.last))
        rows = [project(self._fields, _decode(record)) for record in page.records]
        return _encode({"records": rows, "next": following})

    async def _wanted(self, exchange: Exchange, bot: str, *names: str) -> HistoryParameters:
        self._service.bots.known(bot)
        given = exchange.query(*names)
        if "filter" in given:
            given["query"] = given.pop("filter")
        return await self._parsing.read(given)

    # -- one conversation

    async def transcript(self, exchange: Exchange, bot: str, id: str) -> None:
        """Answer with the record and its messages behind the one with the ``Sequence`` in ``after``."""
        self._service.bots.known(bot)
        after = exchange.query("after").get("after", "0")
        if not (after.isascii() and after.isdigit() and len(after) < 10):
            raise RequestError("bad-parameter", '"after" is the Sequence of a message, a whole number.')
        record = await find_conversation(self._service.store, bot, id)
        messages, following = await self._messages(bot, id, int(after), MESSAGES)
        parts = b",".join(messages)
        body = b'{"conversation":%b,"messages":[%b],"next":%b}' % (record, parts, _encode(following))
        await exchange.answer(200, body)

    async def traces(self, exchange: Exchange, bot: str, id: str) -> None:
        """Answer with the traces of a conversation's turns, the oldest first."""
        deployed = self._service.bots.known(bot)
        record = _decode(await find_conversation(self._service.store, bot, id))
        kept = await self._service.traces.of(ChatKey(bot, record["Channel"], record["User"]), id)
        view = TracesView(
            is_kept=deployed.bot.file.trace,
            turns=[TurnTraceView(one.event, one.messages, entries_of(Trace(one.entries))) for one in kept],
        )
        await exchange.answer(200, _encode(view))

    async def export(self, exchange: Exchange, bot: str, id: str) -> None:
        self._service.bots.known(bot)
        record = await find_conversation(self._service.store, bot, id)
        name = "".join(letter for letter in id if letter.isascii() and (letter.isalnum() or letter in "-_"))
        disposition = f'attachment; filename="conversation-{name or "export"}.json"'
        headers = {"content-type": "application/json", "content-disposition": disposition}
        await self._lines.send(exchange, self._exported(bot, id, record), headers)

    async def _exported(self, bot: str, id: str, record: bytes) -> AsyncGenerator[bytes, None]:
        yield b'{"conversation":' + record + b',"messages":['
        opening = b""
        after = 0
        while True:
            messages, following = await self._messages(bot, id, after, MESSAGES)
            if messages:
                yield opening + b",".join(messages)
                opening = b","
            if following is None:
                break
            after = following
        yield b"]}"

    async def replay(self, exchange: Exchange, bot: str, id: str) -> None:
        """Answer with the user's turns, for ``POST try-outs`` and its ``turns``."""
        self._service.bots.known(bot)
        wish = await exchange.read(UpTo)
        record = _decode(await find_conversation(self._service.store, bot, id))
        messages: list[dict[str, Any]] = []
        after: int | None = 0
        while after is not None and len(messages) < 4 * MAX_TURNS and (wish.to is None or after < wish.to):
            found, after = await self._messages(bot, id, after, MESSAGES)
            messages += [_decode(text) for text in found]
        turns = turns_of(one for one in messages if wish.to is None or one["Sequence"] <= wish.to)
        about = {"channel": record["Channel"], "version": record["FlowVersion"], "startedAt": record["StartedAt"]}
        await exchange.answer(200, _encode({**about, "turns": turns[:MAX_TURNS], "isCut": len(turns) > MAX_TURNS}))

    async def erase(self, exchange: Exchange, bot: str, user: str) -> None:
        """Erase the user on one channel and answer with the receipt; also when the page goes away meanwhile."""
        self._service.bots.known(bot)
        role = (await self._session(exchange)).role
        wish = await exchange.read(OnChannel)
        receipt = await erase_user(self._service, self._drafts, bot, user, wish.channel)
        log.info("studio: a user of bot %s was erased by the role %s", bot, role)
        await exchange.answer(200, _encode(receipt))

    async def _messages(self, bot: str, id: str, after: int, limit: int) -> tuple[list[bytes], int | None]:
        """Return the next messages of a conversation, and the ``Sequence`` behind which there are more."""
        where = parse_query(_encode({"Conversation": {"$eq": id}, "Sequence": {"$gt": after}}).decode())
        while True:
            selection = Selection(where, parse_sort("Sequence"), limit=limit + 1)
            try:
                async with within(HISTORY_SECONDS):
                    found = await self._service.store.find("messages", bot, selection)
                break
            except PageTooLarge:
                if limit <= 1:
                    raise
                limit //= 4
        following = _decode(found[limit - 1])["Sequence"] if len(found) > limit else None
        return found[:limit], following


def _said_query(text: str, filter: str | None) -> str:
    """Return the query of messages that hold the text, in capital or small letters."""
    escaped = "".join(f"\\{sign}" if sign in r"\.^$*+?()[]{}|/-" else sign for sign in text)
    said: dict[str, Any] = {"Text": {"$regex": escaped, "$options": "i"}}
    if not filter:
        return _encode(said).decode()
    return f'{{"$and":[{_encode(said).decode()},{filter}]}}'
