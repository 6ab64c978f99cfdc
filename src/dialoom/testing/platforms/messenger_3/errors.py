"""The one error of the Bot API: a status, a description and, with 429, the seconds to wait."""

from __future__ import annotations


class BotApiError(Exception):
    """The platform refuses a call; ``description`` is what it says."""

    def __init__(self, description: str, status: int = 400, retry_after: int | None = None) -> None:
        prefix = {400: "Bad Request: ", 403: "Forbidden: "}.get(status, "")
        super().__init__(prefix + description)
        self.description = prefix + description
        self.status = status
        self.retry_after = retry_after
