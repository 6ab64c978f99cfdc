"""Puts what came in the place of what a conversation test expected (``dialoom test --update``).

Only the steps that differ change, and only the alternative that fits best; the rest of the file stays as its author
laid it out. An author reads the change before keeping it: an update makes a test pass, not the bot right.
"""

from __future__ import annotations

import json
from json import JSONDecoder
from typing import TYPE_CHECKING, Any

from dialoom.authoring.compare import closest, matches
from dialoom.flow.positions import scan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.authoring.play import Outcome
    from dialoom.authoring.scenarios import TestStep

LINE_CHARS = 120
_NEVER = frozenset({"id", "richQuickReplies", "template"})
"""Keys that a test would not write by itself: said by others as well, or other at each run."""


def updated(text: str, outcomes: Sequence[Outcome | None]) -> tuple[str, int]:
    """Return the text of a file with the expectations of its scenarios corrected, and the number of changed steps."""
    document = scan(text)
    changed = 0
    text = document.text
    # From the end to the start, so that the places of what is still to come stay true.
    for number in range(len(outcomes) - 1, -1, -1):
        outcome = outcomes[number]
        if outcome is None:
            continue
        for index in range(len(outcome.steps) - 1, -1, -1):
            played = outcome.steps[index]
            if not played.lines or any(line.startswith("! ") for line in played.lines):
                continue
            start = document.offset(("scenarios", number, "steps", index, "bot"))
            _, end = JSONDecoder().raw_decode(text, start)
            new = _alternatives(outcome.scenario.steps[index], list(played.came))
            column = start - text.rfind("\n", 0, start) - 1
            text = text[:start] + json_text(new, _indent(text, start), column) + text[end:]
            changed += 1
    return text, changed


def _alternatives(step: TestStep, came: list[dict[str, Any]]) -> list[Any]:
    alternatives: list[Any] = [list(alternative) for alternative in step.bot]
    if not alternatives:
        return [[_message(None, message) for message in came]]
    best = closest(step.bot, came)
    old = step.bot[best]
    alternatives[best] = [
        _message(old[index] if index < len(old) else None, message) for index, message in enumerate(came)
    ]
    return alternatives


def _message(expected: Any, came: dict[str, Any]) -> Any:
    """Return a message in the keys that the test's author chose; all keys that say something where there was none."""
    if expected is not None and matches(expected, came):
        return expected
    wanted = set(expected) if isinstance(expected, dict) else set()
    if wanted & {"textStartsWith", "textIncludes"} or not wanted:
        wanted |= {"text"}
    keys = (wanted & came.keys()) or (came.keys() - _NEVER)
    if not isinstance(expected, dict):
        keys = came.keys() - _NEVER
    return {key: value for key, value in came.items() if key in keys}


def _indent(text: str, at: int) -> int:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return len(line) - len(line.lstrip(" "))


def json_text(value: Any, indent: int = 0, column: int = 0) -> str:
    """Return a value as JSON laid out as people write it in test files: on one line where it fits, else each of its
    parts on one. ``indent``: of the line that the value begins in; ``column``: where in it the value begins."""
    line = json.dumps(value, ensure_ascii=False)
    if column + len(line) < LINE_CHARS or not isinstance(value, dict | list) or not value:
        return line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        names = [(json.dumps(key, ensure_ascii=False) + ": ", item) for key, item in value.items()]
        parts = [inner + name + json_text(item, indent + 2, indent + 2 + len(name)) for name, item in names]
        return "{\n" + ",\n".join(parts) + "\n" + " " * indent + "}"
    parts = [inner + json_text(item, indent + 2, indent + 2) for item in value]
    return "[\n" + ",\n".join(parts) + "\n" + " " * indent + "]"
