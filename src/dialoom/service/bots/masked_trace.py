"""Masks the trace of a turn by the rule of records (history-api.md), before anybody sees or keeps it."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, unquote_plus, urlsplit, urlunsplit

import msgspec

from dialoom.engine import State, Trace
from dialoom.engine.trace import Called, Changed, Entry, Reading, Sent, Understood, Visited
from dialoom.service.bots.masking import MASK, MaskedValues, Masking, hidden_in, secrets_in


def masked_trace(trace: Trace, masking: Masking, before: State, after: State) -> Trace:
    """Return the trace without secrets. ``before`` and ``after``: the states at the ends of its turn."""
    changed: dict[str, Any] = {}
    for entry in trace.entries:
        if isinstance(entry, Changed):
            changed.setdefault(entry.name, []).append([entry.before, entry.after])
    held = [secrets_in(memory, masking) for memory in (before.context, before.entities)]
    last = [secrets_in(memory, masking) for memory in (after.context, after.entities, changed)]
    hidden = hidden_in([*held, *last], held)
    return Trace(tuple(_entry(entry, masking, hidden) for entry in trace.entries))


def _entry(entry: Entry, masking: Masking, hidden: MaskedValues) -> Entry:
    match entry:
        case Understood():
            return _understood(entry, masking, hidden)
        case Changed():
            before = masking.memory({entry.name: entry.before})
            after = masking.memory({entry.name: entry.after})
            [(name, old)], [new] = before.items(), after.values()
            return msgspec.structs.replace(entry, name=name, before=old, after=new)
        case Called():
            failure = hidden.said(masking.text(entry.failure))
            return msgspec.structs.replace(entry, url=_address(entry.url, masking, hidden), failure=failure)
        case Sent():
            return msgspec.structs.replace(entry, text=hidden.said(masking.text(entry.text)))
        case Visited():
            return msgspec.structs.replace(entry, reason=hidden.said(masking.text(entry.reason)))


def _understood(entry: Understood, masking: Masking, hidden: MaskedValues) -> Understood:
    is_hidden = entry.entity is not None and masking.hides(entry.entity)
    readings = [*entry.taken, *entry.unused, *(one for winner in entry.taken for one in winner.lost)]
    said = {str(number): [{"value": one.value, "text": one.text}] for number, one in enumerate(readings)}
    text, _, shown = hidden.heard(masking.text(entry.text or ""), None, masking.value(said))
    words = {id(one): shown[str(number)][0] for number, one in enumerate(readings)}

    def masked(one: Reading) -> Reading:
        if is_hidden or masking.hides(one.type) or (one.entity is not None and masking.hides(one.entity)):
            value: Any = MASK
            word: Any = MASK
        else:
            value, word = words[id(one)]["value"], words[id(one)]["text"]
        return msgspec.structs.replace(one, value=value, text=word, lost=tuple(masked(other) for other in one.lost))

    return msgspec.structs.replace(
        entry,
        text=None if entry.text is None else MASK if is_hidden else text,
        taken=tuple(masked(one) for one in entry.taken),
        unused=tuple(masked(one) for one in entry.unused),
    )


def _address(url: str, masking: Masking, hidden: MaskedValues) -> str:
    """Return an address without the secrets in its path and query, and without the user before its host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return MASK
    path = "/".join(_part(part, hidden) for part in parts.path.split("/"))
    query = []
    for field in parts.query.split("&") if parts.query else ():
        name, equals, value = field.partition("=")
        query.append(f"{name}={MASK}" if masking.hides(unquote_plus(name)) else name + equals + _part(value, hidden))
    host = parts.netloc.rpartition("@")[2]
    return str(masking.text(urlunsplit((parts.scheme, host, path, "&".join(query), ""))))


def _part(part: str, hidden: MaskedValues) -> str:
    """Return a part of an address; one that holds a secret without it."""
    said = unquote_plus(part)
    shown = hidden.said(said)
    return part if shown == said else quote(shown, safe="*")
