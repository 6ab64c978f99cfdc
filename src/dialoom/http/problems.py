"""Makes problem details (RFC 9457): the one form of every error that an HTTP client of ours meets."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated

import msgspec
from msgspec import Meta

from dialoom.errors import DialoomError, RequestError, StoreError, VaultError
from dialoom.query.errors import CODES
from dialoom.storage.store import HistoryBusy, TextTooLong, TooSlow

MEDIA_TYPE = "application/problem+json"
PROBLEMS: Mapping[str, tuple[int, str]] = {code: (400, reason) for code, reason in CODES.items()} | {
    "bad-body": (400, "the body has another shape"),
    "bad-id": (400, "an id is empty or too long"),
    "bad-json": (400, "the body is no strict JSON"),
    "bad-message": (400, "a message is empty, or more than one thing at once"),
    "bad-parameter": (400, "a parameter with a wrong value, or given twice"),
    "bad-request": (400, "not HTTP/1.1, or without one header Host, or with two headers Authorization"),
    "bad-skill-request": (400, "a request of Alexa without the proof that Amazon made it for this skill"),
    "bad-text": (400, "a text holds NUL or half of a surrogate pair"),
    "bad-url": (400, "an address that is not http or https"),
    "context-refused": (400, "the context names what it may not set"),
    "context-too-large": (400, "the context has more than 64 KiB of JSON"),
    "file-empty": (400, "a file without content"),
    "incomplete": (400, "the connection ended too early"),
    "text-too-long": (400, "a text has more than 8,000 characters"),
    "too-long": (400, "a field is too long"),
    "unknown-event": (400, "an event of a type that does not exist"),
    "unknown-file": (400, "a message names a file that is not of this user, or is gone"),
    "unknown-parameter": (400, "a parameter that does not exist"),
    "unsortable-stream": (400, "a stream without a limit in an order that no index has"),
    "bad-signature": (401, "a platform's call without the signature that proves it"),
    "bad-user-token": (401, "a user token is refused"),
    "link-over": (401, "a link to the studio was used before, or its 15 minutes are over"),
    "session": (401, "no live session"),
    "studio-session": (401, "not signed in to the studio, or no longer"),
    "unauthorized": (401, "no token, or one that is malformed, unknown or revoked"),
    "user-token-required": (401, "the channel takes signed users only"),
    "administrator-needed": (403, "the studio allows this to administrators and operators only"),
    "directline-expired": (403, "Direct Line: the token's 1800 s are over"),
    "directline-token": (403, "Direct Line: a token or secret that is not valid here, or not for this conversation"),
    "file-address": (403, "the address has expired or was changed"),
    "login-browser": (403, "the browser has not shown that the login, or the sign-in to the studio, is its own"),
    "login-cancelled": (403, "the user cancelled a login at the provider"),
    "login-challenge": (403, "a login's challenge was not made here for this chat, or is older than two minutes"),
    "metrics-closed": (403, "asked for from elsewhere while no token is set"),
    "erasure-off": (403, "the channel does not let users erase their own data (`erase-from-page`)"),
    "rating-off": (403, "the channel does not ask users for a rating (`ask-rating`)"),
    "origin": (403, "a page of an origin that the channel does not list"),
    "other-bot": (403, "a live token of another bot, whether or not there is one of this id"),
    "other-channel": (403, "a live token of another channel"),
    "role": (403, "the role of a session of the studio may not do this"),
    "scope": (403, "the token lacks the scope that is needed"),
    "directline-conversation": (404, "Direct Line: a conversation that is none of this channel, or was erased"),
    "login-unknown": (404, "a login address that was not made here"),
    "not-found": (404, "there is nothing of this id, or at this address"),
    "picker-unknown": (404, "an address that was not made here for this channel"),
    "unknown-bot": (404, "the bot was taken away while the request ran"),
    "method": (405, "another method is meant; the header Allow names those that may be used"),
    "not-acceptable": (406, "another form is asked for with Accept"),
    "body-too-slow": (408, "nothing of the body came for 10 s, or it came too slowly"),
    "head-too-slow": (408, "the head of a request was not whole after 10 s"),
    "upload-too-slow": (408, "the file was not there within 120 s, or nothing of it came for 10 s"),
    "several-channels": (409, "a user of this id exists on several channels, and none is named"),
    "still-running": (409, "a message with this id is being answered"),
    "bot-exists": (409, "a new bot has the id of one that there is"),
    "try-out-changed": (409, "a try-out went on in another tab, or by somebody else"),
    "try-out-waits": (409, "a try-out has turns that are not played yet, because one of them would write"),
    "hand-off-taken": (409, "a chat that waits for a person is another person's, or nobody has taken it"),
    "hand-off-over": (409, "a chat is the bot's again: the user restarted it, or the silence is over"),
    "erases-conversations": (
        409,
        "conversations would be erased, and a publish or rollback does not say `acceptsErasing`",
    ),
    "draft-changed": (409, "a bot's files were changed by somebody else since they were read; `files` holds them"),
    "version-changed": (409, "another version of the bot became active while this one was looked at"),
    "erased": (410, "the user was erased while this message waited for its turn"),
    "login-over": (410, "the login link was used, is older than ten minutes, or the chat has a newer one"),
    "picker-over": (410, "the question was answered, or is not asked any more"),
    "file-too-large": (413, "the file has more than 10 MiB"),
    "too-large": (413, "the body has more than 1 MiB"),
    "content-type": (415, "the body is no JSON by its Content-Type, or is compressed"),
    "key-reused": (422, "the id was used for another message"),
    "bot-lacks": (422, "a version needs what the service does not have, such as a variable"),
    "draft-is-folder": (422, "a bot that is edited in its folder cannot be discarded"),
    "folder-not-written": (422, "a bot's folder cannot be written"),
    "no-fix": (422, "a finding has no fix that is sure"),
    "other-id": (422, "the files are those of another bot"),
    "version-unusable": (422, "this release cannot use that version of a bot"),
    "findings": (422, "a bot cannot be loaded with these files; `findings` says why"),
    "try-out-empty": (422, "a try-out without a turn is to become a test"),
    "try-out-full": (422, "a try-out has 300 turns, or is too large"),
    "quota": (429, "the chat, or its address, has sent too much in this UTC day"),
    "too-many-files": (429, "the user, its address or the channel has sent too much in a day"),
    "too-many-streams": (429, "its address has as many event streams open as it may have"),
    "too-many-requests": (429, "too many requests with this token, from this user or from this address"),
    "too-many-waiting": (429, "20 messages of this user wait already"),
    "head-too-large": (431, "address and headers of a request have more than 64 KiB"),
    "internal": (500, "a fault of the service; its operator finds the reason in the log"),
    "sealed": (500, "a sealed value cannot be opened; the operator finds the reason in the log"),
    "backup-failed": (500, "a backup could not be made; `detail` says why"),
    "geocoder": (502, "the operator's search for places gave no usable answer"),
    "list-not-read": (502, "the list cannot be had now; its values stay"),
    "login-failed": (502, "the login's provider gave no usable answer"),
    "files-busy": (503, "too many files come in"),
    "history-busy": (503, "other history queries had all places for 5 s"),
    "login-landing": (503, "a login by this link, in this browser, is still on its way into the chat"),
    "login-lost": (503, "a login could not be stored; its link is used up"),
    "not-built": (503, "the page was not built with this installation"),
    "overloaded": (503, "more comes in than can be answered"),
    "query-too-slow": (503, "the query took longer than 10 s and was stopped"),
    "stopping": (503, "the service is stopping"),
    "store-away": (503, "the store is away, or did not answer within the time limit"),
    "store-cannot-read": (503, "the store's disk fails where it is read"),
    "store-cannot-write": (503, "the store takes nothing: its disk is full, failing, or read-only"),
    "try-out-training": (503, "a bot that is tried is still being trained"),
    "too-many-bodies": (
        503,
        "bodies that are not whole hold as many bytes as they may, all together or of one address",
    ),
    "too-many-connections": (503, "more connections are open than DIALOOM_MOST_CONNECTIONS"),
    "login-timeout": (504, "the login's provider did not answer in time"),
}
"""By the code of a problem: its status, and when it comes. Codes of queries and sorts are ``dialoom.query``'s."""


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """Every error has this form (RFC 9457)."""

    type: Annotated[
        str,
        Meta(
            description="The kind of problem: `urn:dialoom:problem:` and the code.",
            examples=["urn:dialoom:problem:bad-operand"],
        ),
    ]
    title: Annotated[str, Meta(description="The status in words.", examples=["Bad Request"])]
    status: Annotated[int, Meta(description="The status.", examples=[400])]
    detail: Annotated[
        str,
        Meta(
            description="What happened, where, and what to do.",
            examples=["$size takes a whole number that is not negative."],
        ),
    ]
    code: Annotated[str, Meta(description="The stable word for programs.", examples=["bad-operand"])]
    pointer: Annotated[
        str | None,
        Meta(
            description="JSON pointer (RFC 6901) of the part at fault, where there is one.", examples=["/Errors/$size"]
        ),
    ] = None


