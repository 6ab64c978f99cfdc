"""Refusals of the Viber API: HTTP status 200 and a number in the body.

Numbers: creators.viber.com/docs/bots-api/errors (github.com/Viber/creators-hub, docs/bots-api/errors.md).
"""

from __future__ import annotations

from typing import Any

from dialoom.testing.platforms.shapes import Fault

STATUSES = {
    1: "invalidUrl",
    2: "invalidAuthToken",
    3: "badData",
    4: "missingData",
    5: "receiverNotRegistered",
    6: "receiverNotSubscribed",
    10: "webhookNotSet",
    12: "tooManyRequests",
    13: "apiVersionNotSupported",
    14: "incompatibleWithVersion",
}


class ViberError(Exception):
    """The platform refuses a call."""

    def __init__(self, status: int, problem: str = "") -> None:
        self.status = status
        self.message = f"{STATUSES[status]}: {problem}" if problem else STATUSES[status]
        super().__init__(self.message)

    def body(self) -> dict[str, Any]:
        """Return the body of the answer, which has HTTP status 200; also for ``fail_next(200, body=...)``."""
        return {"status": self.status, "status_message": self.message, "chat_hostname": "SN-CHAT-01_"}


def of_fault(fault: Fault) -> ViberError:
    """Return the error that the platform makes of a fault in the body."""
    where = ".".join(str(part) for part in fault.path)
    return ViberError(4 if fault.kind == "missing" else 3, f"{where} {fault.detail}")
