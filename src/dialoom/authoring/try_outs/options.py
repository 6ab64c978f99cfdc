"""Finds the options of a try-out by their keys, and what of two ways that a turn went differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from dialoom.authoring.try_outs.kept import Picked

if TYPE_CHECKING:
    from dialoom.authoring.try_outs.kept import KeptTurn

_NOT_SEEN = frozenset({"id", "position", "createdAt", "key", "replaces"})
"""Fields of a message that may be other ones at each run, without anybody seeing it."""


def keys_of(option: Any) -> tuple[str, ...] | None:
    """Return the keys that an option names as the web protocol does, () for ``{"value"}``, None for a value itself."""
    if not isinstance(option, dict) or len(option) != 1:
        return None
    match option:
        case {"key": str(key)}:
            return (key,)
        case {"keys": [*keys]} if keys and all(isinstance(key, str) for key in keys):
            return tuple(keys)
        case {"value": _}:
            return ()
    return None


def picked(turns: Sequence[KeptTurn], keys: tuple[str, ...]) -> tuple[Picked, ...]:
    """Return what the keys stand for; () where one is of no option that was offered."""
    known = {option["key"]: option for option in reversed(list(_options(turns))) if option.get("key")}
    found = [known[key] for key in keys if key in known]
    return tuple(Picked(one["title"], one.get("value")) for one in found) if len(found) == len(keys) else ()


def keys_for(turns: Sequence[KeptTurn], picked: Sequence[Picked]) -> tuple[str, ...] | None:
    """Return the keys of these options where they were offered last; None where one of them was not."""
    known = [option for option in _options(turns) if option.get("key")]
    keys = []
    for one in picked:
        same = [option for option in known if option.get("value") == one.value]
        best = next((option for option in same if option["title"] == one.title), next(iter(same), None))
        if best is None:
            return None
        keys.append(best["key"])
    return tuple(keys)


def _options(turns: Sequence[KeptTurn]) -> Iterator[dict[str, Any]]:
    """Yield the options of all messages, those of the newest message first."""
    for turn in reversed(turns):
        for message in reversed(turn.messages):
            yield from message.get("replies") or ()
            yield from (message.get("dialog") or {}).get("options") or ()


def seen(messages: Sequence[dict[str, Any]]) -> list[Any]:
    """Return what people see of the bot's messages."""
    return [_seen(message) for message in messages if message.get("from") == "bot"]


def _seen(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _seen(item) for name, item in value.items() if name not in _NOT_SEEN}
    return [_seen(item) for item in value] if isinstance(value, list) else value