def status_of(code: str) -> int:
    return PROBLEMS[code][0]


def problem(error: RequestError) -> Problem:
    status = status_of(error.code)
    return Problem(
        type=f"urn:dialoom:problem:{error.code}",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=error.detail,
        code=error.code,
        pointer=error.pointer,
    )


def as_request_error(error: DialoomError) -> RequestError:
    """Return what a client may know of an error that is not its own."""
    if isinstance(error, RequestError):
        return error
    if isinstance(error, StoreError):
        # Whether a commit that was not answered has happened is not known here (the answer may be what was lost).
        detail = (
            "The store is away or did not answer in time. Try again; send a message with the same id as before, so "
            "that it counts once even if it was taken."
        )
        return RequestError("store-away", detail, headers={"Retry-After": "2"})
    if isinstance(error, VaultError):
        detail = "A sealed value cannot be opened. The operator finds the reason in the log."
        return RequestError("sealed", detail)
    return internal()


def of_history(error: DialoomError) -> RequestError:
    """Return the same for a client of the history, which sends no messages."""
    if isinstance(error, TextTooLong):
        return RequestError("query-too-slow", str(error), headers={"Retry-After": "10"})
    if isinstance(error, TooSlow):
        detail = (
            "The query took longer than the 10 s that it may, and was stopped. Sent again as it is, it will hardly be "
            "faster: ask for indexed properties, narrow it by time, go on with after in place of skip, leave total "
            "out; or read a stream, each step of which has that time."
        )
        return RequestError("query-too-slow", detail, headers={"Retry-After": "10"})
    if isinstance(error, HistoryBusy):
        detail = "Other history queries take all the time that there is for them. Ask again in some seconds."
        return RequestError("history-busy", detail, headers={"Retry-After": "5"})
    if isinstance(error, StoreError):
        detail = "The store is away. Ask again in some seconds."
        return RequestError("store-away", detail, headers={"Retry-After": "2"})
    return as_request_error(error)


def stopping() -> RequestError:
    """Return the refusal of a service that stops, for requests that changed nothing."""
    detail = "The service is stopping. Ask again in some seconds."
    return RequestError("stopping", detail, headers={"Retry-After": "5"})


def internal() -> RequestError:
    return RequestError("internal", "Something went wrong here. The operator finds the reason in the log.")


def not_found(what: str) -> RequestError:
    return RequestError("not-found", what)


def encode(error: RequestError) -> tuple[int, dict[str, str], bytes]:
    headers = {"content-type": MEDIA_TYPE, "cache-control": "no-store"}
    headers |= {name.lower(): value for name, value in error.headers.items()}
    shown = problem(error)
    body = msgspec.to_builtins(shown) | error.members if error.members else shown
    return status_of(error.code), headers, msgspec.json.encode(body)
