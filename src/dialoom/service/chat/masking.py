"""What must not stand in any record: the masking rule of history-api.md, applied before anything is written."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import msgspec

MASK = "***"
MAX_VALUE_BYTES = 4096
"""Bytes of JSON of one value of memory in a record; above it only its size is kept (flow-language.md section 7)."""
MAX_CONTEXT_BYTES = 64 * 1024
"""Bytes of JSON of the whole context in a record, long values replaced; above it only its size is kept."""
_MIN_MEMBER_CHARS = 5
"""Bytes of JSON that a name and its value have at least: ``"":1,``."""

# A name is cut into words at case changes and at anything that is no letter or digit: apiKey, api-key, api_key alike.
# Letters of other alphabets count as small ones.
_WORD = re.compile(r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+|\d+")
_SECRET_WORDS = frozenset({"secret", "token", "password", "pin", "authorization", "apikey"})
# A quarter of the time of cutting a name into words, and nearly every name has none of these.
_may_be_secret = re.compile(r"secret|token|password|pin|authorization|api", re.IGNORECASE).search
# Three or five base64url parts with points between them (RFC 7515 and 7516, section 7.1), wherever they stand among
# others: all that could belong to one is matched at once, so that a text of many beginnings costs no more than another.
_DOTTED = re.compile(r"(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]{12,}+")
# The first part is a JSON object: a brace, and behind it a quotation mark, a space or the end of a line.
_HEADER = re.compile(r"(?<![A-Za-z0-9])e(?:y[A-DIJ]|w[k-r0-3])")
_MIN_HEADER_CHARS = 10


def _without_jwt(dotted: re.Match[str]) -> str:
    parts = dotted[0].split(".")
    for number, part in enumerate(parts[:-2]):
        found = _HEADER.search(part)
        if found is not None and len(part) - found.start() >= _MIN_HEADER_CHARS:
            # The point that ends a sentence is not the one behind an unsigned token's second part.
            end = [""] if not parts[-1] and len(parts) - number > 3 else []
            return ".".join([*parts[:number], part[: found.start()] + MASK, *end])
    return dotted[0]


def is_secret_name(name: str) -> bool:
    if _may_be_secret(name) is None:
        return False
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
            return _DOTTED.sub(_without_jwt, text)
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

    def memory(
        self, memory: dict[str, Any], before: dict[str, Any] | None = None, shown: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Memory as records show it: masked, and long values replaced by ``{"truncated": bytes}``.

        ``shown`` is what this gave of ``before``, an earlier state of the memory: what is the same object in both is
        taken from there, so that a value that does not change costs nothing.
        """
        if before is None or shown is None:
            return {self.text(name): self._shown(name, value) for name, value in memory.items()}
        if memory is before:
            return shown
        if len(before) != len(shown):  # two names became one, or all of it is replaced by its size
            before = {}
        return {
            self.text(name): shown[name]
            if name in shown and before.get(name, before) is value
            else self._shown(name, value)
            for name, value in memory.items()
        }

    def context(
        self, context: dict[str, Any], before: dict[str, Any] | None = None, shown: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """The same of the context, which a client can make as large as memory: ``{"truncated": bytes}`` in place of
        all of it when the record would hold more than ``MAX_CONTEXT_BYTES``."""
        if context is before and shown is not None:
            return shown
        if len(context) * _MIN_MEMBER_CHARS <= MAX_CONTEXT_BYTES:
            masked = self.memory(context, before, shown)
            if _size(masked) <= MAX_CONTEXT_BYTES:
                return masked
        return {"truncated": _size(context)}

    def _shown(self, name: str, value: Any) -> Any:
        if value is not None and self.hides(name):
            return MASK
        if isinstance(value, dict | list) or (isinstance(value, str) and len(value) >= MAX_VALUE_BYTES // 4):
            # Measured before it is masked: of a long value nothing but its size is needed.
            size = _size(value)
            if size > MAX_VALUE_BYTES:
                return {"truncated": size}
        return self.value(value)


def _size(value: Any) -> int:
    return len(msgspec.json.encode(value))
