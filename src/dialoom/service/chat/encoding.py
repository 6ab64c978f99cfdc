"""Encodes what is kept of a large chat: what did not change since the last time is not encoded again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dialoom.service.chat.chat_row import StoredChat

MIN_PART_BYTES = 16 * 1024
"""Of a part that is kept encoded beside its value."""


class Part(msgspec.Struct, frozen=True):
    value: Any
    encoded: msgspec.Raw


_encode = msgspec.json.Encoder().encode


def encode_parts(kept: StoredChat, before: Mapping[str, Part]) -> tuple[bytes, dict[str, Part]]:
    """The same bytes, with the large parts for the next time. ``before``: those of the last time, which count where
    their values are the same objects still."""
    state, parts = kept.state, dict[str, Part]()

    def part(name: str, value: Any) -> Any:
        known = before.get(name)
        if known is None or known.value is not value:
            encoded = _encode(value)
            if len(encoded) < MIN_PART_BYTES:
                return value
            known = Part(value, msgspec.Raw(encoded))
        parts[name] = known
        return known.encoded

    large = {
        name: part(f"entities/{name}", value)
        for name, value in state.entities.items()
        if isinstance(value, dict | list) or (isinstance(value, str) and len(value) >= MIN_PART_BYTES // 4)
    }
    told = msgspec.structs.replace(
        state,
        entities={**state.entities, **large},
        context=part("context", state.context),
        past=part("past", state.past),
        ask=part("ask", state.ask),
    )
    return _encode(msgspec.structs.replace(kept, state=told)), parts
