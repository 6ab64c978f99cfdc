"""What must not stand in any record: the masking rule of history-api.md, applied before anything is written."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import msgspec

MASK = "***"
LONGEST_VALUE = 4096
"""Bytes of JSON of one value of memory in a record; above it only its size is kept (flow-language.md section 7)."""

# A name is cut into words at case changes and at anything that is no letter or digit: apiKey, api-key, api_key alike.
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_SECRET_WORDS = frozenset({"secret", "token", "password", "pin", "authorization", "apikey"})
# Three base64url parts, the first the beginning of a JSON object (RFC 7515 section 7.1).
_JWT = re.compile(r"\be[yw][A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*")


def is_secret_name(name: str) -> bool:
    words = [word.lower() for word in _WORD.findall(name)]
    if not _SECRET_WORDS.isdisjoint(words):
        return True
    return any(pair == ("api", "key") for pair in pairwise(words))


class Masking:
    """The rule for one bot; ``authentication_entity`` is masked whatever its name."""

    def __init__(self, authentication_entity: str | None = None) -> None:
        self._authentication_entity = authentication_entity
        self._names: dict[str, bool] = {}

    def hides(self, name: str) -> bool:
        """Whether a value under this name is masked. Names come from flows and from clients, so the memo is bounded."""
        known = self._names.get(name)
        if known is None:
            known = name == self._authentication_entity or is_secret_name(name)
            if len(self._names) < 4096:
                self._names[name] = known
        return known

    def text(self, text: str) -> str:
        if "." in text and ("ey" in text or "ew" in text):
            return _JWT.sub(MASK, text)
        return text

    def value(self, value: Any) -> Any:
        """``value`` with every secret in it masked; what holds none is given back as it is."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {
                self.text(key): MASK if self.hides(key) and item is not None else self.value(item)
                for key, item in value.items()
            }
        if isinstance(value, list | tuple):
            return [self.value(item) for item in value]
        return value

    def memory(self, memory: dict[str, Any]) -> dict[str, Any]:
        """Memory as records show it: masked, and long values replaced by ``{"truncated": bytes}``."""
        masked = self.value(memory)
        for name, value in masked.items():
            if not isinstance(value, str | dict | list) or (isinstance(value, str) and len(value) < LONGEST_VALUE // 4):
                continue
            size = len(msgspec.json.encode(value))
            if size > LONGEST_VALUE:
                masked[name] = {"truncated": size}
        return masked  # type: ignore[no-any-return]  # a dict goes in, a dict comes out
