"""Makes what a user did in a recorded conversation into turns that a try-out can play again.

A turn has the words of conversation tests: ``text``, ``option``, ``location`` or ``attachments``. What is masked in the
records is not known any more, and stays masked here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dialoom.service.bots.masking import MASK


def turns_of(messages: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the user's turns. ``messages``: message records of a conversation, in order. Each turn has the
    ``sequence`` of its message, and ``isMasked`` where a part of it is masked."""
    turns: list[dict[str, Any]] = []
    titles: dict[str, Any] = {}
    for message in messages:
        if message["From"] == "bot":
            titles |= _options(message.get("Payload"))
            if not turns:
                turns.append({"sequence": message["Sequence"], "event": {"type": "opening"}})
            continue
        turn = _turn(message, titles)
        if turn is not None:
            is_masked = {"isMasked": True} if _is_masked(turn) else {}
            turns.append({"sequence": message["Sequence"], **is_masked, **turn})
    return turns


def _turn(message: dict[str, Any], options: dict[str, Any]) -> dict[str, Any] | None:
    text, payload = message.get("Text") or "", message.get("Payload")
    match message["Type"]:
        case "option":
            return _choice(text, payload, options)
        case "location" if isinstance(payload, dict):
            return {"location": {key: payload[key] for key in ("latitude", "longitude", "name") if key in payload}}
        case "file" if isinstance(payload, list):
            return {"attachments": [_file(file) for file in payload if isinstance(file, dict)]}
        case _:
            return {"text": text} if text else None


def _choice(text: str, payload: Any, options: dict[str, Any]) -> dict[str, Any] | None:
    """Return the chosen option by its value: keys hold numbers that another run of the flow may give otherwise."""
    if not isinstance(payload, dict):
        return {"option": text} if text else None
    if "value" in payload:
        return {"option": payload["value"]}
    keys = payload.get("keys")
    if not isinstance(keys, list):
        return {"option": text} if text else None
    values = [options.get(key, text) for key in keys if isinstance(key, str)]
    return {"option": values[0] if len(values) == 1 else values}


def _options(payload: Any) -> dict[str, Any]:
    """Return the values of the options that a message of the bot offers, by their keys."""
    if not isinstance(payload, dict):
        return {}
    dialog = payload.get("dialog")
    offered = [*_list(payload.get("replies")), *_list(dialog.get("options") if isinstance(dialog, dict) else None)]
    return {
        option["key"]: option.get("title") if option.get("system") else option.get("value", option.get("title"))
        for option in offered
        if isinstance(option, dict) and isinstance(option.get("key"), str)
    }


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _file(file: dict[str, Any]) -> dict[str, Any]:
    named = {"mimeType": file.get("mimeType", file.get("mime_type")), "name": file.get("name")}
    return {"payload": {"url": str(file.get("url", ""))}, **{key: value for key, value in named.items() if value}}


def _is_masked(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_is_masked, value.values()))
    if isinstance(value, list):
        return any(map(_is_masked, value))
    return isinstance(value, str) and MASK in value
