"""Refusals of the connector and of the token service: a status, and ``{"error": {"code", "message"}}``."""

from __future__ import annotations

from dialoom.testing.platforms.stand_in import Answer


class ConnectorError(Exception):
    """The platform refuses a call."""

    def __init__(self, status: int, code: str, message: str = "") -> None:
        super().__init__(message or code)
        self.status = status
        self.code = code
        self.message = message or code

    def answer(self) -> Answer:
        """Return the answer that the service gets."""
        headers = {"Retry-After": "1"} if self.status == 429 else {}
        return Answer({"error": {"code": self.code, "message": self.message}}, self.status, headers)
