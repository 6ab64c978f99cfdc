"""What the description says of the history API: lists, counts, one conversation, one user's export and erasure."""

from __future__ import annotations

import json
from typing import Any

from dialoom.http.admin.admission import SCHEME
from dialoom.http.history.parameters import DEFAULT_LIMIT, MAX_LIMIT, MAX_SKIP
from dialoom.http.openapi import query
from dialoom.http.openapi.forms import Answer, Form, asked, content, header, listed, of, operation, place, text
from dialoom.http.openapi.problems import EVERYWHERE, QUERY_EXAMPLES
from dialoom.http.openapi.records import CONVERSATION, MESSAGE, SCHEMAS
from dialoom.http.server.accept import NDJSON
from dialoom.query.fields import MAX_FIELDS
from dialoom.query.json_text import MAX_BYTES

BOT = place("bot_id", "The bot's id.", "clinic")
READ: Form = {SCHEME: ["read"]}
ERASE: Form = {SCHEME: ["erase"]}
_CURSOR = "WyIwMWExZmU0Mi1jMThmLTcwMDEtOGVhYy01NmJmYmM1YTE3Y2UiXQ"
_PARTS = ("unknown-parameter", "bad-parameter", "bad-request")
_REFUSED = ("unauthorized", "other-bot", "scope")
_ASKED = (
    *_PARTS,
    *QUERY_EXAMPLES,
    *_REFUSED,
    "not-acceptable",
    "too-large",
    *EVERYWHERE,
    "query-too-slow",
    "history-busy",
)

_QUERY: Form = {
    "name": "query",
    "in": "query",
    "required": False,
    "description": "Which records: a JSON object of MongoDB's predicates, URL-encoded, at most "
    f"{MAX_BYTES // 1024} KiB. Without it: all.",
    "content": content(of("HistoryQuery"), query.EXAMPLES),
}
_SORT = asked(
    "sort",
    "In which order: the name of a property, upwards, or a JSON object of names to 1 (up) or -1 (down), the most "
    "important first, at most 8. `_id` is always added last. Without it: by `_id`, that is by time, and a walk misses "
    "nothing that was committed before it began.",
    {"type": "string", "minLength": 1},
    {
        "name": ("The name of a property", "StartedAt"),
        "object": ("The newest first", '{"StartedAt": -1}'),
        "several": ("By two properties", '{"Errors": -1, "StartedAt": 1}'),
    },
)
_LIMIT = asked(
    "limit",
    f"At most so many records. Without it {DEFAULT_LIMIT}; a stream then has no limit.",
    {"type": "integer", "minimum": 0, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT},
    {"page": ("A page of fifty", 50)},
)
_SKIP = asked(
    "skip",
    "Leave out so many matching records first. Not beside `after`, which is for long walks: it does not get slower.",
    {"type": "integer", "minimum": 0, "maximum": MAX_SKIP, "default": 0},
    {"second": ("The second page of fifty", 50)},
)
_AFTER = asked(
    "after",
    "Go on behind the last record of the page before: the value in its header `Link`. It belongs to that `sort` and "
    "`query`; take the whole address of the header and nothing can go wrong.",
    {"type": "string", "minLength": 1},
)
_FIELDS = asked(
    "fields",
    f"Only these properties, separated by commas, with dots into nested objects; at most {MAX_FIELDS}. `_id` always.",
    listed({"type": "string", "minLength": 1, "pattern": "^[^,]+$"}, minItems=1, maxItems=MAX_FIELDS),
    {"names": ("Who, and how it went", ["User", "Status", "Data.user.FirstName"])},
) | {"style": "form", "explode": False}
_TOTAL = asked(
    "total",
    "`true`: the header `X-Total-Count` tells how many records match in all.",
    {"type": "boolean", "default": False},
    {"yes": ("With the number of all", True)},
)
_LINK = header(
    'The address of the next page, `<address>; rel="next"` (RFC 8288), when there is one.',
    {"type": "string"},
    f'<https://bots.example.org/v1/bots/clinic/conversations?limit=50&after={_CURSOR}>; rel="next"',
)
_TOTAL_COUNT = header("How many records match in all; with `total=true`.", {"type": "integer", "minimum": 0}, 1284)


