"""Answers the history API: lists, counts, one conversation. What a query means belongs in ``dialoom.query``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from dialoom.errors import QueryError, RequestError
from dialoom.http.history.long_pages import Listed, list_page, read_page
from dialoom.http.history.parameters import (
    COUNT_PARAMETERS,
    DEFAULT_LIMIT,
    LIST_PARAMETERS,
    MAX_SKIP,
    HistoryParameters,
    QueryParsing,
)
from dialoom.http.problems import not_found
from dialoom.http.server.accept import JSON, NDJSON, accepted
from dialoom.http.server.cancel_on_disconnect import cancel_on_disconnect
from dialoom.http.server.exchange import Exchange
from dialoom.http.server.line_stream import LineStream
from dialoom.query import (
    Fields,
    Selection,
    index_column,
    indexed_properties,
    parse_query,
    place_of,
    project,
    write_cursor,
)
from dialoom.service.records.record_stream import walk
from dialoom.service.service import Service
from dialoom.storage.collections import TABLES
from dialoom.storage.history_plan import HISTORY_SECONDS
from dialoom.storage.limits import within
from dialoom.storage.store import Collection, PageTooLarge, Store

STREAM_RECORDS = 500
"""Records that the store looks at for one part of a stream."""

_decode = msgspec.json.Decoder(dict[str, Any]).decode
_encode = msgspec.json.Encoder().encode


class Page(msgspec.Struct, frozen=True):
    """Holds the records of a page. ``last``: the one behind which the list goes on; None where it ends."""

    records: list[bytes]
    last: bytes | None


async def find_page(store: Store, collection: Collection, bot: str, wanted: HistoryParameters, limit: int) -> Page:
    """Return the page that the parameters ask for, with at most so many records. Raises ``PageTooLarge``, which is to
    be read in parts."""
    if not limit:
        return Page([], None)
    # One more than the page holds tells whether there is a next page.
    found = await store.find(
        collection, bot, Selection(wanted.where, wanted.sort, wanted.skip, limit + 1, wanted.after)
    )
    return Page(found[:limit], found[limit - 1] if len(found) > limit else None)


def next_place(wanted: HistoryParameters, limit: int, last: bytes) -> dict[str, str]:
    """Return the parameter, ``after`` or ``skip``, of the page behind its last record. Raises ``QueryError``."""
    try:
        return {"after": write_cursor(place_of(wanted.sort)(_decode(last)), wanted.sort, wanted.given.get("query"))}
    except QueryError:
        # No cursor can hold the value: the next page is given by its number of records to skip.
        if wanted.after is not None or wanted.skip + limit > MAX_SKIP:
            raise
        return {"skip": str(wanted.skip + limit)}


async def find_conversation(store: Store, bot: str, id: str) -> bytes:
    """Return a conversation's record. Raises ``RequestError`` 404."""
    where = parse_query(_encode({"_id": {"$eq": id}}).decode())
    found = await store.find("conversations", bot, Selection(where=where, limit=1))
    if not found:
        raise not_found(f'Bot "{bot}" has no conversation "{id[:80]}".')
    return found[0]


