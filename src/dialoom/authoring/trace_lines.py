"""Writes the trace of a turn as lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.engine.trace import Called, Changed, Reading, Sent, Understood, Visited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.engine import Trace
    from dialoom.engine.trace import Entry

MAX_SHOWN_CHARS = 100
"""Characters of a value or a text that are shown."""


def lines_of(trace: Trace) -> list[str]:
    """Return a line for each entry of a masked trace; what a step did stands indented under it."""
    return [line for entry in trace.entries for line in _lines(entry)]


def _lines(entry: Entry) -> Iterator[str]:
    match entry:
        case Understood():
            yield from _understood(entry)
        case Visited():
            why = f": {entry.condition_text} ({entry.path})" if entry.condition is not None else ""
            why = f": {entry.reason}" if entry.reason else why
            yield f"{entry.step or 'the turn'}  {entry.outcome}{why}"
        case Changed():
            indent = "  " if entry.step else ""
            yield f"{indent}{entry.name}: {_json(entry.before)} -> {_json(entry.after)}"
        case Called():
            yield f"  {_call(entry)}"
        case Sent():
            yield f"  says {_json(entry.text)} ({entry.step})" if entry.step else f"  says {_json(entry.text)}"


def _understood(entry: Understood) -> Iterator[str]:
    text = "" if entry.text is None else f" {_json(entry.text)}"
    at = f", at {entry.question}" if entry.question else ""
    yield f"understood{text} as {entry.meant}{at}"
    for one in entry.taken:
        yield f"  {_reading(one)} -> {one.taken_by}"
        for loser in one.lost:
            yield f"    and not {_reading(loser)}"
    for one in entry.offered:
        yield f"  offered: {_reading(one)}"
    for one in entry.unused:
        yield f"  not used: {_reading(one)}"
    if entry.row:
        yield f"  because: {entry.row}"
    for one_refused in entry.refused:
        yield f"  not taken: {one_refused.kind} {one_refused.what} ({one_refused.by})"
    for step in entry.reopened:
        yield f"  to be asked again: {step}"


def _reading(one: Reading) -> str:
    return f"{one.type} {_json(one.value)}, {one.confidence:.2f}, from {_json(one.text)} at {one.start}-{one.end}"


def _call(entry: Called) -> str:
    what = f"{entry.method} {entry.url}" if entry.url else "renewing the login"
    came = entry.failure if entry.status is None else str(entry.status)
    took = "" if entry.milliseconds is None else f" in {entry.milliseconds} ms"
    return f"calls {what}: {came}{took}"


def _json(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= MAX_SHOWN_CHARS else f"{text[:MAX_SHOWN_CHARS]}..."
