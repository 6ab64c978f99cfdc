"""Errors in the form of the Graph API.

Codes: developers.facebook.com/documentation/business-messaging/messenger-platform/error-codes; wording of lengths and
of 551 as answers that developers published have it (github.com/microsoft/botframework-sdk issues 1335, 2050, 4556).
"""

from __future__ import annotations

from typing import Any

from dialoom.testing.platforms.shapes import Fault

_KNOWN: dict[int, tuple[str, int | None]] = {
    2: ("An unexpected error has occurred. Please retry your request later.", None),
    4: ("(#4) Application request limit reached", None),
    10: ("(#10) This message is sent outside of allowed window.", 2018278),
    190: ("Invalid OAuth access token.", None),
    551: ("(#551) This person isn't available right now.", 1545041),
    613: ("(#613) Calls to this api have exceeded the rate limit.", None),
    1200: ("(#1200) Temporary send message failure. Please try again later.", None),
}


class GraphError(Exception):
    """The platform refuses a call. It always answers with status 400."""

    def __init__(self, code: int, message: str = "", subcode: int | None = None) -> None:
        known, known_subcode = _KNOWN.get(code, ("", None))
        self.code = code
        self.subcode = subcode or known_subcode
        self.message = message or known
        super().__init__(self.message)

    def body(self) -> dict[str, Any]:
        """Return the body of the answer; also for ``fail_next(400, body=GraphError(613).body())``."""
        error: dict[str, Any] = {"message": self.message, "type": "OAuthException", "code": self.code}
        if self.subcode is not None:
            error["error_subcode"] = self.subcode
        return {"error": {**error, "fbtrace_id": "AbCdEfGhIjKlMnOpQrStUvW"}}


def invalid(problem: str, subcode: int | None = None) -> GraphError:
    """Return the error of a wrong parameter."""
    return GraphError(100, f"(#100) {problem}", subcode)


def of_fault(fault: Fault) -> GraphError:
    """Return the error that the platform makes of a fault in the body."""
    place = fault.place
    if fault.kind == "missing":
        return invalid(f"The parameter {place} is required")
    if fault.kind == "unknown":
        holder = Fault(fault.path[:-1], fault.kind, "").place
        return invalid(f'Invalid keys "{fault.path[-1]}" were found in param "{holder}".')
    if fault.kind == "long":
        return invalid(f"Length of param {place} must be less than or equal to {fault.limit}")
    if fault.kind == "short":
        return invalid(f"Param {place} must be a non-empty UTF-8 encoded string")
    if fault.kind in ("few", "many"):
        return invalid(f"Param {place} {fault.detail}")
    if fault.kind == "url":
        return invalid(f"Param {place} should represent a valid URL")
    return invalid(f"Param {place} {fault.detail}")
