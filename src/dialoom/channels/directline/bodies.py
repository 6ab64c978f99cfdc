"""Defines what clients of Direct Line send besides activities, and the form of its errors."""

from __future__ import annotations

from typing import Any

import msgspec

from dialoom.channels._contract import limits
from dialoom.errors import RequestError

MAX_TRUSTED_ORIGINS = 20


class User(msgspec.Struct, frozen=True):
    """The user of a new conversation. Without an id, or with an empty one, a random one is made."""

    id: str | None = None
    name: str | None = None


class TokenBody(msgspec.Struct, frozen=True, rename="camel"):
    """A token is asked for. ``trusted_origins``: the only pages that may use it."""

    user: User | None = None
    trusted_origins: tuple[str, ...] = ()

    def origins(self) -> tuple[str, ...]:
        """Return the origins as browsers write them. Raises ``RequestError`` 400."""
        if len(self.trusted_origins) > MAX_TRUSTED_ORIGINS:
            detail = f"A token has at most {MAX_TRUSTED_ORIGINS} trusted origins."
            raise RequestError("bad-message", detail, pointer="/trustedOrigins")
        for origin in self.trusted_origins:
            limits.check_url(origin, "/trustedOrigins")
        return tuple(origin.rstrip("/").lower() for origin in self.trusted_origins)


class ConversationBody(msgspec.Struct, frozen=True):
    """A conversation is begun. Of a token's conversation the token says whose it is."""

    user: User | None = None
    locale: str | None = None


def error(code: str, status: int, detail: str) -> bytes:
    """Return the body of a refusal. ``code``: ours. The codes are those of Direct Line where it has one
    (https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-direct-line-3-0-api-reference)."""
    named = _CODES.get(code) or _OF_STATUS.get(status, "ServiceError" if status >= 500 else "BadArgument")
    body: dict[str, Any] = {"error": {"code": named, "message": detail}}
    return msgspec.json.encode(body)


_CODES = {
    "directline-expired": "TokenExpired",
    "directline-conversation": "ConversationNotFound",
    "unauthorized": "Unauthorized",
}
_OF_STATUS = {404: "NotFound", 405: "MethodNotAllowed", 413: "MessageSizeTooBig", 429: "TooManyRequests"}
