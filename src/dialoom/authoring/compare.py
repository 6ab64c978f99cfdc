"""Compares a bot's messages with what a conversation test expects (flow-language.md section 9): what differs."""

from __future__ import annotations

import json
from typing import Any


def matches(expected: Any, came: Any) -> bool:
    """Return whether a value is as expected. Keys that ``expected`` leaves out are not compared; lists have equal
    length."""
    if isinstance(expected, dict):
        return isinstance(came, dict) and all(_key_matches(key, value, came) for key, value in expected.items())
    if isinstance(expected, list | tuple):
        return (
            isinstance(came, list)
            and len(expected) == len(came)
            and all(matches(one, other) for one, other in zip(expected, came, strict=True))
        )
    if isinstance(expected, bool) or isinstance(came, bool):
        return expected is came
    return bool(expected == came)


def _key_matches(key: str, value: Any, came: dict[str, Any]) -> bool:
    text = came.get("text")
    match key:
        case "text" if isinstance(value, list):
            return text in value
        case "textStartsWith":
            return isinstance(text, str) and text.startswith(value)
        case "textIncludes":
            return isinstance(text, str) and value in text
        case _:
            return key in came and matches(value, came[key])


def accepted(alternatives: tuple[tuple[Any, ...], ...], came: list[dict[str, Any]]) -> bool:
    """Return whether the whole list of messages is one of the alternatives."""
    return any(matches(list(alternative), came) for alternative in alternatives)


def difference(alternatives: tuple[tuple[Any, ...], ...], came: list[dict[str, Any]]) -> list[str]:
    """Return lines ``- expected`` and ``+ came``, message by message, against the alternative that fits best."""
    best = alternatives[closest(alternatives, came)] if alternatives else ()
    lines = []
    for index in range(max(len(best), len(came))):
        expected = best[index] if index < len(best) else None
        got = came[index] if index < len(came) else None
        if expected is not None and got is not None and matches(expected, got):
            lines.append(f"  {_line(got)}")
            continue
        if expected is not None:
            lines.append(f"- {_line(expected)}")
        if got is not None:
            lines.append(f"+ {_line(got)}")
    if not best and not came:
        lines.append("- (no alternative is given)")
    return lines


def closest(alternatives: tuple[tuple[Any, ...], ...], came: list[dict[str, Any]]) -> int:
    """Return the index of the alternative that fits best, of equal ones the first; there is at least one."""
    return max(range(len(alternatives)), key=lambda index: (*_fit(alternatives[index], came), -index))


def _fit(alternative: tuple[Any, ...], came: list[dict[str, Any]]) -> tuple[int, int]:
    same = sum(matches(expected, got) for expected, got in zip(alternative, came, strict=False))
    return same, -abs(len(alternative) - len(came))


def _line(message: Any) -> str:
    plain = (
        {key: value for key, value in message.items() if key not in {"id", "richQuickReplies"}}
        if (isinstance(message, dict))
        else message
    )
    return json.dumps(plain, ensure_ascii=False)