class HistoryEndpoints:
    """Serves the endpoints under ``/v1/bots/{bot}/conversations`` and ``/messages``."""

    def __init__(self, service: Service, lines: LineStream) -> None:
        self._service = service
        self._lines = lines
        self._parsing = QueryParsing()

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {
            "listConversations": partial(self.records, "conversations"),
            "listMessages": partial(self.records, "messages"),
            "countConversations": partial(self.count, "conversations"),
            "countMessages": partial(self.count, "messages"),
            "getConversation": self.conversation,
        }

    async def records(self, collection: Collection, exchange: Exchange, bot: str) -> None:
        """Answer with a page as JSON or as lines, or with the whole list as lines."""
        form = accepted(exchange.scope["headers"], (JSON, NDJSON))
        wanted = await self._parsing.read(exchange.query(*LIST_PARAMETERS))
        if form == NDJSON and wanted.limit is None:
            await self._stream(exchange, bot, collection, wanted)
        else:
            long = await cancel_on_disconnect(exchange, self._page(exchange, bot, collection, wanted, form))
            if long is not None:
                listed, headers = long
                parts = self._parts(bot, collection, wanted, form, listed)
                await self._lines.send(exchange, parts, headers | {"content-type": form})

    async def count(self, collection: Collection, exchange: Exchange, bot: str) -> None:
        accepted(exchange.scope["headers"], (JSON,))
        wanted = await self._parsing.read(exchange.query(*COUNT_PARAMETERS))
        number = await cancel_on_disconnect(
            exchange, self._service.store.count(collection, bot, Selection(where=wanted.where))
        )
        await exchange.answer(200, b'{"count":%d}' % number)

    async def conversation(self, exchange: Exchange, bot: str, id: str) -> None:
        accepted(exchange.scope["headers"], (JSON,))
        exchange.query()
        await exchange.answer(200, await find_conversation(self._service.store, bot, id))

    # -- a page

    async def _page(
        self, exchange: Exchange, bot: str, collection: Collection, wanted: HistoryParameters, form: str
    ) -> tuple[Listed, dict[str, str]] | None:
        """Answer with the page; of one too long for one piece, return the list of its records and the headers."""
        limit = DEFAULT_LIMIT if wanted.limit is None else wanted.limit
        try:
            async with within(HISTORY_SECONDS):
                # First, so that no page is held in memory while the count waits for its turn.
                headers = await self._total(bot, collection, wanted)
                found = await find_page(self._service.store, collection, bot, wanted, limit)
        except PageTooLarge as error:
            return await self._list(bot, collection, wanted, limit, error.records)
        if found.last is not None:
            headers["link"] = f'<{self._next(bot, collection, wanted, limit, found.last)}>; rel="next"'
        page = await _projected(wanted.fields, found.records)
        # The stored JSON goes out unparsed: 73 times cheaper than decoding and encoding it.
        body = b"[" + b",".join(page) + b"]" if form == JSON else _lines(page)
        await exchange.answer(200, body, form, **headers)
        return None

    # -- a page that is sent in parts

    async def _list(
        self, bot: str, collection: Collection, wanted: HistoryParameters, limit: int, known: Sequence[tuple[str, int]]
    ) -> tuple[Listed, dict[str, str]]:
        """Return the list of the records of a long page, and the headers of the answer."""
        async with within(HISTORY_SECONDS):
            headers = await self._total(bot, collection, wanted)
        selection = Selection(wanted.where, wanted.sort, wanted.skip, limit, wanted.after)
        listed = await list_page(self._service.store, collection, bot, selection, known)
        if listed.has_more:
            headers["link"] = f'<{self._next(bot, collection, wanted, limit, listed.last)}>; rel="next"'
        return listed, headers

    async def _parts(
        self, bot: str, collection: Collection, wanted: HistoryParameters, form: str, listed: Listed
    ) -> AsyncGenerator[bytes, None]:
        opening, closing = (b"[", b"]") if form == JSON else (b"", b"")
        async for records in read_page(self._service.store, collection, bot, listed):
            if not records:
                continue
            page = await _projected(wanted.fields, records)
            yield opening + b",".join(page) if form == JSON else _lines(page)
            opening = b","
        yield (b"" if opening == b"," else opening) + closing

    async def _total(self, bot: str, collection: Collection, wanted: HistoryParameters) -> dict[str, str]:
        if not wanted.wants_total:
            return {}
        number = await self._service.store.count(collection, bot, Selection(where=wanted.where))
        return {"x-total-count": str(number)}

    def _next(self, bot: str, collection: Collection, wanted: HistoryParameters, limit: int, last: bytes) -> str:
        """Return the address of the next page."""
        given = {name: text for name, text in wanted.given.items() if name not in ("skip", "after")}
        given |= next_place(wanted, limit, last)
        path = f"/v1/bots/{quote(bot, safe='')}/{collection}"
        return f"{self._service.addresses.base_url}{path}?{urlencode(given, quote_via=quote)}"

    # -- a stream

    async def _stream(self, exchange: Exchange, bot: str, collection: Collection, wanted: HistoryParameters) -> None:
        table = TABLES[collection]
        if index_column(wanted.sort, table) is None:
            detail = (
                f"A stream without a limit cannot come in this order. Sort by one of "
                f"{', '.join(indexed_properties(table))}; or leave sort out; or ask for pages with limit."
            )
            raise RequestError("unsortable-stream", detail)
        headers = await cancel_on_disconnect(exchange, self._total(bot, collection, wanted))
        await self._lines.send(exchange, self._walk(bot, collection, wanted), headers)

    async def _walk(self, bot: str, collection: Collection, wanted: HistoryParameters) -> AsyncGenerator[bytes, None]:
        selection = Selection(wanted.where, wanted.sort, after=wanted.after)
        to_skip = wanted.skip
        async for records in walk(self._service.store, collection, bot, selection, STREAM_RECORDS):
            given = records[to_skip:]
            to_skip -= len(records) - len(given)
            # Also when it is empty: so the client of a narrow query does not take the connection for dead.
            yield _lines(await _projected(wanted.fields, given))


async def _projected(fields: Fields | None, records: Sequence[bytes]) -> Sequence[bytes]:
    if fields is None or not records:
        return records
    return await asyncio.to_thread(lambda: [_encode(project(fields, _decode(record))) for record in records])


def _lines(records: Sequence[bytes]) -> bytes:
    return b"".join([record + b"\n" for record in records])