def paths() -> Form:
    bot = "/v1/bots/{bot_id}"
    user = place("user_id", "The user's id on its channel: `User` of its records.", "ada")
    one = place("conversation_id", "The conversation's `_id`.", CONVERSATION["_id"])
    return {
        f"{bot}/conversations": {"parameters": [BOT], "get": _list("Conversation", CONVERSATION)},
        f"{bot}/messages": {"parameters": [BOT], "get": _list("Message", MESSAGE)},
        f"{bot}/conversations/_count": {"parameters": [BOT], "get": _count("Conversation")},
        f"{bot}/messages/_count": {"parameters": [BOT], "get": _count("Message")},
        f"{bot}/conversations/{{conversation_id}}": {"parameters": [BOT, one], "get": _one()},
        f"{bot}/users/{{user_id}}/export": {"parameters": [BOT, user], "get": _export()},
        f"{bot}/users/{{user_id}}": {"parameters": [BOT, user], "delete": _erase()},
    }


def _list(kind: str, example: Form) -> Form:
    whole, part = of(f"{kind}Record"), of(f"{kind}Part")
    few: Form = {name: example[name] for name in ("_id", "User")}
    line = {"two": ("Two lines, with `fields=User`", f"{json.dumps(few)}\n" * 2)}
    examples: dict[str, tuple[str, Any]] = {
        "whole": ("A page of one record", [example]),
        "fields": ("With `fields=User`", [few]),
        "nothing": ("Nothing matches", []),
    }
    lines = text(
        "One record a line, each as in the array of `application/json`. Without `limit` all that match, however many, "
        "in the order of `sort`; then `sort` must be one property that an index has the order of."
    )
    plural = f"{kind.lower()}s"
    return operation(
        f"list{kind}s",
        "History",
        f"List {plural}",
        f"The bot's {kind.lower()} records that match, in the order asked for. With `Accept: {NDJSON}` they come as a "
        "stream, one a line.",
        Answer(
            "200",
            "The records.",
            content(listed({"anyOf": [whole, part]}, maxItems=MAX_LIMIT), examples) | content(lines, line, NDJSON),
            {"Link": _LINK, "X-Total-Count": _TOTAL_COUNT},
        ),
        ("unsortable-stream", *_ASKED, "stopping"),
        security=[READ],
        parameters=[_QUERY, _SORT, _LIMIT, _SKIP, _AFTER, _FIELDS, _TOTAL],
    )


def _count(kind: str) -> Form:
    return operation(
        f"count{kind}s",
        "History",
        f"Count {kind.lower()}s",
        f"How many {kind.lower()} records match.",
        Answer("200", "The number.", content(of("Count"), {"number": ("Forty-two match", {"count": 42})})),
        _ASKED,
        security=[READ],
        parameters=[_QUERY],
    )


def _one() -> Form:
    return operation(
        "getConversation",
        "History",
        "One conversation",
        'One conversation record. Its messages are listed with the query `{"Conversation": "<_id>"}`.',
        Answer("200", "The record.", content(of("ConversationRecord"), {"record": ("A conversation", CONVERSATION)})),
        (*_PARTS, *_REFUSED, "not-found", "not-acceptable", *EVERYWHERE),
        security=[READ],
    )


_CHANNEL = asked(
    "channel",
    "The channel's id; needed when a user of this id exists on several.",
    {"type": "string", "minLength": 1},
    {"rest": ("The user of the rest channel", "rest")},
)
_OF_USER = (*_PARTS, *_REFUSED, "not-found", "not-acceptable", "several-channels", "too-large", "sealed", *EVERYWHERE)


def _export() -> Form:
    said = "".join(f"{json.dumps(one)}\n" for one in ({"conversation": CONVERSATION}, {"message": MESSAGE}))
    lines = {"two": ("A talk of one message", said)}
    return operation(
        "exportUser",
        "Users",
        "Everything kept of one user",
        "All that is kept of a person, as a stream of lines. Each line is an object with one name that says what it "
        "holds: `conversation`, `message`, `memory` or `file` (its content in Base64).",
        Answer("200", "The lines.", content(text("One JSON object a line."), lines, NDJSON)),
        (*_OF_USER, "stopping"),
        security=[READ],
        parameters=[_CHANNEL],
    )


def _erase() -> Form:
    receipt = {name: one["examples"][0] for name, one in SCHEMAS["Receipt"]["properties"].items()}
    return operation(
        "eraseUser",
        "Users",
        "Erase one user",
        "Deletes a person: conversations, messages, memory, files and what waits to be delivered. There is no way "
        "back. Copies in backups are the operator's.",
        Answer("200", "It is done: the receipt.", content(of("Receipt"), {"receipt": ("A receipt", receipt)})),
        _OF_USER,
        security=[ERASE],
        parameters=[_CHANNEL],
    )
