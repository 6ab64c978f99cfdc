"""The history API (service-description.md section 4, history-api.md): lists, counts, one conversation."""

# No `from __future__ import annotations`: Litestar reads the handlers' types when it registers them.
from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, Response, get
from litestar.datastructures import State
from litestar.params import PathParameter, QueryParameter

from dialoom.errors import RequestError
from dialoom.http.problems import not_found
from dialoom.http.rates import verified
from dialoom.messages import ConversationRecord, MessageRecord
from dialoom.query import Selection, parse_query, parse_sort
from dialoom.service.service import Service
from dialoom.storage.store import Collection

SCHEME = "Bot-Server-Access-Token"
DEFAULT_LIMIT = 100
LARGEST_LIMIT = 1000
LARGEST_SKIP = 1_000_000

Bot = Annotated[str, PathParameter(description="The bot's id.")]
Limit = Annotated[
    int, QueryParameter(ge=0, le=LARGEST_LIMIT, description=f"At most so many elements, {LARGEST_LIMIT} at most.")
]
Skip = Annotated[int, QueryParameter(ge=0, le=LARGEST_SKIP, description="Leave out so many matching elements first.")]
Sort = Annotated[
    str | None,
    QueryParameter(
        name="sort",
        description='A property name, or a JSON object of names to 1 or -1, for example `{"StartedAt":-1}`. '
        "Without it: by `_id`, that is by time.",
    ),
]
Query = Annotated[
    str | None,
    QueryParameter(
        name="query",
        description='A JSON object of MongoDB-style predicates, for example `{"Status":"success","Errors":{"$gt":0}}`.',
    ),
]


class Count(msgspec.Struct, frozen=True):
    count: int


def service_of(state: State) -> Service:
    return state.service  # type: ignore[no-any-return]  # put there by http.app alone


async def authorize(request: Request[Any, Any, State], bot: str, scope: str = "read") -> Service:
    service = service_of(request.app.state)
    scheme, _, token = (request.headers.get("authorization") or "").partition(" ")
    text = token.strip() if scheme.lower() == SCHEME.lower() else None
    await service.tokens.check_server(text, bot, scope)
    verified(request.scope)  # type: ignore[arg-type]  # a dict, as all of ASGI has it
    _check_accept(request)
    return service


def _check_accept(request: Request[Any, Any, State]) -> None:
    accepted = request.headers.get("accept", "*/*").lower()
    if not any(kind in accepted for kind in ("application/json", "application/*", "*/*")):
        raise RequestError(406, "not-acceptable", "Records come as application/json. Accept that, or leave Accept out.")


def check_parameters(request: Request[Any, Any, State], *allowed: str) -> None:
    seen: set[str] = set()
    for name, _ in request.query_params.multi_items():
        if name not in allowed:
            raise RequestError(
                400, "unknown-parameter", f'There is no parameter "{name}". Known are: {", ".join(allowed)}.'
            )
        if name in seen:
            raise RequestError(400, "bad-parameter", f'The parameter "{name}" stands twice.')
        seen.add(name)


class _Requested(msgspec.Struct, frozen=True):
    query: str | None
    sort: str | None = None
    limit: int | None = None
    skip: int = 0


async def _list(
    request: Request[Any, Any, State], collection: Collection, bot: str, wanted: _Requested
) -> Response[bytes]:
    service = await authorize(request, bot)
    check_parameters(request, "limit", "skip", "sort", "query")
    selection = Selection(
        where=parse_query(wanted.query), sort=parse_sort(wanted.sort), skip=wanted.skip, limit=wanted.limit
    )
    # The stored JSON goes out unparsed: 73 times cheaper than decoding and encoding it.
    found = await service.store.find(collection, bot, selection)
    return Response(b"[" + b",".join(found) + b"]", media_type="application/json")


async def _count(request: Request[Any, Any, State], collection: Collection, bot: str, query: str | None) -> Count:
    service = await authorize(request, bot)
    check_parameters(request, "query")
    return Count(await service.store.count(collection, bot, Selection(where=parse_query(query))))


class History(Controller):
    path = "/v1/bots/{bot_id:str}"
    tags = ("History",)
    security = ({SCHEME: []},)

    @get("/conversations", summary="List conversations", operation_id="listConversations")
    async def conversations(
        self,
        request: Request[Any, Any, State],
        bot_id: Bot,
        query_text: Query = None,
        sort_text: Sort = None,
        limit: Limit = DEFAULT_LIMIT,
        skip: Skip = 0,
    ) -> Response[list[ConversationRecord]]:
        """The bot's conversation records that match, in the order asked for."""
        wanted = _Requested(query_text, sort_text, limit, skip)
        return await _list(request, "conversations", bot_id, wanted)  # type: ignore[return-value]  # the same, encoded

    @get("/messages", summary="List messages", operation_id="listMessages")
    async def messages(
        self,
        request: Request[Any, Any, State],
        bot_id: Bot,
        query_text: Query = None,
        sort_text: Sort = None,
        limit: Limit = DEFAULT_LIMIT,
        skip: Skip = 0,
    ) -> Response[list[MessageRecord]]:
        """The bot's message records that match; those of one conversation with `{"Conversation":"<id>"}`."""
        wanted = _Requested(query_text, sort_text, limit, skip)
        return await _list(request, "messages", bot_id, wanted)  # type: ignore[return-value]  # the same, encoded

    @get("/conversations/_count", summary="Count conversations", operation_id="countConversations")
    async def count_conversations(
        self, request: Request[Any, Any, State], bot_id: Bot, query_text: Query = None
    ) -> Count:
        """How many conversation records match."""
        return await _count(request, "conversations", bot_id, query_text)

    @get("/messages/_count", summary="Count messages", operation_id="countMessages")
    async def count_messages(self, request: Request[Any, Any, State], bot_id: Bot, query_text: Query = None) -> Count:
        """How many message records match."""
        return await _count(request, "messages", bot_id, query_text)

    @get("/conversations/{conversation_id:str}", summary="One conversation", operation_id="getConversation")
    async def conversation(
        self,
        request: Request[Any, Any, State],
        bot_id: Bot,
        conversation_id: Annotated[str, PathParameter(description="The conversation's `_id`.")],
    ) -> Response[ConversationRecord]:
        """One conversation record."""
        service = await authorize(request, bot_id)
        check_parameters(request)
        where = parse_query(msgspec.json.encode({"_id": conversation_id}).decode())
        found = await service.store.find("conversations", bot_id, Selection(where=where, limit=1))
        if not found:
            raise not_found(f'Bot "{bot_id}" has no conversation "{conversation_id[:80]}".')
        return Response(found[0], media_type="application/json")  # type: ignore[arg-type]  # the same, encoded
