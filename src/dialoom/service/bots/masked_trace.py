"""Masks the trace of a turn, and a call of it, by the rule of records (history-api.md), before anybody sees or keeps
it."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import quote, unquote_plus, urlsplit, urlunsplit

import msgspec

from dialoom.engine import State, Trace
from dialoom.engine.effects import Request
from dialoom.engine.trace import Called, Changed, Entry, Reading, Sent, Understood, Visited
from dialoom.service.bots.masking import MASK, MaskedValues, Masking, hidden_in, secrets_in

MAX_BODY_CHARS: Final = 4000
"""Of a call's body that is shown."""
_FORM: Final = "application/x-www-form-urlencoded"


def masked_trace(trace: Trace, masking: Masking, before: State, after: State) -> Trace:
    """Return the trace without secrets. ``before`` and ``after``: the states at the ends of its turn."""
    hidden = _hidden(trace, masking, before, after)
    return Trace(tuple(_entry(entry, masking, hidden) for entry in trace.entries))


def masked_call(request: Request, trace: Trace, masking: Masking, before: State, after: State) -> tuple[str, str]:
    """Return address and body of a call without secrets, the body cut where it is long. The rest is of its turn, as for
    ``masked_trace``."""
    hidden = _hidden(trace, masking, before, after)
    body = (request.body or b"").decode("utf-8", "replace")
    try:
        _, shown, _ = hidden.heard(None, masking.value(msgspec.json.decode(body)), {})
        body = msgspec.json.encode(shown).decode()
    except (msgspec.DecodeError, RecursionError):
        if any(name.lower() == "content-type" and value.startswith(_FORM) for name, value in request.headers):
            body = _fields(body, masking, hidden)
    body = str(hidden.said(masking.text(body)))
    is_long = len(body) > MAX_BODY_CHARS
    return _address(request.url, masking, hidden), body[:MAX_BODY_CHARS] + "…" * is_long


def _hidden(trace: Trace, masking: Masking, before: State, after: State) -> MaskedValues:
    changed: dict[str, Any] = {}
    for entry in trace.entries:
        if isinstance(entry, Changed):
            changed.setdefault(entry.name, []).append([entry.before, entry.after])
    held = [secrets_in(memory, masking) for memory in (before.context, before.entities)]
    last = [secrets_in(memory, masking) for memory in (after.context, after.entities, changed)]
    return hidden_in([*held, *last], held)


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
    readings = [*entry.taken, *entry.unused, *entry.offered, *(one for winner in entry.taken for one in winner.lost)]
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
        offered=tuple(masked(one) for one in entry.offered),
    )


def _address(url: str, masking: Masking, hidden: MaskedValues) -> str:
    """Return an address without the secrets in its path and query, and without the user before its host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return MASK
    path = "/".join(_part(part, hidden) for part in parts.path.split("/"))
    query = _fields(parts.query, masking, hidden)
    host = parts.netloc.rpartition("@")[2]
    return str(masking.text(urlunsplit((parts.scheme, host, path, query, ""))))


def _fields(query: str, masking: Masking, hidden: MaskedValues) -> str:
    """Return the fields of a query or a form without secrets."""
    shown = []
    for field in query.split("&") if query else ():
        name, equals, value = field.partition("=")
        shown.append(f"{name}={MASK}" if masking.hides(unquote_plus(name)) else name + equals + _part(value, hidden))
    return "&".join(shown)


def _part(part: str, hidden: MaskedValues) -> str:
    """Return a part of an address; one that holds a secret without it."""
    said = unquote_plus(part)
    shown = hidden.said(said)
    return part if shown == said else quote(shown, safe="*")
