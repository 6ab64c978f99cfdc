"""Problem details (RFC 9457): the one form of every error that an HTTP client of ours meets."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.errors import DialoomError, RequestError, StoreError, VaultError

if TYPE_CHECKING:
    from collections.abc import Mapping

MEDIA_TYPE = "application/problem+json"


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """``code`` is the stable word for programs; ``pointer`` names the offending part of the request."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    pointer: str | None = None


def problem(error: RequestError) -> Problem:
    return Problem(
        type=f"urn:dialoom:problem:{error.code}",
        title=HTTPStatus(error.status).phrase,
        status=error.status,
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
        return RequestError(503, "store-away", detail, headers={"Retry-After": "2"})
    if isinstance(error, VaultError):
        detail = "A sealed value cannot be opened. The operator finds the reason in the log."
        return RequestError(500, "sealed", detail)
    return internal()


def internal() -> RequestError:
    return RequestError(500, "internal", "Something went wrong here. The operator finds the reason in the log.")


def not_found(what: str) -> RequestError:
    return RequestError(404, "not-found", what)


def encode(error: RequestError) -> tuple[int, dict[str, str], bytes]:
    headers = {"content-type": MEDIA_TYPE, "cache-control": "no-store", **_lower(error.headers)}
    return error.status, headers, msgspec.json.encode(problem(error))


def _lower(headers: Mapping[str, Any]) -> dict[str, str]:
    return {name.lower(): str(value) for name, value in headers.items()}
