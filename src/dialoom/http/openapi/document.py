"""Describes the HTTP interface as OpenAPI 3.1, made from the table of endpoints and the types that it names.

What no type says stands here: tokens, parts of paths, headers, and which problems go with a kind of access.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import msgspec

from dialoom import __version__
from dialoom.http.admin.admission import SCHEME
from dialoom.http.endpoints import ENDPOINTS, HTML, QUERY, Bytes
from dialoom.http.openapi import problems, query
from dialoom.http.openapi.schemas import Form, Schemas, example_of, part_of
from dialoom.http.problems import Problem
from dialoom.http.routing import Access, Endpoint
from dialoom.http.server.accept import JSON
from dialoom.messages import ConversationRecord, MessageRecord

_ABOUT = (
    "Bots that talk, and what was said: send messages of your users to a bot, and read back every conversation with "
    "queries in MongoDB's words.\n\n"
    "Every error is a problem (RFC 9457): `detail` says in a sentence what happened and what to do, `code` is the "
    "stable word for programs. Besides those of an operation any address may answer 405 `method` (`Allow` names what "
    "is allowed), 408 `head-too-slow`, 431 `head-too-large` and 503 "
    "`too-many-connections`.\n\n"
    "Every answer has a `Request-Id`, those that count for a rate have `RateLimit-Limit`, `RateLimit-Remaining` and "
    "`RateLimit-Reset`.\n\n"
    "Texts are UTF-8 without NUL. Unknown parameters are refused and named."
)
_TAGS = {
    "History": "Conversations and messages: listed, counted, filtered, sorted, paged, streamed. With a server access "
    "token of the bot.",
    "Users": "One person's records: all of them to take away, or to erase. A token with the scope `erase` may erase.",
    "Rest channel": "Your own program speaks for its users: a message in, the bot's messages out. With the channel's "
    "token.",
    "Web channel": "What the chat page speaks, and what a client of your own may speak.",
    "Picker pages": "Hosted pages where a dialog can be answered by clients that know only links.",
    "Upkeep": "Dead letters, lists, health and metrics, for whoever runs the service.",
    "Pages": "What browsers open.",
}
_TOKENS: Form = {
    SCHEME: {
        "type": "apiKey",
        "in": "header",
        "name": "Authorization",
        "description": f"`Authorization: {SCHEME} <token>`, with a server access token of the bot (`dialoom "
        "token list`). Its scopes are `read` and `erase`.",
    },
    "channel": {"type": "http", "scheme": "bearer", "description": "The channel's token (`dialoom token list`)."},
    "session": {"type": "http", "scheme": "bearer", "description": "The token that `web/sessions` gave."},
    "metrics": {"type": "http", "scheme": "bearer", "description": "The value of `DIALOOM_METRICS_TOKEN`."},
}
_SECURITY: Mapping[Access, list[Form]] = {
    Access.ANYONE: [],
    Access.CHANNEL: [{"channel": []}],
    Access.SESSION: [{"session": []}],
    Access.OPERATOR: [{"metrics": []}, {}],
}
_CODES: Mapping[Access, tuple[str, ...]] = {
    Access.ANYONE: (),
    Access.CHANNEL: ("unauthorized", "other-channel", "not-found"),
    Access.SESSION: ("session", "user-token-required", "other-channel", "origin", "not-found"),
    Access.SERVER: ("bad-request", "unauthorized", "other-bot", "scope", "not-acceptable", "too-large"),
    Access.OPERATOR: ("unauthorized", "metrics-closed"),
}
"""Problems that come with a kind of access."""
_CONVERSATION_ID = "01a1fe42-c18f-7001-8eac-56bfbc5a17ce"
_PARTS: Mapping[str, tuple[str, str]] = {
    "bot_id": ("The bot's id.", "clinic"),
    "channel_id": ("The channel's id.", "web"),
    "conversation_id": ("The conversation's `_id`.", _CONVERSATION_ID),
    "user_id": ("The user's id on its channel: `User` of its records.", "ada"),
    "name": ("Your own label; records keep it as `Data.channel.Name`.", "my-app"),
    "ticket": ("Stands in the address that the chat gives.", "Aa3ATYeblm2EG5aQxgAAAA3U"),
    "id": ("The file's id; stands in the address.", "0d7b7c9dcf6a4b0e9a3f5c1e8b2d4f60"),
    "type": ("The entity type's name.", "City"),
    "letter_id": ("The dead letter's `id`.", "01a1fe42-c594-7001-8c1d-58ca063f304c"),
}
"""Parts of paths, each with an example."""


def _header(description: str, schema: Form, example: object, *, required: bool = False) -> Form:
    return {"description": description, "required": required, "schema": schema, "example": example}


def _given(name: str, description: str, schema: Form) -> Form:
    return {"name": name, "in": "header", "required": False, "description": description, "schema": schema}


_TEXT: Form = {"type": "string"}
_GIVEN: Mapping[str, Form] = {
    "sendMessage": _given("Idempotency-Key", "The same as `message.id`.", _TEXT | {"minLength": 1, "maxLength": 256}),
    "listen": _given(
        "Last-Event-ID", "As browsers send it; counts before `after`.", _TEXT | {"pattern": "^[0-9]{1,16}$"}
    ),
}
"""Headers of requests."""
_COMMON: Form = {
    "RequestId": _header(
        "The id of the request: the one that the client sent in the same header (1 to 128 letters, digits and "
        "`._~:/+=@-`), or a new one. The service's log lines have it.",
        _TEXT,
        "5f1d0c2b9a7e4c38",
        required=True,
    ),
    "RateLimitLimit": _header("How many requests may come at once.", {"type": "integer", "minimum": 1}, 1000),
    "RateLimitRemaining": _header("How many of them may come now.", {"type": "integer", "minimum": 0}, 987),
    "RateLimitReset": _header("Seconds until all of them may.", {"type": "integer", "minimum": 0}, 1),
    "IdempotentReplayed": _header(
        "`true`: the message was known by its id, and this is the answer to it once more.",
        {"type": "string", "const": "true"},
        "true",
    ),
}
"""Headers of answers of many operations, by their names in ``components``."""
_ALWAYS = {"Request-Id": "RequestId"}
_COUNTED = {
    "RateLimit-Limit": "RateLimitLimit",
    "RateLimit-Remaining": "RateLimitRemaining",
    "RateLimit-Reset": "RateLimitReset",
}
_REPLAYED = {"Idempotent-Replayed": "IdempotentReplayed"}
_REPEATABLE = frozenset({"sendMessage", "say"})
_LIST_HEADERS: Form = {
    "Link": _header(
        'The address of the next page, `<address>; rel="next"` (RFC 8288), when there is one.',
        _TEXT,
        '<https://bots.example.org/v1/bots/clinic/conversations?limit=50&after=WyIwMWExZmU0MiJd>; rel="next"',
    ),
    "X-Total-Count": _header(
        "How many records match in all; with `total=true`.", {"type": "integer", "minimum": 0}, 1284
    ),
}
_HEADERS: Mapping[str, Form] = {
    "listConversations": _LIST_HEADERS,
    "listMessages": _LIST_HEADERS,
    "readFile": {
        "Content-Disposition": _header(
            "How it is to be shown, and its name.", _TEXT, 'inline; filename="leaf.png"', required=True
        )
    },
}
"""Headers of answers."""
_LISTS: Mapping[str, tuple[str, type]] = {
    "listConversations": ("Conversation", ConversationRecord),
    "listMessages": ("Message", MessageRecord),
}
_LANDING = "\n\n`login-landing`: this browser's login by the link is still on its way into the chat."
_LOGINS: Mapping[str, tuple[str, Form]] = {
    "startLogin": ("On to the provider.", {"503": _LANDING}),
    "goOnWithLogin": ("", {}),
    "finishLogin": (
        "Back to the chat, where the channel can.",
        {
            "403": "\n\n`login-cancelled`: the user cancelled at the provider.",
            "503": f"\n\n`login-lost`: the login could not be stored; the link is used.{_LANDING}",
        },
    ),
}
"""Where a login sends the browser, and refusals that browsers alone meet, always as a page."""


def describe(base_url: str) -> Form:
    rows = [row for row in ENDPOINTS if row.tag]
    schemas = Schemas(
        [row.body for row in rows if row.body is not None],
        [row.answer.type for row in rows if row.answer.type is not None]
        + [Problem, *(record for _, record in _LISTS.values())],
    )
    parts = {
        f"{kind}Part": part_of(schemas.components[record.__name__], schemas.components)
        | {"description": f"Of a {kind.lower()} the properties that `fields` names, and `_id`."}
        for kind, record in _LISTS.values()
    }
    paths: Form = {}
    for row in rows:
        members = paths.setdefault(row.path, {})
        if place := _place(row.path):
            members["parameters"] = place
        members[row.method.lower()] = _operation(row, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Dialoom",
            "version": __version__,
            "summary": "Conversational bots and their history",
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": base_url, "description": "This service"}],
        "tags": [{"name": name, "description": description} for name, description in _TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": schemas.components | parts | query.schemas(),
            "examples": problems.examples({code for row in rows for code in _codes(row)}),
            "headers": _COMMON,
            "securitySchemes": _TOKENS,
        },
    }


def _place(path: str) -> list[Form]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    shape = {"type": "string", "minLength": 1}
    return [
        {"name": name, "in": "path", "required": True, "description": about, "schema": shape, "example": example}
        for name in names
        for about, example in [_PARTS[name]]
    ]


def _operation(row: Endpoint, schemas: Schemas) -> Form:
    security = [{SCHEME: [row.scope]}] if row.access is Access.SERVER else _SECURITY[row.access]
    described: Form = {
        "operationId": row.id,
        "summary": row.summary,
        "description": row.about,
        "tags": [row.tag],
        "security": security,
        "parameters": [*_parameters(row), *([_GIVEN[row.id]] if row.id in _GIVEN else [])],
        "responses": {str(row.answer.status): _success(row, schemas), **problems.responses(_codes(row))},
    }
    if row.body is not None:
        described["requestBody"] = {"required": True, "content": _body(row, schemas)}
    if row.id in _LISTS:
        content = described["responses"]["200"]["content"]
        described["responses"]["200"]["content"] = _list_content(row.id, schemas) | content
    if row.id in _LOGINS:
        _show_as_pages(row, described)
    for status, response in described["responses"].items():
        response["headers"] = response.get("headers", {}) | _common_headers(row, status)
    return described


def _common_headers(row: Endpoint, status: str) -> Form:
    is_repeatable = row.id in _REPEATABLE and status == str(row.answer.status)
    names = _ALWAYS | (_COUNTED if row.rate != "none" else {}) | (_REPLAYED if is_repeatable else {})
    return {name: {"$ref": f"#/components/headers/{component}"} for name, component in names.items()}


def _codes(row: Endpoint) -> list[str]:
    codes = [*(("bad-parameter",) if row.query is not None else ()), *_CODES[row.access], *row.codes]
    if row.rate != "none":
        codes += ["too-many-requests", "internal"]
    if row.rate in {"token", "guard"} or "{" in row.path or row.id == "ready":
        codes.append("store-away")
    if "{" in row.path:
        codes += ["unknown-parameter", "bad-text"]
    if row.body is Bytes:
        codes += ["incomplete", "content-type", "too-many-bodies"]
    elif row.body is not None:
        codes += problems.BODY
    if QUERY[0] in codes:
        codes = [code for code in codes if code != QUERY[0]] + [*problems.QUERY]
    return sorted(dict.fromkeys(codes))


def _parameters(row: Endpoint) -> list[Form]:
    """Return the parameters behind the question mark, made from the fields of their type."""
    if row.query is None:
        return []
    (_,), made = msgspec.json.schema_components([row.query], ref_template="#/components/schemas/{name}")
    (shape,) = made.values()
    found = []
    for name, schema in shape["properties"].items():
        described: Form = {
            "name": name,
            "in": "query",
            "required": name in shape.get("required", ()),
            "description": schema.pop("description"),
        }
        values = schema.pop("examples", [])
        if schema.get("default") in ("", None, ()):
            schema.pop("default", None)
        described["schema"] = schema
        if name == "query":
            shown = [(about, json.dumps(value)) for about, value in query.EXAMPLES.values()]
            described["examples"] = _examples(shown)
        elif values:
            described["examples"] = _examples([("For example", value) for value in values])
        if schema.get("type") == "array":
            described |= {"style": "form", "explode": False}
        found.append(described)
    return found


def _examples(shown: Sequence[tuple[str, object]]) -> Form:
    return {str(number): {"summary": summary, "value": value} for number, (summary, value) in enumerate(shown, 1)}


def _content(schema: Form, shown: Sequence[tuple[str, object]], media: str = JSON) -> Form:
    return {media: {"schema": schema} | ({"examples": _examples(shown)} if shown else {})}


def _body(row: Endpoint, schemas: Schemas) -> Form:
    if row.body is Bytes:
        return _content(schemas.of(row.body), [], "application/octet-stream")
    return _content(schemas.of(row.body), [*row.shows])


def _success(row: Endpoint, schemas: Schemas) -> Form:
    described: Form = {"description": row.answer.about}
    if row.answer.type is not None:
        schema = schemas.of(row.answer.type)
        is_shown = row.answer.media == JSON and row.id != "description"
        shown = [("For example", example_of(schema, schemas.components))] if is_shown else []
        described["content"] = _content(schema, shown, row.answer.media)
    if row.id in _HEADERS:
        described["headers"] = _HEADERS[row.id]
    return described


def _list_content(id: str, schemas: Schemas) -> Form:
    """Return the content of a page of a list: whole records, or those properties that ``fields`` names."""
    kind, record = _LISTS[id]
    whole = schemas.of(record)
    example = example_of(whole, schemas.components)
    few = {name: example[name] for name in ("_id", "User")}
    items = {"anyOf": [whole, {"$ref": f"#/components/schemas/{kind}Part"}]}
    shown = [("A page of one record", [example]), ("With `fields=User`", [few]), ("Nothing matches", [])]
    return _content({"type": "array", "items": items, "maxItems": 1000}, shown)


def _show_as_pages(row: Endpoint, described: Form) -> None:
    """Add the pages that a browser gets in place of a login's answers. The form that such a page sends is left out: no
    program sends it, and generators make clients that do not load of a body in two forms."""
    to, more = _LOGINS[row.id]
    page = _content({"type": "string", "description": "HTML, in the bot's language."}, [], HTML)
    responses = described["responses"]
    for status, response in responses.items():
        is_json = row.body is not None
        if status != "200" or is_json:
            response["content"] = response["content"] | page if is_json else page
        response["description"] += more.get(status, "")
    if to:
        where = _header(to, _TEXT, "https://login.example.com/", required=True)
        responses["303"] = {"description": to, "headers": {"Location": where}}
