"""Problem details (RFC 9457): the one form of every error that an HTTP client of ours meets."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from dialoom.errors import DialoomError, RequestError, StoreError, VaultError
from dialoom.query.refusal import CODES
from dialoom.storage.store import HistoryBusy, TextTooLong, TooSlow

if TYPE_CHECKING:
    from collections.abc import Mapping

MEDIA_TYPE = "application/problem+json"
_CODES: Mapping[int, str] = {
    400: "bad-body bad-id bad-json bad-message bad-parameter bad-request bad-text bad-url context-refused "
    "context-too-large file-empty incomplete text-too-long too-long unknown-event unknown-file "
    "unknown-parameter unsortable-stream",
    401: "bad-signature bad-user-token link-over session studio-session unauthorized user-token-required",
    403: "file-address login-browser login-cancelled login-challenge metrics-closed origin other-bot "
    "other-channel scope",
    404: "login-unknown not-found picker-unknown unknown-bot",
    405: "method",
    406: "not-acceptable",
    408: "body-too-slow head-too-slow upload-too-slow",
    409: "several-channels still-running",
    410: "erased login-over picker-over",
    413: "file-too-large too-large",
    415: "content-type",
    422: "key-reused",
    429: "quota too-many-files too-many-requests too-many-waiting",
    431: "head-too-large",
    500: "internal sealed",
    502: "list-not-read login-failed",
    503: "files-busy history-busy login-landing login-lost not-built overloaded query-too-slow stopping "
    "store-away store-cannot-read store-cannot-write too-many-connections",
    504: "login-timeout",
}
STATUSES: Mapping[str, int] = {
    code: status for status, codes in _CODES.items() for code in codes.split()
} | dict.fromkeys(CODES, 400)
"""By the code of a problem; those of queries are ``dialoom.query``'s."""


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
    return STATUSES[code]


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
    """What a client may know of an error that is not its own."""
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
    """The same for who asks for what is kept, and sends no messages."""
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
    """For who has sent nothing that could be taken twice."""
    detail = "The service is stopping. Ask again in some seconds."
    return RequestError("stopping", detail, headers={"Retry-After": "5"})


def internal() -> RequestError:
    return RequestError("internal", "Something went wrong here. The operator finds the reason in the log.")


def not_found(what: str) -> RequestError:
    return RequestError("not-found", what)


def encode(error: RequestError) -> tuple[int, dict[str, str], bytes]:
    headers = {"content-type": MEDIA_TYPE, "cache-control": "no-store", **_lower(error.headers)}
    return status_of(error.code), headers, msgspec.json.encode(problem(error))


def _lower(headers: Mapping[str, Any]) -> dict[str, str]:
    return {name.lower(): str(value) for name, value in headers.items()}
