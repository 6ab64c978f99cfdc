"""The problems of the HTTP interface as its description shows them: when it comes, an example, headers.

The table holds what operations can answer with. Codes of queries and sorts are ``dialoom.query``'s, with their reasons.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from dialoom.errors import QueryError, RequestError
from dialoom.http.admin.admission import SCHEME
from dialoom.http.problems import MEDIA_TYPE, problem, status_of
from dialoom.query import indexed_properties, parse_fields, parse_query, parse_sort, read_cursor
from dialoom.query.errors import CODES
from dialoom.storage.collections import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Form = dict[str, Any]


class Refusal(NamedTuple):
    when: str
    detail: str
    """Of the example: a sentence as a client meets it."""
    pointer: str | None = None


EVERYWHERE = ("too-many-requests", "internal", "store-away")
"""What each operation that asks the store may answer with."""
BODY = ("bad-json", "bad-body", "bad-text", "incomplete", "too-large", "content-type", "body-too-slow")
"""What each operation that reads JSON may answer with."""

REFUSALS: Mapping[str, Refusal] = {
    "unknown-parameter": Refusal(
        "a parameter that does not exist",
        'There is no parameter "offset". Known are: limit, skip, sort, after, query, fields, total.',
    ),
    "bad-parameter": Refusal(
        "a parameter with a wrong value, or given twice",
        '"limit" is a whole number from 0 to 1000; here it is "1001".',
    ),
    "bad-request": Refusal(
        "a request that cannot be read, or without one header Host, or with two headers Authorization",
        "The header Authorization stands twice. Send it once.",
    ),
    "bad-json": Refusal("the body is no strict JSON", "The body is not JSON: expected value at character 1."),
    "bad-body": Refusal("the body has another shape", "Object missing required field `sender`."),
    "bad-text": Refusal(
        "a text holds NUL or half of a surrogate pair",
        "The text holds NUL at character 4; leave it out.",
        "/message/text",
    ),
    "bad-message": Refusal(
        "a message is empty, or more than one thing at once",
        "A message is one of text, option, location, attachments, event; this one has text and option.",
        "/message",
    ),
    "bad-id": Refusal("an id is empty or too long", "An id has 1 to 256 characters.", "/sender/id"),
    "too-long": Refusal("a field is too long", "At most 256 characters here.", "/sender/locale"),
    "text-too-long": Refusal(
        "a text has more than 8,000 characters",
        "A text has at most 8000 characters; this one has 9120.",
        "/message/text",
    ),
    "bad-url": Refusal(
        "an address that is not http or https",
        "An address here begins with http:// or https://.",
        "/message/attachments/0/payload/url",
    ),
    "context-too-large": Refusal(
        "the context has more than 64 KiB of JSON",
        "A context has at most 65536 bytes of JSON; this one has 70114.",
        "/message/context",
    ),
    "context-refused": Refusal(
        "the context names what it may not set",
        'The context may not set "_system": names that begin with _ belong to the service. Leave it out.',
        "/message/context/_system",
    ),
    "unknown-event": Refusal(
        "an event of a type that does not exist",
        'There is no event "login". The one event is "authentication".',
        "/message/event/type",
    ),
    "file-empty": Refusal("a file without content", "The file is empty. Send its bytes as the body."),
    "unknown-file": Refusal(
        "a message names a file that is not of this user, or is gone",
        "There is no such file of this user. Send it first with POST web/files.",
        "/files",
    ),
    "incomplete": Refusal("the connection ended too early", "The connection ended before the body was whole."),
    "unauthorized": Refusal(
        "no token, or one that is malformed, unknown or revoked",
        f"There is no valid token with this request. Send the header Authorization: {SCHEME} <token>.",
    ),
    "session": Refusal(
        "no live session",
        "There is no live session with this request. Open one with POST web/sessions.",
    ),
    "bad-user-token": Refusal(
        "a user token is refused",
        'The user token is refused: its "aud" is not this channel\'s id.',
        "/user/token",
    ),
    "user-token-required": Refusal(
        "the channel takes signed users only",
        "This channel takes signed users only. Have the page's server sign a user token and send it along.",
        "/user/token",
    ),
    "metrics-closed": Refusal(
        "asked for from elsewhere while no token is set",
        "Metrics are closed to other machines. The operator opens them with the setting metrics_token.",
    ),
    "other-bot": Refusal(
        "a live token of another bot, whether or not there is one of this id", "This token is for another bot."
    ),
    "other-channel": Refusal("a live token of another channel", "This token is for another channel."),
    "scope": Refusal(
        "the token lacks the scope that is needed", 'This token has no right to "erase". Make one that has.'
    ),
    "origin": Refusal(
        "a page of an origin that the channel does not list",
        "Pages of https://elsewhere.example may not use this channel. Its owner can list them under allowed-origins.",
    ),
    "file-address": Refusal(
        "the address has expired or was changed",
        "This address of a file has expired or was changed. Read the chat again for a new one.",
    ),
    "login-browser": Refusal(
        "the browser has not shown that the login is its own",
        "This login was not begun in this browser. Open the link in the chat with the browser in which you log in, and "
        "let it keep cookies.",
    ),
    "login-challenge": Refusal(
        "a login's challenge was not made here for this chat, or is older than two minutes",
        "This challenge was not made here for this chat, or its two minutes are over. Open the login again.",
        "/challenge",
    ),
    "login-unknown": Refusal(
        "a login address that was not made here",
        "This is no login link of ours. Open the one in the chat.",
    ),
    "not-found": Refusal(
        "there is nothing of this id, or at this address",
        'Bot "clinic" has no conversation "01a1fe42-c18f-7001-8eac-56bfbc5a17ce".',
    ),
    "picker-unknown": Refusal(
        "an address that was not made here for this channel",
        "This is no address of a question. Open the one that stands in the chat.",
    ),
    "unknown-bot": Refusal("the bot was taken away while the request ran", 'The bot "clinic" is not served any more.'),
    "not-acceptable": Refusal(
        "another form is asked for with Accept",
        "What is here comes as application/json or application/x-ndjson. Accept that, or leave the header Accept out.",
    ),
    "body-too-slow": Refusal("nothing of the body came for 10 s", "The body did not come in in time."),
    "upload-too-slow": Refusal(
        "the file was not there within 120 s, or nothing of it came for 10 s",
        "The file did not come in within 120 s, or nothing of it came for 10 s. Send it again.",
    ),
    "unsortable-stream": Refusal(
        "a stream without a limit in an order that no index has",
        "A stream without a limit cannot come in this order. Sort by one of "
        f"{', '.join(indexed_properties(TABLES['conversations']))}; or leave sort out; or ask for pages with limit.",
    ),
    "several-channels": Refusal(
        "a user of this id exists on several channels, and none is named",
        "Users of this id are known on several channels: rest, web. Say which is meant with channel=.",
    ),
    "still-running": Refusal(
        "a message with this id is being answered", "This message is being answered. Ask again in a second."
    ),
    "picker-over": Refusal(
        "the question was answered, or is not asked any more",
        "This question was answered already, or is not asked any more. Go back to the chat; it shows what is open.",
    ),
    "login-over": Refusal(
        "the login link was used, is older than ten minutes, or the chat has a newer one",
        "This login link was used already, or its time is over. Ask for a new link in the chat.",
    ),
    "erased": Refusal(
        "the user was erased while this message waited for its turn",
        "What was kept of this user was erased while this message waited for its turn, and the message with it. Send a "
        "new one, with another id, to begin anew.",
    ),
    "file-too-large": Refusal("the file has more than 10 MiB", "A file has at most 10 MiB. Send a smaller one."),
    "too-large": Refusal("the body has more than 1 MiB", "A body has at most 1048576 bytes."),
    "content-type": Refusal(
        "the body is no JSON by its Content-Type, or is compressed",
        "Send the body as JSON, with Content-Type: application/json.",
    ),
    "key-reused": Refusal(
        "the id was used for another message",
        "This id was used for another message. Give each message an id of its own.",
    ),
    "too-many-files": Refusal(
        "the user, its address or the channel has sent too much in a day",
        "20 files of this user come in already. Wait until one is done.",
    ),
    "quota": Refusal(
        "the chat, or its address, has sent too much in this UTC day",
        "This chat has a share of 2 MiB to send in a day, and this is more than is left of it. Try again after "
        "midnight UTC, or with less.",
    ),
    "too-many-requests": Refusal(
        "too many requests with this token, from this user or from this address",
        "Too many requests came with this token. Send the next in 1 s.",
    ),
    "too-many-waiting": Refusal(
        "20 messages of this user wait already", "20 messages of this user wait already. Send this one later."
    ),
    "internal": Refusal("a fault of ours", "Something went wrong here. The operator finds the reason in the log."),
    "sealed": Refusal(
        "a sealed value does not open",
        "A sealed value cannot be opened. The operator finds the reason in the log.",
    ),
    "login-failed": Refusal("the login's provider gave no usable answer", "The login did not work."),
    "list-not-read": Refusal(
        "the list cannot be had now; its values stay",
        'The list of "City" was not read: the server answered 500. Its values stay as they are.',
    ),
    "files-busy": Refusal(
        "too many files come in", "Too many files come in at this moment. Send it again in some seconds."
    ),
    "not-built": Refusal(
        "the page was not built with this installation",
        "The page pick.html was not built with this installation. Run: make install",
    ),
    "overloaded": Refusal(
        "more comes in than can be answered", "More comes in than can be answered. Send the same again soon."
    ),
    "store-away": Refusal(
        "the store is away, or did not answer within the time limit",
        "The store is away or did not answer in time. Try again; send a message with the same id as before, so that "
        "it counts once even if it was taken.",
    ),
    "store-cannot-read": Refusal(
        "the store's disk fails where it is read",
        "The store cannot be read: its disk fails. Check disk and file system. It is ready again by itself.",
    ),
    "store-cannot-write": Refusal(
        "the store takes nothing that is to be written: its disk is full, failing, or read-only",
        "The store cannot be written: its disk is full. Make room there. It is ready again by itself.",
    ),
    "query-too-slow": Refusal(
        "the query took longer than 10 s and was stopped",
        "The query took longer than the 10 s that it may, and was stopped. Sent again as it is, it will hardly be "
        "faster: ask for indexed properties, narrow it by time, go on with after in place of skip, leave total out; or "
        "read a stream, each step of which has that time.",
    ),
    "history-busy": Refusal(
        "other history queries had all places for 5 s",
        "Other history queries take all the time that there is for them. Ask again in some seconds.",
    ),
    "stopping": Refusal("the service is stopping", "The service is stopping. Ask another process."),
    "login-timeout": Refusal("the login's provider did not answer in time", "The login did not work."),
}

QUERY_EXAMPLES: Mapping[str, Callable[[], object]] = {
    "unknown-operator": partial(parse_query, '{"Errors": {"$gtt": 0}}'),
    "operator-not-allowed": partial(parse_query, '{"$where": "1"}'),
    "bad-operand": partial(parse_query, '{"Data.context.tags": {"$size": -1}}'),
    "not-json": partial(parse_query, "Status"),
    "bad-sort": partial(parse_sort, "[1]"),
    "bad-cursor": partial(read_cursor, "x", (), None),
    "bad-fields": partial(parse_fields, "User,,Status"),
}
"""Of the codes of queries those that show what they look like: what is refused with them."""

_UNTIMED = frozenset({"stopping", "not-built"})
"""Problems with 503 that name no time: another process is to be asked, or the operator."""
_RETRY = {
    "description": "Seconds after which the same request may be sent again.",
    "required": True,
    "schema": {"type": "integer", "minimum": 1},
    "example": 2,
}
_CHALLENGE = {
    "description": "The scheme of the token that is wanted (RFC 9110 section 11.6.1).",
    "schema": {"type": "string"},
    "example": SCHEME,
}
_HEADERS: Mapping[int, Form] = {401: {"WWW-Authenticate": _CHALLENGE}, 429: {"Retry-After": _RETRY}}


def refusals(codes: Iterable[str]) -> Form:
    """The responses of an operation that may answer with these problems, by status."""
    by_status: dict[int, list[str]] = {}
    for code in codes:
        by_status.setdefault(status_of(code), []).append(code)
    return {str(status): _response(status, by_status[status]) for status in sorted(by_status)}


def examples() -> Form:
    """Every problem of the table, for ``components``: operations refer to them."""
    shown = {code: _example(row.when, _problem(code)) for code, row in REFUSALS.items()}
    return shown | {code: _example(CODES[code], _problem(code)) for code in CODES if code in QUERY_EXAMPLES}


def _response(status: int, codes: list[str]) -> Form:
    sentences = [f"`{code}`: {REFUSALS[code].when}." for code in codes if code in REFUSALS]
    if any(code in QUERY_EXAMPLES for code in codes):
        words = ", ".join(f"`{code}`" for code in CODES)
        sentences.append(f"A query, sort or page that is not allowed, `pointer` says where in it: {words}.")
    media = {
        "schema": {"$ref": "#/components/schemas/Problem"},
        "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in codes},
    }
    described: Form = {"description": "\n\n".join(sentences), "content": {MEDIA_TYPE: media}}
    if status in _HEADERS:
        described["headers"] = _HEADERS[status]
    elif status == 503:
        described["headers"] = {"Retry-After": _RETRY | {"required": not _UNTIMED & {*codes}}}
    return described


def _example(summary: str, value: Form) -> Form:
    return {"summary": summary[:1].upper() + summary[1:], "value": value}


def _problem(code: str) -> Form:
    row = REFUSALS.get(code)
    error = _met(code) if row is None else RequestError(code, row.detail, pointer=row.pointer)
    shown: Form = msgspec.to_builtins(problem(error))
    return shown


def _met(code: str) -> RequestError:
    """The refusal itself, so that the example says what a client reads."""
    try:
        QUERY_EXAMPLES[code]()
    except QueryError as error:
        return error
    raise AssertionError(f"{code} was to be refused")
